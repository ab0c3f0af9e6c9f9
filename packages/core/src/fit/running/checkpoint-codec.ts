import { linksOf } from '../../model/links/link-kinds.ts'
import type { LinkSetting } from '../../model/links/links.ts'
import { eachFitTest } from '../../model/misfit.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { is } from '../../options.ts'
import { omit } from '../../pick.ts'
import { type Read, reader } from '../../reader.ts'
import type { Run } from '../descent/run.ts'
import { REASONS } from '../descent/stopping.ts'
import { Optima, type OptimumEntry } from '../search/optima.ts'
import type { Refitted, ReplicateMisfit, ReplicateResult } from '../search/replicate.ts'
import { type Attempt, ORIGINS, type Search, type SearchSetting, type Standstill } from '../search/search-log.ts'
import type { TaskResult, TaskSetting } from '../search/tasks.ts'

/** What units of a search end with, as plain values of a checkpoint, and back. What comes from a file is checked before it is used. */

const { amount, finite, flag, list, number, oneOf, optional, reals, text, tuple } = reader

/** What the models of a unit are like. */
export interface ExpectedModel {
  readonly rank: number
  /** Of the modes of the model. */
  readonly shape: readonly number[]
  /** Of the logit of membership, if there is one. */
  readonly terms: number
  /** What links the rows, if anything does. */
  readonly links?: LinkSetting | undefined
}

/** @param setting of the fit, on data of this shape */
export const expectedModel = (
  shape: readonly number[],
  { rank, explained, links }: Pick<TaskSetting, 'rank' | 'explained' | 'links'>,
): ExpectedModel => ({
  rank,
  shape: explained === undefined ? shape : shape.slice(0, -1),
  terms: explained?.terms.length ?? 0,
  links,
})

/** @param wide whether there may be other numbers of classes: some runs begin with more, which are merged later */
const parametersOf =
  ({ rank: classes, shape, terms, links }: ExpectedModel, wide: boolean): Read<ModelParameters> =>
  (value, where) => {
    const allowed = wide ? is.whole(1) : { rule: `${classes}`, allows: (rank: unknown) => rank === classes }
    const rank = reader.by<number>(allowed)(reader.object(value, where).rank, `${where}.rank`)
    return reader.fields<ModelParameters>({
      rank: () => rank,
      shares: reals(rank, is.nonNegative),
      factors: tuple(shape.map(size => reals(size * rank, is.nonNegative))),
      coefficients: optional(reals(terms * rank, is.finite)),
      items: optional(tuple(shape.map(() => optional(reals(undefined, is.finite))))),
      tables: optional(reals(links && linksOf(links, rank).size, is.nonNegative)),
    })(value, where)
  }

export const plainRun = (run: Run) => ({ ...omit(run, 'failure'), trace: Float64Array.from(run.trace) })

const runReader = (expected: ExpectedModel, wide = false): Read<Run> =>
  reader.fields<Omit<Run, 'failure'>>({
    parameters: parametersOf(expected, wide),
    loss: finite,
    objective: finite,
    trace: (value, where) => [...reals()(value, where)],
    passes: amount,
    stationarity: number,
    estimatedGain: optional(number),
    reason: oneOf(REASONS),
    rough: optional(number),
    fallback: optional(text()),
  })

export const runOf = (value: unknown, expected: ExpectedModel, wide?: boolean): Run =>
  runReader(expected, wide)(value, 'run')

export const plainTaskResult = ({ run, cost }: TaskResult) => ({ run: plainRun(run), cost })

export const taskResultOf = (value: unknown, expected: ExpectedModel): TaskResult =>
  reader.fields<TaskResult>({ run: runReader(expected), cost: amount })(value, 'task')

/** A search that has ended, with the reason for which single precision was given up, if it was. */
export interface EndedSearch {
  readonly found: Search
  readonly fallback: string | undefined
}

export const plainSearch = ({ found: { best, optima, ...found }, fallback }: EndedSearch) => ({
  ...found,
  fallback,
  best: plainRun(best),
  optima: optima.entries,
  ambiguous: optima.ambiguous,
})

const entry = reader.fields<OptimumEntry>({
  loss: finite,
  objective: finite,
  reached: amount,
  starts: amount,
  shares: (value, where) => Object.freeze(list(amount)(value, where)),
  converged: flag,
  rough: amount,
})

const attemptFields = reader.fields<Attempt>({
  origin: oneOf(ORIGINS),
  loss: number,
  passes: amount,
  stationarity: number,
  reason: oneOf(REASONS),
})

const attempt: Read<Attempt> = (value, where) => Object.freeze(attemptFields(value, where))

export const searchOf = (
  value: unknown,
  { unit, precision }: Pick<SearchSetting, 'unit' | 'precision'>,
  expected: ExpectedModel,
): EndedSearch => {
  const read = reader.fields({
    best: runReader(expected),
    optima: list(entry),
    attempts: list(attempt),
    cost: amount,
    exhausted: flag,
    broods: flag,
    standstill: optional(reader.fields<Standstill>({ passes: amount, gain: finite })),
    ambiguous: flag,
    fallback: optional(text()),
  })
  const { best, optima: entries, ambiguous, fallback, ...found } = read(value, 'search')
  const optima = new Optima(unit, precision)
  optima.restore(best, ambiguous, entries)
  return { found: { ...found, best, optima }, fallback }
}

/** If all that matters is a likelihood ratio, no models are kept. */
export const plainReplicate = ({ fits, misfit }: ReplicateResult, ratioOnly: boolean) => ({
  fits: ratioOnly ? fits.map(({ parameters: { rank }, ...fit }) => ({ ...fit, parameters: nothing(rank) })) : fits,
  misfit,
})

const nothing = (rank: number): ModelParameters => ({ rank, shares: new Float64Array(0), factors: [] })

/** @param expected the models that were fitted @param ratioOnly whether none of them were kept */
export const replicateOf = (
  value: unknown,
  expected: readonly ExpectedModel[],
  ratioOnly: boolean,
): ReplicateResult => {
  const models = expected.map(each =>
    reader.fields<Refitted>({
      parameters: ratioOnly ? () => nothing(each.rank) : parametersOf(each, false),
      logLikelihood: finite,
      converged: flag,
    }),
  )
  // If only the ratio matters, the larger model may not have been needed.
  const { fits } = reader.fieldsOf(value)
  const length =
    ratioOnly && Array.isArray(fits) && fits.length > 0 ? Math.min(fits.length, models.length) : models.length
  return reader.fields<ReplicateResult>({ fits: tuple(models.slice(0, length)), misfit: optional(misfit) })(
    value,
    'replicate',
  )
}

const misfit = reader.fields<ReplicateMisfit>({
  ...eachFitTest(() => optional(number)),
  pairs: list(number),
})
