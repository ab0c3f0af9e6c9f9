import { DataError } from '../../errors.ts'
import { objectOf } from '../checkpoint/journal.ts'
import type { Explained } from '../descent/membership.ts'
import type { Run } from '../descent/run.ts'
import { REASONS } from '../descent/stopping.ts'
import { Optima } from './optima.ts'
import type { Refitted, ReplicateMisfit, ReplicateResult } from './replicate.ts'
import { type Attempt, ORIGINS, type Search, type SearchSetting } from './search-log.ts'
import type { TaskResult, TaskSetting } from './tasks.ts'

/** What units of a search end with, as plain values of a checkpoint, and back. What comes from a file is checked before it is used. */

const refuse = (what: string): never => {
  throw new DataError(`${what} is not as Polyad writes it`)
}

const numberOf = (value: unknown, what: string): number => (typeof value === 'number' ? value : refuse(what))

/** A number that others are computed from. */
const finiteOf = (value: unknown, what: string): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : refuse(what)

/** How often, or how much, something was done. */
const amountOf = (value: unknown, what: string): number =>
  finiteOf(value, what) >= 0 ? (value as number) : refuse(what)

const flagOf = (value: unknown, what: string): boolean => (typeof value === 'boolean' ? value : refuse(what))

const listOf = (value: unknown, what: string): readonly unknown[] => (Array.isArray(value) ? value : refuse(what))

const realsOf = (value: unknown, what: string): Float64Array => (value instanceof Float64Array ? value : refuse(what))

const oneOf = <T>(choices: readonly T[], value: unknown, what: string): T =>
  choices.find(each => each === value) ?? refuse(what)

/** What the models of a unit are like. */
export interface ExpectedModel {
  readonly rank: number
  /** Of the modes of the model. */
  readonly shape: readonly number[]
  /** Of the logit of membership, if there is one. */
  readonly terms: number
}

/** @param setting of the fit, on data of this shape */
export const expectedModel = (
  shape: readonly number[],
  { rank, explained }: Pick<TaskSetting, 'rank' | 'explained'>,
): ExpectedModel => ({
  rank,
  shape: explained === undefined ? shape : shape.slice(0, -1),
  terms: explained?.terms.length ?? 0,
})

const isProbability = (value: number): boolean => value >= 0 && value < Number.POSITIVE_INFINITY

/** @param wide whether there may be other numbers of classes: some runs begin with more, which are merged later */
const parametersOf = (value: unknown, { rank: classes, shape, terms }: ExpectedModel, wide = false): Explained => {
  const { rank, shares, factors, coefficients } = objectOf(value)
  const own = {
    rank: amountOf(rank, 'a rank'),
    shares: realsOf(shares, 'a list of shares'),
    factors: listOf(factors, 'a list of factors').map(each => realsOf(each, 'a factor')),
    ...(coefficients !== undefined && { coefficients: realsOf(coefficients, 'a list of coefficients') }),
  }
  if (!(wide ? Number.isInteger(own.rank) && own.rank > 0 : own.rank === classes)) refuse('a rank')
  if (own.shares.length !== own.rank || !own.shares.every(isProbability)) refuse('a list of shares')
  const fits = own.factors.every((factor, n) => factor.length === shape[n] * own.rank && factor.every(isProbability))
  if (own.factors.length !== shape.length || !fits) refuse('a factor')
  const known = own.coefficients === undefined || own.coefficients.length === terms * own.rank
  if (!known || own.coefficients?.every(Number.isFinite) === false) refuse('a list of coefficients')
  return own
}

export const plainRun = ({ trace, failure: _, ...run }: Run) => ({ ...run, trace: Float64Array.from(trace) })

export const runOf = (value: unknown, expected: ExpectedModel, wide = false): Run => {
  const { parameters, trace, reason, estimatedGain, rough, fallback, ...rest } = objectOf(value)
  const { loss, objective, passes, stationarity } = rest
  if (fallback !== undefined && typeof fallback !== 'string') refuse('a run')
  return {
    parameters: parametersOf(parameters, expected, wide),
    loss: finiteOf(loss, 'a loss'),
    objective: finiteOf(objective, 'an objective'),
    trace: [...realsOf(trace, 'a trace')],
    passes: amountOf(passes, 'a number of passes'),
    stationarity: numberOf(stationarity, 'a stationarity'),
    estimatedGain: estimatedGain === undefined ? undefined : numberOf(estimatedGain, 'a gain'),
    reason: oneOf(REASONS, reason, 'a reason'),
    ...(rough !== undefined && { rough: numberOf(rough, 'a precision') }),
    ...(fallback !== undefined && { fallback: fallback as string }),
  }
}

