import { DataError } from '../../errors.ts'
import { objectOf } from '../checkpoint/journal.ts'
import type { Explained } from '../descent/membership.ts'
import type { Run } from '../descent/run.ts'
import { REASONS } from '../descent/stopping.ts'
import { Optima } from './optima.ts'
import type { Refitted, ReplicateMisfit, ReplicateResult } from './replicate.ts'
import { type Attempt, ORIGINS, type Search, type SearchSetting } from './search-log.ts'
import type { TaskResult } from './tasks.ts'

/** What units of a search end with, as plain values of a checkpoint, and back. What comes from a file is checked before it is used. */

const refuse = (what: string): never => {
  throw new DataError(`${what} is not as Polyad writes it`)
}

const numberOf = (value: unknown, what: string): number => (typeof value === 'number' ? value : refuse(what))

const flagOf = (value: unknown, what: string): boolean => (typeof value === 'boolean' ? value : refuse(what))

const listOf = (value: unknown, what: string): readonly unknown[] => (Array.isArray(value) ? value : refuse(what))

const realsOf = (value: unknown, what: string): Float64Array => (value instanceof Float64Array ? value : refuse(what))

const oneOf = <T>(choices: readonly T[], value: unknown, what: string): T =>
  choices.find(each => each === value) ?? refuse(what)

const parametersOf = (value: unknown): Explained => {
  const { rank, shares, factors, coefficients } = objectOf(value)
  const own = {
    rank: numberOf(rank, 'a rank'),
    shares: realsOf(shares, 'a list of shares'),
    factors: listOf(factors, 'a list of factors').map(each => realsOf(each, 'a factor')),
    ...(coefficients !== undefined && { coefficients: realsOf(coefficients, 'a list of coefficients') }),
  }
  if (own.factors.some(factor => factor.length % own.rank !== 0)) refuse('a factor')
  return own
}

export const plainRun = ({ trace, failure: _, ...run }: Run) => ({ ...run, trace: Float64Array.from(trace) })

export const runOf = (value: unknown): Run => {
  const { parameters, trace, reason, estimatedGain, rough, fallback, ...rest } = objectOf(value)
  const { loss, objective, passes, stationarity } = rest
  if (fallback !== undefined && typeof fallback !== 'string') refuse('a run')
  return {
    parameters: parametersOf(parameters),
    loss: numberOf(loss, 'a loss'),
    objective: numberOf(objective, 'an objective'),
    trace: [...realsOf(trace, 'a trace')],
    passes: numberOf(passes, 'a number of passes'),
    stationarity: numberOf(stationarity, 'a stationarity'),
    estimatedGain: estimatedGain === undefined ? undefined : numberOf(estimatedGain, 'a gain'),
    reason: oneOf(REASONS, reason, 'a reason'),
    ...(rough !== undefined && { rough: numberOf(rough, 'a precision') }),
    ...(fallback !== undefined && { fallback: fallback as string }),
  }
}

export const plainTaskResult = ({ run, cost }: TaskResult) => ({ run: plainRun(run), cost })

export const taskResultOf = (value: unknown): TaskResult => {
  const { run, cost } = objectOf(value)
  return { run: runOf(run), cost: numberOf(cost, 'a cost') }
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
): EndedSearch => {
  const { best: run, optima: entries, attempts, cost, exhausted, broods, ambiguous, fallback } = objectOf(value)
  const best = runOf(run)
  const optima = new Optima(unit, precision)
  optima.restore(best, flagOf(ambiguous, 'an optimum'), listOf(entries, 'a list of optima').map(entryOf))
  if (fallback !== undefined && typeof fallback !== 'string') refuse('a search')
  return {
    found: {
      ...{ best, optima, attempts: listOf(attempts, 'a list of attempts').map(attemptOf) },
      cost: numberOf(cost, 'a cost'),
      exhausted: flagOf(exhausted, 'a search'),
      broods: flagOf(broods, 'a search'),
    },
    fallback: fallback as string | undefined,
  }
}

const entryOf = (value: unknown) => {
  const { loss, objective, reached, starts, shares, converged, rough } = objectOf(value)
  return {
    loss: numberOf(loss, 'an optimum'),
    objective: numberOf(objective, 'an optimum'),
    reached: numberOf(reached, 'an optimum'),
    starts: numberOf(starts, 'an optimum'),
    shares: Object.freeze(listOf(shares, 'an optimum').map(each => numberOf(each, 'a share'))),
    converged: flagOf(converged, 'an optimum'),
    rough: numberOf(rough, 'an optimum'),
  }
}

const attemptOf = (value: unknown): Attempt => {
  const { origin, loss, passes, stationarity, reason } = objectOf(value)
  return Object.freeze({
    origin: oneOf(ORIGINS, origin, 'an attempt'),
    loss: numberOf(loss, 'an attempt'),
    passes: numberOf(passes, 'an attempt'),
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

export const replicateOf = (value: unknown): ReplicateResult => {
  const { fits, misfit } = objectOf(value)
  return {
    fits: listOf(fits, 'a replicate').map((each): Refitted => {
      const { parameters, logLikelihood, converged } = objectOf(each)
      return {
        parameters: parametersOf(parameters),
        logLikelihood: numberOf(logLikelihood, 'a replicate'),
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
