import { CellsWriter, type Counts, type Tensor } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { type Binning, type BinRequest, numberSql } from './bins.ts'
import { chooseModes, type ModeOptions } from './choose-modes.ts'
import { type Column, columnNamed, inspect, sampleOf } from './columns.ts'
import { type Counted, countCells, type ModeSource, tensorOfCells } from './count-cells.ts'
import { type CountChoice, chooseCount, countNotes } from './count-column.ts'
import { explained } from './faults.ts'
import { OTHER } from './labels.ts'
import { missingCodes, missingCodesNote } from './missing-codes.ts'
import { choice, listed, many, type Note, warning } from './note.ts'
import type { Recipe } from './recipe.ts'
import { openRelation, type Relation, type RelationOptions } from './relation.ts'
import { similarLabelsNote } from './similar-labels.ts'
import { finishCells, streamCells } from './stream-cells.ts'
import { rowsAtMost, type Survey, surveyCells } from './survey.ts'
import { type ReadingOptions, readingOf, valueSql } from './values.ts'

export interface TableOptions extends ModeOptions, ReadingOptions, Omit<RelationOptions, 'missing'> {
  /** The column that says how often a row was seen; 'none' where every row counts once. Default: found by evidence. */
  readonly count?: string
  /** The column of sampling weights, in place of counts: how many of the population a row stands for. */
  readonly weights?: string
  /** Whether weights are to be divided by their mean, so that they sum to the number of rows. */
  readonly rescaleWeights?: boolean
  /** How to cut columns of numbers and dates: `petal_length:0.1`, `age:q5`, `score:int`, `time:hour`. */
  readonly bins?: readonly string[]
  /** Keeps this many of the most frequent labels of every mode, and merges the rest into one. */
  readonly top?: number
  /** Makes missing values a label of this name, in place of missing. */
  readonly missingAs?: string
}

export interface ReadResult {
  readonly tensor: Tensor
  /** Where rows have sampling weights: the same cells with the sums of their squares, for standard errors. */
  readonly squares?: Tensor
  /** Rows (or cells, where the data comes as cells) that were read. */
  readonly rows: number
  /** Rows left out because every mode was missing in them. */
  readonly dropped: number
  readonly notes: readonly Note[]
  readonly recipe: Recipe
  /** The files and choices, for the record. */
  readonly source: Readonly<Record<string, unknown>>
}

/** Data whose cells were written into a file. */
export interface StoredResult extends Omit<ReadResult, 'tensor' | 'squares'> {
  readonly tensor: Counts
  readonly file: CellsPlace
}

/** A file for cells that are too many for memory. */
export interface CellsPlace {
  readonly path: string
  /** Where temporary files go. */
  readonly folder: string
  /** Bytes for sorting. */
  readonly memory: number
}

/** Says where cells go, when it is known about how many there are: undefined for memory. */
export interface ChoosePlace {
  /** How many cells of so many modes surely fit into memory, without a look at the table. */
  readonly room: (modes: number) => number
  readonly place: (cells: number, modes: number) => CellsPlace | undefined
}

const ALWAYS_MEMORY: ChoosePlace = { room: () => Number.POSITIVE_INFINITY, place: () => undefined }

/** A mode with this many labels is more often a mistake than a wish. */
const MANY_LABELS = 50_000

/** A column and how to cut it. */
export interface BinOrder {
  readonly column: string
  readonly request: BinRequest
}

/** A table to a tensor: chooses the modes, has DuckDB count and closes it, and says what it did. */
export const readTable = (
  tables: Tables,
  paths: readonly string[],
  options: TableOptions,
  bins: readonly BinOrder[],
): Promise<ReadResult> => readTableTo(ALWAYS_MEMORY, tables, paths, options, bins) as Promise<ReadResult>

