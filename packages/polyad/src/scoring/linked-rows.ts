import type { Model } from '@polyad/core'
import { isLinked, type LinkedStructure } from '@polyad/core/model'
import { omit } from '@polyad/core/options'
import type { Tables } from '../duckdb/client.ts'
import { literal } from '../duckdb/sql-text.ts'
import type { StoredModel } from '../output/model-store.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { numberedRows } from '../source/relation/relation.ts'
import { valueSql } from '../source/relation/values.ts'
import { columnNamed, type Inspection } from '../table/columns/columns.ts'
import { type LinkedScores, linkedScores, type UnitColumn } from '../table/memory/linked-scores.ts'
import type { ModelTable } from './model-table.ts'
import type { SmallModelTable } from './small-model-table.ts'

/** The column that says which rows belong together. */
const unitColumn = (structure: LinkedStructure, seen: Inspection, name: string) =>
  structure.kind === 'chain'
    ? columnNamed(seen, structure.person, ', the persons of the model', { name })
    : columnNamed(seen, structure.within, ', the groups of the model', { name })

/** The structure of a model whose rows belong together; undefined for others. */
const linkedIn = ({ structure }: Model): LinkedStructure | undefined => (isLinked(structure) ? structure : undefined)

/** The codes, persons and waves of rows, as `linkedClasses` takes them. */
const linkable = (columns: readonly ArrayLike<number>[], modes: number) => {
  const codes = columns.slice(0, modes).map(column => Int32Array.from(column))
  const [units, counts, waves] = columns.slice(modes)
  return {
    codes,
    units: Int32Array.from(units),
    counts,
    ...(waves !== undefined && { waves: Int32Array.from(waves, wave => (wave >= 0 ? wave : -1)) }),
  }
}

/** What a model says of the used rows of a small table, spread over all of its rows; undefined if nothing links them. */
export const smallLinkedScores = (table: SmallModelTable, { model, recipe }: StoredModel): LinkedScores | undefined => {
  const structure = linkedIn(model)
  if (structure === undefined) return undefined
  const { view, seen, codes, given, counts, used } = table
  const { texts, codes: units } = view.values(unitColumn(structure, seen, view.name), recipe)
  const columns = [...codes, units, counts, ...(structure.kind === 'chain' ? given.slice(0, 1) : [])]
  const found = linkedScores(
    model,
    linkable(
      columns.map(column => Float64Array.from(used, row => column[row])),
      codes.length,
    ),
    unit => texts[unit],
  )
  if (used.length === view.rows) return found
  const { rank } = model
  const posteriors = new Float64Array(view.rows * rank)
  used.forEach((row, i) => void posteriors.set(found.posteriors.subarray(i * rank, (i + 1) * rank), row * rank))
  const spread = <T extends Int32Array | Float64Array>(values: T, into: T): T => {
    used.forEach((row, i) => {
      into[row] = values[i]
    })
    return into
  }
  return {
    ...found,
    posteriors,
    classes: spread(found.classes, new Int32Array(view.rows)),
    probabilities: spread(found.probabilities, new Float64Array(view.rows)),
    logLikelihoods: spread(found.logLikelihoods, new Float64Array(view.rows)),
    columns: found.columns.map(column => ({ ...column, values: spread(column.values, new Float64Array(view.rows)) })),
  }
}

/** The table that the rows and what a model says of them are in. */
const LINKED_TABLE = 'polyad_linked'

/**
 * What a model says of the rows of a table in DuckDB, which are read together, and the table with it as `polyad_result`: [class from 0, its probability, log-likelihood of
 * the person or group, every posterior, the columns of persons or groups …]. Undefined if nothing links them.
 */
