import { describe, expect, it } from 'vitest'
import { randomTensor } from '../engine/random-tensor.ts'
import { referenceEngine } from '../engine/reference.ts'
import { wasmEngine } from '../engine/wasm/wasm-engine.ts'
import { chooseRank } from '../stats/ranks/choose-rank.ts'
import { fit } from './fit.ts'
import { type MemoryPlan, memoryOfFit, planMemory } from './memory-plan.ts'

/** 26 million cells of 220,168 labels: one model of 20 classes has 35 MB. */
const log = { shape: [200_000, 20_000, 168], cells: 26_000_000 }
const asked = { rank: 20, starts: 'auto', accelerated: true, single: false } as const

describe('a plan of memory', () => {
  const { usual, least } = memoryOfFit(log, { rank: 20 })
  const kept = ({ pairs, kept, wide }: MemoryPlan) => [pairs, kept, wide]

  it('is what is usual if there is room for it', () => {
    const plan = planMemory(log, asked, usual)
    expect(kept(plan)).toEqual([18, 8, true])
    expect(plan.note).toBeUndefined()
    // 44 arrays of a run, 4 × 2.5 of a pass, 17 models and two wide ones.
    expect(plan.bytes).toBe(8 * 20 * 220_169 * (44 + 10 + 17 + 5))
  })

  it('has less history first, then fewer models, then no wide starts, and is never above the limit', () => {
    let before: MemoryPlan | undefined
    for (let limit = usual; limit >= least; limit -= usual / 300) {
      const plan = planMemory(log, asked, limit)
      expect(plan.bytes).toBeLessThanOrEqual(limit)
      if (plan.kept < 8 || !plan.wide) expect(plan.pairs).toBeLessThanOrEqual(3)
      if (!plan.wide) expect(plan.kept).toBe(1)
      if (before !== undefined) {
        expect(plan.pairs).toBeLessThanOrEqual(before.pairs)
        expect(plan.kept).toBeLessThanOrEqual(before.kept)
      }
      before = plan
    }
    expect(kept(planMemory(log, asked, least))).toEqual([1, 1, false])
    expect(planMemory(log, asked, least).note).toBe(
      'the memory limit leaves room for 1 of 18 steps of history, 1 of 8 models in the search, no wide starts: the search may take longer or find less',
    )
  })

  it('is refused with the least that would do', () => {
    expect(() => planMemory(log, asked, least - 1)).toThrow(`memory must be at least ${least} (`)
    expect(() => planMemory(log, asked, 5e8)).toThrow('or use fewer classes (got 500000000)')
    expect(planMemory(log, asked, least).bytes).toBe(least)
  })

  it('takes less for one run, plain EM and few starts', () => {
    const of = (some: Parameters<typeof memoryOfFit>[1]) => memoryOfFit(log, some).usual
    expect(of({ rank: 20, algorithm: 'em' })).toBeLessThan(usual)
    expect(of({ rank: 20, starts: 2 })).toBeLessThan(of({ rank: 20, starts: 16 }))
    expect(of({ rank: 20, starts: 16 })).toBe(of({ rank: 20, starts: 1000 }))
    expect(of({ rank: 1 })).toBeLessThan(usual / 20)
    // From a model there is one run of 44 arrays, a pass of 4 and 5 models.
    expect(of({ rank: 20, init: {} })).toBe(8 * 20 * 220_169 * (44 + 4 + 5))
    // What is small is never refused.
    expect(memoryOfFit({ shape: [10, 10], cells: 90 }, { rank: 3 }).least).toBe(0)
  })
})

describe('a fit with a memory limit', () => {
  const tensor = randomTensor({ shape: [6000, 3000, 20], cells: 20_000, seed: 3 })

  it('is refused before any work', async () => {
    let opened = 0
    const open = () => {
      opened++
      return referenceEngine.open(tensor)
    }
    const engine = { name: 'counting', open }
    const tooLittle = { rank: 60, seed: 1, engine, memory: 1e8 }
    await expect(fit(tensor, tooLittle)).rejects.toThrow(
      /^memory must be at least \d+ \(\d+ MB\), or use fewer classes/,
    )
    const session = await wasmEngine({ threads: 1 }).open(tensor)
    await expect(chooseRank(session, { from: 1, to: 60, memory: 1e8 })).rejects.toThrow(/^memory must be at least/)
    await session.close()
    expect(opened).toBe(0)
  })
})
