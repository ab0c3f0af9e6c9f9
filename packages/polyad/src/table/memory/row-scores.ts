import type { Model, Parameters } from '@polyad/core'
import { membership, mostProbable, posteriorInto, surpriseFigures, surpriseTables } from '@polyad/core/model'
import { type ScoreSummary, tallied } from '../values/score-summary.ts'
import { NEVER_SEEN, type RowCodes } from './row-codes.ts'

/** Scores one row after another: their posteriors into an array, and log P of their answers. Covariates decide the prior, if they explain the classes. */
export const rowScorer = (parameters: Parameters) => {
  const shares = parameters.shares.slice()
  const given = { ...parameters, shares }
  return (
    indices: readonly Int32Array[],
    predictors: readonly Float64Array[],
    row: number,
    posterior: Float64Array,
  ): number => {
    if (predictors.length > 0) membership(predictors, row, parameters.shares, shares)
    return posteriorInto(given, indices, row, posterior)
  }
}

/** Explains one row after another: its surprise in bits, its score, what is expected, the mode (from 1; 0: none) that is most of a surprise, and the bits of every answer. */
export const rowExplainer = (parameters: Parameters, total: number) => {
  const prior = parameters.shares.slice()
  const figuresOf = surpriseFigures(surpriseTables(parameters, total))
  return (codes: readonly Int32Array[], predictors: readonly Float64Array[], row: number): readonly number[] => {
    if (predictors.length > 0) membership(predictors, row, parameters.shares, prior)
    const [surprise, score, expected, ...bits] = figuresOf(codes, row, prior)
    let most = 0
    bits.forEach((each, n) => {
      if (!Number.isNaN(each) && (most === 0 || each > bits[most - 1])) most = n + 1
    })
    return [surprise, score, expected, most, ...bits]
  }
}

/** Scores of the rows of a table under a model. */
export interface RowScores {
  /** By row and class. */
  readonly posteriors: Float64Array
  /** The most probable class of every row, its probability, and the log-likelihood of the answers. */
  readonly classes: Int32Array
  readonly probabilities: Float64Array
  readonly logLikelihoods: Float64Array
}

/**
 * Classifies the rows of a table.
 * @example
 * const codes = model.modes.map(() => Int32Array.of(0, 1))
 * scoreRows({ codes, predictors: [] }, model).classes.length // 2
 */
export const scoreRows = (
  { codes, predictors }: Pick<RowCodes, 'codes' | 'predictors'>,
  { rank, parameters }: Model,
): RowScores => {
  // To the model, what it has never seen is missing.
  const indices = codes.map(each => each.map(code => Math.max(code, -1)))
  const rows = codes[0].length
  const posteriors = new Float64Array(rows * rank)
  const classes = new Int32Array(rows)
  const [probabilities, logLikelihoods] = [new Float64Array(rows), new Float64Array(rows)]
  const scoreRow = rowScorer(parameters)
  for (let row = 0; row < rows; row++) {
    const own = posteriors.subarray(row * rank, (row + 1) * rank)
    logLikelihoods[row] = scoreRow(indices, predictors, row, own)
    classes[row] = mostProbable(own)
    probabilities[row] = own[classes[row]]
  }
  return { posteriors, classes, probabilities, logLikelihoods }
}

/**
 * The sums of a classification of some of the rows. They are added up class by class, as DuckDB does, so that they are the same to the last bit.
 * @param weight how much a row counts
 * @example
 * const codes = model.modes.map(() => Int32Array.of(0, 1))
 * const scores = scoreRows({ codes, predictors: [] }, model)
 * summarizeRows(scores, codes, model.rank, Int32Array.of(0, 1), () => 1).rows // 2
 */
export const summarizeRows = (
  scores: RowScores,
  codes: readonly Int32Array[],
  rank: number,
  rows: Int32Array,
  weight: (row: number) => number,
): ScoreSummary => {
  const sums = Array.from({ length: rank }, (_, k) => [k, ...new Array<number>(5 + codes.length).fill(0)])
  for (const row of rows) {
    const own = sums[scores.classes[row]]
    const logLikelihood = scores.logLikelihoods[row]
    own[1]++
    own[2] += weight(row)
    own[3] += weight(row) * scores.probabilities[row]
    if (Number.isFinite(logLikelihood)) own[4] += weight(row) * logLikelihood
    else own[5]++
    codes.forEach((each, n) => {
      if (each[row] === NEVER_SEEN) own[6 + n]++
    })
  }
  return tallied(
    sums.filter(([, found]) => found > 0),
    rank,
    codes.length,
  )
}
