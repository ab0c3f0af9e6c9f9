import { fitGroups, tensorFromArray } from '@polyad/core'
import { type Random, random } from '@polyad/core/numeric'
import { describe, expect, it } from 'vitest'

/**
 * The tests between known groups keep their level, nearly, if the answers alone do not identify the classes. The data come from the
 * smaller model. 'Pooled' lies where the larger model is not smooth, so that χ² is an approximation: EM in numpy, on other data of
 * these designs, rejected 2.6% of 800 tables of 3×3 and 7.0% of 900 of 2×2×2×2, both of 20,000 observations, and 12.5% of 900 of
 * 2×2×2×2 with 1000. With the degrees of freedom of identified classes (1 and 2) it was 17, 13 and 23%.
 */

const TABLES = 120
const OBSERVATIONS = 20_000

const normalized = (raw: readonly number[]): number[] => raw.map(value => value / raw.reduce((a, b) => a + b, 0))

/** Profiles that differ clearly, well inside the simplex. */
const profiles = ({ uniform }: Random, shape: readonly number[], rank: number): number[][][] =>
  Array.from({ length: rank }, () =>
    shape.map(size => normalized(Array.from({ length: size }, () => (0.3 + uniform()) ** 2))),
  )

/** A table of the answers and of two groups, whose shares are given. */
const drawn = ({ uniform }: Random, shape: readonly number[], shares: readonly number[][], of: number[][][]) => {
  const pick = (probabilities: readonly number[]) => {
    let rest = uniform()
    const at = probabilities.findIndex(p => {
      rest -= p
      return rest < 0
    })
    return at < 0 ? probabilities.length - 1 : at
  }
  const counts = new Array<number>(shape.reduce((a, b) => a * b, shares.length)).fill(0)
  for (let i = 0; i < OBSERVATIONS; i++) {
    const group = i % shares.length
    const profile = of[pick(shares[group])]
    counts[shape.reduce((at, size, n) => at * size + pick(profile[n]), 0) * shares.length + group]++
  }
  return tensorFromArray(counts, {
    shape: [...shape, shares.length],
    modes: [...shape.map((_, n) => `q${n + 1}`), 'group'],
  })
}

describe('the level of the tests between groups', () => {
  it.each([
    { shape: [3, 3], rank: 2, df: [3, 4] },
    { shape: [2, 2, 2, 2], rank: 3, df: [3, 10] },
  ])('$shape, $rank classes', async ({ shape, rank, df }) => {
    const source = random(2031, 'data', shape.length)
    const rejected = [0, 0]
    for (let table = 0; table < TABLES; table++) {
      const of = profiles(source, shape, rank)
      const share = () => normalized(Array.from({ length: rank }, () => 0.3 + source.uniform()))
      const [first, second] = [share(), share()]
      for (const [test, shares] of [
        [first, first],
        [first, second],
      ].entries()) {
        const tensor = drawn(source, shape, shares, of)
        const { comparison } = await fitGroups(tensor, { rank, groups: 'group', starts: 4, threads: 1 })
        const { degreesOfFreedom, pValue } = comparison.tests[test]
        expect(degreesOfFreedom).toBe(df[test])
        if ((pValue as number) < 0.05) rejected[test]++
      }
    }
    for (const each of rejected) expect(each / TABLES).toBeLessThanOrEqual(0.12)
  })
})
