import { describe, expect, it } from 'vitest'
import { fit } from '../fit/fit.ts'
import { random } from '../numeric/philox.ts'
import { chiSquareTail } from '../numeric/special.ts'
import { withoutModes } from '../tensor/reshape.ts'
import { tensorFromRows } from '../tensor/rows.ts'
import { fitGroups } from './groups.ts'
import { fitJoined } from './joined.ts'

/** Two classes whose shares differ between countries; their answers do not, unless it is said. */
const survey = (rows: number, differ = false) => {
  const { uniform, below } = random(2, 'data')
  const shares = { north: 0.3, south: 0.7, west: 0.5 }
  return tensorFromRows(
    Array.from({ length: rows }, () => {
      const country = (['north', 'south', 'west'] as const)[below(3)]
      const k = uniform() < shares[country] ? 1 : 0
      const flipped = differ && country === 'west'
      const item = (p: number) => (uniform() < (k === 1 ? p : 1 - p) !== flipped ? 'yes' : 'no')
      const c = item(0.8)
      // The last answer is often the one before it, whatever the class.
      return {
        a: item(0.9),
        b: item(0.85),
        c,
        d: uniform() < 0.4 ? c : item(0.8),
        country: below(50) === 0 ? null : country,
      }
    }),
  )
}

describe('fitGroups', () => {
  it('finds shares that differ, and answers that do not', async () => {
    const data = withoutModes(survey(6000), ['d'])
    const { comparison, tensor, result } = await fitGroups(data, { rank: 2, groups: 'country' })
    const [pooled, shares, free] = comparison.models
    expect(comparison.models.map(({ name }) => name)).toEqual(['pooled', 'probabilities equal', 'free'])
    expect([pooled.parameters, shares.parameters, free.parameters]).toEqual([7, 9, 21])
    expect(comparison.tests[0].pValue).toBeLessThan(1e-6)
    expect(comparison.tests[1].pValue).toBeGreaterThan(0.001)
    expect(comparison.tests[1].pValue).toBeCloseTo(chiSquareTail(comparison.tests[1].statistic, 12), 12)
    expect(shares.bic).toBeLessThan(Math.min(pooled.bic, free.bic))
    expect(comparison.dropped).toBe(data.total - tensor.total)
    expect(comparison.dropped).toBeGreaterThan(0)
    expect(result.model.modes.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'country'])
    // The pooled model is the mean of the groups.
    const mean = comparison.shares.reduce((sum, { total, shares: own }) => sum + total * own[0], 0) / tensor.total
    expect(mean).toBeCloseTo(result.model.shares[0], 6)
    for (const { similarity } of comparison.shares) for (const each of similarity) expect(each).toBeGreaterThan(0.95)
  })

  it('finds answers that differ; its log-likelihoods are those of fits of the groups alone', async () => {
    const data = withoutModes(survey(3000, true), ['d'])
    const { comparison } = await fitGroups(data, { rank: 2, groups: 'country' })
    const [pooled, shares, free] = comparison.models
    expect(pooled.logLikelihood).toBeLessThanOrEqual(shares.logLikelihood + 1e-6)
    expect(shares.logLikelihood).toBeLessThanOrEqual(free.logLikelihood + 1e-6)
    let alone = 0
    for (const g of [0, 1, 2]) {
      const cells = Array.from({ length: data.cells }, (_, cell) => cell).filter(cell => data.indices[3][cell] === g)
      const label = (n: number, cell: number) => data.modes[n].label(data.indices[n][cell])
      const rows = cells.map(i => ({ a: label(0, i), b: label(1, i), c: label(2, i), n: data.values[i] }))
      alone += (await fit(tensorFromRows(rows, { count: 'n' }), { rank: 2 })).logLikelihood
    }
    expect(free.logLikelihood).toBeCloseTo(alone, 4)
  })

  it.each([['nowhere', /groups names no mode of the data: "nowhere"; the modes are a, b, c, d, country/]])(
    'refuses %s',
    async (groups, message) => {
      await expect(fitGroups(survey(50), { rank: 2, groups })).rejects.toThrow(message)
    },
  )
})

describe('fitJoined', () => {
  it('prefers the joined model where two answers depend on each other within a class', async () => {
    const data = withoutModes(survey(6000), ['country'])
    const { comparison, tensor } = await fitJoined(data, { rank: 2, join: [['c', 'd']] })
    const [separate, joined] = comparison.models
    expect(tensor.modes.map(({ name, size }) => `${name}: ${size}`)).toEqual(['a: 2', 'b: 2', 'c / d: 4'])
    expect([separate.parameters, joined.parameters]).toEqual([9, 11])
    expect(separate.logLikelihood).toBeCloseTo((await fit(data, { rank: 2 })).logLikelihood, 6)
    expect(joined.bic).toBeLessThan(separate.bic)
    expect(comparison.test.pValue).toBeLessThan(1e-6)
  })

  it('refuses a mode that is joined twice, or with itself', async () => {
    const data = survey(100)
    await expect(fitJoined(data, { rank: 2, join: [['a', 'b'], ['b', 'c']] })).rejects.toThrow(/join has "b" twice/) // biome-ignore format: one call
    await expect(fitJoined(data, { rank: 2, join: [['a']] })).rejects.toThrow(/join needs two or more different modes/)
  })
})
