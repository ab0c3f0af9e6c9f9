import type { Attempt, Criterion } from '@polyad/core'
import { defined, type Read, reader } from '@polyad/core/options'
import { CRITERIA, type OneClass } from '@polyad/core/stats'
import type { CovariateFigures } from '../figures/covariate-figures.ts'
import { type FitFigures, type RankFigures, rankRecord } from '../figures/fit-figures.ts'
import { otherTests } from '../figures/fit-tests.ts'
import type { LinkedFigures } from '../figures/linked-figures.ts'
import { type ComparedKey, type FitStatistics, isCompared, NUMBERS, type StatisticKey } from '../figures/statistics.ts'
import { linkedOf } from './read-linked.ts'
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
  readRecord,
  structureOf,
  textOf,
} from './read-structure.ts'
import type { Omission, RecordedDesign, RecordedEffect, RecordedGroups, RecordedKnown } from './record-types.ts'
import type { BootstrapFacts, ComparisonFacts, Origin, RankTestFacts, SearchFacts } from './report.ts'

/** What a model file tells of its fit. It may come from anyone, or from another version: what is not as it should be is not there. */

const { fields, fieldsAmong, fieldsOf, finite, flag, list, optional, orNull, tried, vector } = reader
const text = reader.text()

const identification = fieldsAmong({
  parameters: finite,
  rank: finite,
  degreesOfFreedom: orNull(finite),
  verdict: reader.oneOf(['identified', 'not identified', 'boundary', 'not checked']),
  atFit: optional(fields({ boundary: finite, classes: list(finite), modes: list(text) })),
})

/** A figure that a record lacks was unknown to the version that wrote it: it is null. */
const ABSENT = Object.fromEntries(NUMBERS.map(({ key }) => [key, null]))

const numberReads = Object.fromEntries(
  NUMBERS.map(({ key, always }) => [key, always ? finite : orNull(finite)]),
) as Record<(typeof NUMBERS)[number]['key'], Read<number | null>>

const statisticsChecks = (rank: number) => ({
  ...numberReads,
  identification,
  criteria: reader.record(orNull(finite)),
  sparse: flag,
  averagePosteriors: vector(rank, orNull(vector(rank, finite))),
})

const searchChecks = {
  converged: flag,
  stationarity: finite,
  reason: text,
  estimatedGain: orNull(finite),
  passes: finite,
  totalPasses: finite,
  starts: finite,
  optima: list(fieldsAmong({ loss: finite, reached: finite, shares: list(finite), converged: flag })),
  verdict: fieldsAmong({
    text: text,
    reached: finite,
    attempts: finite,
    startsReached: orNull(finite),
    starts: finite,
    unseen: finite,
    chanceOfBetter: finite,
    ambiguous: flag,
    advice: list(text),
  }),
}

const attempt = fieldsAmong<Attempt>({ loss: finite, passes: finite, stationarity: finite, reason: text, origin: text })

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
  /** Persons over time, or classes of groups. */
  readonly linked: LinkedFigures | null
  /** Variables that may depend on each other within a class. */
  readonly joined: readonly (readonly string[])[]
  /** Variables whose probabilities within a class depend on groups or covariates. */
  readonly effects: readonly RecordedEffect[]
  /** Classes that were known for some observations. */
  readonly known: RecordedKnown | null
  readonly cells: number | null
  readonly total: number | null
  /** The model of one class on the same data. */
  readonly oneClass: OneClass | null
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
  const { better, ...verdict } = fieldsOf(result.verdict)
  const isJudged = verdict.attempts !== undefined && verdict.starts === undefined
  const { level, ...covariates } = fieldsOf(result.covariates)
  return {
    ...ABSENT,
    ...defined({ estimatedGain: remaining }),
    ...rest,
    verdict: {
      ...verdict,
      ...defined({ chanceOfBetter: better }),
      ...(isJudged && startsOf(verdict, result.starts)),
    },
    ...(level !== undefined && { covariates: { ...covariates, confidence: level } }),
  }
}

/** How many starts there were, and how many of them reached the best, as older files have it: in the sentence if there were recombinations. */
const startsOf = ({ reached, attempts, text }: Readonly<Record<string, unknown>>, starts: unknown) => {
  if (starts === attempts) return { starts, startsReached: reached }
  const [, told] = /^(\d+) of \d+ starts? and \d+ of \d+ recombinations? /.exec(String(text)) ?? []
  return { starts, startsReached: told === undefined ? null : Number(told) }
}

