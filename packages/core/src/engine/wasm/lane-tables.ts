import type { Arena } from './arena.ts'
import { NO_TABLE, type Plan } from './layout.ts'

/** The rank the kernels work with: every kernel takes two classes per vector, the tiled ones two or four vectors per step. */
export const paddedRank = (rank: number, fixedRanks: number): number =>
  rank <= fixedRanks ? rank + (rank % 2) : Math.ceil(rank / 4) * 4

/** Whole searches are faster in single precision from this rank on; at 10 they are not (bench/SINGLE.md). */
export const LEAST_SINGLE = 16

/** The rank that the kernels in single precision work with: four classes per vector, the tiled ones two or four vectors per step. */
export const paddedSingle = (rank: number, fixedRanks: number): number => {
  const step = rank <= fixedRanks ? 4 : 8
  return Math.ceil(Math.max(LEAST_SINGLE, rank) / step) * step
}

/**
 * A record of statistics in memory: the weights, the log-likelihood and one table for each mode that is not compacted, all of
 * padded rows. Lanes are added up as records, so all lanes of a session have the same shape of it.
 */
export interface RecordShape {
  readonly padded: number
  /** Offsets in doubles; that of a compacted mode is −1. */
  readonly tables: readonly number[]
  readonly logLikelihood: number
  /** Length in doubles. */
  readonly length: number
}

export const recordShape = (plan: Plan, padded: number): RecordShape => {
  let length = padded + 2
  const tables = plan.shape.map((_, n) => {
    if (plan.compacted[n]) return -1
    const at = length
    length += plan.tableRows[n] * padded
    return at
  })
  return { padded, tables, logLikelihood: padded, length }
}

/** Where the factor tables and the statistics outside the record lie: byte offsets. */
export interface Tables {
  /** For every table its factors. */
  readonly factors: readonly number[]
  /** For every compacted mode and every pair its statistics; 0 for modes in the record. */
  readonly statistics: readonly number[]
  /** The rows of each pair. */
  readonly pairs: readonly number[]
  /** What the kernels look tables up in, and the numbers of the columns' tables. */
  readonly directory: number
  readonly columns: number
  /** One row of ones, and one that is never read: the factors and statistics of the root of a flat layout. */
  readonly one: number
  readonly unread: number
  /** The statistics outside the record lie side by side, to be cleared at once. */
  readonly clear: number
  readonly clearBytes: number
}

/** Takes memory for the tables. @param compactedRows for every compacted mode, the largest number of rows that a lane has of it */
export const takeTables = (arena: Arena, plan: Plan, row: number, compactedRows: readonly number[]): Tables => {
  const modes = plan.shape.length
  const rowsOf = (table: number) =>
    table < modes && plan.compacted[table] ? compactedRows[table] : plan.tableRows[table]
  const factors = plan.tableRows.map((_, table) => arena.take(rowsOf(table) * row))
  const pairs = plan.pairs.map(({ rows }) => arena.take(rows.byteLength))
  const directory = arena.take(16 * plan.tableRows.length)
  const columns = arena.take(4 * plan.columns.length)
  const one = arena.take(row)
  const clear = arena.take(0)
  const statistics = plan.tableRows.map((_, table) =>
    table < modes && !plan.compacted[table] ? 0 : arena.take(rowsOf(table) * row),
  )
  const unread = arena.take(row)
  return { factors, statistics, pairs, directory, columns, one, unread, clear, clearBytes: unread + row - clear }
}

/** Writes what no pass changes: the rows of the pairs, the directory of the tables, and ones where an index is missing. */
export const fillTables = (arena: Arena, plan: Plan, row: number, tables: Tables): void => {
  plan.pairs.forEach(({ rows }, p) => {
    arena.u32.set(rows, tables.pairs[p] / 4)
  })
  tables.factors.forEach((at, table) => {
    const pair = table - plan.shape.length
    const { left, right } = plan.pairs[pair] ?? { left: 0, right: 0 }
    arena.u32.set([at, left, right, tables.pairs[pair] ?? 0], tables.directory / 4 + 4 * table)
  })
  arena.u32.set(plan.columns, tables.columns / 4)
  arena.kernels.ones(tables.one, row)
  plan.shape.forEach((size, n) => {
    if (!plan.compacted[n] && plan.tableRows[n] > size) arena.kernels.ones(tables.factors[n] + size * row, row)
  })
}

/** The factor and statistics tables of each column, in the order the kernels read them. */
export const columnPointers = (plan: Plan, tables: Tables, record: number, shape: RecordShape): number[] =>
  plan.columns.flatMap(table => {
    if (table === NO_TABLE) return [tables.one, tables.unread]
    const inRecord = table < plan.shape.length && !plan.compacted[table]
    return [tables.factors[table], inRecord ? record + 8 * shape.tables[table] : tables.statistics[table]]
  })

/** Writes a pass's factors: those of the modes as they come, with padding, then those of the pairs. */
export const putFactors = (
  { f64, kernels }: Arena,
  { shape, compacted, pairs }: Plan,
  tables: Tables,
  rank: number,
  padded: number,
  factors: readonly Float64Array[],
): void => {
  for (let n = 0; n < shape.length; n++) {
    if (compacted[n]) continue
    const table = tables.factors[n]
    f64.set(factors[n], table / 8 + shape[n] * (padded - rank))
    if (padded !== rank) kernels.pad(table, shape[n], rank, padded)
  }
  for (let p = 0; p < pairs.length; p++) {
    const { left, right, rows } = pairs[p]
    const table = tables.factors[shape.length + p]
    kernels.joinPairs(tables.pairs[p], rows.length / 2, tables.factors[left], tables.factors[right], table, 8 * padded)
  }
}

/** Adds the statistics of the pairs to those of their modes, the last pair first, since pairs are made of earlier ones. */
export const splitStatistics = (
  { kernels }: Arena,
  { shape, pairs }: Plan,
  tables: Tables,
  record: number,
  layout: RecordShape,
): void => {
  const statistics = (table: number) =>
    table < shape.length ? record + 8 * layout.tables[table] : tables.statistics[table]
  for (let p = pairs.length - 1; p >= 0; p--) {
    const { left, right, rows } = pairs[p]
    const table = tables.statistics[shape.length + p]
    kernels.splitPairs(tables.pairs[p], rows.length / 2, statistics(left), statistics(right), table, 8 * layout.padded)
  }
}
