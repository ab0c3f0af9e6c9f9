import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { sequentialTest } from './sequential-test.ts'

/** How many replicates it takes, and whether more than the level exceed; of so many at most. */
const ends = (level: number, chance: number, run: number, most = 500) => {
  const { uniform } = random(11, 'data', run)
  const take = sequentialTest(level)
  let count = 0
  for (let n = 1; n <= most; n++) {
    const exceeds = uniform() < chance
    count += Number(exceeds)
    if (take(exceeds)) return { n, above: count / n > level }
  }
  return undefined
}

describe('replicates that end early', () => {
  it('do so for the wrong side in fewer than 1 of 100 cases, also at the level itself', () => {
    const runs = 1000
    for (const [level, chance] of [
      [0.05, 0.05],
      [0.05, 0.03],
      [0.2, 0.25],
    ]) {
      // biome-ignore format: pairs
      const found = Array.from({ length: runs }, (_, run) => ends(level, chance, run)).filter(end => end !== undefined)
      const wrong = (above: boolean) => found.filter(end => end.above === above).length / runs
      // At the level both sides are wrong. Three standard errors of 0.01 in 1,000 are 0.0094.
      if (chance >= level) expect(wrong(false), `${chance} of ${level}`).toBeLessThan(0.0194)
      if (chance <= level) expect(wrong(true), `${chance} of ${level}`).toBeLessThan(0.0194)
    }
  })

  it('take about a hundred if none exceeds, and a few if all do', () => {
    expect(ends(0.05, 0, 0)).toEqual({ n: 104, above: false })
    expect(ends(0.05, 1, 0)).toEqual({ n: 3, above: true })
    // Nothing is clear from one or two, nor next to the level.
    expect(ends(0.05, 1, 0, 2)).toBeUndefined()
  })

  it('have the boundaries that the definition gives, by enumeration of all sequences', () => {
    const [level, most] = [0.3, 12]
    const chanceOf = (bits: number, n: number) =>
      Array.from({ length: n }, (_, i) => ((bits >> i) & 1 ? level : 1 - level)).reduce((a, b) => a * b, 1)
    let [low, high] = [0, 0]
    const sums = Array.from({ length: most + 1 }, () => ({ low: 0, high: 0 }))
    for (let bits = 0; bits < 2 ** most; bits++) {
      const take = sequentialTest(level)
      let count = 0
      for (let n = 1; n <= most; n++) {
        count += (bits >> (n - 1)) & 1
        if (!take(((bits >> (n - 1)) & 1) === 1)) continue
        // Every continuation of the sequence says the same; it is counted once.
        if (bits < 2 ** n) sums[n][count / n > level ? 'high' : 'low'] += chanceOf(bits, n)
        break
      }
    }
    sums.forEach((each, n) => {
      low += each.low
      high += each.high
      expect(low).toBeLessThanOrEqual((0.01 * n) / (100 + n) + 1e-12)
      expect(high).toBeLessThanOrEqual((0.01 * n) / (100 + n) + 1e-12)
    })
    expect(high).toBeGreaterThan(0)
  })
})
