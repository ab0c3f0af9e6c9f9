/** Positions are sorted once this many have been collected, or twice as many as are wanted. */
const COLLECTED = 64

/**
 * The positions of the largest of `count` values, the largest first; of equal values the earlier position comes first. It does not sort
 * all values: most are only compared with the smallest that is kept.
 * @param above values up to this one, and NaN, are left out
 * @example
 * const values = [3, 9, 1, 9]
 * largest(values.length, 3, i => values[i]) // [1, 3, 0]
 */
export const largest = (
  count: number,
  limit: number,
  valueAt: (position: number) => number,
  above = Number.NEGATIVE_INFINITY,
): number[] => {
  if (!(limit > 0)) return []
  const full = Math.max(COLLECTED, 2 * limit)
  let kept: { readonly at: number; readonly value: number }[] = []
  let least = above
  // Infinite values have no difference, so values are compared.
  const best = () => kept.sort((a, b) => (a.value === b.value ? a.at - b.at : b.value - a.value)).slice(0, limit)
  for (let at = 0; at < count; at++) {
    const value = valueAt(at)
    // A later value must be larger than what is kept: at a tie the earlier one stays.
    if (!(value > least)) continue
    kept.push({ at, value })
    if (kept.length < full) continue
    kept = best()
    least = kept[limit - 1].value
  }
  return best().map(({ at }) => at)
}
