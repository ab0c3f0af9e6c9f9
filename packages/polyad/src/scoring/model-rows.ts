import { type Constraints, DataError, type Label, MISSING, type Model, OptionError } from '@polyad/core'
import { advise, words } from '@polyad/core/options'
import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN } from '../duckdb/messages.ts'
import type { StoredModel } from '../output/model-store.ts'
import { badValueError } from '../source/relation/bad-value.ts'
import { numberSql } from '../source/relation/bin-sql.ts'
import { valueSql } from '../source/relation/values.ts'
import { type Column, columnNamed } from '../table/columns/columns.ts'
import { dictionaryOf } from '../table/values/dictionary.ts'
import { recipeColumns } from '../table/view/recipe.ts'
import type { ModelTable } from './model-table.ts'
import { scored } from './score-table.ts'
import { designCodes, type TableSample } from './table-sample.ts'

/** Whether a column holds numbers, or categories. */
export type ColumnKind = 'number' | 'category'

/** A column that the model does not know, as it is read beside the answers. */
export interface RowColumn {
  readonly name: string
  readonly kind: ColumnKind
  /** SQL of a number: its value, or the number of its category. */
  readonly sql: string
  /** Of categories. */
  readonly labels?: readonly Label[]
  readonly positions?: Int32Array
}

/** What a column is for, as messages say it, and how many categories it may have. */
interface ColumnUse {
  readonly what: string
  readonly kind: ColumnKind | undefined
  readonly most: number
}

/** Finds a column that is neither an answer nor empty, and how it is read. */
export const rowColumn = async (
  tables: Tables,
  { relation, seen }: ModelTable,
  { recipe }: StoredModel,
  name: string,
  { what, kind: asked, most }: ColumnUse,
): Promise<RowColumn> => {
  const column = columnNamed(seen, name, ` for the ${what}`, relation)
  const shown = JSON.stringify(column.name)
  if (recipeColumns(recipe).some(own => own.toLowerCase() === column.name.toLowerCase()))
    throw new OptionError(`the classes were made from ${shown}: the ${what} must be another column`)
  if (column.kind === 'nested' || column.kind === 'empty')
    throw new OptionError(`the ${what} ${shown} contains ${column.kind === 'empty' ? 'nothing' : 'lists or records'}`)
  const kind = asked ?? (column.kind === 'number' ? 'number' : 'category')
  const value = valueSql(column, relation, recipe)
  const read = kind === 'number' ? numbers(tables, relation, column, value) : categories(tables, relation, column, value, { what, most }, `polyad_labels${seen.columns.indexOf(column)}`) // biome-ignore format: one choice
  return { name: column.name, kind, ...(await read) }
}

type Read = Pick<RowColumn, 'sql' | 'labels' | 'positions'>

const numbers = async (
  tables: Tables,
  relation: ModelTable['relation'],
  column: Column,
  value: string,
): Promise<Read> => {
  const x = numberSql(value)
  const condition = `(${value} IS NOT NULL AND (${x} IS NULL OR NOT isfinite(${x})))`
  const rule = (shown: string | null) =>
    words`${JSON.stringify(shown)} is not a number; if it is a category, ${advise('say so with', 'as', 'category')}`
  const found = await tables.rows(`SELECT 1 FROM ${relation.from} WHERE ${condition} LIMIT 1`)
  if (found.length > 0)
    throw await badValueError(tables, relation, [{ column: column.name, sql: column.key, condition, rule }])
  return { sql: `coalesce(${x}, 'NaN'::DOUBLE)` }
}

const categories = async (
  tables: Tables,
  relation: ModelTable['relation'],
  column: Column,
  value: string,
  { what, most }: Pick<ColumnUse, 'what' | 'most'>,
  type: string,
): Promise<Read> => {
  const shown = JSON.stringify(column.name)
  const known = `SELECT DISTINCT ${value} AS v FROM ${relation.from} WHERE ${value} IS NOT NULL`
  const [[distinct]] = (await tables.rows(`SELECT CAST(count(*) AS DOUBLE) FROM (${known})`)) as number[][]
  if (distinct < 2) throw new DataError(`the ${what} ${shown} has the same value in every row`)
  if (distinct > most)
    throw new DataError(`the ${what} ${shown} has ${distinct} categories, more than the ${most} allowed: is it an identifier, or a number?`) // biome-ignore format: one message
  await tables.run(`DROP TYPE IF EXISTS ${type}; CREATE TYPE ${type} AS ENUM (${known} ORDER BY v)`)
  const [[texts]] = (await tables.rows(`SELECT enum_range(NULL::${type})::VARCHAR[]`)) as [string[]][]
  const sql = `CAST(coalesce(CAST(enum_code(TRY_CAST(${value} AS ${type})) AS INTEGER), -1) AS DOUBLE)`
  return { sql, ...dictionaryOf({ column, binning: undefined }, texts) }
}

