import type { Counts } from '@polyad/core'
import { CellsWriter } from '@polyad/core/engine'
import type { Tables } from '../duckdb/client.ts'
import {
  type ReadResult,
  readingNotes,
  readUnderstood,
  recipeOf,
  sourceOf,
  suspectedCodes,
  type TableOptions,
  type Understood,
  understandTable,
  usedRows,
} from '../table/reading/read-view.ts'
import { checkOrders } from '../table/values/label-order.ts'
import { readingOf } from '../table/view/reading.ts'
import type { TableView } from '../table/view/view.ts'
import type { CountSource, ModeSource } from './cells/keyed-rows.ts'
import { finishCells, streamCells } from './cells/stream-cells.ts'
import { rowsAtMost, type Survey, surveyCells } from './cells/survey.ts'
import { countSource, duckView, modeSources } from './duck-view.ts'
import { explained } from './relation/faults.ts'
import { openRelation, type Relation, type RelationOptions } from './relation/relation.ts'

/** Data whose cells were written into a file. */
export interface StoredResult extends Omit<ReadResult, 'tensor' | 'squares' | 'rowWeights' | 'replicates' | 'design'> {
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
  /** Stops the writing. */
  readonly signal?: AbortSignal | undefined
}

/** Says where cells go, when it is known about how many there are: undefined for memory. */
export interface ChoosePlace {
  /** How many cells of so many modes surely fit into memory, without a look at the table. */
  readonly room: (modes: number) => number
  readonly place: (cells: number, modes: number) => CellsPlace | undefined
}

/** A table to a tensor in memory, or to a file of its cells where there are too many. */
export const readTableTo = async (
  choosePlace: ChoosePlace,
  tables: Tables,
  paths: readonly string[],
  options: TableOptions & Omit<RelationOptions, 'missing'>,
): Promise<ReadResult | StoredResult> => {
  const whole = await openRelation(tables, paths, { ...options, missing: readingOf(options).missing })
  return explained(whole, async () => {
    const opened = { ...(await duckView(tables, whole, options.sql)), release: () => tables.close() }
    const view = await usedRows(opened, options)
    const { relation } = view
    const understood = await understandTable(view, options)
    const { reading, count, modes } = understood
    const sources = modeSources(relation, modes, reading)
    const counting = countSource(relation, count, reading)
    const place = await placeFor(choosePlace, tables, relation, sources, counting)
    return place === undefined
      ? readUnderstood(view, understood)
      : storeCells(place, { tables, relation, view, understood, sources, counting })
  })
}

interface Place {
  readonly file: CellsPlace
  readonly survey: Survey
}

/** A file for the cells and what is known of the table, where there may be too many for memory. */
const placeFor = async (
  { room, place }: ChoosePlace,
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountSource,
): Promise<Place | undefined> => {
  const most = room(modes.length)
  if (most === Number.POSITIVE_INFINITY) return undefined
  if ((await rowsAtMost(tables, relation)) <= most) return undefined
  const survey = await surveyCells(tables, relation, modes, count)
  const file = place(survey.cells, modes.length)
  return file && { file, survey }
}

interface OpenTable {
  readonly tables: Tables
  readonly relation: Relation
  readonly view: TableView
  readonly understood: Understood
  readonly sources: readonly ModeSource[]
  readonly counting: CountSource
}

/** Writes the cells of a table into a file, which is removed where that does not come to its end. */
const storeCells = async (
  { file, survey }: Place,
  { tables, relation, view, understood, sources, counting }: OpenTable,
): Promise<StoredResult> => {
  const { path, ...writing } = file
  const { rows, dropped, weighed } = survey
  const { reading, count, modes } = understood
  const writer = new CellsWriter(path, modes.length, writing)
  const discard = () => writer.discard()
  process.once('exit', discard)
  try {
    const streamed = await streamCells(tables, relation, sources, counting, writer)
    const { labels } = streamed
    const merged = streamed.kept.map(each => each.merged)
    checkOrders(
      modes.map((mode, n) => ({ ...mode, labels: labels[n] })),
      view.filter !== undefined,
    )
    const codes = await suspectedCodes(view, modes, labels, reading)
    // DuckDB has done its part.
    await tables.close()
    const scale = count.sampling && streamed.total > 0 ? weighed / streamed.total : 1
    const recipe = recipeOf(modes, reading, merged)
    const source = sourceOf(view, count, rows)
    const tensor = await finishCells(streamed, sources, writer, scale, { recipe, source, rows, dropped })
    const notes = readingNotes(view, understood, { tensor, rows, dropped, labels, merged, codes, scale })
    const population = count.sampling ? { population: streamed.total } : {}
    return { tensor, file, rows, dropped, notes, recipe, source, ...population }
  } catch (error) {
    discard()
    throw error
  } finally {
    process.off('exit', discard)
  }
}
