import { describe, expect, it } from 'vitest'
import { changed, expectRefused } from '../../../../../test/refused-changes.ts'
import type { Run } from '../descent/run.ts'
import { Optima } from '../search/optima.ts'
import {
  expectedModel,
  plainReplicate,
  plainRun,
  plainSearch,
  plainTaskResult,
  replicateOf,
  runOf,
  searchOf,
  taskResultOf,
} from './checkpoint-codec.ts'

const reals = (...numbers: readonly number[]): Float64Array => Float64Array.from(numbers)

const expected = { rank: 2, shape: [2, 3], terms: 0 }
const parameters = {
  rank: 2,
  shares: reals(0.25, 0.75),
  factors: [reals(0.5, 0.1, 0.5, 0.9), reals(0.2, 1, 0.3, 0, 0.5, 0)],
}
const explained = { ...parameters, coefficients: reals(-1, 1, 0.5, -0.5) }
const run: Run = {
  parameters,
  loss: 12,
  objective: 13,
  trace: [20, 14, 13],
  passes: 3,
  stationarity: Number.POSITIVE_INFINITY,
  estimatedGain: undefined,
  reason: 'passes',
}

const one = 'must be a finite number'
const [amount, list, text, flag] = ['must be a number ≥ 0', 'must be a list', 'must be text', 'must be true or false']
const [object, number, numbers] = ['must be an object', 'must be a number', 'must be binary numbers']
const reasons = 'must be one of stationary, settled, passes, stopped, abandoned, stalled, failed'
const entries = (length: number) => `must have ${length} entries`
const [nan, endless] = [Number.NaN, Number.POSITIVE_INFINITY]

describe('a run of a checkpoint', () => {
  it('is read as it was written', () => {
    expect(runOf(plainRun(run), expected)).toEqual(run)
    expect(plainRun(run).trace).toEqual(reals(20, 14, 13))
    const rough = { ...run, estimatedGain: 0.5, rough: 1e-7, fallback: 'it failed', reason: 'stationary' as const }
    expect(runOf(plainRun(rough), expected)).toEqual(rough)
    expect(runOf(plainRun({ ...run, failure: new Error('x') } as unknown as Run), expected)).toEqual(run)
    const whole = { ...run, parameters: explained }
    expect(runOf(plainRun(whole), { ...expected, terms: 2 })).toEqual(whole)
    expect(Object.keys(runOf(plainRun(run), expected))).not.toContain('rough')
    expect(Object.keys(runOf(plainRun(run), expected))).not.toContain('fallback')
    expect(Object.keys(runOf(plainRun(run), expected).parameters)).not.toContain('coefficients')
  })

  it('is refused if any part of it is of another kind, size or range', () => {
    expectRefused(value => runOf(value, expected), 'run', plainRun(run), [
      [object, [], undefined, null, 'run', [run], reals(1)],
      [object, ['parameters'], undefined, 3],
      ['must be 2', ['parameters', 'rank'], undefined, '2', 1, 3, -2, nan, endless],
      [
        [numbers, entries(2), amount],
        ['parameters', 'shares'],
        undefined,
        [0.25, 0.75],
        reals(1),
        reals(0.5, -0.5),
        reals(0.5, nan),
        reals(endless, 0),
      ],
      [list, ['parameters', 'factors'], undefined, {}, reals(1)],
      [entries(2), ['parameters', 'factors'], [], [...parameters.factors, reals()], [parameters.factors[0]]],
      [
        [numbers, entries(6), amount],
        ['parameters', 'factors', 1],
        undefined,
        reals(1),
        reals(0.2, 1, 0.3, 0, 0.5, -1),
        reals(0.2, 1, 0.3, 0, 0.5, endless),
      ],
      [[numbers, entries(0)], ['parameters', 'coefficients'], [1], reals(1, 2)],
      [one, ['loss'], undefined, '12', nan, endless],
      [one, ['objective'], undefined, nan, -endless],
      [numbers, ['trace'], undefined, [1, 2]],
      [amount, ['passes'], undefined, -1, nan],
      [number, ['stationarity'], undefined, '0'],
      [number, ['estimatedGain'], null, '0'],
      [reasons, ['reason'], undefined, 'bored'],
      [number, ['rough'], null, '1e-7'],
      [text, ['fallback'], null, 1],
    ])
    const terms = { ...expected, terms: 2 }
    expectRefused(value => runOf(value, terms), 'run', plainRun({ ...run, parameters: explained }), [
      [[entries(4), one], ['parameters', 'coefficients'], reals(1, 2, 3), reals(1, 2, 3, nan), reals(1, 2, 3, endless)],
    ])
  })

  it('may have more classes if it is to be merged down, but no part of one', () => {
    const wide = changed(plainRun(run), ['parameters'], {
      rank: 1,
      shares: reals(1),
      factors: [reals(0.5, 0.5), reals(0.5, 0.5, 0)],
    })
    expect(() => runOf(wide, expected)).toThrow('run.parameters.rank must be 2 (got 1)')
    expect(runOf(wide, expected, true).parameters.rank).toBe(1)
    expectRefused(value => runOf(value, expected, true), 'run', wide, [
      ['must be a whole number ≥ 1', ['parameters', 'rank'], 0, 1.5],
    ])
    const whole = changed(wide, ['parameters', 'rank'], 2)
    expect(() => runOf(whole, expected, true)).toThrow('run.parameters.shares must have 2 entries (got 1)')
  })

  it('has what it cost beside it in a task', () => {
    expect(taskResultOf(plainTaskResult({ run, cost: 7.5 }), expected)).toEqual({ run, cost: 7.5 })
    expectRefused(value => taskResultOf(value, expected), 'task', plainTaskResult({ run, cost: 0 }), [
      [amount, ['cost'], undefined, -1, endless],
      [object, ['run'], undefined],
    ])
  })

  it('is of a model without the last mode of the data, if that is the combination of the covariates', () => {
    const design = { terms: [1, 2, 3], patterns: 4, values: reals(), counts: reals() } as never
    expect(expectedModel([2, 3, 4], { rank: 2 })).toEqual({ rank: 2, shape: [2, 3, 4], terms: 0 })
    expect(expectedModel([2, 3, 4], { rank: 2, explained: design })).toEqual({ rank: 2, shape: [2, 3], terms: 3 })
  })
})

