import { describe, expect, it } from 'vitest'
import { fit } from '../../fit/fit.ts'
import { random } from '../../numeric/philox.ts'
import { chiSquareTail } from '../../numeric/special.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { identify, identifyStructured } from '../identification/identification.ts'
import { modelData } from '../model-data/model-data.ts'
import type { Specification } from '../model-data/specification.ts'
import { fitGroups, fitJoined } from './deprecated.ts'

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
    expect(comparison.identified).toBe(true)
    expect(result.model.modes.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(result.model.structure.given.map(({ name }) => name)).toEqual(['country'])
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

  /**
   * Ranks of numerical Jacobians (numpy, central differences) of the tables of the answers given the group, by softmax parameters, at
   * three random points each; the singular values that count are above 1e-5 of the largest, the others below 4e-11.
   */
  it.each([
    { shape: [3, 3], rank: 2, groups: 2, pooled: 7, equal: 10, free: 14 },
    { shape: [3, 3], rank: 2, groups: 3, pooled: 7, equal: 11, free: 21 },
    { shape: [2, 2, 2, 2], rank: 3, groups: 2, pooled: 13, equal: 16, free: 26 },
    { shape: [2, 2, 2, 2], rank: 3, groups: 3, pooled: 13, equal: 18, free: 39 },
    { shape: [2, 2, 2], rank: 2, groups: 3, pooled: 7, equal: 9, free: 21 },
    { shape: [2, 2, 2], rank: 3, groups: 2, pooled: 7, equal: 12, free: 14 },
    { shape: [4, 4], rank: 3, groups: 2, pooled: 14, equal: 22, free: 28 },
    { shape: [2, 5], rank: 2, groups: 2, pooled: 9, equal: 12, free: 18 },
    { shape: [2, 2], rank: 2, groups: 2, pooled: 3, equal: 6, free: 6 },
    { shape: [6], rank: 3, groups: 4, pooled: 5, equal: 17, free: 20 },
  ])('has the dimensions of $shape, $rank classes, $groups groups', ({ shape, rank, groups, ...dimensions }) => {
    // Every cell of the table, the group last.
    const sizes = [...shape, groups]
    const cells = sizes.reduce((product, size) => product * size, 1)
    const columns = sizes.map((size, n) => {
      const below = sizes.slice(n + 1).reduce((product, other) => product * other, 1)
      return Int32Array.from({ length: cells }, (_, cell) => Math.floor(cell / below) % size)
    })
    const modes = sizes.map((_, n) => ({ name: n < shape.length ? `q${n}` : 'group' }))
    const tensor = tensorFromColumns(columns, new Float64Array(cells).fill(1), { shape: sizes, modes })
    const dimension = (specification: Specification) => {
      const { items, structure } = modelData(tensor, { groups: 'group', ...specification }, rank)
      return identifyStructured(items.shape, rank, structure).rank
    }
    expect({
      pooled: identify(shape, rank).rank,
      equal: dimension({}),
      free: dimension({ free: shape.map((_, n) => ({ mode: `q${n}` })) }),
    }).toEqual(dimensions)
  })

  it('tests with the differences of the dimensions if the answers alone do not identify the classes', async () => {
    const { below } = random(5, 'data')
    const rows = Array.from({ length: 600 }, () => ({ a: below(3), b: below(3), group: below(2) }))
    const { comparison } = await fitGroups(tensorFromRows(rows), { rank: 2, groups: 'group', starts: 3 })
    const [pooled, shares, free] = comparison.models
    expect(comparison.identified).toBe(false)
    expect([pooled.parameters, shares.parameters, free.parameters]).toEqual([7, 10, 14])
    for (const [i, df] of [3, 4].entries()) {
      const { statistic, degreesOfFreedom, pValue } = comparison.tests[i]
      expect(degreesOfFreedom).toBe(df)
      expect(pValue).toBeCloseTo(chiSquareTail(statistic, df), 12)
    }
    expect(shares.bic).toBeCloseTo(-2 * shares.logLikelihood + 10 * Math.log(600), 8)
  })

  it('counts a label without observations alike, whatever other rows there are, and no group without observations', async () => {
    const { uniform, below } = random(3, 'data')
    const rows = Array.from({ length: 300 }, () => {
      const yes = uniform() < 0.5
      const item = (p: number) => (uniform() < (yes ? p : 1 - p) ? 'yes' : 'no')
      return { q1: item(0.9), q2: item(0.8), q3: item(0.7), group: below(2) === 0 ? 'north' : 'south', n: 1 }
    })
    const never = { q1: 'refused', q2: 'yes', q3: 'yes', group: 'nowhere', n: 0 }
    const unanswered = ['south', 'west'].map(group => ({ q1: null, q2: null, q3: null, group, n: 4 }))
    const of = (all: readonly object[]) =>
      fitGroups(tensorFromRows(all as typeof rows, { count: 'n' }), { rank: 2, groups: 'group', starts: 2 })
    const plain = await of([...rows, never])
    const more = await of([...rows, never, ...unanswered])
    expect(plain.tensor.shape).toEqual([3, 2, 2])
    // Two shares of two groups, less one each, and for two classes 2 + 1 + 1 probabilities.
    expect(plain.comparison.models.map(({ parameters }) => parameters)).toEqual([9, 10, 18])
    expect(more.comparison).toEqual({ ...plain.comparison, dropped: 8 })
  })

  it('counts no probabilities of a variable that a group was never asked', async () => {
    const rows = (() => {
      const { uniform, below } = random(4, 'data')
      return Array.from({ length: 900 }, () => {
        const [yes, group] = [uniform() < 0.5, below(2) === 0 ? 'north' : 'south']
        const item = (p: number) => (uniform() < (yes ? p : 1 - p) ? 'yes' : 'no')
        return { a: item(0.9), b: item(0.8), c: item(0.85), d: group === 'south' ? null : item(0.75), group }
      })
    })()
    const { comparison } = await fitGroups(tensorFromRows(rows), { rank: 2, groups: 'group', starts: 2 })
    // One share and 2·4 probabilities in the north, one share and 2·3 in the south.
    expect(comparison.models.map(({ parameters }) => parameters)).toEqual([9, 10, 16])
    expect(comparison.tests[1].pValue).toBeGreaterThan(0.001)
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
    await expect(
      fitJoined(data, {
        rank: 2,
        join: [
          ['a', 'b'],
          ['b', 'c'],
        ],
      }),
    ).rejects.toThrow(/join has "b" twice/)
    await expect(fitJoined(data, { rank: 2, join: [['a']] })).rejects.toThrow(/join needs two or more different modes/)
  })
})