export const plainTaskResult = ({ run, cost }: TaskResult) => ({ run: plainRun(run), cost })

export const taskResultOf = (value: unknown, expected: ExpectedModel): TaskResult => {
  const { run, cost } = objectOf(value)
  return { run: runOf(run, expected), cost: amountOf(cost, 'a cost') }
}

/** A search that has ended, with the reason for which single precision was given up, if it was. */
export interface EndedSearch {
  readonly found: Search
  readonly fallback: string | undefined
}

export const plainSearch = ({ found: { best, optima, ...found }, fallback }: EndedSearch) => ({
  ...{ ...found, fallback },
  best: plainRun(best),
  optima: optima.entries,
  ambiguous: optima.ambiguous,
})

export const searchOf = (
  value: unknown,
  { unit, precision }: Pick<SearchSetting, 'unit' | 'precision'>,
  expected: ExpectedModel,
): EndedSearch => {
  const { best: run, optima: entries, attempts, cost, exhausted, broods, ambiguous, fallback } = objectOf(value)
  const best = runOf(run, expected)
  const optima = new Optima(unit, precision)
  optima.restore(best, flagOf(ambiguous, 'an optimum'), listOf(entries, 'a list of optima').map(entryOf))
  if (fallback !== undefined && typeof fallback !== 'string') refuse('a search')
  return {
    found: {
      ...{ best, optima, attempts: listOf(attempts, 'a list of attempts').map(attemptOf) },
      cost: amountOf(cost, 'a cost'),
      exhausted: flagOf(exhausted, 'a search'),
      broods: flagOf(broods, 'a search'),
    },
    fallback: fallback as string | undefined,
  }
}

const entryOf = (value: unknown) => {
  const { loss, objective, reached, starts, shares, converged, rough } = objectOf(value)
  return {
    loss: finiteOf(loss, 'an optimum'),
    objective: finiteOf(objective, 'an optimum'),
    reached: amountOf(reached, 'an optimum'),
    starts: amountOf(starts, 'an optimum'),
    shares: Object.freeze(listOf(shares, 'an optimum').map(each => amountOf(each, 'a share'))),
    converged: flagOf(converged, 'an optimum'),
    rough: amountOf(rough, 'an optimum'),
  }
}

const attemptOf = (value: unknown): Attempt => {
  const { origin, loss, passes, stationarity, reason } = objectOf(value)
  return Object.freeze({
    origin: oneOf(ORIGINS, origin, 'an attempt'),
    loss: numberOf(loss, 'an attempt'),
    passes: amountOf(passes, 'an attempt'),
    stationarity: numberOf(stationarity, 'an attempt'),
    reason: oneOf(REASONS, reason, 'an attempt'),
  })
}

/** If all that matters is a likelihood ratio, no models are kept. */
export const plainReplicate = ({ fits, misfit }: ReplicateResult, ratioOnly: boolean) => ({
  fits: ratioOnly ? fits.map(({ parameters: { rank }, ...fit }) => ({ ...fit, parameters: nothing(rank) })) : fits,
  misfit,
})

const nothing = (rank: number): Explained => ({ rank, shares: new Float64Array(0), factors: [] })

/** @param expected the models that were fitted @param ratioOnly whether none of them were kept */
export const replicateOf = (
  value: unknown,
  expected: readonly ExpectedModel[],
  ratioOnly: boolean,
): ReplicateResult => {
  const { fits, misfit } = objectOf(value)
  const { length } = listOf(fits, 'a replicate')
  if (length === 0 || length > expected.length || (!ratioOnly && length < expected.length)) refuse('a replicate')
  return {
    fits: listOf(fits, 'a replicate').map((each, i): Refitted => {
      const { parameters, logLikelihood, converged } = objectOf(each)
      return {
        parameters: ratioOnly ? nothing(expected[i].rank) : parametersOf(parameters, expected[i]),
        logLikelihood: finiteOf(logLikelihood, 'a replicate'),
        converged: flagOf(converged, 'a replicate'),
      }
    }),
    ...(misfit !== undefined && { misfit: misfitOf(misfit) }),
  }
}

const misfitOf = (value: unknown): ReplicateMisfit => {
  const { pairs, ...figures } = objectOf(value)
  const names = ['gSquared', 'chiSquared', 'cressieRead'] as const
  return {
    pairs: listOf(pairs, 'a misfit').map(each => numberOf(each, 'a misfit')),
    ...Object.fromEntries(
      names.filter(name => figures[name] !== undefined).map(name => [name, numberOf(figures[name], 'a misfit')]),
    ),
  }
}
