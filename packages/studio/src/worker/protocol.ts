/** What the page asks of its worker, and what it gets. Everything here is plain data, so that it can be posted. */

import type { Attempt, Label, ReplicateProgress, StandardErrorKind, StandardErrors } from '@polyad/core'
import type { FitTest } from '@polyad/core/stats'
import type { NamedItem, Structure } from 'polyad/analysis'
import type { FitFigures, Report, TableFormat, TableKind } from 'polyad/report'
import type {
  ClassifiedRows,
  Codebook,
  ColumnFigures,
  FigureOptions,
  FileHead,
  Format,
  Inspected,
  Note,
  TableOptions,
} from 'polyad/table'
import type { ShownMark } from './scale-means.ts'

/** Data as it is handed over. */
export type DataFile =
  | ({
      readonly from: 'bytes'
      readonly name: string
      readonly bytes: Uint8Array
    } & OpenOptions)
  /** A file that the server has, too large for the page: it is read there. */
  | ({ readonly from: 'server'; readonly name: string; readonly id: string } & OpenOptions)

/** How a file is written, where that is not detected. */
export interface OpenOptions extends WrittenOptions {
  readonly delimiter?: string
  readonly encoding?: string
  /** The sheet of a spreadsheet. */
  readonly sheet?: string
  readonly header?: boolean
  readonly skipRows?: number
}

/** How numbers are written in a file. Every reading of it has to know. */
export type WrittenOptions = Pick<TableOptions, 'decimal' | 'thousands'>

/** How a table is to be read, as far as the page can say it. */
export type ReadOptions = Omit<TableOptions, 'exclude' | 'missingOnly' | 'replicateWeights'>

/** A table as it was found: its columns with what is proposed for each and why, and its first rows. */
export interface TableSummary extends Inspected {
  /** Rows in all; null where they have not been counted. */
  readonly length: number | null
  /** The first rows; null where a value is missing. */
  readonly preview: readonly (readonly (string | null)[])[]
  /** The first rows as they are written, if they may begin with titles. */
  readonly head?: FileHead
  /** The names of the sheets, of a spreadsheet. */
  readonly sheets?: readonly string[]
  /** How its numbers are written, where a person said so. */
  readonly written: WrittenOptions
  /** Its format, where the page has read it. */
  readonly format?: Format
  /** Where it was read: rows of a table on the server cannot be listed here. */
  readonly place: 'page' | 'server'
}

/** Data as it is fitted. */
export interface DataSummary {
  readonly modes: readonly { readonly name: string; readonly labels: readonly Label[]; readonly ordered: boolean }[]
  readonly cells: number
  readonly total: number
  readonly rows: number
  readonly dropped: number
  readonly missing: readonly boolean[]
  readonly notes: readonly Note[]
  /** SHA-256 of the cells, as the command line's; null in some projects of earlier versions. */
  readonly digest: string | null
  /** The independence model: what one class gives, in closed form. Absent where only a model was opened, without its data. */
  readonly independence?: FitFigures
}

/** What links rows: the waves of persons, or groups that have classes too. */
export type Links = Pick<
  Structure,
  'person' | 'time' | 'transitions' | 'transitionCovariates' | 'stayers' | 'within' | 'groupClasses'
>

export interface FitRequest {
  readonly from: number
  readonly to: number
  readonly seed: number
  /** Pseudo-counts added to every label. */
  readonly prior: number
  /** The width over which neighbouring labels of ordered modes are smoothed: a number, or found by cross-validation. */
  readonly smoothing: number | 'auto' | null
  readonly maxSeconds: number | null
  /** Whether the passes of large data are made on the graphics device. */
  readonly graphics?: boolean
  /** Columns that explain membership: read with the modes, but no modes of the model. */
  readonly covariates: readonly string[]
  /** What variables are taken for that are no categories. */
  readonly items?: readonly NamedItem[]
  /** What links rows, if they belong together. */
  readonly links?: Links
  /** What is said of the run in the model's file: the command that does the same. */
  readonly line: string
}

/** A request in the options of the library. */
export const libraryOptions = ({ seed, prior, smoothing, maxSeconds }: Omit<FitRequest, 'line'>) => ({
  seed,
  ...(prior > 0 && { pseudoCounts: prior }),
  ...(smoothing !== null && { smoothing }),
  ...(maxSeconds !== null && { maxSeconds }),
})

/** What the models of a request have besides their classes. */
export const structureOf = ({
  covariates,
  items = [],
  links = {},
}: Pick<FitRequest, 'covariates' | 'items' | 'links'>): Structure => ({
  ...links,
  ...(covariates.length > 0 && { covariates }),
  ...(items.length > 0 && { items }),
})

/** What goes on during a fit; sent at most some twenty times a second. */
export interface FitProgress {
  readonly rank: number
  readonly phase: 'starts' | 'recombination' | 'finish'
  readonly runs: number
  readonly pass: number
  readonly loss: number
  readonly best: number | null
  readonly passes: number
  readonly maxPasses: number
  /** Runs that have ended since the last message: their losses, in order. */
  readonly ended: readonly number[]
  /** Since the beginning, over all numbers of classes. */
  readonly passesPerSecond: number
  readonly cellsPerSecond: number
  readonly seconds: number
}

