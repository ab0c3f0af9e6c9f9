/** The chance that an early end says something else about the level than all replicates would, whatever the true p-value is. */
const RISK = 0.01
/** After this many replicates half of that chance may have been spent. A clear rejection at 5% then takes 104. */
const HALF = 100
/** Beyond this many replicates nobody waits for an early end. */
const LONGEST = 20_000

/**
 * The boundaries of Gandy (2009) after 1, 2, 3, … replicates: if no more than `low` or at least `high` of them exceed, it is settled on which side of a
 * level the p-value lies. At a p-value equal to the level, either is reached with a probability of at most 1%, however many replicates
 * there are; further from the level, the wrong one is reached less often still.
 */
export function* sequentialBounds(level: number): Generator<{ readonly low: number; readonly high: number }> {
  /** P[`first` + i exceed, and no boundary was reached], at the level. */
  let going = Float64Array.of(1)
  let [first, below, above] = [0, 0, 0]
  for (let n = 1; n <= LONGEST; n++) {
    const next = new Float64Array(going.length + 1)
    going.forEach((chance, i) => {
      next[i] += chance * (1 - level)
      next[i + 1] += chance * level
    })
    const spent = (RISK * n) / (HALF + n)
    let [from, to] = [0, next.length]
    while (to > from && above + next[to - 1] <= spent) above += next[--to]
    while (from < to && below + next[from] <= spent) below += next[from++]
    yield { low: first + from - 1, high: first + to }
    going = next.subarray(from, to)
    first += from
  }
}

/**
 * Whether the replicates so far settle on which side of a level the p-value lies.
 * @param level between 0 and 1
 * @returns a function that takes one replicate after another and says whether the answer is clear
 */
export const sequentialTest = (level: number): ((exceeds: boolean) => boolean) => {
  const bounds = sequentialBounds(level)
  let [count, clear] = [0, false]
  return exceeds => {
    count += Number(exceeds)
    if (clear) return true
    const { value } = bounds.next()
    clear = value !== undefined && (count <= value.low || count >= value.high)
    return clear
  }
}
