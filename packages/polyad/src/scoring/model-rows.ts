import { type Constraints, DataError, type Label, MISSING, type Model, OptionError } from '@polyad/core'
import { advise, defined, words } from '@polyad/core/options'
import type { Tables } from '../duckdb/client.ts'
import { NEVER_SEEN } from '../duckdb/messages.ts'
import type { StoredModel } from '../output/model-store.ts'
import { badValueError } from '../source/relation/bad-value.ts'
import { numberSql } from '../source/relation/bin-sql.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { valueSql } from '../source/relation/values.ts'
import { type Column, columnNamed, type Inspection } from '../table/columns/columns.ts'
import { dictionaryOf } from '../table/values/dictionary.ts'
import { recipeColumns } from '../table/view/recipe.ts'
import { recordedFit } from '../table/view/recorded-fit.ts'
import type { Rule } from '../table/view/value-fault.ts'
import type { ModelTable } from './model-table.ts'
import { scored } from './score-table.ts'
import { designCodes, type TableSample } from './table-sample.ts'

/** Whether a column holds numbers, or categories. */
export type ColumnKind = 'number' | 'category'

/** A column that the model does not know, as it is read beside the answers. */
export interface RowColumn {
  readonly name: string
  readonly kind: ColumnKind
  /** Of categories. */
  readonly labels?: readonly Label[]
}

/** A column that is to be read, what for, as messages say it, and how many categories it may have. */
export interface WantedColumn {
  readonly name: string
  readonly what: string
  readonly kind: ColumnKind | undefined
  readonly most: number
}

/** Finds a column that is neither an answer nor empty, and what it holds. */
export const wantedColumn = (
  { seen, name: table }: { readonly seen: Inspection; readonly name: string },
  { recipe }: StoredModel,
  { name, what, kind }: WantedColumn,
): { readonly column: Column; readonly kind: ColumnKind } => {
  const column = columnNamed(seen, name, ` for the ${what}`, { name: table })
  const shown = JSON.stringify(column.name)
  if (recipeColumns(recipe).some(own => own.toLowerCase() === column.name.toLowerCase()))
    throw new OptionError(`the classes were made from ${shown}: the ${what} must be another column`)
  if (column.kind === 'nested' || column.kind === 'empty')
    throw new OptionError(`the ${what} ${shown} contains ${column.kind === 'empty' ? 'nothing' : 'lists or records'}`)
  return { column, kind: kind ?? (column.kind === 'number' ? 'number' : 'category') }
}

/** What is wrong with a value that is no number. */
export const noNumber: Rule = shown =>
  words`${JSON.stringify(shown)} is not a number; if it is a category, ${advise('say so with', 'as', 'category')}`

/** Refuses a column that has too few different values, or too many. */
export const checkCategories = ({ name }: Column, distinct: number, { what, most }: WantedColumn): void => {
  const shown = JSON.stringify(name)
  if (distinct < 2) throw new DataError(`the ${what} ${shown} has the same value in every row`)
  if (distinct > most)
    throw new DataError(
      `the ${what} ${shown} has ${distinct} categories, more than the ${most} allowed: is it an identifier, or a number?`,
    )
}

/** A column with the SQL of a number: its value, or the number of its category, of which the label's position is known. */
interface SqlColumn extends RowColumn {
  readonly sql: string
  readonly positions?: Int32Array
}

const sqlColumn = async (
  tables: Tables,
  { relation, seen }: ModelTable,
  stored: StoredModel,
  wanted: WantedColumn,
): Promise<SqlColumn> => {
  const { column, kind } = wantedColumn({ seen, name: relation.name }, stored, wanted)
  const value = valueSql(column, relation, stored.recipe)
  const read =
    kind === 'number'
      ? numbers(tables, relation, column, value)
      : categories(tables, relation, column, value, wanted, `polyad_labels${seen.columns.indexOf(column)}`)
  return { name: column.name, kind, ...(await read) }
}

type Read = Pick<SqlColumn, 'sql' | 'labels' | 'positions'>

const numbers = async (
  tables: Tables,
  relation: ModelTable['relation'],
  column: Column,
  value: string,
): Promise<Read> => {
  const x = numberSql(value)
  const condition = `(${value} IS NOT NULL AND (${x} IS NULL OR NOT isfinite(${x})))`
  const found = await tables.rows(`SELECT 1 FROM ${relation.from} WHERE ${condition} LIMIT 1`)
  if (found.length > 0)
    throw await badValueError(tables, relation, [{ column: column.name, sql: column.key, condition, rule: noNumber }])
  return { sql: `coalesce(${x}, 'NaN'::DOUBLE)` }
}