/** What a fit says while it goes on. */
export type FitNews =
  | FitProgress
  /** A number of classes that is known, or known better, and what is recommended of those so far. */
  | { readonly found: FitRecord; readonly recommended: number | null; readonly reason: string }
  /** Why it could not go on from the state that it was given: it began anew. */
  | { readonly dropped: string }

/** One fitted number of classes. */
export interface FitRecord {
  readonly rank: number
  readonly figures: FitFigures
  /** The model's file (.npz), as the command line writes it: the model, how to read new data, and how it came about. */
  readonly file: Uint8Array
  readonly trace: readonly number[]
  readonly attempts: readonly Attempt[]
}

export interface FitOutcome {
  readonly fits: readonly FitRecord[]
  readonly recommended: number | null
  readonly reason: string
  /** Whether it was stopped, by a person or by the time limit: then the fits are the best so far. */
  readonly stopped: boolean
  /** What went wrong on the way, if anything did: the fits are what there is all the same. */
  readonly warnings?: readonly string[]
  /** Whether the graphics device made passes; absent if it was not asked for, or could not be opened. */
  readonly graphics?: GraphicsUse
}

export const GRAPHICS_USES = ['used', 'unused'] as const
export type GraphicsUse = (typeof GRAPHICS_USES)[number]

/** What the page calls a model that the worker holds. */
export type ModelHandle = number

/** Which rows: those of the open table as a model classifies them, or those that were classified last. */
export type RowSource = { readonly model: ModelHandle } | { readonly classified: number }

export interface RowQuery {
  /** Sort by: the order of the file, class (the most certain first), probability of the row, certainty, or the posterior of a class (from 0). */
  readonly by: 'row' | 'class' | 'probability' | 'certainty' | { readonly class: number }
  readonly descending: boolean
  /** Rows of this class only (from 0). */
  readonly class?: number
  /** Rows in which some value contains this text. */
  readonly containing?: string
  readonly from: number
  readonly count: number
}

export interface ClassifiedRow {
  /** From 0, as in the file. */
  readonly row: number
  readonly values: readonly (string | null)[]
  readonly posterior: readonly number[]
  /** The most probable class, from 0. */
  readonly class: number
  /** Of the row; null where it is impossible. */
  readonly logLikelihood: number | null
}

/** A slice of the rows of a query. */
export interface RowPage {
  readonly columns: readonly string[]
  readonly rows: readonly ClassifiedRow[]
  /** How many rows the query has in all. */
  readonly found: number
}

/** How often the rows of each known class were given to each class of the model. */
export interface Confusion {
  readonly column: string
  readonly known: readonly string[]
  /** By known class, then class of the model. */
  readonly table: readonly (readonly number[])[]
  /** The column that rows are counted by; null where every row counts once. */
  readonly count: string | null
}

/** The most categories that a column is offered with as a known class. */
const MOST_KNOWN = 50

/** Whether a column with so many different values can be a known class: a weight, an age or an identifier is none. */
export const isKnownClass = (distinct: number): boolean => distinct > 1 && distinct <= MOST_KNOWN

/** What `polyad classify` finds of rows; the sums are of how often they were seen. */
export interface Classified extends ClassifiedRows {
  readonly confusion: Confusion | null
  /** By which their rows are asked for, until others are classified. */
  readonly id: number
  /** The columns that may be a known class. */
  readonly columns: readonly string[]
}

/** The models of all fitted ranks as they are looked at, in ascending order: all are of the same modes. */
export interface DescribedModels {
  readonly modes: readonly {
    readonly name: string
    readonly labels: readonly string[]
    readonly ordered: boolean
    /** Whether it is a number, whose labels are no categories. */
    readonly number: boolean
  }[]
  readonly models: readonly DescribedModel[]
}

export interface DescribedModel {
  readonly rank: number
  readonly shares: readonly number[]
  /** P[label | class] by mode: label by label, and for each of them by class. */
  readonly factors: readonly Float64Array[]
  /** P[label] over all classes, by mode: what independence expects. */
  readonly marginals: readonly Float64Array[]
  /** What sets each class apart, the strongest first. */
  readonly marks: readonly (readonly ShownMark[])[]
  /** What the classes are called where nobody has named them. */
  readonly names: readonly string[]
  /** What marks each of them, in a few words; empty for one that nothing marks. */
  readonly descriptions: readonly string[]
  /** For each class its like in the next model, −1 where it has none; null for the last model. */
  readonly partners: readonly number[] | null
  /**
   * By class of this model, then of the next: the part of the data that has both as its most probable classes. Null for the last
   * model, and where the data is not at hand or too large to go through.
   */
  readonly flows: readonly (readonly number[])[] | null
}

