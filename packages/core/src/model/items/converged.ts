import { marginalOf } from './columns.ts'
import type { ItemModel } from './item.ts'

/** Steps of an item's own M-step, and the relative change at which they end. */
const STEPS = { most: 200, end: 1e-12 }

/**
 * The parameters of the greatest expected log-likelihood, with the prior, by steps of the item's own M-step.
 * @param expected how often each label was seen in each class
 * @param from where it begins
 */
export const convergedItem = (item: ItemModel, expected: Float64Array, from: Float64Array): Float64Array => {
  let at = from.slice()
  const slope = new Float64Array(item.size)
  const prior = item.prior?.(marginalOf(expected, item.rank))
  for (let step = 0; step < STEPS.most; step++) {
    const next = new Float64Array(item.size)
    item.slope(at, expected, slope)
    prior?.addSlope(at, slope)
    item.maximize(at, expected, slope, next)
    const change = next.reduce((most, value, i) => {
      const unit = item.positive[i] ? Math.abs(value) : Math.max(1, Math.abs(value))
      return Math.max(most, Math.abs(value - at[i]) / unit)
    }, 0)
    at = next
    if (change <= STEPS.end) break
  }
  return at
}
