import type { Attempt, Criterion } from '@polyad/core'
import { CRITERIA } from '@polyad/core/stats'
import type { CovariateFigures } from './covariates-text.ts'
import { type FitFigures, type RankFigures, rankRecord } from './fit-figures.ts'
import {
  type Check,
  fields,
  isFlag,
  isNumber,
  isText,
  known,
  listOf,
  objectOf,
  orNull,
  textOf,
} from './record-checks.ts'
import type { Omission, RecordedDesign, RecordedEffect, RecordedGroups, RecordedKnown } from './recorded-facts.ts'
import {
  comparisonOf,
  covariatesOf,
  designOf,
  effectsOf,
  errorsOf,
  groupsOf,
  joinedOf,
  knownOf,
  moreModes,
  omissionsOf,
  type RecordedErrors,
  structureOf,
} from './recorded-structure.ts'
import type { BootstrapFacts, ComparisonFacts, FitStatistics, Origin, RankTestFacts, SearchFacts } from './report.ts'

/** What a model file tells of its fit. It may come from anyone, or from another version: what is not as it should be is not there. */

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
  criteria: ((value: unknown) => objectOf({})(value) && Object.values(fields(value)).every(orNull(isNumber))) as Check,
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
  /** Absent from models that an older version has written. */
  readonly figures?: RankFigures
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
  /** How much of the data was left out, and why. */
  readonly omissions: readonly Omission[]
  /** Standard errors of the shares and probabilities, if they were computed with the fit. */
  readonly errors: RecordedErrors | null
  /** The columns of clusters and strata. */
  readonly design: RecordedDesign | null
  /** The column of known groups, and the sizes of the classes in each. */
  readonly groups: RecordedGroups | null
  /** Variables that may depend on each other within a class. */
  readonly joined: readonly (readonly string[])[]
  /** Variables whose probabilities within a class depend on groups or covariates. */
  readonly effects: readonly RecordedEffect[]
  /** Classes that were known for some observations. */
  readonly known: RecordedKnown | null
  readonly cells: number | null
  readonly total: number | null
  /** The modes in which something was missing; null where it is not recorded. */
  readonly missing: readonly string[] | null
  /** The column of sampling weights. */
  readonly weights: string | null
  /** How often it was updated with new data, after it was fitted. */
  readonly updates: number
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
            fits: (choice.fits as (RecordedRank & RankFigures)[]).map(each => {
              const figures = known<RankFigures>(each, rankFigures)
              return {
                rank: each.rank,
                criteria: knownCriteria(each.criteria),
                ...(rankTest(each.test) && each.test && { test: each.test }),
                ...(figures !== null && { figures }),
              }
            }),
            recommended: isNumber(choice.recommended) ? (choice.recommended as number) : null,
            reason: choice.reason as string,
          }
        : null,
    covariates: covariatesOf(result.covariates, rank),
    bootstrap: bootstrapChecks(result.bootstrap) ? (result.bootstrap as BootstrapFacts) : null,
    comparison: comparisonOf(result),
    structure: structureOf(run),
    moreModes: moreModes(result),
    omissions: omissionsOf(result),
    errors: errorsOf(result.standardErrors, rank),
    design: designOf(fields(run.options)),
    groups: groupsOf(result.groups, rank),
    joined: joinedOf(result.join),
    effects: effectsOf(result.parts),
    known: knownOf(result.known),
    cells: isNumber(result.cells) ? (result.cells as number) : null,
    total: isNumber(result.total) ? (result.total as number) : null,
    missing: listOf(isText)(run.missing) ? (run.missing as string[]) : null,
    weights: textOf(fields(run.source).weights),
    updates: Array.isArray(run.updates) ? run.updates.length : 0,
    origin: originOf(run),
  }
}

const simulated = { replicates: isNumber, pValue: isNumber, interval: listOf(isNumber, 2) }
const bootstrapChecks = objectOf(simulated)
const rankTest = objectOf({ ...simulated, rank: isNumber, against: isNumber })

const rankFigures = {
  logLikelihood: isNumber,
  parameters: isNumber,
  degreesOfFreedom: orNull(isNumber),
  gSquared: orNull(isNumber),
  pValue: orNull(isNumber),
  relativeEntropy: orNull(isNumber),
  smallestClass: isNumber,
  identified: isNumber,
}

/** Fits of several numbers of classes, as `polyad rank --json` prints them; null if they are not as they should be. */
export const rankFits = (fits: unknown): readonly RecordedRank[] | null => {
  const { identified: _, ...printed } = rankFigures
  const checks = { rank: isNumber, criteria: statisticsChecks(0).criteria, identification, ...printed }
  if (!listOf(objectOf(checks))(fits)) return null
  return (fits as FitFigures[]).map(each => ({
    rank: each.rank,
    criteria: knownCriteria(each.criteria),
    figures: rankRecord(each),
    ...(rankTest(each.test) && each.test && { test: each.test as unknown as RankTestFacts }),
  }))
}

/** A test of a number of classes against more, as `polyad test --json` prints it. */
export const rankTestOf = (value: unknown): RankTestFacts | null =>
  rankTest(value) ? (value as unknown as RankTestFacts) : null

/** The figures of a fit as its record has them; null where they are not all as they should be. */
export const recordedFigures = (result: unknown, rank: number): FitFigures | null =>
  known<Omit<FitFigures, 'test' | 'designTest'>>(presentNames(fields(result)), {
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

/** Options that say nothing of the model: where it was computed, and with how much help. */
const ASIDE = ['threads', 'memory']

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
