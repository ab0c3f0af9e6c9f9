import type { Tables } from '../../duckdb/client.ts'
import { identifier, literal } from '../../duckdb/sql-text.ts'
import { isNested } from '../../table/columns/columns.ts'
import { SEPARATED, STYLED, UNSEPARATED } from '../../table/values/number-style.ts'
import type { Reading } from '../../table/view/reading.ts'
import {
  type Frequency,
  MANY_VALUES,
  type Measured,
  type ReadColumn,
  type Repetition,
  type ViewColumn,
} from '../../table/view/view.ts'
import { hasOffsetSql, timeSql } from './bin-sql.ts'
import type { Relation } from './relation.ts'
import { sampleOf } from './sample-sql.ts'
import { valueSql } from './values.ts'

const MISTYPED = `'\\s*[-+]?[0-9][0-9.,'' ]*'`

const MEASURES = [
  'present',
  'distinct',
  'numbers',
  'mistyped',
  'times',
  'offsets',
  'least',
  'most',
  'points',
  'commas',
  'ambiguous',
  'unseparated',
] as const

/** Figures of every column, from the first rows. */
export const measureColumns = async (
  tables: Tables,
  relation: Relation,
  columns: readonly ViewColumn[],
  reading: Reading,
): Promise<{ rows: number; columns: readonly Measured[] }> => {
  const values = columns.flatMap((column, i) =>
    isNested(column.type) ? [] : [`${valueSql(column, relation, reading)} AS v${i}`],
  )
  const measured = await tables.rows(measureSql(relation, values))
  const figures = new Map(measured.map(([key, ...own]) => [key, own]))
  const own = (key: string) => figures.get(key) ?? []
  return {
    rows: Number(own('row')[0] ?? 0),
    columns: columns.map((_, i) => {
      const [word, texts] = own(`v${i}`).slice(MEASURES.length)
      const numbers = MEASURES.map((name, m) => [name, own(`v${i}`)[m] ?? 0])
      return { ...Object.fromEntries(numbers), word: word ?? null, values: texts ?? null } as Measured
    }),
  }
}

/**
 * SQL of the measures of every column. Every distinct value is looked at once, not every row: most occur often, and
 * finding out that a value is not a date is slow.
 */
const measureSql = (relation: Relation, values: readonly string[]): string => {
  const having = (condition: string) => `sum(n) FILTER (${condition})`
  const matches = (pattern: string) => having(`regexp_full_match(v, ${pattern})`)
  const measures = [
    'sum(n)',
    'count(*)',
    having('x IS NOT NULL'),
    matches(MISTYPED),
    having(`${timeSql('v')} IS NOT NULL`),
    having(hasOffsetSql('v')),
    'min(x)',
    'max(x)',
    having('p'),
    having('c'),
    having(`p AND c AND regexp_matches(v, ${literal(SEPARATED)})`),
    having(`p AND c AND regexp_full_match(v, ${literal(UNSEPARATED)})`),
  ].map(measure => `CAST(coalesce(${measure}, 0) AS DOUBLE)`)
  return (
    `WITH s AS (SELECT ${[...values, `'' AS row`].join(', ')} FROM ${sampleOf(relation)}), ` +
    `g AS (SELECT k, v, count(*) AS n, TRY_CAST(v AS DOUBLE) AS x, regexp_full_match(v, ${literal(STYLED.point)}) AS p, regexp_full_match(v, ${literal(STYLED.comma)}) AS c ` +
    'FROM (UNPIVOT s ON COLUMNS(*) INTO NAME k VALUE v) GROUP BY k, v) ' +
    `SELECT k, ${measures.join(', ')}, min(v) FILTER (x IS NULL), ` +
    `CASE WHEN count(*) <= ${MANY_VALUES} THEN list(v) END FROM g GROUP BY k`
  )
}

