import type { Statistics } from '../engine/engine.ts'
import { columnSums, type Parameters } from '../model/parameters.ts'

/**
 * The update of all factors at once (paper, eq. 13–15): the statistics, with every column brought to a sum of 1. A
 * column of zeros (a class that has died out, or has no cell in which this mode is present) says nothing, and stays
 * as it was.
 */
export const mStep = (statistics: Statistics, before: Parameters, into: Parameters): Parameters => {
  const { rank } = statistics
  into.weights.set(statistics.weights)
  statistics.factors.forEach((table, n) => {
    const sums = columnSums(table, rank)
    const [target, old] = [into.factors[n], before.factors[n]]
    for (let row = 0; row < table.length; row += rank) {
      for (let k = 0; k < rank; k++) target[row + k] = sums[k] > 0 ? table[row + k] / sums[k] : old[row + k]
    }
  })
  return into
}