const categories = async (
  tables: Tables,
  relation: ModelTable['relation'],
  column: Column,
  value: string,
  wanted: WantedColumn,
  type: string,
): Promise<Read> => {
  const known = `SELECT DISTINCT ${value} AS v FROM ${relation.from} WHERE ${value} IS NOT NULL`
  const [[distinct]] = (await tables.rows(`SELECT CAST(count(*) AS DOUBLE) FROM (${known})`)) as number[][]
  checkCategories(column, distinct, wanted)
  await tables.run(`DROP TYPE IF EXISTS ${type}; CREATE TYPE ${type} AS ENUM (${known} ORDER BY v)`)
  const [[texts]] = (await tables.rows(`SELECT enum_range(NULL::${type})::VARCHAR[]`)) as [string[]][]
  const sql = `CAST(coalesce(CAST(enum_code(TRY_CAST(${value} AS ${type})) AS INTEGER), -1) AS DOUBLE)`
  return { sql, ...dictionaryOf({ column, binning: undefined }, texts) }
}

/** The rows of a table as a model classifies them, with other columns. */
export interface ModelRows {
  readonly columns: readonly RowColumn[]
  /** Answers as positions of the model's labels; of a model with covariates the posteriors, which depend on more. */
  readonly classified:
    | {
        readonly model: Model
        readonly answers: readonly Int32Array[]
        readonly constraints?: Constraints
        readonly fittedTo?: number
      }
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
export const readModelRows = (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  sample: TableSample,
  wanted: readonly WantedColumn[],
): Promise<ModelRows> =>
  rewordErrors(table.relation, async () => {
    const columns: SqlColumn[] = []
    for (const each of wanted) columns.push(await sqlColumn(tables, table, stored, each))
    return readColumns(tables, table, stored, sample, columns)
  })

const readColumns = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  sample: TableSample,
  columns: readonly SqlColumn[],
): Promise<ModelRows> => {
  const { model } = stored
  const isExplained = model.structure.kind !== 'shares'
  const own = isExplained ? model.shares.map((_, k) => `polyad_result[${4 + k}]`) : table.codes
  const from = isExplained ? scored(table) : table.relation.from
  const drawn = sample.cluster === undefined ? [] : await designCodes(tables, table, sample)
  const design = drawn.map(({ sql }) => sql)
  const wanted = [...own, ...columns.map(({ sql }) => sql), table.weight, sample.weights.sql, ...design]
  const parts = wanted.map((): Float64Array[] => [])
  const add = (piece: readonly ArrayLike<unknown>[]) =>
    piece.forEach((each, i) => void parts[i].push(Float64Array.from(each as ArrayLike<number>)))
  await tables.columns(`SELECT ${wanted.join(', ')} FROM ${from}`, add)
  if (design.length > 0 && table.whole !== table.relation.from) {
    // Clusters whose rows were left out are part of the sample all the same, with rows that count for nothing.
    const nothing = own.map((_, k) => (isExplained ? (k === 0 ? 1 : 0) : MISSING))
    const idle = [...nothing, ...columns.map(() => 0), 0, 0].map(each => `CAST(${each} AS DOUBLE)`)
    await tables.columns(`SELECT DISTINCT ${[...idle, ...design].join(', ')} FROM ${table.whole}`, add)
  }
  const all = parts.map(joined)
  const [counts, weights, clusters, strata] = all.slice(own.length + columns.length)
  const values = columns.map(({ positions }, i) => {
    const codes = all[own.length + i]
    return positions === undefined ? codes : codes.map(code => (code < 0 ? -1 : positions[code]))
  })
  const first = all.slice(0, own.length)
  return {
    columns,
    values,
    counts,
    weights,
    ...defined({ clusters }),
    ...(sample.stratum !== undefined && { strata: Array.from(strata, code => drawn[1].labels[code]) }),
    classified: isExplained ? posteriorsOf(first) : answersOf(stored, first),
  }
}

/** Answers as a model without covariates takes them. */
export const answersOf = (stored: StoredModel, codes: readonly ArrayLike<number>[]): ModelRows['classified'] => {
  const answers = codes.map(own => Int32Array.from(own, code => (code === NEVER_SEEN ? MISSING : code)))
  return { model: stored.model, answers, ...fittedAs(stored) }
}

/** Posteriors by row and class, from a column for every class. */
export const posteriorsOf = (columns: readonly Float64Array[]): ModelRows['classified'] => {
  const [classes, rows] = [columns.length, columns[0].length]
  return {
    posteriors: Float64Array.from(
      { length: rows * classes },
      (_, at) => columns[at % classes][Math.floor(at / classes)],
    ),
    classes,
  }
}

/** What the record of a model says of how it was fitted, as far as its uncertainty depends on it. */
const fittedAs = ({ run }: StoredModel): { constraints?: Constraints; fittedTo?: number } => {
  const { constraints, total } = recordedFit(run)
  return defined({ constraints, fittedTo: total })
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
