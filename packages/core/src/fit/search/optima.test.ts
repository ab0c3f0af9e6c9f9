import { describe, expect, it } from 'vitest'
import type { Parameters } from '../../model/parameters.ts'
import type { Run } from '../descent/run.ts'
import type { Reason } from '../descent/stopping.ts'
import { Optima, sameModel } from './optima.ts'

/** Two classes of two binary modes: their shares, and how probable the first label is in each class and mode. */
const model = (shares: readonly number[], ...first: readonly (readonly number[])[]): Parameters => ({
  rank: shares.length,
  shares: Float64Array.from(shares),
  factors: first.map(each => Float64Array.from([...each, ...each.map(p => 1 - p)])),
})

const usual = model([0.3, 0.7], [0.9, 0.2], [0.8, 0.4])

const end = (objective: number, more: Partial<Run> = {}): Run => ({
  parameters: usual,
  loss: objective + 0.5,
  objective,
  trace: [objective],
  passes: 30,
  stationarity: 1e-8,
  estimatedGain: 0,
  reason: 'stationary',
  ...more,
})

const ends = (unit: number, precision: number, ...runs: readonly Run[]): Optima => {
  const optima = new Optima(unit, precision)
  for (const run of runs) optima.add(run, true)
  return optima
}

/** Whether two ends are put together. */
const one = (a: Run, b: Run, unit = 1, precision = 1e-15): boolean => ends(unit, precision, a, b).entries.length === 1

describe('the optima of a search', () => {
  it('are told apart by a thousandth of a unit, or relative to the loss, less finely if a run has not converged', () => {
    expect([one(end(1), end(1.000999)), one(end(1), end(1.00101))]).toEqual([true, false])
    expect([one(end(-1.000999), end(-1)), one(end(-1.00101), end(-1))]).toEqual([true, false])
    // A unit is smaller if the data sums to less than one.
    expect([one(end(0), end(0.0000999), 0.1), one(end(0), end(0.00011), 0.1)]).toEqual([true, false])
    const large = 1e9
    expect([one(end(large), end(large + 0.09)), one(end(large), end(large + 0.11))]).toEqual([true, false])
    expect([one(end(-large), end(0.09 - large)), one(end(-large), end(0.11 - large))]).toEqual([true, false])
    for (const reasons of [
      ['passes', 'stationary'],
      ['stationary', 'settled'],
      ['passes', 'settled'],
    ] as const) {
      const pair = (gap: number) => one(end(large, { reason: reasons[0] }), end(large + gap, { reason: reasons[1] }))
      expect([pair(0.11), pair(99), pair(101)]).toEqual([true, true, false])
    }
  })

  it('are lower, and were reached as often, once the best has been taken further', () => {
    const optima = ends(1, 1e-15, end(100, { reason: 'passes' }), end(100, { reason: 'passes' }), end(120))
    optima.lower(end(90))
    expect([optima.best?.objective, optima.timesBest, optima.startsBest, optima.attempts]).toEqual([90, 2, 2, 3])
    expect(optima.describe().map(({ loss, reached, converged }) => [loss, reached, converged])).toEqual([
      [90.5, 2, true],
      [120.5, 1, true],
    ])
  })

  it('are told apart no finer than an engine, or a run in single precision, can', () => {
    const [large, precision] = [1e6, 1e-8]
    expect([0.9, 1.1].map(gap => one(end(large), end(large + gap), 1, precision))).toEqual([true, false])
    const rough = { rough: 1e-7 }
    expect([0.9, 1.1].map(gap => one(end(large, rough), end(large + gap)))).toEqual([true, false])
    expect([0.9, 1.1].map(gap => one(end(large), end(large + gap, rough)))).toEqual([true, false])
    expect(ends(1, 1e-15, end(large, rough)).entries[0].rough).toBe(1e-7)
    expect(ends(1, 1e-15, end(large)).entries[0].rough).toBe(0)
  })

  it('have the first of the lowest runs for the best', () => {
    const [first, again, lower] = [end(2, { passes: 7 }), end(2, { passes: 5 }), end(1.9999)]
    expect(ends(1, 1e-15, first, again).best).toBe(first)
    expect(ends(1, 1e-15, first, lower, again).best).toBe(lower)
  })

  it('are listed best first, with the lowest end of each, how often it was reached and whether a run converged', () => {
    const parameters = model([0.6, 0.4], [0.9, 0.2], [0.8, 0.4])
    const optima = ends(1, 1e-15, end(20), end(10.0005, { reason: 'passes' }), end(30, { reason: 'passes' }), end(20))
    optima.add(end(10, { parameters, reason: 'passes' }), false)
    expect(optima.describe()).toEqual([
      { loss: 10.5, reached: 2, shares: [0.6, 0.4], converged: false },
      { loss: 20.5, reached: 2, shares: [0.7, 0.3], converged: true },
      { loss: 30.5, reached: 1, shares: [0.7, 0.3], converged: false },
    ])
    expect(optima.best?.objective).toBe(10)
    expect([optima.attempts, optima.starts, optima.timesBest, optima.startsBest]).toEqual([5, 4, 2, 1])
    // A higher end of the same optimum takes nothing of the lower one's place.
    optima.add(end(10.0002), true)
    expect(optima.describe()[0]).toEqual({ loss: 10.5, reached: 3, shares: [0.6, 0.4], converged: true })
    expect([optima.timesBest, optima.startsBest]).toEqual([3, 2])
    const [{ shares }] = optima.describe()
    expect(Object.isFrozen(shares)).toBe(true)
    expect(Object.isFrozen(optima.describe()[0])).toBe(true)
  })

  it('have an unseen part: of the starts, those whose end no other start has', () => {
    expect(new Optima(1, 1e-15).unseen).toBe(1)
    const optima = ends(1, 1e-15, end(1), end(1), end(2), end(3))
    expect(optima.unseen).toBe(0.5)
    // A recombination is no independent draw.
    optima.add(end(4), false)
    expect(optima.unseen).toBe(0.5)
    expect([optima.attempts, optima.starts]).toEqual([5, 4])
  })

  it('support the best by how many starts ended there', () => {
    const support = (best: number, others: number): string => {
      const optima = ends(
        1,
        1e-15,
        ...Array.from({ length: best }, () => end(1)),
        ...Array.from({ length: others }, () => end(2)),
      )
      expect(optima.agreed).toBe(optima.support === 'most')
      return optima.support
    }
    expect([support(5, 0), support(6, 0), support(6, 5), support(6, 6), support(6, 18), support(6, 19)]).toEqual([
      ...['few', 'most', 'most', 'many', 'many', 'few'],
    ])
    const recombined = ends(1, 1e-15, end(2))
    recombined.add(end(1), false)
    expect(recombined.support).toBe('none')
    expect([new Optima(1, 1e-15).timesBest, new Optima(1, 1e-15).startsBest]).toEqual([0, 0])
  })

  it('do not count a run that was stopped on its way, unless it is the lowest', () => {
    for (const reason of ['stopped', 'failed'] as Reason[]) {
      const optima = ends(1, 1e-15, end(10), end(10, { reason }), end(12, { reason }))
      expect(optima.attempts).toBe(1)
      optima.add(end(9, { reason }), true)
      expect([optima.attempts, optima.best?.objective]).toEqual([2, 9])
      expect(ends(1, 1e-15, end(10, { reason })).attempts).toBe(1)
    }
    expect(ends(1, 1e-15, end(10), end(12, { reason: 'passes' })).attempts).toBe(2)
  })

  it('are ambiguous if converged models of the best loss have different classes', () => {
    const parameters = model([0.3, 0.7], [0.7, 0.3], [0.8, 0.4])
    expect(ends(1, 1e-15, end(10), end(10)).ambiguous).toBe(false)
    const optima = ends(1, 1e-15, end(10), end(10, { parameters }))
    expect(optima.ambiguous).toBe(true)
    // It stays so with another of that loss, and no longer counts if there is a lower one.
    optima.add(end(10), true)
    expect(optima.ambiguous).toBe(true)
    optima.add(end(11, { parameters }), true)
    expect(optima.ambiguous).toBe(true)
    optima.add(end(5), true)
    expect(optima.ambiguous).toBe(false)
    expect(ends(1, 1e-15, end(10), end(10, { parameters, reason: 'passes' })).ambiguous).toBe(false)
    expect(ends(1, 1e-15, end(10), end(12, { parameters })).ambiguous).toBe(false)
  })

  it('go on from what a checkpoint has', () => {
    const before = ends(1, 1e-15, end(10), end(12), end(10))
    const after = new Optima(1, 1e-15)
    after.restore(before.best as Run, true, before.entries)
    expect(after.ambiguous).toBe(true)
    expect(after.best).toBe(before.best)
    expect(after.describe()).toEqual(before.describe())
    expect([after.timesBest, after.attempts]).toEqual([2, 3])
  })
})

