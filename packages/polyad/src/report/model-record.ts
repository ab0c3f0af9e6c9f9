import type { Attempt, Criterion } from '@polyad/core'
import { CRITERIA } from '@polyad/core/stats'
import type { CovariateFigures } from './covariates-text.ts'
import type { FitFigures } from './fit-figures.ts'
import type { BootstrapFacts, ComparisonFacts, FitStatistics, Origin, RankTestFacts, SearchFacts } from './report.ts'

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
  estimatedGain: orNull(isNumber),
  passes: isNumber,
  totalPasses: isNumber,
  starts: isNumber,
  optima: listOf(objectOf({ loss: isNumber, reached: isNumber, shares: listOf(isNumber), converged: isFlag })),
  verdict: objectOf({
    text: isText,
    reached: isNumber,
    attempts: isNumber,
    unseen: isNumber,
    chanceOfBetter: isNumber,
    ambiguous: isFlag,
    advice: listOf(isText),
  }),
}

const attempt = objectOf({ loss: isNumber, passes: isNumber, stationarity: isNumber, reason: isText, origin: isText })

/** A rank that was fitted beside the one that was kept. */
export interface RecordedRank {
  readonly rank: number
  /** Of this rank against a larger one. */
  readonly test?: RankTestFacts
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
  readonly bootstrap: BootstrapFacts | null
  readonly comparison: ComparisonFacts | null
  /** What it has besides classes, and how the rows were chosen or weighted, in words. */
  readonly structure: readonly string[]
  /** How many modes the model has more than there were variables. */
  readonly moreModes: number
  /** How much of the data was left out. */
  readonly left: number
  readonly cells: number | null
  readonly total: number | null
  /** The modes in which something was missing; null where it is not recorded. */
  readonly missing: readonly string[] | null
  /** The column of sampling weights. */
  readonly weights: string | null
  readonly origin: Origin
}

/** Fields of older files under their present names. */
const presentNames = (result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { remaining, ...rest } = result
  const { better, ...verdict } = fields(result.verdict)
  const { level, ...covariates } = fields(result.covariates)
  return {
    ...(remaining !== undefined && { estimatedGain: remaining }),
    ...rest,
    ...(better !== undefined && { verdict: { ...verdict, chanceOfBetter: better } }),
    ...(level !== undefined && { covariates: { ...covariates, confidence: level } }),
  }
}

/** Reads the record that a model file keeps, as far as it can be read. */
export const modelRecordOf = (run: Readonly<Record<string, unknown>>, rank: number): ModelRecord => {
  const result = presentNames(fields(run.result))
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
            fits: (choice.fits as RecordedRank[]).map(({ rank: of, criteria, test }) => ({
              rank: of,
              criteria: knownCriteria(criteria),
              ...(rankTest(test) && { test }),
            })),
            recommended: isNumber(choice.recommended) ? (choice.recommended as number) : null,
            reason: choice.reason as string,
          }
        : null,
    covariates: covariatesOf(result.covariates, rank),
    bootstrap: bootstrapChecks(result.bootstrap) ? (result.bootstrap as BootstrapFacts) : null,
    comparison: comparisonOf(result),
    structure: structureOf(run),
    moreModes: moreModes(result),
    left: sumOf(result.left, fields(result.groups).dropped, fields(result.covariates).dropped),
    cells: isNumber(result.cells) ? (result.cells as number) : null,
    total: isNumber(result.total) ? (result.total as number) : null,
    missing: listOf(isText)(run.missing) ? (run.missing as string[]) : null,
    weights: textOf(fields(run.source).weights),
    origin: originOf(run),
  }
}

const simulated = { replicates: isNumber, pValue: isNumber, interval: listOf(isNumber, 2) }
const bootstrapChecks = objectOf(simulated)
const rankTest = objectOf({ ...simulated, rank: isNumber, against: isNumber })

const sumOf = (...values: readonly unknown[]): number =>
  values.reduce((sum: number, value) => sum + (isNumber(value) ? (value as number) : 0), 0)

/** Options that a plain latent class model has not got, and what they are called in a text. */
const STRUCTURES = {
  covariates: 'covariates',
  groups: 'known groups',
  constraints: 'constraints',
  join: 'joined variables',
  complete: 'the omission of incomplete rows',
  cluster: 'a survey design',
  weights: 'sampling weights',
} as const

const structureOf = (run: Readonly<Record<string, unknown>>): string[] => {
  const [options, result, source] = [run.options, run.result, run.source].map(fields)
  const used = (key: string) => [options[key], result[key]].some(value => value !== undefined && value !== false)
  return Object.entries(STRUCTURES).flatMap(([key, name]) =>
    used(key) || (key === 'weights' && isText(source.weights)) ? [name] : [],
  )
}

/** A mode of groups is no variable, and a mode of joined variables is several. */
const moreModes = ({ groups, join }: Record<string, unknown>): number => {
  const { joined } = fields(join)
  const parts = listOf(listOf(isText))(joined) ? (joined as string[][]) : []
  return (isText(fields(groups).mode) ? 1 : 0) - parts.reduce((sum, names) => sum + names.length - 1, 0)
}

const comparisonOf = ({ groups, join }: Record<string, unknown>): ComparisonFacts | null => {
  const [known, joined] = [fields(groups), fields(join)]
  const models = known.models ?? joined.models
  const tests = known.tests ?? [joined.test]
  const model = objectOf({ name: isText, logLikelihood: isNumber, parameters: isNumber, aic: isNumber, bic: isNumber })
  const test = objectOf({ model: isText, within: isText, statistic: isNumber, degreesOfFreedom: isNumber, pValue: orNull(isNumber) }) // biome-ignore format: one call
  if (!listOf(model)(models) || !listOf(test)(tests)) return null
  return {
    title: isText(known.mode)
      ? `Models of the groups of ${known.mode}, given the group`
      : 'Joined and separate variables',
    approximate: known.identified === false,
    models: models as ComparisonFacts['models'],
    tests: tests as ComparisonFacts['tests'],
  }
}

/** The figures of a fit as its record has them; null where they are not all as they should be. */
export const recordedFigures = (result: unknown, rank: number): FitFigures | null =>
  known<Omit<FitFigures, 'test'>>(presentNames(fields(result)), {
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

const knownCriteria = (criteria: RecordedRank['criteria']): RecordedRank['criteria'] =>
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
        shown: orAbsent(
          objectOf({
            unit: isNumber,
            estimate: isNumber,
            standardError: orNull(isNumber),
            oddsRatio: orNull(isNumber),
            interval: orNull(listOf(orNull(isNumber), 2)),
          }),
        ),
      }),
    ),
    referenceCategories: orAbsent(value => Object.values(fields(value)).every(each => isText(each) || isNumber(each))),
    units: orAbsent(listOf(objectOf({ covariate: isText, unit: isNumber, by: isText, deviation: isNumber }))),
    terms: orAbsent(listOf(objectOf({ name: isText, factors: listOf(objectOf({ covariate: isText })) }))),
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