export const linkedTable = async (
  tables: Tables,
  table: ModelTable,
  { model, recipe }: StoredModel,
): Promise<{ readonly table: ModelTable; readonly scores: LinkedScores } | undefined> => {
  const structure = linkedIn(model)
  if (structure === undefined) return undefined
  const { relation, seen, codes, given, weight } = table
  const unit = valueSql(unitColumn(structure, seen, relation.name), relation, recipe)
  const number = `CASE WHEN ${unit} IS NULL THEN -1 ELSE dense_rank() OVER (ORDER BY ${unit}) END`
  const wanted = [...codes, number, weight, ...(structure.kind === 'chain' ? given.slice(0, 1) : [])]
  const parts = wanted.map((): number[] => [])
  const select = wanted.map(sql => `CAST(${sql} AS DOUBLE)`).join(', ')
  await rewordErrors(relation, () =>
    tables.columns(`SELECT ${select} FROM ${numberedRows(relation)} ORDER BY polyad_row`, piece =>
      piece.forEach((column, i) => {
        for (const value of column) parts[i].push(value)
      }),
    ),
  )
  const names = (await tables.rows(
    `SELECT DISTINCT CAST(${unit} AS VARCHAR) FROM ${relation.from} WHERE ${unit} IS NOT NULL ORDER BY ${unit}`,
  )) as string[][]
  const scores = linkedScores(model, linkable(parts, codes.length), at => names[at - 1][0])
  const { rank } = model
  const rows = scores.classes.length
  const columns = [
    Float64Array.from(scores.classes),
    scores.probabilities,
    scores.logLikelihoods,
    ...Array.from({ length: rank }, (_, k) =>
      Float64Array.from({ length: rows }, (_, row) => scores.posteriors[row * rank + k]),
    ),
    ...scores.columns.map(({ values }) => values),
  ]
  const result = `[${columns.map((_, i) => `s${i}`).join(', ')}]`
  const all = columns.map((_, i) => `s${i}`).join(', ')
  await rewordErrors(relation, () =>
    tables.run(
      `CREATE OR REPLACE TEMP TABLE ${LINKED_TABLE} AS SELECT * EXCLUDE (polyad_at, ${all}), ${result} AS polyad_result ` +
        `FROM (SELECT *, row_number() OVER (ORDER BY polyad_row) AS polyad_at FROM ${numberedRows(relation)}) AS rows ` +
        'JOIN (SELECT *, row_number() OVER () AS polyad_at FROM polyad_scores) AS scores USING (polyad_at) ORDER BY polyad_row',
      [{ name: 'polyad_scores', rows, columns: columns.map((values, i) => ({ name: `s${i}`, values })) }],
    ),
  )
  const from = `(SELECT * EXCLUDE (polyad_result, polyad_row) FROM ${LINKED_TABLE})`
  const placed = { ...omit(relation, 'chosen'), from }
  return {
    table: { ...table, relation: placed, linked: `(SELECT * EXCLUDE (polyad_row) FROM ${LINKED_TABLE})` },
    scores,
  }
}

/** What is asked for of the columns of persons and groups. */
export interface WantedColumns {
  readonly posterior: boolean
  readonly path: boolean
}

/** Whether a column of persons or groups is appended. */
export const isWanted = ({ option }: UnitColumn, wanted: WantedColumns): boolean =>
  option === undefined || wanted[option]

/** The columns of persons or groups that are appended, with SQL of their values. */
export const linkedColumns = (
  { columns }: LinkedScores,
  { model: { rank, classNames } }: StoredModel,
  wanted: WantedColumns,
): (readonly [name: string, sql: string])[] =>
  columns.flatMap((column, i) => {
    if (!isWanted(column, wanted)) return []
    const value = `polyad_result[${4 + rank + i}]`
    const number = `CAST(nullif(${value}, 'NaN'::DOUBLE) AS INTEGER)`
    const named = classNames === undefined ? `${number} + 1` : `[${classNames.map(literal).join(', ')}][${number} + 1]`
    return [[column.name, column.isClass ? named : column.isNumber ? value : number] as const]
  })
