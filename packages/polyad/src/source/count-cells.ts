import { DataError, type Label, type ModeOptions, type Tensor, tensorFromColumns } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { identifier, literal } from '../duckdb/sql-text.ts'
import { type BadValue, badValueError } from './bad-value.ts'
import { type Binning, binSql, numberSql } from './bins.ts'
import { type Dictionary, readDictionary } from './dictionary.ts'
import { mergeRare } from './labels.ts'
import type { Relation } from './relation.ts'

/** One mode as it is to be read. */
export interface ModeSource {
  readonly column: string
  /** SQL of its value as text, NULL where missing. */
  readonly value: string
  readonly binning: Binning | undefined
  /** What missing values are called where they are to be a label. */
  readonly missingAs: string | undefined
  /** Keep so many of the most frequent labels, and merge the rest. */
  readonly top: number | undefined
}

export interface Counted {
  readonly rows: number
  /** Rows in which every mode was missing. */
  readonly dropped: number
  /** For each mode, the labels in their order and the position of every cell's among them. */
  readonly labels: readonly (readonly Label[])[]
  readonly indices: readonly Int32Array[]
  readonly values: Float64Array
}

/** Counts the distinct combinations in the engine and brings back only those, as codes: no row becomes an object. */
export const countCells = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: string | undefined,
): Promise<Counted> => {
  const bad = badValues(modes, count)
  await tables.run(groupBy(relation, modes, count, bad, false))
  const absent = modes.map((_, n) => `m${n} IS NULL`).join(' AND ')
  // What cannot occur is not asked for: with many cells every column of the counted table costs.
  const rowsSum = count === undefined ? 'sum(value)' : 'sum(rows)'
  const sums = [rowsSum, bad.length === 0 ? '0' : 'sum(bad)', count === undefined ? '0' : 'sum(fractions)']
  const [[rows, faults, fractions, dropped]] = (await tables.rows(
    `SELECT ${[...sums, `${rowsSum} FILTER (${absent})`].map(sum => `CAST(coalesce(${sum}, 0) AS DOUBLE)`).join(', ')} FROM cells`,
  )) as number[][]
  if (rows === 0) throw new DataError(`${relation.name} has no rows`)
  if (faults > 0) throw await badValueError(tables, relation, bad)
  if (rows === dropped) throw new DataError(`${relation.name}: every mode is missing in all of its ${rows} rows`)
  if (fractions > 0) await tables.run(groupBy(relation, modes, count, bad, true))
  const dictionaries: Dictionary[] = []
  for (const [n, { column, binning }] of modes.entries())
    dictionaries.push(await readDictionary(tables, n, column, binning))
  const cells = await readCells(tables, dictionaries, `NOT (${absent})`)
  return { rows, dropped, labels: dictionaries.map(({ labels }) => labels), ...cells }
}

/** The tensor of counted cells, with rare labels merged; and for each mode how many those were. */
export const tensorOfCells = (
  { labels, indices, values }: Counted,
  modes: readonly ModeSource[],
): { tensor: Tensor; merged: readonly number[] } => {
  const kept = modes.map(({ top }, n) => mergeRare(indices[n], values, labels[n], top))
  const tensor = tensorFromColumns(
    kept.map(each => each.indices),
    values,
    {
      shape: kept.map(each => each.labels.length),
      modes: modes.map(({ column, binning }, n): ModeOptions => {
        const ordered = binning !== undefined || labels[n].every(label => typeof label === 'number')
        return { name: column, labels: kept[n].labels, ordered }
      }),
    },
  )
  return { tensor, merged: kept.map(({ merged }) => merged) }
}

/**
 * The statement that counts. Sums of whole numbers are exact in any order. Sums of fractions are not, and the order is
 * the engine's own: then (`exact`) equal fractions are counted together, and the library adds them up in a fixed order.
 */
const groupBy = (
  relation: Relation,
  modes: readonly ModeSource[],
  count: string | undefined,
  bad: readonly BadValue[],
  exact: boolean,
): string => {
  const keys = modes.map(({ value, binning, missingAs }, n) => {
    const raw = binning === undefined ? value : binSql(value, binning)
    return `${missingAs === undefined || binning !== undefined ? raw : `coalesce(${raw}, ${literal(missingAs)})`} AS m${n}`
  })
  const weight = count === undefined ? '1' : numberSql(identifier(count))
  const value = exact ? 'weight * count(*)' : count === undefined ? 'CAST(count(*) AS DOUBLE)' : `sum(${weight})`
  const checks = [
    ...(count === undefined
      ? []
      : ['count(*) AS rows', `count(*) FILTER (${weight} <> floor(${weight})) AS fractions`]),
    ...(bad.length === 0 ? [] : [`count(*) FILTER (${bad.map(({ condition }) => condition).join(' OR ')}) AS bad`]),
  ]
  const columns = [...keys, ...(exact ? [`${weight} AS weight`] : []), `${value} AS value`, ...checks]
  return (
    `CREATE OR REPLACE TEMP TABLE cells AS SELECT ${columns.join(', ')} FROM ${relation.from} ` +
    `GROUP BY ${modes.map((_, n) => n + 1).join(', ')}${exact ? `, ${modes.length + 1}` : ''}`
  )
}

/** The ways in which a row can be unusable. */
const badValues = (modes: readonly ModeSource[], count: string | undefined): BadValue[] => {
  const bad = modes.flatMap(({ column, value, binning }): BadValue[] => {
    if (binning === undefined) return []
    const wanted = binning.kind === 'date' ? 'a date or time such as 2024-05-31 13:45' : 'a number'
    const condition = `(${value} IS NOT NULL AND ${binSql(value, binning)} IS NULL)`
    return [{ column, condition, rule: shown => `${JSON.stringify(shown)} is not ${wanted}, as --bin needs` }]
  })
  if (count === undefined) return bad
  const weight = numberSql(identifier(count))
  const condition = `(${weight} IS NULL OR NOT isfinite(${weight}) OR ${weight} < 0)`
  const rule = (shown: string | null) =>
    shown === null ? 'the count is missing' : `a count must be a number ≥ 0 (got ${JSON.stringify(shown)})`
  return [...bad, { column: count, condition, rule }]
}

/** Brings the counted cells over. Their number is asked first, so that each piece goes straight to its place. */
const readCells = async (tables: Tables, dictionaries: readonly Dictionary[], condition: string) => {
  const [[cells]] = (await tables.rows(`SELECT CAST(count(*) AS DOUBLE) FROM cells WHERE ${condition}`)) as number[][]
  const indices = dictionaries.map(() => new Int32Array(cells))
  const values = new Float64Array(cells)
  const codes = dictionaries.map(({ code }) => code).join(', ')
  let from = 0
  await tables.columns(`SELECT ${codes}, value FROM cells WHERE ${condition}`, piece => {
    dictionaries.forEach(({ positions }, n) => {
      const [column, given] = [indices[n], piece[n]]
      for (let i = 0; i < given.length; i++) column[from + i] = given[i] < 0 ? given[i] : positions[given[i]]
    })
    const given = piece[dictionaries.length]
    values.set(given, from)
    from += given.length
  })
  return { indices, values }
}
