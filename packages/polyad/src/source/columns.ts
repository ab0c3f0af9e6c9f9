import { DataError, OptionError } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { candidateFormats, type DateFormat, epochFormat, namesTime, timeSql } from './dates.ts'
import { suggestion } from './nearest.ts'
import type { Relation } from './relation.ts'
import { COMMA_NUMBER, type Readable, type Reading, valueSql } from './values.ts'

/** What a column looks like, from the first rows of its table. */
export interface Column extends Readable {
  /** Its name in the file. */
  readonly name: string
  readonly kind: 'text' | 'number' | 'date' | 'nested' | 'empty'
  readonly distinct: number
  /** These values, unless they are many. */
  readonly values?: readonly string[]
  /** The share of its values that are numbers, or look like mistyped ones (1,880). */
  readonly numeric: number
  /** A value that is not a number, where there is one. */
  readonly word: string | undefined
  /** How its dates are written, or what its numbers count if they are times. */
  readonly dates?: DateFormat
  /** Whether its dates would read as well with day and month exchanged. */
  readonly ambiguousDates?: boolean
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

/** SQL of the rows that are looked at to learn what the columns are like. */
export const sampleOf = ({ from }: Pick<Relation, 'from'>): string => `(SELECT * FROM ${from} LIMIT ${SAMPLE})`

const MISTYPED = `'\\s*[-+]?[0-9][0-9.,'' ]*'`

export const inspect = async (
  tables: Tables,
  relation: Relation,
  missing: readonly string[],
  reading: Omit<Reading, 'missing'> = {},
): Promise<Inspection> => {
  const described = (await tables.rows(`DESCRIBE SELECT * FROM ${relation.from}`)).map(row => row.map(String))
  if (described.length === 0) throw new DataError(`${relation.name} has no columns`)
  const commas = relation.parts.some(({ dialect }) => dialect !== undefined && dialect.delimiter !== ',')
  const values = described.map(([sql, type], i) =>
    isNested(type) ? [] : [`${valueSql({ sql, type }, relation, { missing, ...reading })} AS v${i}`],
  )
  const measured = await tables.rows(measureSql(relation, values.flat(), commas))
  const figures = new Map(measured.map(([key, ...own]) => [key, own]))
  const rows = Number(figures.get('row')?.[0] ?? 0)
  if (rows === 0) throw new DataError(`${relation.name} has a header but no rows`)
  const columns = described.map(([sql, type], i): Column => {
    const own = figures.get(`v${i}`) ?? []
    const seen = Object.fromEntries(MEASURES.map((name, m) => [name, own[m] ?? 0])) as unknown as Measured
    return columnOf(relation.shown.get(sql) ?? sql, sql, type, seen)
  })
  const dated = await withDates(tables, relation, columns, { missing, ...reading })
  return { columns: dated, rows, all: rows < SAMPLE }
}

const MEASURES = [
  'present',
  'distinct',
  'numbers',
  'mistyped',
  'times',
  'least',
  'most',
  'commas',
  'decimals',
  'word',
  'values',
] as const

type Measured = { readonly [K in Exclude<(typeof MEASURES)[number], 'word' | 'values'>]: number } & {
  readonly word: string | null
  readonly values: readonly string[] | null
}

/** With more values than this they are looked for when they are needed. */
const MANY_VALUES = 1000

/**
 * SQL of the measures of every column. Every distinct value is looked at once, not every row: most occur often, and
 * finding out that a value is not a date is slow.
 */
const measureSql = (relation: Relation, values: readonly string[], commas: boolean): string => {
  const having = (condition: string) => `sum(n) FILTER (${condition})`
  const matches = (pattern: string) => having(`regexp_full_match(v, ${pattern})`)
  const measures = [
    'sum(n)',
    'count(*)',
    having('x IS NOT NULL'),
    matches(MISTYPED),
    having('TRY_CAST(v AS TIMESTAMP) IS NOT NULL'),
    'min(x)',
    'max(x)',
    commas ? matches(COMMA_NUMBER) : '0',
    // What 1,880 means cannot be told; 1,5 or 0,25 can.
    commas ? matches(`'\\s*[-+]?[0-9]+,([0-9]{1,2}|[0-9]{4,})\\s*'`) : '0',
  ].map(measure => `CAST(coalesce(${measure}, 0) AS DOUBLE)`)
  return (
    `WITH s AS (SELECT ${[...values, `'' AS row`].join(', ')} FROM ${sampleOf(relation)}), ` +
    'g AS (SELECT k, v, count(*) AS n, TRY_CAST(v AS DOUBLE) AS x ' +
    'FROM (UNPIVOT s ON COLUMNS(*) INTO NAME k VALUE v) GROUP BY k, v) ' +
    `SELECT k, ${measures.join(', ')}, min(v) FILTER (x IS NULL), ` +
    `CASE WHEN count(*) <= ${MANY_VALUES} THEN list(v) END FROM g GROUP BY k`
  )
}

const isNested = (type: string): boolean => /^(STRUCT|MAP|UNION)|\[\d*\]$|^(BLOB|JSON)$/.test(type)

const columnOf = (name: string, sql: string, type: string, seen: Measured): Column => {
  const { present, distinct, numbers, mistyped, times, least, most } = seen
  const column = {
    name,
    sql,
    type,
    distinct,
    numeric: Math.max(numbers, mistyped) / present,
    word: seen.word || undefined,
    ...(seen.values ? { values: seen.values } : {}),
  }
  if (isNested(type)) return { ...column, kind: 'nested' }
  if (present === 0) return { ...column, kind: 'empty' }
  if (/^(DATE|TIME|TIMESTAMP)/.test(type)) return { ...column, kind: 'date' }
  if (type === 'BOOLEAN') return { ...column, kind: 'text' }
  if (seen.commas === present && seen.decimals > 0) return { ...column, kind: 'number', commas: true }
  if (numbers === present) {
    const dates = epochFormat(least, most)
    if (dates === undefined) return { ...column, kind: 'number' }
    return { ...column, kind: namesTime(name) ? 'date' : 'number', dates }
  }
  return { ...column, kind: times === present ? 'date' : 'text' }
}

/** Looks again at columns whose values begin as dates do: every value must read as one. */
const withDates = async (
  tables: Tables,
  relation: Relation,
  columns: readonly Column[],
  reading: Reading,
): Promise<readonly Column[]> => {
  const asked = columns.flatMap(column =>
    column.kind === 'text' ? candidateFormats(column.word ?? '').map(format => ({ column, format })) : [],
  )
  if (asked.length === 0) return columns
  const conditions = asked.map(({ column, format }) => {
    const value = valueSql(column, relation, reading)
    return `bool_and(${value} IS NULL OR ${timeSql(value, format)} IS NOT NULL)`
  })
  const [holds] = await tables.rows(`SELECT ${conditions.join(', ')} FROM ${sampleOf(relation)}`)
  const found = asked.filter((_, i) => holds[i] === true)
  return columns.map((column): Column => {
    const formats = found.flatMap(each => (each.column === column ? [each.format] : []))
    if (formats.length === 0) return column
    return { ...column, kind: 'date', dates: formats[0], ambiguousDates: formats.length > 1 }
  })
}

/** The column of a name: exactly so; else without regard to capitals, where that leaves no doubt. */
export const findColumn = <C extends { readonly name: string }>(columns: readonly C[], name: string): C | undefined => {
  const exact = columns.find(column => column.name === name)
  if (exact !== undefined) return exact
  const alike = columns.filter(column => column.name.toLowerCase() === name.toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}

/** The column of a name, or an error that names the nearest. */
export const columnNamed = ({ columns }: Inspection, name: string, what: string, { name: table }: Relation): Column => {
  const found = findColumn(columns, name)
  if (found !== undefined) return found
  const known = columns.map(column => column.name)
  throw new OptionError(`${table} has no column ${JSON.stringify(name)}${what}${suggestion(name, known)}`)
}
