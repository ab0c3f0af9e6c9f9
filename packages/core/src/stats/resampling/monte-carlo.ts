/** A simulated p-value with its interval. */
export interface MonteCarloTest {
  readonly statistic: number
  /** (b + 1)/(B + 1), where b of B replicates had a statistic at least as large: never 0, and of the level it says. */
  readonly pValue: number
  /** Where the p-value of infinitely many replicates lies, with a confidence of 95% (Wilson's interval). */
  readonly interval: readonly [number, number]
}

/** The quantile of the normal distribution that leaves 2.5% above. */
const Z95 = 1.959964

/** Wilson's interval for a probability, from b of B. @param z how many standard errors wide, to either side */
export const wilsonInterval = (b: number, of: number, z = Z95): readonly [number, number] => {
  if (of === 0) return Object.freeze([0, 1] as const)
  const share = b / of
  const square = (z * z) / of
  const middle = (share + square / 2) / (1 + square)
  const half = (z / (1 + square)) * Math.sqrt((share * (1 - share)) / of + square / (4 * of))
  return Object.freeze([b === 0 ? 0 : Math.max(0, middle - half), b === of ? 1 : Math.min(1, middle + half)] as const)
}

/** Statistics that differ by no more than this, relatively, are equal: a replicate that is fitted exactly must not lose by rounding. */
const ROUNDING = 1e-7

/** How many of the replicates have a statistic at least as large. */
export const exceeding = (statistic: number, replicates: readonly number[]): number =>
  replicates.filter(each => each >= statistic - ROUNDING * Math.max(1, Math.abs(statistic))).length

export const monteCarloTest = (statistic: number, replicates: readonly number[]): MonteCarloTest => {
  const b = exceeding(statistic, replicates)
  return Object.freeze({
    statistic,
    pValue: (b + 1) / (replicates.length + 1),
    interval: wilsonInterval(b, replicates.length),
  })
}

/** The value below which a part of the sorted numbers lies, between two of them in proportion. */
export const quantile = (sorted: ArrayLike<number>, part: number): number => {
  const at = Math.min(sorted.length - 1, Math.max(0, part * (sorted.length + 1) - 1))
  const [low, high] = [Math.floor(at), Math.ceil(at)]
  return sorted[low] + (at - low) * (sorted[high] - sorted[low])
}
