import { DataError, OptionError } from '@polyad/core'
import { MemoryView } from '../../table/memory/memory-view.ts'
import { textColumn } from '../../table/memory/text-dictionary.ts'
import { missingOf, type Reading } from '../../table/view/reading.ts'
import { type ReadColumn, SAMPLE, type TableView, type ValueTest, type ViewColumn } from '../../table/view/view.ts'
import { askNumbers, askRows, checkWidth } from './ask.ts'
import type { ColumnKind } from './dialect.ts'
import { type RetryOptions, retried } from './retry.ts'
import type { Database } from './session.ts'

/** A table in a database as one that can be asked, and the SQL of its columns. */
export interface DatabaseView extends TableView {
  /** SQL of a column's value as text, NULL where it is missing. */
  text(column: ReadColumn, missing: readonly string[]): string
}

/** What a column's kind is called among the types that tables are understood by; others are texts whose meaning is for the rules to say. */
const TYPES: Readonly<Partial<Record<ColumnKind, string>>> = { other: 'BLOB', date: 'DATE', boolean: 'BOOLEAN' }

/** What stands for missing among values: no value is this. */
const NONE = '\u0001'

/**
 * A table in any database, understood by the same rules as files: the first rows come over as texts and are asked in memory; what concerns all
 * rows the database answers. Its cells are counted there, by `countTable`.
 */
export const databaseView = async (
  { dialect, connection }: Database,
  from: string,
  name: string,
  retry: RetryOptions = {},
): Promise<DatabaseView> => {
  const ask = (sql: string, width: number) => askRows(connection, retry, sql, width)
  const numbers = (sql: string, width: number) => askNumbers(connection, retry, sql, width)
  const described = await retried(connection, retry, async () => {
    const rows = await connection.rows(dialect.describe(from))
    // Servers tell more of a column than its name and its type.
    for (const row of rows) checkWidth(Math.min(row.length, 2), 2)
    return rows
  })
  const types = new Map(described.map(([key, type]) => [String(key), String(type)]))
  const columns = [...types].map(
    ([key, type]): ViewColumn => ({ name: key, key, type: TYPES[dialect.kindOf(type)] ?? 'VARCHAR' }),
  )
  const text = ({ key }: ReadColumn, missing: readonly string[]) =>
    dialect.text(dialect.identifier(key), types.get(key) ?? '', missing)
  const known = columns.filter(({ type }) => type !== TYPES.other)
  const fetched =
    known.length === 0
      ? []
      : await ask(
          `SELECT ${known.map((column, i) => `${text(column, [])} AS polyad_${i}`).join(', ')} FROM ${from} LIMIT ${SAMPLE}`,
          known.length,
        )
  if (known.length > 0 && fetched.length === 0) throw new DataError(`${name} has no rows`)
  const texts = columns.map(column => {
    const at = known.indexOf(column)
    const values = fetched.map(row => (at < 0 || row[at] === null ? null : String(row[at])))
    return textColumn(values, fetched.length)
  })
  const first = new MemoryView({ name, columns, texts, rows: fetched.length, notes: [] })
  const whole = fetched.length < SAMPLE
  const number = (column: ReadColumn, { missing }: Reading) => dialect.number(text(column, missing))
  const condition = ({ column, is }: ValueTest, reading: Reading): string => {
    const x = number(column, reading)
    if (is === 'missing') return `${text(column, reading.missing)} IS NULL`
    return is === 'a fraction' ? `${x} <> floor(${x})` : `(${x} IS NULL OR NOT (${x} >= 0) OR ${x} * 0 <> 0)`
  }
  const counted = (conditions: readonly string[]) =>
    numbers(
      `SELECT 1e0 * count(*), ${conditions.map(each => `1e0 * sum(CASE WHEN ${each} THEN 1 ELSE 0 END)`).join(', ')} FROM ${from}`,
      conditions.length + 1,
    )
  return {
    name,
    files: [name],
    notes: [],
    columns,
    text,
    measure: async reading => {
      const { rows: looked, columns: measured } = await first.measure(reading)
      // The database takes numbers as programs write them.
      return { rows: looked, columns: measured.map(own => ({ ...own, points: 0, commas: 0 })) }
    },
    readAsDates: (asked, reading) => first.readAsDates(asked, reading),
    firstValues: (asked, reading) => first.firstValues(asked, reading),
    firstCodes: (asked, reading, most) => first.firstCodes(asked, reading, most),
    frequent: (asked, reading, most) => first.frequent(asked, reading, most),
    async repetition(asked, reading, all) {
      if (whole || !all) return first.repetition(asked, reading, true)
      const values = asked.map(
        (column, i) => `coalesce(${text(column, missingOf(reading, column.name))}, ${dialect.literal(NONE)}) AS v${i}`,
      )
      const table = `(SELECT ${values.join(', ')} FROM ${from}) polyad_rows`
      const [n] = await numbers(`SELECT 1e0 * count(*) FROM ${from}`, 1)
      const [distinct] = await numbers(
        `SELECT 1e0 * count(*) FROM (SELECT DISTINCT * FROM ${table}) polyad_distinct`,
        1,
      )
      const own = []
      for (const i of asked.keys())
        own.push(
          await numbers(
            `SELECT 1e0 * count(*), 1e0 * sum(n * (n - 1.0)) FROM (SELECT count(*) AS n FROM ${table} GROUP BY v${i}) polyad_sizes`,
            2,
          ),
        )
      return {
        rows: n,
        distinct,
        apart: distinct,
        sizes: [...own.map(([size]) => size), 1],
        pairs: [...own.map(([, pairs]) => pairs), n * (n - 1)],
      }
    },
    async countFigures(column, reading) {
      if (whole) return first.countFigures(column, reading)
      const x = number(column, reading)
      const [count, bad, fractions, zeros] = await counted([
        condition({ column, is: 'no count' }, reading),
        condition({ column, is: 'a fraction' }, reading),
        `${x} = 0`,
      ])
      return { rows: count, bad, fractions, grouping: 0, zeros }
    },
    async codesFound(codes, asked, reading, all) {
      if (whole || !all || codes.length === 0) return first.codesFound(codes, asked, reading, true)
      const found = codes.map(code =>
        asked.map(column => `(count(${text(column, [])}) - count(${text(column, [code])}))`),
      )
      const sums = await numbers(
        `SELECT ${found.map(each => `1e0 * (${each.join(' + ')})`).join(', ')} FROM ${from}`,
        found.length,
      )
      return sums.map(sum => sum > 0)
    },
    quantiles: () => {
      throw new OptionError('bins', `cannot be used with tables of ${dialect.name}: make a view of the table`)
    },
    async firstFault(tests, reading) {
      if (whole) return first.firstFault(tests, reading)
      for (const [test, each] of tests.entries()) {
        const [row] = await ask(
          `SELECT ${text(each.column, [])} FROM ${from} WHERE ${condition(each, reading)} LIMIT 1`,
          1,
        )
        if (row !== undefined)
          return { test, where: name, line: undefined, row: undefined, value: row[0] === null ? null : String(row[0]) }
      }
      return undefined
    },
    countCells: () => {
      throw new OptionError(`the cells of ${name} are counted in the database`)
    },
  }
}