/** The rows of a table as a model classifies them, with other columns. */
export interface ModelRows {
  /** Answers as positions of the model's labels; of a model with covariates the posteriors, which depend on more. */
  readonly classified:
    | { readonly model: Model; readonly answers: readonly Int32Array[]; readonly constraints?: Constraints; readonly fittedTo?: number } // biome-ignore format: one line
    | { readonly posteriors: Float64Array; readonly classes: number }
  /** For every column its values: numbers, NaN where missing, or the positions of labels, −1 where missing. */
  readonly values: readonly Float64Array[]
  /** How often every row was seen, and how much each time weighs. */
  readonly counts: Float64Array
  readonly weights: Float64Array
  /** Numbers of clusters, if rows were drawn in clusters, and names of strata, if there are some. */
  readonly clusters?: Float64Array
  readonly strata?: readonly string[]
}

/** Reads all rows. For a model with covariates `polyad_score` must be known. */
export const readModelRows = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  sample: TableSample,
  columns: readonly RowColumn[],
): Promise<ModelRows> => {
  const { model, recipe } = stored
  const explained = recipe.covariates !== undefined
  const own = explained ? model.shares.map((_, k) => `polyad_result[${4 + k}]`) : table.codes
  const from = explained ? scored(table) : table.relation.from
  const drawn = sample.cluster === undefined ? [] : await designCodes(tables, table, sample)
  const design = drawn.map(({ sql }) => sql)
  const wanted = [...own, ...columns.map(({ sql }) => sql), table.weight, sample.weights.sql, ...design]
  const parts = wanted.map((): Float64Array[] => [])
  const add = (piece: readonly ArrayLike<unknown>[]) =>
    piece.forEach((each, i) => void parts[i].push(Float64Array.from(each as ArrayLike<number>)))
  await tables.columns(`SELECT ${wanted.join(', ')} FROM ${from}`, add)
  if (design.length > 0 && table.whole !== table.relation.from) {
    // Clusters whose rows were left out are part of the sample all the same, with rows that count for nothing.
    const nothing = own.map((_, k) => (explained ? (k === 0 ? 1 : 0) : MISSING))
    const idle = [...nothing, ...columns.map(() => 0), 0, 0].map(each => `CAST(${each} AS DOUBLE)`)
    await tables.columns(`SELECT DISTINCT ${[...idle, ...design].join(', ')} FROM ${table.whole}`, add)
  }
  const all = parts.map(joined)
  const [counts, weights, clusters, strata] = all.slice(own.length + columns.length)
  const values = columns.map(({ positions }, i) => {
    const codes = all[own.length + i]
    return positions === undefined ? codes : codes.map(code => (code < 0 ? -1 : positions[code]))
  })
  const rows = {
    ...{ values, counts, weights },
    ...(clusters !== undefined && { clusters }),
    ...(sample.stratum !== undefined && { strata: Array.from(strata, code => drawn[1].labels[code]) }),
  }
  const first = all.slice(0, own.length)
  if (!explained) {
    const answers = first.map(codes => Int32Array.from(codes, code => (code === NEVER_SEEN ? MISSING : code)))
    return { ...rows, classified: { model, answers, ...fittedAs(stored) } }
  }
  const { rank } = model
  const posteriors = Float64Array.from({ length: counts.length * rank }, (_, at) => first[at % rank][Math.floor(at / rank)]) // biome-ignore format: one call
  return { ...rows, classified: { posteriors, classes: rank } }
}

/** What the record of a model says of how it was fitted, as far as its uncertainty depends on it. */
const fittedAs = ({ run }: StoredModel): { constraints?: Constraints; fittedTo?: number } => {
  const [options, result] = [run?.options, run?.result].map(each => (each ?? {}) as Record<string, unknown>)
  const { constraints } = options
  const { total } = result
  return {
    ...(typeof constraints === 'object' && constraints !== null && { constraints: constraints as Constraints }),
    ...(typeof total === 'number' && total > 0 && { fittedTo: total }),
  }
}

const joined = (parts: readonly Float64Array[]): Float64Array => {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}
