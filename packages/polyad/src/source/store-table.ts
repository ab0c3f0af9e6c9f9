import type { Counts } from '@polyad/core'
import { CellsWriter } from '@polyad/core/engine'
import type { Tables } from '../duckdb/client.ts'
import {
  planReading,
  type ReadingPlan,
  type ReadResult,
  readingNotes,
  readPlanned,
  recipeOf,
  sourceOf,
  suspectedCodes,
  type TableOptions,
  usedRows,
} from '../table/reading/read-view.ts'
import { checkOrders } from '../table/values/label-order.ts'
import { readingOf } from '../table/view/reading.ts'
import type { TableView } from '../table/view/view.ts'
import { type CellEstimate, estimateCells, rowsAtMost } from './cells/estimate-cells.ts'
import type { CountSource, ModeSource } from './cells/keyed-rows.ts'
import { finishCells, streamCells } from './cells/stream-cells.ts'
import { countSource, duckView, modeSources } from './duck-view.ts'
import { rewordErrors } from './relation/faults.ts'
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
  return rewordErrors(whole, async () => {
    const opened = { ...(await duckView(tables, whole, options.sql)), release: () => tables.close() }
    const view = await usedRows(opened, options)
    const { relation } = view
    const plan = await planReading(view, options)
    const { reading, count, modes } = plan
    const sources = modeSources(relation, modes, reading)
    const counting = countSource(relation, count, reading)
    const place = await placeFor(choosePlace, tables, relation, sources, counting)
    return place === undefined
      ? readPlanned(view, plan)
      : storeCells(place, { tables, relation, view, plan, sources, counting })
  })
}

interface Place {
  readonly file: CellsPlace
  readonly estimate: CellEstimate
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
  const estimate = await estimateCells(tables, relation, modes, count)
  const file = place(estimate.cells, modes.length)
  return file && { file, estimate }
}

interface OpenTable {
  readonly tables: Tables
  readonly relation: Relation
  readonly view: TableView
  readonly plan: ReadingPlan
  readonly sources: readonly ModeSource[]
  readonly counting: CountSource
}

/** Writes the cells of a table into a file, which is removed where that does not come to its end. */
const storeCells = async (
  { file, estimate }: Place,
  { tables, relation, view, plan, sources, counting }: OpenTable,
): Promise<StoredResult> => {
  const { path, ...writing } = file
  const { rows, dropped } = estimate
  const { reading, count, modes } = plan
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
    const recipe = recipeOf(modes, reading, merged)
    const source = sourceOf(view, count, rows)
    const tensor = await finishCells(streamed, sources, writer, { recipe, source, rows, dropped })
    const notes = readingNotes(view, plan, {
      tensor,
      rows,
      dropped,
      labels,
      merged,
      codes,
      scale: streamed.sampling?.scale ?? 1,
    })
    const population = streamed.sampling && { population: streamed.sampling.population }
    return { tensor, file, rows, dropped, notes, recipe, source, ...population }
  } catch (error) {
    discard()
    throw error
  } finally {
    process.off('exit', discard)
  }
}
