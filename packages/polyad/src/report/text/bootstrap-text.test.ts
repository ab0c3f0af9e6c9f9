import { type Bootstrap, bootstrap, fit, tensorFromRows } from '@polyad/core'
import { random } from '@polyad/core/numeric'
import { describe, expect, it } from 'vitest'
import { bootstrapFigures, bootstrapText } from './bootstrap-text.ts'
import { residualsText } from './residuals-text.ts'
import type { Page } from './text-table.ts'

const page: Page = { style: (_, text) => text, columns: 100 }

const { uniform } = random(4, 'data')
const rows = Array.from({ length: 200 }, (_, i) => {
  const p = i % 2 === 0 ? 0.85 : 0.2
  return Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, uniform() < p ? 'yes' : 'no']))
})
const gaps = rows.map((row, i) => (i % 9 === 0 ? { ...row, a: null } : row))

/** Data whose rows weigh 0.5 and 1.5 in turn, or 1. */
const found = async (used: readonly object[], weighted: boolean, kind: 'parametric' | 'nonparametric') => {
  const weightOf = (i: number) => (weighted ? 0.5 + (i % 2) : 1)
  const tensor = tensorFromRows(used, { weights: used.map((_, i) => weightOf(i)) })
  const { model } = await fit(tensor, { rank: 2, starts: 2, threads: 1 })
  const halves = tensor.values.map(value => Math.round(2 * value))
  // Which weights the rows have does not matter here: two of 0.5 and so on.
  const rowWeights = {
    cells: Int32Array.from(halves.keys()),
    weights: halves.map(() => 0.5),
    counts: halves,
  }
  const options = { replicates: 39, kind, starts: 1, threads: 1, ...(weighted && { rowWeights }) }
  const result = await bootstrap(tensor, model, options)
  return { said: bootstrapText(result, page).join('\n'), json: bootstrapFigures(result, model) }
}

describe('what a bootstrap says', () => {
  it('of a weighted sample with missing answers has the tests of pairs, and a reason for everything else', async () => {
    const { said, json } = await found(gaps, true, 'parametric')
    expect(said.match(/p of [a-d] and [a-d] +(<|≤|0|1)/g)).toHaveLength(3)
    expect(said.match(/no test of G² and X²: they are not defined if values are missing/g)).toHaveLength(1)
    expect(said.match(/no intervals: .*Use --bootstrap-kind nonparametric/g)).toHaveLength(1)
    expect(said).not.toMatch(/ only$/m)
    expect(json.pairs).toHaveLength(6)
    expect(json.pairs[0].pValue).toBeGreaterThan(0)
    expect(json.shares[0].interval).toBeNull()
  })

  it.each([
    ['a weighted sample', rows, true, 'parametric', [true, true, false]],
    ['missing answers', gaps, false, 'parametric', [false, true, true]],
    ['missing answers and weights, from the rows', gaps, true, 'nonparametric', [false, false, true]],
  ] as const)('of %s has what can be given', async (_, used, weighted, kind, [tests, pairs, intervals]) => {
    const { said, json } = await found(used, weighted, kind)
    expect(said.includes('p of G²')).toBe(tests)
    expect(json.pValue !== null).toBe(tests)
    expect(json.pairs.length > 0).toBe(pairs)
    expect(/p of [a-d] and [a-d]/.test(said)).toBe(pairs && !tests)
    expect(said.includes('intervals of 95')).toBe(intervals)
    expect(json.shares[0].interval !== null).toBe(intervals)
    expect(said.includes('no test of')).toBe(!tests)
    expect(said.includes('no intervals')).toBe(!intervals)
  })

  it('of a pair that no replicate reached is a bound, among the residuals too', () => {
    const pair = { modes: ['a', 'b'] as const, statistic: 80, residual: 20, chiSquared: 80, degreesOfFreedom: 4 }
    const pairs = [{ ...pair, pValue: 1 / 40, interval: [0, 0.09] as const }]
    const only = {
      kind: 'parametric',
      replicates: 39,
      converged: 39,
      stopped: false,
      confidence: 0.95,
      shares: [{ standardError: 1 }],
      profiles: [],
    }
    const said = bootstrapText({ ...only, pairs } as unknown as Bootstrap, page).join('\n')
    expect(said).toMatch(/p of a and b +≤ 0\.025 \(0 of 39 replicates\)/)
    expect(residualsText({ cells: [], pairs }, ['a', 'b'], page, 39).join('\n')).toMatch(/20\.0000 +≤ 0\.025$/m)
  })
})
