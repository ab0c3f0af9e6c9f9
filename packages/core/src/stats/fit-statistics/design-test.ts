import { OptionError } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import { probabilityOf } from '../../model/posterior.ts'
import { chiSquareTail, fisherTail } from '../../numeric/special.ts'
import { eigen } from '../../numeric/symmetric.ts'
import { cellPositions } from '../../tensor/cell-positions.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import {
  checkDesignIndex,
  type DesignIndex,
  designVariance,
  indexDesign,
  modelScores,
  type ScoreVariance,
  type SurveyDesign,
  withoutDesign,
} from '../errors/survey-design.ts'
import { freeParameters } from '../identification/free-parameters.ts'
import type { Evaluation } from './evaluation.ts'

/** How the rows were drawn: in clusters, or one by one with weights. */
export interface DesignTestOptions {
  /** Clusters and strata: modes of the data that the model does not have. */
  readonly design?: SurveyDesign
  /** Of rows with weights: for every cell the sum of their squares. */
  readonly squares?: Float64Array
}

/** A statistic of fit that is corrected for the design of the sample. */
export interface CorrectedStatistic {
  /** The statistic over the mean design effect, and its p by χ² (Rao and Scott's first-order correction). */
  readonly statistic: number
  readonly pValue: number
  /** With the second-order correction of Satterthwaite, against Fisher's F. */
  readonly f: {
    readonly statistic: number
    readonly degreesOfFreedom: readonly [above: number, below: number]
    readonly pValue: number
  }
}

export interface DesignTest {
  /** The mean generalized design effect: what the statistic is expected to be, over what it would be in a simple sample. */
  readonly designEffect: number
  readonly degreesOfFreedom: number
  readonly gSquared: CorrectedStatistic
  readonly chiSquared: CorrectedStatistic
}

/** Tables of more cells have no such test: its matrices have a row for every cell. */
const MOST_CELLS = 1000

/** An eigenvalue below this part of the largest is a direction in which the table tells nothing of the parameters. */
const NOTHING = 1e-9

const NO_PLACE: DesignIndex = { design: { cluster: '' }, cluster: -1, stratum: -1 }

/**
 * The test of fit by G² and X² under a design: Rao and Scott's corrections by the generalized design effects, the eigenvalues of n·K·V with V the
 * covariance of the table's shares under the design and K = D⁻¹ − S·I⁻¹·Sᵀ what is left of the table beside the scores S of the model. D are the
 * observed shares, or those of the model if a cell is empty. For independence in two-way tables it is `svychisq` of R's survey. Undefined
 * where there is no G², no degree of freedom, or too many cells.
 * @example
 * const squares = answers.values // every row weighs 1
 * const component = principalComponent(answers)
 * const found = designTest(answers, component, await evaluate(answers, component), { squares })
 * found?.designEffect // 1
 */
export const designTest = (
  data: Tensor,
  model: Model,
  evaluation: Pick<Evaluation, 'gSquared' | 'chiSquared' | 'degreesOfFreedom'>,
  { design, squares }: DesignTestOptions,
): DesignTest | undefined => {
  const designIndex = design === undefined ? NO_PLACE : indexDesign(data, design)
  if (design !== undefined) checkDesignIndex(data, model, designIndex)
  else if (squares?.length !== data.cells)
    throw new OptionError('squares', `must have ${data.cells} numbers, one per cell`, squares?.length)
  const { gSquared, chiSquared, degreesOfFreedom: df } = evaluation
  const answers = design === undefined ? data : withoutDesign(data, designIndex)
  const cells = answers.shape.reduce((product, size) => product * size, 1)
  if (gSquared === undefined || chiSquared === undefined || !(df > 0) || cells > MOST_CELLS) return undefined
  const table = wholeTable(answers.shape, cells)
  const observed = new Float64Array(cells)
  const places = cellPositions(tableTensor(answers, table), answers.indices)
  places.forEach((at, cell) => {
    observed[at] += answers.values[cell] / answers.total
  })
  const seen = observed.every(share => share > 0)
  const shares = seen ? observed : observed.map((_, at) => probabilityOf(model.parameters, table, at))
  const kernel = beyondModel(answers, model, table, shares)
  const own = cellPositions(
    tableTensor(answers, table),
    data.indices.filter((_, n) => n !== designIndex.cluster && n !== designIndex.stratum),
  )
  const drawn =
    design === undefined ? byRows(data, own, observed, squares!) : byClusters(data, own, observed, designIndex)
  return corrected({ gSquared, chiSquared, df, total: answers.total }, kernel, drawn, cells)
}

/** All cells of a table, as columns of indices. */
const wholeTable = (shape: readonly number[], cells: number): Int32Array[] => {
  let below = cells
  return shape.map(size => {
    below /= size
    return Int32Array.from({ length: cells }, (_, at) => Math.floor(at / below) % size)
  })
}

/** The same as a tensor, in whose order they are. */
const tableTensor = ({ modes }: Tensor, indices: readonly Int32Array[]): Tensor =>
  ({ modes, indices, cells: indices[0].length }) as unknown as Tensor

