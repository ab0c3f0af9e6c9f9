import type { Column, Inspection } from '../packages/polyad/src/table/columns/columns.ts'
import { type CountChoice, NO_COUNT } from '../packages/polyad/src/table/columns/count-column.ts'

/** A column of text with two values, or whatever is said of it. */
export const looked = (name: string, more: Partial<Column> = {}): Column => ({
  ...{ name, key: name, type: 'VARCHAR', kind: 'text', distinct: 2, missing: 0, numeric: 0, range: [0, 0], word: undefined },
  ...more,
}) // biome-ignore format: one object

/** A column of numbers. */
export const number = (name: string, distinct: number, more: Partial<Column> = {}): Column =>
  looked(name, { kind: 'number', distinct, numeric: 1, range: [1, distinct], ...more })

export const seen = (columns: readonly Column[], rows = 100, all = true): Inspection => ({ columns, rows, all })

export const counting = (more: Partial<CountChoice> = {}): CountChoice => ({ ...NO_COUNT, ...more })
