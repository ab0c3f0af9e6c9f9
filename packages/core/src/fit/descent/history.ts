import { mostPairs } from '../../engine/sweeps/sweeps.ts'

/**
 * The history that acceleration keeps, in steps: as much as helps; less where there are so many parameters that going
 * through the history costs more than a pass, which happens sooner where the history does not fit into the cache.
 */
const MEMORY = { most: 20, least: 6, cached: 20_000, leastUncached: 3 }

/** How many steps it helps to remember. @param work cells × modes × classes @param size the number of parameters */
export const usefulPairs = (work: number, size: number): number => {
  if (size <= MEMORY.cached) return Math.max(MEMORY.least, Math.min(MEMORY.most, Math.round((4 * work) / size)))
  return Math.max(MEMORY.leastUncached, Math.min(MEMORY.most, Math.round(work / size / 20)))
}

/** How many steps a run remembers if nothing is said of memory. */
export const usualPairs = (work: number, size: number): number =>
  Math.max(1, Math.min(mostPairs(size), usefulPairs(work, size)))