/** The same, where cells may also go into a file. */
export const readTableTo = async (
  choosePlace: ChoosePlace,
  tables: Tables,
  paths: readonly string[],
  options: TableOptions,
  bins: readonly BinOrder[],
): Promise<ReadResult | StoredResult> => {
  const reading = readingOf(options)
  const relation = await openRelation(tables, paths, { ...options, missing: reading.missing })
  return explained(relation, async () => {
    const seen = await inspect(tables, relation, reading.missing, reading)
    const cut = new Map(bins.map(({ column, request }) => [columnNamed(seen, column, ' to bin', relation), request]))
    const asked = [...(options.modes ?? []), ...(options.include ?? []), ...(options.except ?? [])]
    const claimed = [...cut.keys(), ...asked.map(name => columnNamed(seen, name, '', relation))]
    const count = await chooseCount(tables, relation, seen, reading, {
      ...(options.count === undefined ? {} : { count: options.count }),
      ...(options.weights === undefined ? {} : { weights: options.weights }),
      claimed,
    })
    const chosen = chooseModes(seen, relation, options, count, cut)
    const binnings = await settleBinnings(tables, relation, chosen.columns, cut, column =>
      valueSql(column, relation, reading),
    )
    const modes = chosen.columns.map(
      (column, n): ModeSource => ({
        column,
        value: valueSql(column, relation, reading),
        spelling: reading.ignoreCase ? valueSql(column, relation, { ...reading, ignoreCase: false }) : undefined,
        binning: binnings[n],
        missingAs: options.missingAs,
        // What was asked for by name is wanted with all of its values.
        top: options.include?.some(name => name.toLowerCase() === column.name.toLowerCase()) ? undefined : options.top,
      }),
    )
    const place = await placeFor(choosePlace, tables, relation, modes, count)
    const collect = place === undefined ? inMemory : inFile(place)
    const { rows, dropped, labels, merged, finish } = await collect(
      tables,
      relation,
      modes,
      count,
      options.rescaleWeights,
    )
    const codes = await suspectedCodes(tables, relation, modes, labels)
    // DuckDB has done its part; its memory is better used for the tensor.
    await tables.close()
    const recipe: Recipe = {
      modes: modes.map(({ column, binning, missingAs }, n) => ({
        column: column.name,
        ...(binning === undefined ? {} : { binning }),
        ...(missingAs === undefined ? {} : { missingAs }),
        ...(merged[n] > 0 ? { other: OTHER } : {}),
      })),
      ...reading,
    }
    const source = {
      files: relation.parts.map(({ path }) => path),
      ...(options.sql === undefined ? {} : { sql: options.sql }),
      ...(count.column === undefined ? {} : { [count.sampling ? 'weights' : 'count']: count.column.name }),
      rows,
    }
    const collected = await finish({ recipe, source, rows, dropped })
    const { tensor } = collected
    const notes = [
      ...relation.notes,
      ...count.notes,
      ...countNotes(count, rows, tensor.total, options.rescaleWeights),
      ...chosen.notes,
      ...modes.flatMap(dateNotes),
      ...missingCodesNote(codes),
      ...modes.flatMap(({ column }, n) => similarLabelsNote(column.name, labels[n])),
      ...tensorNotes(tensor, dropped, merged),
    ]
    return { ...collected, rows, dropped, notes, recipe, source }
  })
}

/** What is known once the cells have come over; `finish` makes data of them, when DuckDB is closed. */
interface Collected extends Pick<Counted, 'rows' | 'dropped' | 'labels'> {
  /** For each mode, how many labels were merged. */
  readonly merged: readonly number[]
  finish(
    record: Readonly<Record<string, unknown>>,
  ): Promise<Pick<ReadResult, 'tensor' | 'squares'> | Pick<StoredResult, 'tensor' | 'file'>>
}

type Collect = (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountChoice,
  rescale: boolean | undefined,
) => Promise<Collected>

/** A file for the cells and what is known of the table, where there may be too many for memory. */
const placeFor = async (
  { room, place }: ChoosePlace,
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountChoice,
): Promise<{ readonly file: CellsPlace; readonly survey: Survey } | undefined> => {
  const most = room(modes.length)
  if (most === Number.POSITIVE_INFINITY) return undefined
  if ((await rowsAtMost(tables, relation)) <= most) return undefined
  const survey = await surveyCells(tables, relation, modes, count)
  const file = place(survey.cells, modes.length)
  return file && { file, survey }
}

const inMemory: Collect = async (tables, relation, modes, count, rescale) => {
  const counted = await countCells(tables, relation, modes, count)
  const { rows, dropped, labels } = counted
  return {
    ...{ rows, dropped, labels },
    merged: modes.map(({ top }, n) => (top === undefined ? 0 : Math.max(0, labels[n].length - top))),
    finish: async () => {
      const { tensor, squares } = tensorOfCells(counted, modes, rescale)
      return { tensor, ...(squares !== undefined && { squares }) }
    },
  }
}

