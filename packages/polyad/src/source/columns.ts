import { DataError, OptionError } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { literal } from '../duckdb/sql-text.ts'
import { suggestion } from './nearest.ts'
import { cleaned, type Relation } from './relation.ts'
import { typed } from './shell-text.ts'

/** What a column looks like, from the first rows of its table. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly kind: 'text' | 'number' | 'date' | 'nested' | 'empty'
  /** Whether its numbers are whole and not negative, as counts are. */
  readonly countable: boolean
  readonly distinct: number
}

export interface Inspection {
  readonly columns: readonly Column[]
  /** How many rows were looked at. */
  readonly rows: number
  /** Whether these were all. */
  readonly all: boolean
}

/** Enough rows to tell a category from an identifier, few enough to be read at once. */
const SAMPLE = 20_000

export const inspect = async (tables: Tables, relation: Relation, missing: readonly string[]): Promise<Inspection> => {
  const described = (await tables.rows(`DESCRIBE SELECT * FROM ${relation.from}`)).map(row => row.map(String))
  if (described.length === 0) throw new DataError(`${relation.name} has no columns`)
  const measures = described.flatMap(([name, type]) => {
    if (isNested(type)) return ['0', '0', '0', '0', '0']
    const value = cleaned(name, type, relation, missing)
    const number = `TRY_CAST(${value} AS DOUBLE)`
    return [
      `count(${value})`,
      `count(DISTINCT ${value})`,
      `count(${number})`,
      `count(*) FILTER (${number} >= 0 AND ${number} = floor(${number}))`,
      `count(TRY_CAST(${value} AS TIMESTAMP))`,
    ].map(measure => `CAST(${measure} AS DOUBLE)`)
  })
  const [figures] = await tables.rows(
    `SELECT CAST(count(*) AS DOUBLE), ${measures.join(', ')} FROM (SELECT * FROM ${relation.from} LIMIT ${SAMPLE})`,
  )
  const [rows, ...counts] = figures as number[]
  if (rows === 0) throw new DataError(`${relation.name} has a header but no rows`)
  const columns = described.map(([name, type], i): Column => {
    const [present, distinct, numbers, whole, dates] = counts.slice(i * 5, i * 5 + 5)
    const kind = isNested(type) ? 'nested' : present === 0 ? 'empty' : kindOf(type, present, numbers, dates)
    return { name, type, kind, countable: kind === 'number' && whole === present && present === rows, distinct }
  })
  return { columns, rows, all: rows < SAMPLE }
}

const isNested = (type: string): boolean => /^(STRUCT|MAP|UNION)|\[\d*\]$|^(BLOB|JSON)$/.test(type)

const kindOf = (type: string, present: number, numbers: number, dates: number): Column['kind'] => {
  if (/^(DATE|TIME|TIMESTAMP)/.test(type)) return 'date'
  if (type === 'BOOLEAN') return 'text'
  if (numbers === present) return 'number'
  return dates === present ? 'date' : 'text'
}

/** The column of a name, or an error that names the nearest. */
export const columnNamed = ({ columns }: Inspection, name: string, what: string, { name: table }: Relation): Column => {
  const found = columns.find(column => column.name === name) ?? onlyMatch(columns, name)
  if (found !== undefined) return found
  const known = columns.map(column => column.name)
  throw new OptionError(`${table} has no column ${JSON.stringify(name)}${what}${suggestion(name, known)}`)
}

/** Names are taken without regard to capitals where that leaves no doubt. */
const onlyMatch = (columns: readonly Column[], name: string): Column | undefined => {
  const alike = columns.filter(column => column.name.toLowerCase() === name.toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}

/** Why a column does not look categorical, or undefined where it does. */
export const reasonAgainst = ({ name, kind, distinct }: Column, { rows, all }: Inspection): string | undefined => {
  const among = `${distinct.toLocaleString('en-US')} different values in ${all ? '' : 'the first '}${rows.toLocaleString('en-US')} rows`
  if (kind === 'nested') return 'it holds lists or records'
  if (kind === 'empty') return 'nothing was observed in it'
  if (distinct === 1)
    return `it has the same value in ${all ? 'every row' : `the first ${rows.toLocaleString('en-US')} rows`}`
  if (kind === 'date')
    return `it holds dates or times: cut it with --bin ${typed(`${name}:month`)} (or hour, weekday, year, …)`
  if (kind === 'text') {
    return distinct > 20 && distinct > rows / 2 ? `${among}: an identifier or free text` : undefined
  }
  const repeated = rows / distinct >= (distinct <= 5 ? 2 : 3)
  return distinct <= MOST_NUMBERS && repeated
    ? undefined
    : `${among}: cut it with --bin ${typed(`${name}:q5`)}, or by a width`
}

/** A number with more values than this is a measurement, not a category. */
const MOST_NUMBERS = 100

const COUNT_NAMES = /^(n|count|counts|freq|frequency|cases)$/i

/** The column that counts the rows of a table counted already: by its name, and because no row occurs twice. */
export const countColumn = async (
  tables: Tables,
  relation: Relation,
  { columns, rows, all }: Inspection,
): Promise<Column | undefined> => {
  const named = columns.filter(({ name, countable }) => countable && COUNT_NAMES.test(name))
  if (named.length !== 1 || !all || columns.length < 3) return undefined
  const [[distinct]] = await tables.rows(
    `SELECT CAST(count(*) AS DOUBLE) FROM (SELECT DISTINCT COLUMNS(c -> c <> ${literal(named[0].name)}) FROM ${relation.from})`,
  )
  return distinct === rows ? named[0] : undefined
}
