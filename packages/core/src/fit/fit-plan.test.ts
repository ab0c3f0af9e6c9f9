import { describe, expect, it } from 'vitest'
import { ordinal } from '../model/items/choices.ts'
import { tensorFromRows } from '../tensor/rows.ts'
import { fit } from './fit.ts'
import type { FitOptions } from './fit-options.ts'
import { planFit } from './fit-plan.ts'

const answers = tensorFromRows(
  Array.from({ length: 200 }, (_, i) => ({ a: i % 2, b: (i % 3) % 2, c: (i * 7) % 4, d: (i % 5) % 3 })),
)

describe('the plan of a fit', () => {
  it('says how many starts there are, and bounds the passes', async () => {
    const planned = planFit(answers, { rank: 2, seed: 1 })
    expect(planned).toMatchObject({ rank: 2, search: 'thorough', starts: { least: 24, most: 24 } })
    const found = await fit(answers, { rank: 2, seed: 1 })
    expect(found.totalPasses).toBeLessThanOrEqual(planned.passes as number)
    expect(found.attempts.filter(({ origin }) => origin !== 'recombined')).toHaveLength(24)
  })

  it('is that of the options', () => {
    expect(planFit(answers, { rank: 1 })).toMatchObject({ search: 'closed form', passes: 1 })
    expect(planFit(answers, { rank: 3, starts: 5 })).toMatchObject({
      search: 'random starts',
      starts: { least: 5, most: 5 },
      passes: undefined,
    })
    expect(planFit(answers, { rank: 3, maxPasses: 500 })).toMatchObject({
      search: 'economical',
      starts: { least: 4, most: 24 },
      passes: 500,
    })
    expect(planFit(answers, { rank: 3, maxPasses: 500, maxStarts: 2 }).starts).toEqual({ least: 2, most: 2 })
    const [small, large] = [2, 8].map(rank => planFit(answers, { rank }))
    expect(large.memory.usual).toBe(4 * small.memory.usual)
    expect(large.secondsPerPass).toBeGreaterThan(small.secondsPerPass)
  })

  it('is what the fit does, whatever it is given', async () => {
    const ordered = tensorFromRows(Array.from({ length: 60 }, (_, i) => ({ a: i % 2, b: (i * 7) % 4 })))
    const { model } = await fit(ordered, { rank: 1 })
    const cases: [FitOptions, string, number][] = [
      [{ rank: 1 }, 'closed form', 1],
      [{ rank: 1, pseudoCounts: 1 }, 'thorough', 24],
      [{ rank: 1, items: { b: ordinal() } }, 'one run', 1],
      [{ rank: 1, init: model }, 'given model', 1],
      [{ rank: 2, starts: 3 }, 'random starts', 3],
      [{ rank: 2, constraints: { fixed: [{ mode: 'a', label: 0, class: 1, probability: 0.9 }] } }, 'random starts', 40],
    ]
    for (const [options, search, starts] of cases) {
      const planned = planFit(ordered, options)
      expect([planned.search, planned.starts.most], JSON.stringify(options)).toEqual([search, search.endsWith('starts') || search === 'thorough' ? starts : 0]) // biome-ignore format: one line
      const { starts: done } = await fit(ordered, options)
      expect(done, search).toBe(starts)
    }
  })

  it('refuses what the fit refuses', () => {
    expect(() => planFit(answers, { rank: 1000 })).toThrow('rank must be at most')
  })
})
