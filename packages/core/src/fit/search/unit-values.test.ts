import { describe, expect, it } from 'vitest'
import { DataError } from '../../errors.ts'
import type { Run } from '../descent/run.ts'
import { Optima } from './optima.ts'
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
} from './unit-values.ts'

const reals = (...numbers: readonly number[]): Float64Array => Float64Array.from(numbers)

const expected = { rank: 2, shape: [2, 3], terms: 0 }
const parameters = {
  rank: 2,
  shares: reals(0.25, 0.75),
  factors: [reals(0.5, 0.1, 0.5, 0.9), reals(0.2, 1, 0.3, 0, 0.5, 0)],
}
const explained = { ...parameters, coefficients: reals(-1, 1, 0.5, -0.5) }
const run: Run = {
  ...{ parameters, loss: 12, objective: 13, trace: [20, 14, 13], passes: 3 },
  ...{ stationarity: Number.POSITIVE_INFINITY, estimatedGain: undefined, reason: 'passes' },
}

/** A value with another one at a place of it. */
const changed = (value: unknown, [name, ...rest]: readonly (string | number)[], other: unknown): unknown => {
  if (name === undefined) return other
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>
  copy[name] = changed(copy[name], rest, other)
  return copy
}

/** Expects a message for every change of what is otherwise read. */
const refuses = (
  read: (value: unknown) => unknown,
  value: unknown,
  changes: readonly (readonly [what: string, path: readonly (string | number)[], ...others: readonly unknown[]])[],
): void => {
  expect(() => read(value)).not.toThrow()
  for (const [what, path, ...others] of changes) {
    for (const other of others)
      expect(() => read(changed(value, path, other)), `${path.join('.')}: ${String(other)}`).toThrow(
        new DataError(what),
      )
  }
}