describe('two models are one', () => {
  const near = (p: number) => model([0.3, 0.7], [0.9, 0.2], [0.8, p])

  it('whatever the order of their classes', () => {
    expect(sameModel(usual, usual)).toBe(true)
    expect(sameModel(usual, model([0.7, 0.3], [0.2, 0.9], [0.4, 0.8]))).toBe(true)
    expect(sameModel(usual, model([0.7, 0.3], [0.9, 0.2], [0.8, 0.4]))).toBe(false)
    expect(sameModel(usual, model([0.7, 0.3], [0.2, 0.9], [0.8, 0.4]))).toBe(false)
  })

  it('up to a hundredth of a share, or of a distribution by the share of its class', () => {
    const shifted = (by: number) => model([0.3 + by, 0.7 - by], [0.9, 0.2], [0.8, 0.4])
    expect([0.009, -0.009, 0.011, -0.011].map(by => sameModel(usual, shifted(by)))).toEqual([true, true, false, false])
    // The second class has 0.7 of all: a total variation of 1/70 counts as a hundredth.
    expect([0.0142, -0.0142, 0.0144, -0.0144].map(by => sameModel(usual, near(0.4 + by)))).toEqual([
      ...[true, true, false, false],
    ])
    const first = (p: number) => model([0.3, 0.7], [p, 0.2], [0.8, 0.4])
    expect([0.867, 0.8665].map(p => sameModel(usual, first(p)))).toEqual([true, false])
  })
})
