import { MISSING } from '../../tensor/mode.ts'
import type { Column, ColumnShape } from './columns.ts'
import { BLOCK_CELLS } from './context.ts'

/** The limit on lanes, and so on threads that can share the work. */
const MOST_LANES = 32
/** A lane has at least this many cells. */
const LANE_CELLS = 4096
/** A lane's tables are cleared and added up in every pass; this many cells per row keep that below a few percent. */
const CELLS_PER_ROW = 16
/** Above this many cells there are always several lanes, so that threads have something to share. */
const LARGE = 65536
const LEAST_LANES = 4

/** How many lanes the cells are split into, a power of two. It depends on the data alone, never on the machine. */
export const countLanes = (cells: number, columns: readonly ColumnShape[], tableRows: readonly number[]): number => {
  // The root's rows are spread over the lanes, not repeated in them.
  const root = columns[0].table
  const rows = tableRows.reduce((sum, size, table) => sum + (table === root ? 0 : size), 0)
  const wanted = Math.min(MOST_LANES, cells / LANE_CELLS, cells / (CELLS_PER_ROW * Math.max(1, rows)))
  let lanes = 1
  while (2 * lanes <= wanted) lanes *= 2
  return cells >= LARGE ? Math.max(LEAST_LANES, lanes) : lanes
}

/** Where each lane begins, and where the last ends: whole blocks, as equal as they can be. */
export const laneBounds = (cells: number, lanes: number): number[] => {
  const blocks = Math.ceil(cells / BLOCK_CELLS)
  return Array.from({ length: lanes + 1 }, (_, lane) =>
    lane === lanes ? cells : Math.floor((blocks * lane) / lanes) * BLOCK_CELLS,
  )
}

/**
 * The modes that are compacted, so that a lane keeps only the rows that occur in it: those of which a lane uses, on average, at
 * most half. A mode that is part of a pair is short, and always whole.
 */
export const compactedModes = (
  modes: number,
  columns: readonly Column[],
  order: Uint32Array | undefined,
  bounds: readonly number[],
): boolean[] => {
  const compacted = new Array<boolean>(modes).fill(false)
  const lanes = bounds.length - 1
  for (const column of columns) {
    if (!mayBeCompacted(column, modes)) continue
    const { table, rows, index } = column
    const lastLane = new Uint8Array(rows)
    let used = 0
    for (let lane = 0; lane < lanes; lane++) {
      for (let i = bounds[lane]; i < bounds[lane + 1]; i++) {
        const row = index[order === undefined ? i : order[i]]
        const at = row === MISSING ? rows - 1 : row
        if (lastLane[at] === lane + 1) continue
        lastLane[at] = lane + 1
        used++
      }
    }
    compacted[table] = isCompacted(column, used, lanes)
  }
  return compacted
}

/** A mode with no more rows than this is never compacted. */
const FEW_ROWS = 64

export const mayBeCompacted = ({ table, rows }: ColumnShape, modes: number): boolean => table < modes && rows > FEW_ROWS

/** @param used how many rows the lanes use, summed over the lanes */
export const isCompacted = ({ rows }: ColumnShape, used: number, lanes: number): boolean => 2 * used <= lanes * rows