const notAsWritten = (what: string) => `${what} is not as Polyad writes it`
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
    refuses(value => runOf(value, expected), plainRun(run), [
      ['an object is missing', [], undefined, null, 'run', [run], reals(1)],
      ['an object is missing', ['parameters'], undefined, 3],
      [notAsWritten('a rank'), ['parameters', 'rank'], undefined, '2', 1, 3, -2, nan, endless],
      [notAsWritten('a list of shares'), ['parameters', 'shares'], undefined, [0.25, 0.75], reals(1), reals(0.5, -0.5), reals(0.5, nan), reals(endless, 0)], // biome-ignore format: a table
      [notAsWritten('a list of factors'), ['parameters', 'factors'], undefined, {}, reals(1)],
      [
        notAsWritten('a factor'),
        ['parameters', 'factors'],
        [],
        [...parameters.factors, reals()],
        [parameters.factors[0]],
      ],
      [notAsWritten('a factor'), ['parameters', 'factors', 1], undefined, reals(1), reals(0.2, 1, 0.3, 0, 0.5, -1), reals(0.2, 1, 0.3, 0, 0.5, endless)], // biome-ignore format: a table
      [notAsWritten('a list of coefficients'), ['parameters', 'coefficients'], [1], reals(1, 2)],
      [notAsWritten('a loss'), ['loss'], undefined, '12', nan, endless],
      [notAsWritten('an objective'), ['objective'], undefined, nan, -endless],
      [notAsWritten('a trace'), ['trace'], undefined, [1, 2]],
      [notAsWritten('a number of passes'), ['passes'], undefined, -1, nan],
      [notAsWritten('a stationarity'), ['stationarity'], undefined, '0'],
      [notAsWritten('a gain'), ['estimatedGain'], null, '0'],
      [notAsWritten('a reason'), ['reason'], undefined, 'bored'],
      [notAsWritten('a precision'), ['rough'], null, '1e-7'],
      [notAsWritten('a run'), ['fallback'], null, 1],
    ])
    const terms = { ...expected, terms: 2 }
    refuses(value => runOf(value, terms), plainRun({ ...run, parameters: explained }), [
      [notAsWritten('a list of coefficients'), ['parameters', 'coefficients'], reals(1, 2, 3), reals(1, 2, 3, nan), reals(1, 2, 3, endless)], // biome-ignore format: a table
    ])
  })

  it('may have more classes if it is to be merged down, but no part of one', () => {
    const wide = changed(plainRun(run), ['parameters'], {
      ...{ rank: 1, shares: reals(1), factors: [reals(0.5, 0.5), reals(0.5, 0.5, 0)] },
    })
    expect(() => runOf(wide, expected)).toThrow(notAsWritten('a rank'))
    expect(runOf(wide, expected, true).parameters.rank).toBe(1)
    refuses(value => runOf(value, expected, true), wide, [
      [notAsWritten('a rank'), ['parameters', 'rank'], 0, 1.5],
      [notAsWritten('a list of shares'), ['parameters', 'rank'], 2],
    ])
  })

  it('has what it cost beside it in a task', () => {
    expect(taskResultOf(plainTaskResult({ run, cost: 7.5 }), expected)).toEqual({ run, cost: 7.5 })
    refuses(value => taskResultOf(value, expected), plainTaskResult({ run, cost: 0 }), [
      [notAsWritten('a cost'), ['cost'], undefined, -1, endless],
      ['an object is missing', ['run'], undefined],
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
  const found = { best: run, optima, attempts: [attempt], cost: 6, exhausted: true, broods: false }
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
    refuses(read, plainSearch({ found, fallback: undefined }), [
      ['an object is missing', [], undefined],
      ['an object is missing', ['best'], undefined],
      [notAsWritten('a cost'), ['cost'], undefined, -1],
      [notAsWritten('a search'), ['exhausted'], undefined, 1],
      [notAsWritten('a search'), ['broods'], undefined, 'no'],
      [notAsWritten('a search'), ['fallback'], null, 1],
      [notAsWritten('an optimum'), ['ambiguous'], undefined, 0],
      [notAsWritten('a list of optima'), ['optima'], undefined, {}],
      [notAsWritten('an optimum'), ['optima', 0, 'loss'], undefined, nan],
      [notAsWritten('an optimum'), ['optima', 0, 'objective'], undefined, endless],
      [notAsWritten('an optimum'), ['optima', 1, 'reached'], undefined, -1],
      [notAsWritten('an optimum'), ['optima', 1, 'starts'], undefined, -1],
      [notAsWritten('an optimum'), ['optima', 1, 'shares'], undefined, reals(1)],
      [notAsWritten('a share'), ['optima', 1, 'shares', 0], undefined, -0.1],
      [notAsWritten('an optimum'), ['optima', 1, 'converged'], undefined, 1],
      [notAsWritten('an optimum'), ['optima', 1, 'rough'], undefined, -1],
      [notAsWritten('a list of attempts'), ['attempts'], undefined, {}],
      [notAsWritten('an attempt'), ['attempts', 0, 'origin'], undefined, 'heaven'],
      [notAsWritten('an attempt'), ['attempts', 0, 'loss'], undefined, '1'],
      [notAsWritten('an attempt'), ['attempts', 0, 'passes'], undefined, -1],
      [notAsWritten('an attempt'), ['attempts', 0, 'stationarity'], undefined, '1'],
      [notAsWritten('an attempt'), ['attempts', 0, 'reason'], undefined, 'bored'],
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
    refuses(value => replicateOf(value, models, false), plainReplicate({ fits, misfit }, false), [
      ['an object is missing', [], undefined],
      [notAsWritten('a replicate'), ['fits'], undefined, {}, [], [fits[0]], [...fits, fits[0]]],
      ['an object is missing', ['fits', 0], undefined],
      [notAsWritten('a replicate'), ['fits', 0, 'logLikelihood'], undefined, nan],
      [notAsWritten('a replicate'), ['fits', 0, 'converged'], undefined, 1],
      [notAsWritten('a rank'), ['fits', 0, 'parameters', 'rank'], 3],
      [notAsWritten('a list of coefficients'), ['fits', 1, 'parameters', 'coefficients'], reals(1)],
      ['an object is missing', ['misfit'], null, 1],
      [notAsWritten('a misfit'), ['misfit', 'pairs'], undefined, {}],
      [notAsWritten('a misfit'), ['misfit', 'pairs', 0], undefined, '1'],
      [notAsWritten('a misfit'), ['misfit', 'gSquared'], null, '1'],
      [notAsWritten('a misfit'), ['misfit', 'chiSquared'], null],
      [notAsWritten('a misfit'), ['misfit', 'cressieRead'], null],
    ])
    expect(() => replicateOf({ fits: [] }, models, true)).toThrow(notAsWritten('a replicate'))
    expect(() => replicateOf({ fits: [...fits, fits[0]] }, models, true)).toThrow(notAsWritten('a replicate'))
  })
})
