import fc from 'fast-check'
import { expect } from 'vitest'
import type { ItemModel } from '../packages/core/src/model/items/item.ts'
import { chiSquareTail } from '../packages/core/src/numeric/special.ts'
import type { Label } from '../packages/core/src/tensor/mode.ts'

/** What the tests of all kinds of items check in the same way. */

/** The number of labels, from the scores of a class. */
const labelsOf = (item: ItemModel, theta: Float64Array): number => {
  const [{ rows, scores }] = item.scores(theta)
  return scores.length / rows.length
}

/** The table at θ. */
export const tableOf = (item: ItemModel, theta: Float64Array): Float64Array => {
  const table = new Float64Array(labelsOf(item, theta) * item.rank)
  item.table(theta, table)
  return table
}

/** Σ expected · log table. */
export const meanLog = (item: ItemModel, theta: Float64Array, expected: Float64Array): number =>
  tableOf(item, theta).reduce((sum, p, at) => sum + (expected[at] > 0 ? expected[at] * Math.log(p) : 0), 0)

/** The next θ, whose expected log-likelihood must not be lower. */
export const expectAscent = (item: ItemModel, theta: Float64Array, expected: Float64Array): Float64Array => {
  const [slope, next] = [new Float64Array(item.size), new Float64Array(item.size)]
  item.slope(theta, expected, slope)
  item.maximize(theta, expected, slope, next)
  const before = meanLog(item, theta, expected)
  expect(meanLog(item, next, expected)).toBeGreaterThanOrEqual(before - 1e-10 * Math.max(1, Math.abs(before)))
  return next
}

/** After so many steps the slope must be zero, and everything beside it worse. */
export const expectMaximum = (
  item: ItemModel,
  start: Float64Array,
  expected: Float64Array,
  steps: number,
  precision: number,
): void => {
  let theta = start
  for (let step = 0; step < steps; step++) theta = expectAscent(item, theta, expected)
  const slope = new Float64Array(item.size)
  item.slope(theta, expected, slope)
  for (const each of slope) expect(Math.abs(each)).toBeLessThan(precision)
  const best = meanLog(item, theta, expected)
  theta.forEach((value, i) => {
    for (const by of [-0.05, 0.05]) {
      const beside = theta.slice()
      beside[i] += item.positive[i] ? by * value : by
      expect(meanLog(item, beside, expected)).toBeLessThan(best)
    }
  })
}

/** Random expected counts, with zeros among them. */
export const expectedCounts = (length: number) =>
  fc
    .array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 20, noNaN: true })), {
      minLength: length,
      maxLength: length,
    })
    .map(counts => Float64Array.from(counts))
    .filter(counts => counts.some(count => count > 1e-3))

/** Compares the scores, and the slope for some expected counts, with central differences of the table. */
export const expectScores = (item: ItemModel, theta: Float64Array, precision = 1e-5): void => {
  const { rank, size } = item
  const labels = labelsOf(item, theta)
  const numeric = Array.from(theta, (value, i) => {
    const by = 1e-6 * (item.positive[i] ? value : Math.max(1, Math.abs(value)))
    const [above, below] = [1, -1].map(sign =>
      tableOf(
        item,
        theta.map((each, at) => each + (at === i ? sign * by : 0)),
      ),
    )
    return above.map((p, at) => (Math.log(p) - Math.log(below[at])) / (2 * by))
  })
  const expected = Float64Array.from({ length: labels * rank }, (_, at) => (at % 5) + 0.5)
  const slope = new Float64Array(size)
  item.slope(theta, expected, slope)
  const sums = new Float64Array(size)
  item.scores(theta).forEach(({ rows, scores }, k) => {
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < labels; j++) {
        const at = rows.indexOf(i)
        const score = at < 0 ? 0 : scores[j * rows.length + at]
        const difference = Math.abs(score - numeric[i][j * rank + k])
        expect(difference).toBeLessThan(precision * Math.max(1, Math.abs(score), Math.abs(1 / theta[i])))
        sums[i] += expected[j * rank + k] * score
      }
    }
  })
  sums.forEach((sum, i) => {
    expect(Math.abs(slope[i] - sum)).toBeLessThan(1e-9 * Math.max(1, ...numeric[i].map(Math.abs)) * labels * rank * 5)
  })
}

/** χ² of drawn values against the table, with those expected fewer than five times as one, and how many were not among the values. */
export const goodnessOf = (
  item: ItemModel,
  theta: Float64Array,
  values: readonly Label[],
  of: number,
  draws: number,
  uniform: () => number,
): { readonly pValue: number; readonly outside: number } => {
  const at = new Map<Label, number>(values.map((value, j) => [value, j]))
  const counts = new Float64Array(values.length)
  let outside = 0
  for (let i = 0; i < draws; i++) {
    const j = at.get(item.draw(theta, of, uniform))
    if (j === undefined) outside++
    else counts[j]++
  }
  const table = tableOf(item, theta)
  const rest = { expected: draws, count: draws }
  let [chiSquare, cells] = [0, 0]
  counts.forEach((count, j) => {
    const expected = draws * table[j * item.rank + of]
    if (expected < 5) return
    chiSquare += (count - expected) ** 2 / expected
    cells++
    rest.expected -= expected
    rest.count -= count
  })
  if (rest.expected > 1) chiSquare += (rest.count - rest.expected) ** 2 / rest.expected
  return { pValue: chiSquareTail(chiSquare, rest.expected > 1 ? cells : cells - 1), outside }
}
