import type { ChartDataByKind, ChartKind } from '@polyad/charts'
import type { BivariateResidual, ComparedModel, FittedItem, NestedTest, StandardErrors } from '@polyad/core'
import type { ClassMark, OneClass } from '@polyad/core/stats'
import type { Codebook } from '../../table/values/codebook.ts'
import type { CovariateFigures } from '../figures/covariate-figures.ts'
import type { FitFigures } from '../figures/fit-figures.ts'
import type { OtherTest } from '../figures/fit-tests.ts'
import type { LinkedFigures } from '../figures/linked-figures.ts'
import type { FitStatistics } from '../figures/statistics.ts'
import type { PaperTable } from '../tables/formats/paper-table.ts'
import type { Omission, RecordedDesign, RecordedEffect, RecordedGroups, RecordedKnown } from './record-types.ts'

/** What a report says in words follows from these facts: they are quick to gather, and need no charts. */
export interface ReportFacts {
  readonly title: string
  readonly classes: readonly ReportClass[]
  /** The names of the modes, how many labels each has, and what those are taken for that are no categories. */
  readonly modes: readonly { readonly name: string; readonly size: number; readonly item?: FittedItem['spec'] }[]
  /** What variables and values are called, by the name of the variable. */
  readonly labels: Codebook
  /** Numbers of which the interval of one value holds half of a class (from 0) or more. */
  readonly coarse: readonly { readonly mode: string; readonly step: number; readonly classes: readonly number[] }[]
  /** How many variables were observed: a mode of groups is none, and one of joined variables is several. */
  readonly variables: number
  /** What the model has besides classes, and how the rows were chosen or weighted, in words: `known groups (country)`. */
  readonly structure: readonly string[]
  readonly data: DataFacts
  /** How often the model was updated with new data, after it was fitted. */
  readonly updates: number
  /** What of the data was left out of the fit, and why. */
  readonly omissions: readonly Omission[]
  /** The columns by which the sample was drawn. */
  readonly design: RecordedDesign | null
  /** How the standard errors were computed that the fit has kept; null where there are none. */
  readonly errorKind: StandardErrors['kind'] | null
  /** Known groups, with the sizes of the classes in each. */
  readonly groups: RecordedGroups | null
  /** Persons over time, or classes of groups; null if rows do not belong together. */
  readonly linked: LinkedFigures | null
  /** Variables that may depend on each other within a class. */
  readonly joined: readonly (readonly string[])[]
  /** Variables whose probabilities within a class depend on groups or covariates. */
  readonly effects: readonly RecordedEffect[]
  /** Classes that were known for some observations. */
  readonly known: RecordedKnown | null
  /** How well the model fits; null where neither the data nor a record of the fit is there. */
  readonly statistics: FitStatistics | null
  /** What replicates drawn from the model say of its fit; null where there are none. */
  readonly bootstrap: BootstrapFacts | null
  /** Models with more or fewer parameters that were fitted to the same data; null where there are none. */
  readonly comparison: ComparisonFacts | null
  /** How it was found; null where that is not known. */
  readonly search: SearchFacts | null
  /** Other numbers of classes that were fitted; null where none were, or nothing is known of them. */
  readonly ranks: RankFacts | null
  /** How membership is explained; null where it is not. */
  readonly covariates: CovariateFigures | null
  /** How many of the model's probabilities are at 0 or 1, of how many: without those that follow from the others of their variable and class. */
  readonly boundary: { readonly at: number; readonly of: number }
  /** How much association the classes leave between every two variables, largest first; null if it is not known. */
  readonly pairs: readonly BivariateResidual[] | null
  /** The model of one class on the same data; null if it is not known. */
  readonly oneClass: OneClass | null
  readonly origin: Origin
}

/** A report as plain values: figures, sentences and the data of charts. */
export interface Report extends ReportFacts {
  readonly charts: ReportCharts
  /** Tables as papers print them; null where there is nothing to show. */
  readonly tables: ReportTables
  /** What was not computed, and why: whole sentences. */
  readonly leftOut: readonly string[]
}

export interface ReportClass {
  readonly name: string
  readonly share: number
  /** What sets it apart, the strongest first. */
  readonly marks: readonly ClassMark[]
}