/** The most frequent values of columns among the first rows. One statement for all columns: each reads the file. */
export const frequentValues = async (
  tables: Tables,
  relation: Relation,
  columns: readonly ReadColumn[],
  reading: Reading,
  most: number,
): Promise<readonly (readonly Frequency[])[]> => {
  if (columns.length === 0) return []
  const values = columns.map((column, i) => `${valueSql(column, relation, reading)} AS v${i}`)
  const found = await tables.rows(
    `WITH s AS (SELECT ${values.join(', ')} FROM ${sampleOf(relation)}) ` +
      'SELECT k, v, CAST(count(*) AS DOUBLE) AS n FROM (UNPIVOT s ON COLUMNS(*) INTO NAME k VALUE v) GROUP BY k, v ' +
      `QUALIFY row_number() OVER (PARTITION BY k ORDER BY n DESC, v) <= ${most} ORDER BY k, n DESC, v`,
  )
  const own = new Map<unknown, Frequency[]>(columns.map((_, i) => [`v${i}`, []]))
  for (const [key, text, count] of found) own.get(key)?.push({ text: String(text), count: Number(count) })
  return [...own.values()]
}

/** The values of columns in the first rows as codes. DuckDB hashes the texts, so that only numbers are transferred. */
export const codesOfSample = async (
  tables: Tables,
  relation: Relation,
  columns: readonly ReadColumn[],
  reading: Reading,
  most: number,
): Promise<readonly Int32Array[]> => {
  const known = columns.map(() => new Map<number, number>())
  const codes = columns.map((): number[] => [])
  const values = columns.map(column => {
    const value = valueSql(column, relation, reading)
    return `CASE WHEN ${value} IS NULL THEN -1e0 ELSE CAST(hash(${value}) >> 11 AS DOUBLE) END`
  })
  await tables.columns(`SELECT ${values.join(', ')} FROM ${sampleOf(relation)} LIMIT ${most}`, piece => {
    piece.forEach((hashes, n) => {
      for (const hash of hashes) {
        const code = hash < 0 ? -1 : (known[n].get(hash) ?? known[n].size)
        if (code === known[n].size) known[n].set(hash, code)
        codes[n].push(code)
      }
    })
  })
  return codes.map(own => Int32Array.from(own))
}

/** A name that no column has. */
const FILE = identifier('\u0001file')

/** What the rows have in common, missing being a value like others. */
export const repetitionOf = async (
  tables: Tables,
  relation: Relation,
  columns: readonly ReadColumn[],
  reading: Reading,
  all: boolean,
): Promise<Repetition> => {
  const from = withFile(relation)
  const names = [...columns.map((_, i) => `v${i}`), 'file']
  const values = columns.map((column, i) => `coalesce(${valueSql(column, relation, reading)}, chr(0)) AS v${i}`)
  const table = `(SELECT ${values.join(', ')}, ${FILE} AS file FROM ${all ? from : sampleOf({ from })})`
  const labels = names.map(name => `CAST(len(map_values(histogram(${name}))) AS DOUBLE)`)
  const pairs = names.map(
    name => `CAST(list_sum(list_transform(map_values(histogram(${name})), lambda n: n * (n - 1.0))) AS DOUBLE)`,
  )
  const count = (what: string) => `(SELECT CAST(count(*) AS DOUBLE) FROM (SELECT DISTINCT ${what} FROM t))`
  const [[rows, distinct, apart, ...figures]] = (await tables.rows(
    `WITH t AS MATERIALIZED ${table} SELECT CAST(count(*) AS DOUBLE), ${count('* EXCLUDE (file)')}, ${count('*')}, ` +
      `${[...labels, ...pairs].join(', ')} FROM t`,
  )) as number[][]
  return { rows, distinct, apart, sizes: figures.slice(0, names.length), pairs: figures.slice(names.length) }
}

/** The table with the file of every row. */
const withFile = ({ from, parts, where }: Relation): string => {
  if (parts.length < 2) return `(SELECT *, 0 AS ${FILE} FROM ${from})`
  const all = `(${parts.map((part, i) => `SELECT *, ${i} AS ${FILE} FROM ${part.from}`).join(' UNION ALL BY NAME ')})`
  return where === undefined ? all : `(SELECT * FROM ${all} WHERE ${where})`
}
