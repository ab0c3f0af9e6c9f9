import { fitStructured, tensorFromRows } from '@polyad/core'
import { chiSquareQuantile, random } from '@polyad/core/numeric'
import { expect, it } from 'vitest'
import { countedRows, SAMPLES } from '../../bench/src/sampled-groups.ts'

const TABLES = 150
const LEVEL = 0.1

/**
 * Scaled likelihood-ratio tests between groups nearly keep their level if rows are weighted or come in clusters. Of 1000 samples of a true model, tests of
 * 10% rejected 9.5 and 12.6% with weights, and 14.2 and 14.9% with 40 clusters (`npm run bench:scaled-tests`); of the ratios as they are it was up to 34%. Of 150 samples, 36
 * are the most that 15% would reject (99.8%).
 */
it.each([
  ['weights that depend on the class', 1],
  ['clusters in two strata, of one group each', 0],
])('scaled tests reject as often as they say: %s', async (name, worst) => {
  const source = random(5, 'data')
  const [scaled, plain] = [[0, 0], [0, 0]] // biome-ignore format: two
  for (let table = 0; table < TABLES; table++) {
    const rows = SAMPLES[name](source)
    const of = (count: (weight: number) => number) => tensorFromRows(countedRows(rows, count), { count: 'n' })
    const { groups } = await fitStructured(
      of(weight => weight),
      {
        ...{ rank: 2, groups: 'group', starts: 2, threads: 1 },
        ...(rows[0].cluster === undefined
          ? { squares: of(weight => weight * weight).values }
          : { design: { cluster: 'cluster', stratum: 'stratum' } }),
      },
    )
    groups!.tests.forEach(({ statistic, degreesOfFreedom, pValue, reason }, i) => {
      expect(degreesOfFreedom).toBe([1, 8][i])
      expect(reason).toBeUndefined()
      if (pValue! < LEVEL) scaled[i]++
      if (statistic > chiSquareQuantile(1 - LEVEL, degreesOfFreedom)) plain[i]++
    })
  }
  for (const rejected of scaled) {
    expect(rejected).toBeGreaterThanOrEqual(4)
    expect(rejected).toBeLessThanOrEqual(36)
  }
  expect(plain[worst]).toBeGreaterThan(36)
})