const inFile =
  ({ file, survey }: { readonly file: CellsPlace; readonly survey: Survey }): Collect =>
  async (tables, relation, modes, count, rescale) => {
    const { path, ...options } = file
    const { rows, dropped, weighed } = survey
    const writer = new CellsWriter(path, modes.length, options)
    const discard = () => writer.discard()
    process.once('exit', discard)
    try {
      const streamed = await streamCells(tables, relation, modes, count, writer)
      const scale = rescale === true ? weighed / streamed.total : 1
      return {
        ...{ rows, dropped, labels: streamed.labels },
        merged: streamed.kept.map(({ merged }) => merged),
        finish: async record => {
          try {
            return { tensor: await finishCells(streamed, modes, writer, scale, record), file }
          } finally {
            process.off('exit', discard)
          }
        },
      }
    } catch (error) {
      process.off('exit', discard)
      discard()
      throw error
    }
  }

const tensorNotes = ({ modes }: Counts, dropped: number, merged: readonly number[]): Note[] => [
  ...(dropped === 0
    ? []
    : [warning(`${many(dropped, 'row')} left out: every mode is missing in ${dropped === 1 ? 'it' : 'them'}`)]),
  ...modes.flatMap(({ name, size }, n) => [
    ...(merged[n] > 0 ? [choice(`${name}: ${many(merged[n], 'rare label')} merged into ${OTHER}`)] : []),
    ...(size >= MANY_LABELS
      ? [
          warning(
            `${name} has ${many(size, 'label')}: an identifier? Leave it out, or keep the most frequent with top: 1000`,
          ),
        ]
      : []),
  ]),
]

const dateNotes = ({ column, binning }: ModeSource): Note[] =>
  binning?.kind === 'date' && column.ambiguousDates === true
    ? [
        choice(
          `${listed(column.name)} is read as ${column.dates}; its dates would also read with day and month exchanged`,
        ),
      ]
    : []

/** Codes for missing values among the labels; of columns that are cut, among the values of the first rows. */
const suspectedCodes = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  labels: Counted['labels'],
): Promise<(readonly [string, readonly string[]])[]> => {
  const cut = modes.filter(({ binning }) => binning !== undefined && binning.kind !== 'date')
  const [values] =
    cut.length === 0
      ? [[]]
      : await tables.rows(
          `SELECT ${cut.map(({ value }) => `list(DISTINCT ${value})`).join(', ')} FROM ${sampleOf(relation)}`,
        )
  return modes.map((mode, n) => {
    if (mode.binning === undefined) return [mode.column.name, missingCodes(labels[n])]
    const seen = (values[cut.indexOf(mode)] ?? []) as readonly string[]
    return [mode.column.name, missingCodes(seen)]
  })
}

/** Quantiles depend on the data, and how dates are written on the column; the rest was said by the caller. */
const settleBinnings = async (
  tables: Tables,
  relation: Relation,
  columns: readonly Column[],
  bins: ReadonlyMap<Column, BinRequest>,
  sqlOf: (column: Column) => string,
): Promise<readonly (Binning | undefined)[]> => {
  const quantiles = columns.flatMap(column => {
    const request = bins.get(column)
    if (request?.kind !== 'quantiles') return []
    const steps = Array.from({ length: request.groups - 1 }, (_, i) => (i + 1) / request.groups)
    return [{ column, sql: `quantile_disc(${numberSql(sqlOf(column))}, [${steps.join(', ')}])` }]
  })
  const [edges] =
    quantiles.length === 0
      ? [[]]
      : await tables.rows(`SELECT ${quantiles.map(({ sql }) => sql).join(', ')} FROM ${relation.from}`)
  return columns.map((column): Binning | undefined => {
    const request = bins.get(column)
    if (request?.kind === 'date') return { ...request, ...(column.dates === undefined ? {} : { format: column.dates }) }
    if (request?.kind !== 'quantiles') return request
    const own = edges[quantiles.findIndex(each => each.column === column)] as number[] | null
    return { kind: 'quantiles', edges: [...new Set((own ?? []).filter(Number.isFinite))] }
  })
}
