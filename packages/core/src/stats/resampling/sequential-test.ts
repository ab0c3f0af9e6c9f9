/** The chance that an early end says something else about the level than all replicates would, whatever the true p-value is. */
const RISK = 0.01
/** After this many replicates half of that chance may have been spent. A clear rejection at 5 % then takes 104. */
const HALF = 100
/** Beyond this many replicates nobody waits for an early end. */
const LONGEST = 20_000

/**
 * Whether the replicates so far settle on which side of a level the p-value lies: the boundaries of Gandy (2009), which the number of those
 * that exceed must reach. They are made so that, at a p-value equal to the level, either boundary is reached with a probability of at most 1 %,
 * however many replicates there are; further from the level, the wrong one is reached less often still.
 * @param level between 0 and 1
 * @returns a function that takes one replicate after another and says whether the answer is clear
 */
export const sequentialTest = (level: number): ((exceeds: boolean) => boolean) => {
  /** P[so many exceed, and no boundary was reached], at the level. */
  let going = Float64Array.of(1)
  let first = 0
  let [n, count, low, high, clear] = [0, 0, 0, 0, false]
  return exceeds => {
    n++
    count += Number(exceeds)
    if (clear || n > LONGEST) return clear
    const next = new Float64Array(going.length + 1)
    going.forEach((chance, i) => {
      next[i] += chance * (1 - level)
      next[i + 1] += chance * level
    })
    const spent = (RISK * n) / (HALF + n)
    let [from, to] = [0, next.length]
    while (to > from && high + next[to - 1] <= spent) high += next[--to]
    while (from < to && low + next[from] <= spent) low += next[from++]
    clear = count >= first + to || count < first + from
    going = next.subarray(from, to)
    first += from
    return clear
  }
}