describe('a search of a checkpoint', () => {
  const optima = new Optima(1, 1e-15)
  optima.add(run, true)
  optima.add({ ...run, objective: 20, loss: 19, reason: 'stationary' }, false)
  optima.ambiguous = true
  const attempt = { origin: 'random', loss: nan, passes: 3, stationarity: endless, reason: 'passes' } as const
  const found = {
    best: run,
    optima,
    attempts: [attempt],
    cost: 6,
    exhausted: true,
    broods: false,
    standstill: { passes: 9, gain: 0 },
  }
  const read = (value: unknown) => searchOf(value, { unit: 1, precision: 1e-15 }, expected)

  it('is read as it was written', () => {
    const { found: again, fallback } = read(plainSearch({ found, fallback: 'it failed' }))
    expect(fallback).toBe('it failed')
    expect({ ...again, optima: undefined }).toEqual({ ...found, optima: undefined })
    expect(again.optima.entries).toEqual(optima.entries)
    expect(again.optima.best).toEqual(run)
    expect(again.optima.ambiguous).toBe(true)
    expect(read(plainSearch({ found, fallback: undefined })).fallback).toBeUndefined()
    expect(Object.isFrozen(again.attempts[0]) && Object.isFrozen(again.optima.entries[0].shares)).toBe(true)
  })

  it('has attempts of every origin, which ended for any reason', () => {
    const reasons = ['stationary', 'settled', 'passes', 'stopped', 'abandoned', 'stalled', 'failed'] as const
    const attempts = (['random', 'wide', 'recombined', 'given'] as const).flatMap(origin =>
      reasons.map(reason => ({ ...attempt, origin, reason })),
    )
    expect(read(plainSearch({ found: { ...found, attempts }, fallback: undefined })).found.attempts).toEqual(attempts)
  })

  it('is refused if any part of it is of another kind or range', () => {
    expectRefused(read, 'search', plainSearch({ found, fallback: undefined }), [
      [object, [], undefined],
      [object, ['best'], undefined],
      [amount, ['cost'], undefined, -1],
      [flag, ['exhausted'], undefined, 1],
      [flag, ['broods'], undefined, 'no'],
      [text, ['fallback'], null, 1],
      [flag, ['ambiguous'], undefined, 0],
      [list, ['optima'], undefined, {}],
      [one, ['optima', 0, 'loss'], undefined, nan],
      [one, ['optima', 0, 'objective'], undefined, endless],
      [amount, ['optima', 1, 'reached'], undefined, -1],
      [amount, ['optima', 1, 'starts'], undefined, -1],
      [list, ['optima', 1, 'shares'], undefined, reals(1)],
      [amount, ['optima', 1, 'shares', 0], undefined, -0.1],
      [flag, ['optima', 1, 'converged'], undefined, 1],
      [amount, ['optima', 1, 'rough'], undefined, -1],
      [list, ['attempts'], undefined, {}],
      ['must be one of random, wide, recombined, given', ['attempts', 0, 'origin'], undefined, 'heaven'],
      [number, ['attempts', 0, 'loss'], undefined, '1'],
      [amount, ['attempts', 0, 'passes'], undefined, -1],
      [number, ['attempts', 0, 'stationarity'], undefined, '1'],
      [reasons, ['attempts', 0, 'reason'], undefined, 'bored'],
    ])
  })
})

