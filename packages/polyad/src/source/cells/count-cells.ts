import type { Tables } from '../../duckdb/client.ts'
import type { Counted } from '../../table/view/view.ts'
import type { Relation } from '../relation/relation.ts'
import { countCodes } from './count-codes.ts'
import { rowsAtMost } from './estimate-cells.ts'
import { groupCells } from './group-cells.ts'
import type { CountSource, ModeSource } from './keyed-rows.ts'
import { sampleModes } from './sampled-modes.ts'

/** Tables with fewer rows are grouped by DuckDB: it is fast enough, whatever they are like. */
const MANY_ROWS = 100_000

/** With so many rows for each cell, or more, DuckDB groups them faster than they come over. */
const REPEATS = 20

/** If more than this share of the rows may have a label that the first rows have not, all labels get codes. */
const UNSEEN = 0.005

/** Counts the distinct combinations of labels: no row becomes an object. */
export const countCells = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountSource,
): Promise<Counted> => {
  const rows = await rowsAtMost(tables, relation)
  if (rows <= MANY_ROWS) return groupCells(tables, relation, modes, count)
  const { modes: sampled, cells } = await sampleModes(tables, relation, modes)
  const open = sampled.some(({ unseen }) => unseen > UNSEEN)
  return open || rows < REPEATS * cells
    ? countCodes(tables, relation, modes, count, sampled)
    : groupCells(tables, relation, modes, count)
}
