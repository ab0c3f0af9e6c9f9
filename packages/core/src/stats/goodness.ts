import type { Model } from '../model/model.ts'
import { logExpectation, posteriorInto } from '../model/posterior.ts'
import { log } from '../numeric/log.ts'
import { chiSquareTail } from '../numeric/special.ts'
import type { Tensor } from '../tensor/tensor.ts'

export interface Goodness {
  /** The likelihood-ratio statistic, 2 Σ y·log(y/m); undefined where entries are missing, since m is then a marginal. */
  readonly gSquared: number | undefined
  /** Pearson's statistic over all cells of the table, seen and unseen; undefined likewise. */
  readonly chiSquared: number | undefined
  /** Cells of the table less 1, less the parameters; below zero where the model has more than the table can tell. */
  readonly degreesOfFreedom: number
  /** The chance of a G² this large if the model is true; undefined without degrees of freedom, or with too many to count. */
  readonly pValue: number | undefined
}

/** Free parameters: the shares less one, and for every class its labels less one in every mode. */
export const countParameters = (shape: readonly number[], rank: number): number =>
  rank - 1 + rank * shape.reduce((sum, size) => sum + size - 1, 0)

/** How well a model fits the table of counts. */
export const goodnessOfFit = (model: Model, tensor: Tensor): Goodness => {
  const cellsOfTable = tensor.shape.reduce((product, size) => product * size, 1)
  const degreesOfFreedom = cellsOfTable - 1 - countParameters(tensor.shape, model.rank)
  if (tensor.missing.includes(true)) {
    return { gSquared: undefined, chiSquared: undefined, degreesOfFreedom, pValue: undefined }
  }
  let gSquared = 2 * (model.total - tensor.total)
  // Σ (y−m)²/m over the whole table is Σ y²/m − 2M + Σλ: the cells without counts need not be visited.
  let chiSquared = model.total - 2 * tensor.total
  const out = new Float64Array(model.rank)
  for (let cell = 0; cell < tensor.cells; cell++) {
    const y = tensor.values[cell]
    // In logarithms: with a thousand modes the expectation itself is below the smallest double.
    const logRatio = log(y) - logExpectation(model.parameters, tensor.indices, cell, out)
    gSquared += 2 * y * logRatio
    chiSquared += y * Math.exp(logRatio)
  }
  gSquared = Math.max(0, gSquared)
  const pValue =
    degreesOfFreedom > 0 && Number.isFinite(degreesOfFreedom) ? chiSquareTail(gSquared, degreesOfFreedom) : undefined
  return { gSquared, chiSquared: Math.max(0, chiSquared), degreesOfFreedom, pValue }
}

/** The uncertainty of the classification: Σ y·H(Ψ) over the cells, in nats. */
export const classificationEntropy = ({ parameters }: Model, tensor: Tensor): number => {
  const out = new Float64Array(parameters.rank)
  let entropy = 0
  for (let cell = 0; cell < tensor.cells; cell++) {
    posteriorInto(parameters, tensor.indices, cell, out)
    for (const p of out) if (p > 0) entropy -= tensor.values[cell] * p * log(p)
  }
  return entropy
}

/**
 * The relative entropy of the classification: 1 where every cell's class is certain, 0 where the posterior is uniform.
 * Undefined for a single class.
 */
export const relativeEntropy = (model: Model, tensor: Tensor): number | undefined =>
  model.rank === 1 ? undefined : 1 - classificationEntropy(model, tensor) / (tensor.total * log(model.rank))
