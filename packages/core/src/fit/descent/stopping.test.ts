import { describe, expect, it } from 'vitest'
import { gss82 } from '../../../../../test/tables.ts'
import { randomTensor } from '../../engine/conformance.ts'
import { fit } from '../fit.ts'
import { gainToCome } from './stopping.ts'

describe('the further gain of a run', () => {
  it('is that of a fall by a constant ratio, with some caution', () => {
    const trace = Array.from({ length: 80 }, (_, i) => 100 + 50 * 0.93 ** i)
    const left = trace[79] - 100
    expect(gainToCome(trace)).toBeGreaterThan(left)
    expect(gainToCome(trace)).toBeLessThan(4 * left)
    expect(gainToCome(trace.slice(0, 30))).toBeUndefined()
    expect(gainToCome(new Array(60).fill(7))).toBe(0)
    // A fall that does not slow down tells nothing of its end.
    expect(gainToCome(Array.from({ length: 60 }, (_, i) => -i))).toBeUndefined()
  })

  it('is not misled by the steep first steps of a run', () => {
    // A fall of 10,000 nats that is over after a few steps, and one of 40 that shrinks by a tenth with every step.
    const trace = Array.from({ length: 42 }, (_, i) => 10_000 * 0.2 ** i + 40 * 0.9 ** i)
    const left = 40 * 0.9 ** 41
    expect(gainToCome(trace)).toBeGreaterThan(left)
    expect(gainToCome(trace)).toBeLessThan(4 * left)
  })

  it('is no bound: before a saddle a run slows down, and says so, before it falls again', () => {
    // On the way past a saddle of a quadratic, one coordinate shrinks by a tenth at every step and another grows by a tenth.
    const loss = (i: number) => (30 * 0.9 ** i) ** 2 - (1e-5 * 1.1 ** i) ** 2
    const trace = Array.from({ length: 200 }, (_, i) => loss(i))
    expect(gainToCome(trace.slice(0, 61))).toBeLessThan(0.05)
    expect(trace[60] - trace[199]).toBeGreaterThan(1e6)
  })

  it('ends a run where it is next to nothing, and says how much it is', async () => {
    const tensor = randomTensor({ shape: [60, 50, 40], cells: 20_000 })
    const options = { rank: 6, starts: 1, threads: 1, maxPasses: 3000 }
    const strict = await fit(tensor, { ...options, minGain: 0 })
    const early = await fit(tensor, { ...options, minGain: 1e-5 })
    expect(early.reason).toBe('settled')
    expect(early.converged).toBe(false)
    expect(early.passes).toBeLessThan(strict.passes)
    expect(early.loss - strict.loss).toBeLessThan(3e-5 * Math.abs(strict.loss))
    expect(early.verdict.text).toMatch(
      /; stopped early: about [\d.]+ more log-likelihood units expected \(extrapolated, not a bound\)$/,
    )
  })

  it('is not asked for where passes are cheap', async () => {
    const { reason, estimatedGain } = await fit(gss82, { rank: 3, starts: 2, threads: 1 })
    expect([reason, estimatedGain]).toEqual(['stationary', 0])
  })
})