describe('a replicate of a checkpoint', () => {
  const fits = [
    { parameters, logLikelihood: -3, converged: true },
    { parameters: explained, logLikelihood: -2, converged: false },
  ]
  const misfit = { gSquared: 1, chiSquared: 2, cressieRead: 1.5, pairs: [1, nan] }
  const models = [expected, { ...expected, terms: 2 }]

  it('is read as it was written, without models if only their ratio matters', () => {
    const result = { fits, misfit }
    expect(replicateOf(plainReplicate(result, false), models, false)).toEqual(result)
    expect(replicateOf(plainReplicate({ fits }, false), models, false)).toEqual({ fits })
    const ratio = plainReplicate({ fits }, true)
    const none = { rank: 2, shares: reals(), factors: [] }
    expect(ratio.fits.map(fit => fit.parameters)).toEqual([none, none])
    expect(replicateOf(ratio, models, true).fits).toEqual(fits.map(fit => ({ ...fit, parameters: none })))
    // The smaller model alone is enough if the larger one was not needed.
    expect(replicateOf({ fits: ratio.fits.slice(0, 1) }, models, true).fits).toHaveLength(1)
    const pairs = { fits, misfit: { pairs: [1] } }
    expect(replicateOf(plainReplicate(pairs, false), models, false)).toEqual(pairs)
  })

  it('is refused if any part of it is of another kind or range', () => {
    expectRefused(value => replicateOf(value, models, false), 'replicate', plainReplicate({ fits, misfit }, false), [
      [object, [], undefined],
      [[list, entries(2)], ['fits'], undefined, {}, [], [fits[0]], [...fits, fits[0]]],
      [object, ['fits', 0], undefined],
      [one, ['fits', 0, 'logLikelihood'], undefined, nan],
      [flag, ['fits', 0, 'converged'], undefined, 1],
      ['must be 2', ['fits', 0, 'parameters', 'rank'], 3],
      [entries(4), ['fits', 1, 'parameters', 'coefficients'], reals(1)],
      [object, ['misfit'], null, 1],
      [list, ['misfit', 'pairs'], undefined, {}],
      [number, ['misfit', 'pairs', 0], undefined, '1'],
      [number, ['misfit', 'gSquared'], null, '1'],
      [number, ['misfit', 'chiSquared'], null],
      [number, ['misfit', 'cressieRead'], null],
    ])
    expect(() => replicateOf({ fits: [] }, models, true)).toThrow('replicate.fits must have 2 entries (got 0)')
    expect(() => replicateOf({ fits: [...fits, fits[0]] }, models, true)).toThrow(
      'replicate.fits must have 2 entries (got 3)',
    )
  })
})
