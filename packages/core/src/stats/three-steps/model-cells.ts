import { DataError } from '../../errors.ts'
import type { CovariateDesign } from '../../fit/covariates/design.ts'
import type { Model } from '../../model/model.ts'
import { modePosition } from '../../model/posterior.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type ClassifiedRows, classificationOf, classify } from './measurement-step.ts'

/** The cells of a tensor as the rows of three steps: its modes are those of the model, covariates, and others. */

/** The answers of every cell by the positions of the model's labels; what the model does not know is missing. */
export const answersOf = (tensor: Tensor, model: Model): Int32Array[] =>
  model.modes.map(mode => {
    const n = modePosition(tensor.modes, mode.name)
    const own = tensor.modes[n]
    const codes = Int32Array.from({ length: own.size }, (_, j) => mode.indexOf(own.label(j)) ?? MISSING)
    return tensor.indices[n].map(index => (index === MISSING ? MISSING : codes[index]))
  })

export const classifiedRows = (
  tensor: Tensor,
  { parameters, rank }: Model,
  answers: readonly Int32Array[],
  squares: Float64Array | undefined,
): ClassifiedRows => {
  // A row that answers nothing tells nothing of its class.
  const answered = (i: number) => answers.some(column => column[i] !== MISSING)
  const weights = tensor.values.map((value, i) => (answered(i) ? value : 0))
  const rows = { ...classify(parameters, answers, tensor.cells), weights }
  const { masses, classification } = classificationOf(rank, rows)
  for (let t = 0; t < rank; t++)
    if (!rows.assigned.some((s, i) => s === t && weights[i] > 0))
      throw new DataError(
        `class ${t + 1} is not the most probable class of any row: nothing can be estimated for it; use fewer classes`,
      )
  return {
    classes: rank,
    ...rows,
    masses,
    classification,
    squares: (squares ?? tensor.values).map((square, i) => (weights[i] > 0 ? square : 0)),
  }
}

/** The combination of the covariates that each cell has; −1 where one is missing. */
export const patternsOf = (
  tensor: Tensor,
  { covariates, patterns }: CovariateDesign,
  weights: Float64Array,
): Int32Array => {
  const columns = covariates.map(({ mode }) => {
    const n = modePosition(tensor.modes, mode.name)
    const own = tensor.modes[n]
    const codes = Int32Array.from({ length: own.size }, (_, j) => mode.indexOf(own.label(j)) ?? MISSING)
    return tensor.indices[n].map(index => (index === MISSING ? MISSING : codes[index]))
  })
  const known = new Map(
    Array.from({ length: patterns }, (_, z) => [covariates.map(({ indices }) => indices[z]).join(), z]),
  )
  return Int32Array.from(weights, (weight, i) => {
    if (weight === 0 || columns.some(column => column[i] === MISSING)) return -1
    return known.get(columns.map(column => column[i]).join()) ?? -1
  })
}
