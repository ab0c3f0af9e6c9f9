import { statedOrder } from '@polyad/core/model'
import type { ChartMode } from './chart-data.ts'

/** What rare labels that were merged are called: they come last. */
const OTHER = '(other)'

/**
 * The positions of labels in the order that they state themselves: times, numbers at their beginning, the answers of usual scales. An order
 * that is not the alphabet's was given with the data, and is kept; two labels are in order either way. Else there is none: undefined.
 * @example
 * labelOrder(['high', 'low', 'medium']) // [1, 2, 0]
 * labelOrder(['cat', 'dog', 'fish']) // undefined
 */
export const labelOrder = (labels: readonly string[]): number[] | undefined => {
  if (labels.at(-1) === OTHER) {
    const kept = labelOrder(labels.slice(0, -1))
    return kept && [...kept, kept.length]
  }
  const stated = statedOrder(labels)
  if (stated !== undefined) return stated
  const order = [...labels.keys()]
  const alphabetical = labels.every((label, j) => j === 0 || labels[j - 1] <= label)
  return alphabetical && labels.length > 2 ? undefined : order
}

/**
 * A mode with its labels in their order; undefined where they have none.
 * @example
 * inOrder(modeOf(model, 0))?.labels // ['18–29', '30+']
 */
export const inOrder = (mode: ChartMode): ChartMode | undefined => {
  const order = mode.ordered ? [...mode.labels.keys()] : labelOrder(mode.labels)
  if (order === undefined) return undefined
  const sorted = <T>(values: readonly T[]) => order.map(j => values[j])
  return {
    ...mode,
    labels: sorted(mode.labels),
    marginal: sorted(mode.marginal),
    probabilities: mode.probabilities.map(sorted),
    ...(mode.intervals && { intervals: mode.intervals.map(sorted) }),
  }
}
