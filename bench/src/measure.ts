/** Milliseconds of the processor so far: other work on the machine changes them much less than the clock's. */
export const processorTime = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Milliseconds of the best of several runs of each piece of work, taken in turns so that all meet the same disturbances. */
export const interleaved = async (
  work: readonly (() => unknown)[],
  rounds: number,
  least = 50,
  clock: () => number = () => performance.now(),
): Promise<{ best: number[]; rounds: number }> => {
  const best = work.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < work.length; i++) {
      // Short work is repeated, so that the clock's grain does not show.
      const repeats = Number.isFinite(best[i]) ? Math.max(1, Math.min(1000, Math.ceil(least / best[i] / 5))) : 1
      const start = clock()
      for (let repeat = 0; repeat < repeats; repeat++) await work[i]()
      best[i] = Math.min(best[i], (clock() - start) / repeats)
    }
  }
  return { best, rounds }
}