/** Reads the record that a model file keeps, as far as it can be read. */
export const modelRecordOf = (run: Readonly<Record<string, unknown>>, rank: number): ModelRecord => {
  // As a file has it: a number that is not finite is null.
  const result = presentNames(fieldsOf(JSON.parse(JSON.stringify(run.result ?? {}))))
  const choice = fieldsOf(run.ranks)
  const recorded = fieldsAmong<RecordedRank & RankFigures>({ rank: finite, criteria: statisticsChecks(rank).criteria })
  const [fits, reason] = [tried(list(recorded), choice.fits), textOf(choice.reason)]
  return {
    statistics: readRecord<FitStatistics>(result, statisticsChecks(rank)),
    search: readRecord<SearchFacts>(result, searchChecks),
    attempts: tried(list(attempt), result.attempts) ?? [],
    trace: tried(list(finite), result.trace) ?? [],
    choice:
      fits !== null && reason !== null
        ? {
            fits: fits.map(each => {
              const figures = readRecord<RankFigures>({ ...ABSENT, ...each }, rankFigures)
              const test = rankTestOf(each.test)
              return {
                rank: each.rank,
                criteria: knownCriteria(each.criteria),
                ...(test !== null && { test }),
                ...(figures !== null && { figures }),
              }
            }),
            recommended: tried(finite, choice.recommended),
            reason,
          }
        : null,
    covariates: covariatesOf(result.covariates, rank),
    bootstrap: tried(bootstrap, result.bootstrap),
    comparison: comparisonOf(result),
    structure: structureOf(run),
    moreModes: moreModes(result),
    omissions: omissionsOf(result),
    errors: errorsOf(result.standardErrors, rank),
    design: designOf(fieldsOf(run.options)),
    groups: groupsOf(result.groups, rank),
    linked: linkedOf(result, rank),
    joined: joinedOf(result.join),
    effects: effectsOf(result.parts),
    known: knownOf(result.known),
    cells: tried(finite, result.cells),
    total: tried(finite, result.total),
    oneClass: tried(oneClass, result.oneClass),
    missing: tried(list(text), run.missing),
    weights: textOf(fieldsOf(run.source).weights),
    updates: Array.isArray(run.updates) ? run.updates.length : 0,
    origin: originOf(run),
  }
}

const simulated = { replicates: finite, pValue: finite, interval: vector(2, finite) }
const oneClass = fieldsAmong<OneClass>({ logLikelihood: finite, parameters: finite, aic: finite, bic: finite })
const bootstrap = fieldsAmong<BootstrapFacts>({
  ...simulated,
  ...otherTests(() => optional(fields({ pValue: finite, interval: vector(2, finite) }))),
})
const rankTest = fieldsAmong<RankTestFacts>({
  ...simulated,
  rank: finite,
  against: finite,
  warnings: optional(list(text)),
})

const comparedReads = Object.fromEntries(
  Object.entries(numberReads).filter(([key]) => isCompared(key as StatisticKey)),
) as Record<ComparedKey, Read<number | null>>
const rankFigures = { ...comparedReads, identified: finite }

/** Fits of several numbers of classes, as `polyad rank --json` prints them; null if they are not as they should be. */
export const rankFits = (fits: unknown): readonly RecordedRank[] | null => {
  const { criteria } = statisticsChecks(0)
  const read = fieldsAmong<FitFigures>({ rank: finite, criteria, identification, ...comparedReads } as never)
  const whole = Array.isArray(fits) ? fits.map(each => ({ ...ABSENT, ...each })) : fits
  return (
    tried(list(read), whole)?.map(each => {
      const test = rankTestOf(each.test)
      return {
        rank: each.rank,
        criteria: knownCriteria(each.criteria),
        figures: rankRecord(each),
        ...(test !== null && { test }),
      }
    }) ?? null
  )
}

/** A test of a number of classes against more, as `polyad test --json` prints it. */
export const rankTestOf = (value: unknown): RankTestFacts | null => tried(rankTest, value)

/** The figures of a fit as its record has them; null where they are not all as they should be. */
export const recordedFigures = (result: unknown, rank: number): FitFigures | null =>
  readRecord<Omit<FitFigures, 'test' | 'designTest' | 'oneClass'>>(presentNames(fieldsOf(result)), {
    ...statisticsChecks(rank),
    ...searchChecks,
    // Numbers that are not finite are null once they are written.
    stationarity: orNull(finite),
    rank: reader.by({ rule: `${rank}`, allows: value => value === rank }),
    cells: finite,
    total: finite,
    modes: list(text),
    shape: list(finite),
    shares: vector(rank, finite),
    seconds: finite,
  })

const knownCriteria = (criteria: RecordedRank['criteria']): RecordedRank['criteria'] =>
  Object.fromEntries(CRITERIA.flatMap(({ key }) => (criteria[key] === undefined ? [] : [[key, criteria[key]]])))

/** Options that say nothing of the model: where it was computed, and with how much help. */
const ASIDE = ['threads', 'memory']

const originOf = (run: Readonly<Record<string, unknown>>): Origin => {
  const [options, source] = [fieldsOf(run.options), fieldsOf(run.source)]
  const fitted = run.command === 'fit' || run.command === 'rank'
  return {
    line: textOf(run.line),
    command: textOf(run.command),
    version: textOf(run.programVersion),
    // Where none was given, a fit is drawn from seed 1.
    seed: tried(finite, options.seed) ?? (fitted ? 1 : null),
    digest: textOf(run.digest),
    files: tried(list(text), source.files) ?? [],
    options: Object.entries(options).flatMap(([name, value]) =>
      value === undefined || ASIDE.includes(name)
        ? []
        : [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }],
    ),
  }
}
