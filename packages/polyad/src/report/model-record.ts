import { type Attempt, CRITERIA, type Criterion } from '@polyad/core'
import type { CovariateFigures } from './covariates-text.ts'
import type { FitFigures } from './fit-figures.ts'
import type { FitStatistics, Origin, SearchFacts } from './report.ts'

/** What a model file tells of its fit. It may come from anyone, or from another version: what is not as it should be is not there. */

type Check = (value: unknown) => boolean

const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value)
const isText: Check = value => typeof value === 'string'
const isFlag: Check = value => typeof value === 'boolean'
const orNull =
  (check: Check): Check =>
  value =>
    value === null || check(value)
const orAbsent =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)
const listOf =
  (check: Check, length?: number): Check =>
  value =>
    Array.isArray(value) && (length === undefined || value.length === length) && value.every(check)
const objectOf =
  (checks: Readonly<Record<string, Check>>): Check =>
  value =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(checks).every(([key, check]) => check((value as Record<string, unknown>)[key]))

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** The parts of a result that are as they should be. */
const known = <T extends object>(value: unknown, checks: Readonly<Record<keyof T & string, Check>>): T | null => {
  if (!objectOf(checks)(value)) return null
  const all = fields(value)
  return Object.fromEntries(Object.keys(checks).map(key => [key, all[key]])) as T
}

const identification = objectOf({
  parameters: isNumber,
  rank: isNumber,
  degreesOfFreedom: orNull(isNumber),
  verdict: value => ['identified', 'not identified', 'boundary', 'not checked'].includes(value as string),
  atFit: value =>
    value === undefined || objectOf({ boundary: isNumber, classes: listOf(isNumber), modes: listOf(isText) })(value),
})

const statisticsChecks = (rank: number) => ({
  logLikelihood: isNumber,
  loss: isNumber,
  parameters: isNumber,
  degreesOfFreedom: orNull(isNumber),
  identification,
  criteria: ((value: unknown) => Object.values(fields(value)).every(orNull(isNumber))) as Check,
  gSquared: orNull(isNumber),
  chiSquared: orNull(isNumber),
  cressieRead: orNull(isNumber),
  pValue: orNull(isNumber),
  sparse: isFlag,
  entropy: orNull(isNumber),
  relativeEntropy: orNull(isNumber),
  classificationError: isNumber,
  averagePosteriors: listOf(orNull(listOf(isNumber, rank)), rank),
})

const searchChecks = {
  converged: isFlag,
  stationarity: isNumber,
  reason: isText,
  remaining: orNull(isNumber),
  passes: isNumber,
  totalPasses: isNumber,
  starts: isNumber,
  optima: listOf(objectOf({ loss: isNumber, reached: isNumber, shares: listOf(isNumber), converged: isFlag })),
  verdict: objectOf({
    text: isText,
    reached: isNumber,
    attempts: isNumber,
    unseen: isNumber,
    better: isNumber,
    ambiguous: isFlag,
    advice: listOf(isText),
  }),
}

const attempt = objectOf({ loss: isNumber, passes: isNumber, stationarity: isNumber, reason: isText, origin: isText })

/** A rank that was fitted beside the one that was kept. */
export interface RecordedRank {
  readonly rank: number
  readonly criteria: Readonly<Partial<Record<Criterion, number | null>>>
}

export interface RecordedChoice {
  readonly fits: readonly RecordedRank[]
  readonly recommended: number | null
  readonly reason: string
}

/** What is known of a model from its record. */
export interface ModelRecord {
  readonly statistics: FitStatistics | null
  readonly search: SearchFacts | null
  readonly attempts: readonly Attempt[]
  readonly trace: readonly number[]
  readonly choice: RecordedChoice | null
  readonly covariates: CovariateFigures | null
  readonly cells: number | null
  /** The modes in which something was missing; null where it is not recorded. */
  readonly missing: readonly string[] | null
  /** The column of sampling weights. */
  readonly weights: string | null
  readonly origin: Origin
}