export interface DataFacts {
  /** Whether the data itself was at hand. */
  readonly given: boolean
  readonly cells: number | null
  readonly total: number
  /** The total of the data that the model was fitted to. */
  readonly fitted: number
  /** How much of the data was left out of the fit. */
  readonly left: number
  /** The modes in which something is missing; null where that is not known. */
  readonly missing: readonly string[] | null
  /** The column of sampling weights, of which the total is then the sum; null where every row, or count, is an observation. */
  readonly weights: string | null
  /** Whether every count is whole; null where that is not known. */
  readonly whole: boolean | null
  /** Whether it is the data that the model was fitted to; null where that is not known. */
  readonly same: boolean | null
  /** Observations with a label that the model does not know, which counts as missing, by mode. */
  readonly unseen: readonly { readonly mode: string; readonly total: number }[]
}

/** The p-value of G² by the parametric bootstrap, and where that of infinitely many replicates lies; and those of the other tests, as far as they are recorded. */
export interface BootstrapFacts
  extends SimulatedFacts,
    Partial<Record<OtherTest, Omit<SimulatedFacts, 'replicates'>>> {}

interface SimulatedFacts {
  readonly replicates: number
  readonly pValue: number
  readonly interval: readonly [number, number]
}

/** A test of a number of classes against more. */
export interface RankTestFacts extends SimulatedFacts {
  readonly rank: number
  readonly against: number
  /** Why p may be too small, if it may be. */
  readonly warnings?: readonly string[] | undefined
}

export interface ComparisonFacts {
  /** What was compared, as a caption. */
  readonly title: string
  /** Whether p of the first test is approximate, because the answers alone do not identify the classes. */
  readonly approximate: boolean
  readonly models: readonly Pick<ComparedModel, 'name' | 'logLikelihood' | 'parameters' | 'aic' | 'bic'>[]
  readonly tests: readonly (Omit<NestedTest, 'pValue'> & { readonly pValue: number | null })[]
}

type SearchKey =
  | 'converged'
  | 'stationarity'
  | 'reason'
  | 'estimatedGain'
  | 'passes'
  | 'totalPasses'
  | 'starts'
  | 'optima'
  | 'verdict'

/** The figures of a fit that only the search knows. */
export type SearchFacts = Pick<FitFigures, SearchKey>

export interface RankFacts {
  readonly ranks: readonly number[]
  readonly recommended: number | null
  /** Why, and how the criteria disagree. */
  readonly reason: string
  /** The ranks that the criteria prefer, by criterion. */
  readonly preferred: readonly { readonly name: string; readonly rank: number }[]
  /** Those of this number of classes against more, and of fewer against it, where they were made. */
  readonly tests: readonly RankTestFacts[]
}

/** Where a report came from: what is needed to make it again. */
export interface Origin {
  /** The command line of the fit, as it was typed; null where it is not recorded. */
  readonly line: string | null
  readonly command: string | null
  readonly version: string | null
  readonly seed: number | null
  /** SHA-256 of the cells that were fitted, with the names and labels of their modes. */
  readonly digest: string | null
  readonly files: readonly string[]
  readonly options: readonly { readonly name: string; readonly value: string }[]
}

export interface ReportTables {
  readonly profiles: PaperTable | null
  /** Of several numbers of classes. */
  readonly fit: PaperTable | null
  readonly odds: PaperTable | null
  /** Class sizes by wave and transitions. */
  readonly transitions: PaperTable | null
  /** Classes of groups. */
  readonly mixes: PaperTable | null
  /** Of models with known groups or joined variables, and the tests between them. */
  readonly comparison: PaperTable | null
}

/** The data of every chart that there is something to draw for. */
export type ReportCharts = { readonly [K in SingleChart]: ChartDataByKind[K] | null } & {
  /** One for each ordered mode with many labels; `each` neighbouring labels make a point. */
  readonly time: readonly (ChartDataByKind['time'] & { readonly each: number })[]
}

/** A report is of one model: there is no drift. */
type SingleChart = Exclude<ChartKind, 'time' | 'drift'>
