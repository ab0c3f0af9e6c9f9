import type { Reading } from '../view/reading.ts'
import type { TableView } from '../view/view.ts'
import type { Column } from './columns.ts'

/** What the rows of a table say about whether they are counted combinations, each there once, or observations. */
export interface Evidence {
  readonly rows: number
  /** Rows that repeat an earlier one of their file. */
  readonly repeats: number
  /** Whether the rows are combinations, by what there is of them or by what chance would make of observations. */
  readonly combinations: boolean
  /** Whether every column has values that come again: none is an identifier or a measurement. */
  readonly categorical: boolean
  /** Whether all rows were looked at. */
  readonly all: boolean
}

/** A table that has this share of all combinations there could be is a table of combinations. */
const COVERED = 0.5

/** Where at least this many pairs of equal rows would be expected among observations, and there is none, they are no observations. */
const EXPECTED_PAIRS = 2

/** Where rows repeat, observations would be expected to make this many times as many pairs. */
const EXPECTED_TIMES = 10

/**
 * Counted combinations hardly repeat; observations of a few categories do, and the more so the more there are. So a
 * table is one of counts where it holds most of the combinations there are, or where observations with the same
 * margins would have made several pairs of equal rows by chance (as independent columns would; those that depend on
 * each other make more). An identifier makes both unlikely, and nothing is concluded. Files may hold the same
 * combinations, each with counts of its own: if they do, the file counts as one more column.
 */
export const weighEvidence = async (
  view: TableView,
  columns: readonly Column[],
  reading: Reading,
  all: boolean,
): Promise<Evidence> => {
  if (columns.length === 0) return { rows: 0, repeats: 0, combinations: false, categorical: false, all }
  const { rows, distinct, apart, ...figures } = await view.repetition(columns, reading, all)
  const used = distinct === apart ? columns.length : columns.length + 1
  const sizes = figures.sizes.slice(0, used)
  const cells = sizes.reduce((product, size) => product * size, 1)
  const named = columns.length > 1 && sizes.some(size => size === rows)
  const equal = figures.pairs.slice(0, used).reduce((chance, n) => chance * (n / (rows * (rows - 1))), 1)
  const expected = (equal * rows * (rows - 1)) / 2
  const repeats = rows - apart
  return {
    rows,
    repeats,
    combinations:
      (apart >= COVERED * cells && !named) || expected >= Math.max(EXPECTED_PAIRS, EXPECTED_TIMES * repeats),
    categorical: sizes.every(size => size <= rows / 2),
    all,
  }
}