/** Reads the record that a model file keeps, as far as it can be read. */
export const modelRecordOf = (run: Readonly<Record<string, unknown>>, rank: number): ModelRecord => {
  const result = fields(run.result)
  const choice = fields(run.ranks)
  const fits = listOf(objectOf({ rank: isNumber, criteria: statisticsChecks(rank).criteria }))(choice.fits)
  return {
    statistics: known<FitStatistics>(result, statisticsChecks(rank)),
    search: known<SearchFacts>(result, searchChecks),
    attempts: listOf(attempt)(result.attempts) ? (result.attempts as Attempt[]) : [],
    trace: listOf(isNumber)(result.trace) ? (result.trace as number[]) : [],
    choice:
      fits && isText(choice.reason)
        ? {
            fits: (choice.fits as RecordedRank[]).map(each => ({ rank: each.rank, criteria: knownCriteria(each) })),
            recommended: isNumber(choice.recommended) ? (choice.recommended as number) : null,
            reason: choice.reason as string,
          }
        : null,
    covariates: covariatesOf(result.covariates, rank),
    cells: isNumber(result.cells) ? (result.cells as number) : null,
    missing: listOf(isText)(run.missing) ? (run.missing as string[]) : null,
    weights: textOf(fields(run.source).weights),
    origin: originOf(run),
  }
}

/** The figures of a fit as its record has them; null where they are not all as they should be. */
export const recordedFigures = (result: unknown, rank: number): FitFigures | null =>
  known<Omit<FitFigures, 'test'>>(result, {
    ...statisticsChecks(rank),
    ...searchChecks,
    // Numbers that are not finite are null once they are written.
    stationarity: orNull(isNumber),
    rank: value => value === rank,
    cells: isNumber,
    total: isNumber,
    modes: listOf(isText),
    shape: listOf(isNumber),
    shares: listOf(isNumber, rank),
    smallestClass: isNumber,
    seconds: isNumber,
  })

const knownCriteria = ({ criteria }: RecordedRank): RecordedRank['criteria'] =>
  Object.fromEntries(CRITERIA.flatMap(({ key }) => (criteria[key] === undefined ? [] : [[key, criteria[key]]])))

const covariatesOf = (value: unknown, rank: number): CovariateFigures | null => {
  const point = objectOf({ value: each => isText(each) || isNumber(each), probabilities: listOf(isNumber, rank) })
  const test = objectOf({ statistic: isNumber, degreesOfFreedom: isNumber, pValue: isNumber })
  const usable = objectOf({
    reference: isNumber,
    dropped: isNumber,
    curves: listOf(objectOf({ covariate: isText, numeric: orAbsent(isFlag), points: listOf(point) })),
    coefficients: listOf(
      objectOf({
        class: isNumber,
        term: isText,
        estimate: isNumber,
        standardError: orNull(isNumber),
        pValue: orNull(isNumber),
        oddsRatio: orNull(isNumber),
        interval: orNull(listOf(orNull(isNumber), 2)),
      }),
    ),
    tests: orAbsent(listOf(objectOf({ covariate: isText, test: orNull(test) }))),
  })
  return usable(value) ? (value as CovariateFigures) : null
}

/** Options that say nothing of the model: where it was computed, and with how much help. */
const ASIDE = ['threads', 'memory']

const textOf = (value: unknown): string | null => (isText(value) ? (value as string) : null)

const originOf = (run: Readonly<Record<string, unknown>>): Origin => {
  const [options, source] = [fields(run.options), fields(run.source)]
  const fitted = run.command === 'fit' || run.command === 'rank'
  return {
    line: textOf(run.line),
    command: textOf(run.command),
    version: textOf(run.programVersion),
    // Where none was given, a fit is drawn from seed 1.
    seed: isNumber(options.seed) ? (options.seed as number) : fitted ? 1 : null,
    digest: textOf(run.digest),
    files: listOf(isText)(source.files) ? (source.files as string[]) : [],
    options: Object.entries(options).flatMap(([name, value]) =>
      value === undefined || ASIDE.includes(name)
        ? []
        : [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }],
    ),
  }
}
