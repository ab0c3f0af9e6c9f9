import { describe, expect, it } from 'vitest'
import { random } from '../../numeric/philox.ts'
import { sequentialBounds, sequentialTest } from './sequential-test.ts'

const boundsOf = (level: number, most: number) => {
  const bounds = sequentialBounds(level)
  return Array.from({ length: most }, () => bounds.next().value!)
}

/** How many replicates it takes, and whether more than the level exceed. */
const ends = (bounds: ReturnType<typeof boundsOf>, chance: number, run: number) => {
  const { uniform } = random(11, 'data', run)
  let count = 0
  for (const [i, { low, high }] of bounds.entries()) {
    count += Number(uniform() < chance)
    if (count <= low || count >= high) return { n: i + 1, above: count >= high }
  }
  return undefined
}

describe('replicates that end early', () => {
  it('do so for the wrong side in fewer than 1 of 100 cases, also at the level itself', () => {
    const runs = 2000
    for (const [level, chance] of [
      [0.05, 0.05],
      [0.05, 0.03],
      [0.2, 0.25],
    ]) {
      const bounds = boundsOf(level, 500)
      // biome-ignore format: pairs
      const found = Array.from({ length: runs }, (_, run) => ends(bounds, chance, run)).filter(end => end !== undefined)
      const wrong = (above: boolean) => found.filter(end => end.above === above).length / runs
      // At the level both sides are wrong. Three standard errors of 0.01 in 2,000 are 0.0067.
      if (chance >= level) expect(wrong(false), `${chance} of ${level}`).toBeLessThan(0.0167)
      if (chance <= level) expect(wrong(true), `${chance} of ${level}`).toBeLessThan(0.0167)
    }
  })

  it('take about a hundred if none exceeds, and a few if all do', () => {
    const bounds = boundsOf(0.05, 200)
    expect(ends(bounds, 0, 0)).toEqual({ n: 104, above: false })
    expect(ends(bounds, 1, 0)).toEqual({ n: 3, above: true })
    const take = sequentialTest(0.05)
    expect([true, true, true, false].map(take)).toEqual([false, false, true, true])
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