/** Standard errors without their covariance matrix, and without coefficients, which the fit has. */
export type ErrorsOfFit = Omit<StandardErrors, 'covariance' | 'covariates'>

export interface RankTestOutcome {
  readonly rank: number
  readonly against: number
  readonly statistic: number
  readonly pValue: number
  readonly interval: readonly [low: number, high: number]
  readonly replicates: number
  readonly warnings: readonly string[]
}

/** Tests of the model by data drawn from it: of the statistics that are defined. */
export interface GoodnessOutcome {
  readonly tests: readonly (readonly [FitTest, SimulatedTest])[]
  /** How many pairs of variables have a small p-value, in words. */
  readonly pairs: string | null
  readonly replicates: number
  readonly stopped: boolean
}

export interface SimulatedTest {
  readonly pValue: number
  readonly interval: readonly [low: number, high: number]
}

/** Every question, with what it takes and what it gives. */
export interface Jobs {
  /** Opens a table, and forgets the one before. */
  open(file: DataFile, options: OpenOptions): TableSummary
  /** Closes the table that is open. */
  close(): void
  /** The table that is open, looked at with other options. */
  inspect(options: ReadOptions): TableSummary
  /** How the values of every column are distributed, read and counted so. */
  figures(options: ReadOptions & FigureOptions): readonly ColumnFigures[]
  preview(from: number, count: number): readonly (readonly (string | null)[])[]
  read(options: ReadOptions): DataSummary
  /** Whether the browser offers a graphics device to compute on. */
  graphics(): boolean
  /**
   * The fits of a request. Of those made before with the same data and settings, none is made again.
   * @param resume the state in which the same fit was interrupted: the result has the same bits as if it had not been
   */
  fit(request: FitRequest, earlier?: readonly FitRecord[], resume?: Uint8Array | null): FitOutcome
  /** Holds a model (.npz) until it is released, with labels besides those of its file. */
  hold(model: ModelHandle, file: Uint8Array, labels?: Codebook): void
  release(model: ModelHandle): void
  describe(models: readonly ModelHandle[]): DescribedModels
  rows(source: RowSource, query: RowQuery): RowPage
  /** All rows with their classes, which have these names, or those of the model. */
  rowsCsv(source: RowSource, names?: readonly string[]): string
  confusion(model: ModelHandle, column: string): Confusion
  /** New rows, as text with a header or as a file. */
  classify(model: ModelHandle, data: DataFile, known: string | null): Classified
  errors(model: ModelHandle, kind: StandardErrorKind, confidence: number): ErrorsOfFit
  /** A bootstrap test of this number of classes against one more, on the data that is read. */
  testRank(rank: number, replicates: number, seed: number, structure: Structure): RankTestOutcome
  /** The bootstrap p-value of G². */
  goodness(model: ModelHandle, replicates: number, seed: number): GoodnessOutcome
  report(model: ModelHandle, options: ReportRequest): Report
  /** A table for a paper, in each of the formats: of one model, or (the fit) of several. */
  tableFiles(
    kind: TableKind,
    models: readonly ModelHandle[],
    formats: readonly TableFileFormat[],
    names?: readonly string[],
  ): readonly (string | Uint8Array)[]
}

/** The formats of `polyad table`, and cells with tabs between them: to paste. */
export type TableFileFormat = TableFormat | 'tsv'

export interface ReportRequest {
  readonly title?: string
  readonly names?: readonly string[]
  /** With intervals of this kind. */
  readonly errors?: StandardErrorKind
}

export type Job = keyof Jobs

/** What long jobs say while they go on. */
export interface Progresses {
  /** How much of the file has been read, from 0 to 1. */
  readonly open: number
  /** How far the server is with reading, from 0 to 1; null where that is not known. */
  readonly read: number | null
  readonly fit: FitNews
  readonly testRank: ReplicateProgress
  readonly goodness: ReplicateProgress
}

/** What a job may use besides what it is asked. */
export interface Context {
  readonly signal: AbortSignal
  readonly progress: (progress: unknown) => void
  /** Hands the state of the work to the page; whether it could be stored. */
  readonly store: (bytes: Uint8Array) => Promise<boolean>
}

/** A job as it is done: what the page gives, and the context. */
export type JobHandler<J extends Job> = (
  context: Context,
  ...args: Parameters<Jobs[J]>
) => ReturnType<Jobs[J]> | Promise<ReturnType<Jobs[J]>>

/** From the page to the worker. */
export type Request =
  | { readonly id: number; readonly job: Job; readonly args: readonly unknown[] }
  | { readonly id: number; readonly stop: true }
  /** The answer to a state that was handed over. */
  | { readonly id: number; readonly stored: boolean }

/** From the worker to the page. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly progress: unknown }
  /** The state of the work: the page stores it, and answers whether it could. */
  | { readonly id: number; readonly checkpoint: Uint8Array }
  | { readonly id: number; readonly failure: Failure }

/** An error as it crosses over. */
export interface Failure {
  readonly kind: 'data' | 'option' | 'engine' | 'other'
  readonly message: string
}