/** K = D⁻¹ − S·I⁺·Sᵀ, with I = Sᵀ·D·S: how X² weighs differences of shares that the model cannot follow. */
const beyondModel = (
  { modes }: Tensor,
  model: Model,
  indices: readonly Int32Array[],
  shares: Float64Array,
): Float64Array => {
  const cells = shares.length
  const free = freeParameters(model.parameters)
  const q = free.count
  const scores = new Float64Array(cells * q)
  const table = { modes, indices, values: new Float64Array(cells).fill(1) } as unknown as Tensor
  const addScore = modelScores(table, model.parameters, free, NO_PLACE)
  for (let at = 0; at < cells; at++) addScore(at, scores.subarray(at * q, (at + 1) * q))
  const information = new Float64Array(q * q)
  for (let at = 0; at < cells; at++)
    for (let a = 0; a < q; a++)
      for (let b = 0; b < q; b++) information[a * q + b] += shares[at] * scores[at * q + a] * scores[at * q + b]
  const { values, vectors } = eigen(information, q)
  // The scores along the directions that the table tells apart, each of length 1.
  const along = [...values.keys()]
    .filter(i => values[i] > NOTHING * values[0])
    .map(i => {
      const scale = 1 / Math.sqrt(values[i])
      return Float64Array.from({ length: cells }, (_, at) => {
        let sum = 0
        for (let a = 0; a < q; a++) sum += scores[at * q + a] * vectors[i * q + a]
        return sum * scale
      })
    })
  const kernel = new Float64Array(cells * cells)
  for (const direction of along)
    for (let a = 0; a < cells; a++) for (let b = 0; b < cells; b++) kernel[a * cells + b] -= direction[a] * direction[b]
  // A cell that cannot be has no part in X².
  for (let a = 0; a < cells; a++) if (shares[a] > 0) kernel[a * (cells + 1)] += 1 / shares[a]
  return kernel
}

/** The covariance of the shares of all cells if rows were drawn one by one, and the degrees of freedom that it has. */
const byRows = (
  { total, values }: Tensor,
  places: Int32Array,
  observed: Float64Array,
  squares: Float64Array,
): ScoreVariance & { readonly degreesOfFreedom: number } => {
  const cells = observed.length
  const sums = new Float64Array(cells)
  values.forEach((_, cell) => {
    sums[places[cell]] += squares[cell]
  })
  const all = sums.reduce((sum, each) => sum + each, 0)
  // Weights average 1.
  const rows = Math.round(total)
  const matrix = new Float64Array(cells * cells)
  for (let a = 0; a < cells; a++)
    for (let b = 0; b < cells; b++) {
      const apart = observed[a] * observed[b] * all - sums[a] * observed[b] - sums[b] * observed[a]
      matrix[a * cells + b] = ((apart + (a === b ? sums[a] : 0)) * rows) / (rows - 1) / total ** 2
    }
  return { matrix, clusters: undefined, strata: undefined, degreesOfFreedom: rows - 1 }
}

/** The same if they were drawn in clusters within strata. */
const byClusters = (
  data: Tensor,
  places: Int32Array,
  observed: Float64Array,
  designIndex: DesignIndex,
): ScoreVariance & { readonly degreesOfFreedom: number } => {
  const cells = observed.length
  const answered = places.map(at => (at === MISSING ? 0 : 1))
  const total = data.values.reduce((sum, value, cell) => sum + value * answered[cell], 0)
  const found = designVariance(
    data,
    cells,
    (cell, into) => {
      if (answered[cell] === 0) return
      const part = data.values[cell] / total
      for (let at = 0; at < cells; at++) into[at] -= part * observed[at]
      into[places[cell]] += part
    },
    designIndex,
  )
  return { ...found, degreesOfFreedom: found.clusters! - found.strata! }
}

const corrected = (
  { gSquared, chiSquared, df, total }: Readonly<Record<'gSquared' | 'chiSquared' | 'df' | 'total', number>>,
  kernel: Float64Array,
  { matrix, degreesOfFreedom: below }: ScoreVariance & { readonly degreesOfFreedom: number },
  cells: number,
): DesignTest => {
  // The traces of n·K·V and of its square.
  const product = new Float64Array(cells * cells)
  for (let a = 0; a < cells; a++)
    for (let c = 0; c < cells; c++) {
      const part = total * kernel[a * cells + c]
      if (part !== 0) for (let b = 0; b < cells; b++) product[a * cells + b] += part * matrix[c * cells + b]
    }
  let [trace, square] = [0, 0]
  for (let a = 0; a < cells; a++) {
    trace += product[a * (cells + 1)]
    for (let b = 0; b < cells; b++) square += product[a * cells + b] * product[b * cells + a]
  }
  const designEffect = trace / df
  const above = trace ** 2 / square
  const statistic = (of: number): CorrectedStatistic => ({
    statistic: of / designEffect,
    pValue: chiSquareTail(of / designEffect, df),
    f: {
      statistic: of / trace,
      degreesOfFreedom: [above, above * below],
      pValue: fisherTail(of / trace, above, above * below),
    },
  })
  return Object.freeze({
    designEffect,
    degreesOfFreedom: df,
    gSquared: statistic(gSquared),
    chiSquared: statistic(chiSquared),
  })
}
