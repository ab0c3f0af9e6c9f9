import type { ConstraintSetting } from '../../fit/descent/constraints.ts'
import type { Model } from '../../model/model.ts'
import { posteriorInto } from '../../model/posterior.ts'
import { congruence } from '../../numeric/symmetric.ts'
import { MISSING } from '../../tensor/mode.ts'
import { type ColumnScores, columnScores } from '../errors/cell-scores.ts'
import { itemScores, undeterminedItems, withoutTables } from '../errors/item-scores.ts'
import { estimateCovariance, SINGULAR } from '../errors/sandwich.ts'
import { curvature, freeParameters } from '../identification/free-parameters.ts'
import { placedItem } from '../model-data/placed-item.ts'

/** What rows tell of the free parameters of a model. */
export interface MeasuredParameters {
  readonly free: number
  /** The derivatives of the logarithms of all shares and tables (columns) by the free parameters (rows). */
  readonly logs: Float64Array
  readonly bread: Float64Array
  readonly covariance: Float64Array
  /** By how much the log-likelihood of the rows could still rise. */
  readonly shortfall: number
}

/**
 * The same as for a model of categories, if some variables have parameters of their own. The information is added up row by row, because the
 * tables of numbers have too many entries for all their pairs; with S_k the score of a row if it were of class k, it is that of complete data less
 * Σ w·(Σ Ψ_k·S_k·S_kᵀ − g·gᵀ), g = Σ Ψ_k·S_k (Louis). A string says why there is none.
 */
export const measuredItems = (
  model: Model,
  answers: readonly Int32Array[],
  weights: Float64Array,
  squares: Float64Array,
  constraints: ConstraintSetting | undefined,
): MeasuredParameters | string => {
  const { parameters, rank, modes } = model
  const items = modes.map((mode, n) => placedItem(model, n, mode))
  const own = withoutTables(parameters, items)
  const free = freeParameters(own, undefined, undefined, constraints)
  const ofItems = itemScores(items, parameters.factors, free.count)
  const count = free.count + ofItems.count
  const plain = columnScores(free, own.factors, rank)
  const columns = plain.modes.map((each, n) => (items[n] === undefined ? each : ofItems.columns(n)))
  const gathered = new Float64Array(free.values.length)
  const [empirical, meat, within] = [0, 1, 2].map(() => new Float64Array(count * count))
  const gradient = new Float64Array(count)
  const posterior = new Float64Array(rank)
  const [row, score] = [new Float64Array(count), new Float64Array(count)]
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0 && squares[i] === 0) continue
    if (posteriorInto(parameters, answers, i, posterior) === Number.NEGATIVE_INFINITY)
      return 'the model makes rows of the data impossible: it was not fitted to them'
    row.fill(0)
    for (let k = 0; k < rank; k++) {
      score.fill(0)
      const add = ({ rows, scores }: ColumnScores, j: number) => {
        for (let r = 0; r < rows.length; r++) score[rows[r]] += scores[j * rows.length + r]
      }
      const part = weights[i] * posterior[k]
      add(plain.shares[k], 0)
      gathered[k] += part
      for (let n = 0; n < modes.length; n++) {
        const j = answers[n][i]
        if (j === MISSING) continue
        add(columns[n][k], j)
        const into = items[n] === undefined ? gathered : ofItems.gathered[n]
        into[columns[n][k].first + j * rank] += part
      }
      addSquare(within, score, part)
      for (let a = 0; a < count; a++) row[a] += posterior[k] * score[a]
    }
    addSquare(empirical, row, weights[i])
    addSquare(meat, row, squares[i])
    for (let a = 0; a < count; a++) gradient[a] += weights[i] * row[a]
  }
  const total = weights.reduce((sum, each) => sum + each, 0)
  const at = (i: number) => empirical[(free.count + i) * (count + 1)]
  if (undeterminedItems(items, ofItems.places, at, total).size > 0) return SINGULAR.sandwich
  const observed = empirical.map((entry, i) => entry - within[i])
  const blocks = [
    { matrix: curvature(free, some => some.reduce((sum, place) => sum + gathered[place], 0)), first: 0 },
    { matrix: ofItems.complete(), first: free.count },
  ]
  for (const { matrix, first } of blocks) {
    const size = Math.sqrt(matrix.length)
    matrix.forEach((each, place) => {
      observed[(first + Math.floor(place / size)) * count + first + (place % size)] += each
    })
  }
  const found = estimateCovariance(observed, count, meat)
  if (found === undefined) return SINGULAR.sandwich
  const offsets = modes.map((_, n) => modes.slice(0, n).reduce((sum, { size }) => sum + size * rank, rank))
  const all = modes.reduce((sum, { size }) => sum + size * rank, rank)
  const logs = new Float64Array(count * all)
  const write = ({ rows, scores }: ColumnScores, labels: number, first: number) => {
    for (let j = 0; j < labels; j++)
      rows.forEach((free, r) => {
        logs[free * all + first + j * rank] = scores[j * rows.length + r]
      })
  }
  plain.shares.forEach((column, k) => void write(column, 1, k))
  columns.forEach((each, n) => void each.forEach((column, k) => void write(column, modes[n].size, offsets[n] + k)))
  return { ...found, free: count, logs, shortfall: congruence(gradient, 1, found.bread, count)[0] / 2 }
}

const addSquare = (matrix: Float64Array, vector: Float64Array, times: number): void => {
  const size = vector.length
  for (let a = 0; a < size; a++) {
    const part = times * vector[a]
    if (part !== 0) for (let b = 0; b < size; b++) matrix[a * size + b] += part * vector[b]
  }
}
