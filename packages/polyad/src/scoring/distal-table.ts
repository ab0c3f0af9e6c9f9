import { DataError, type DistalData, OptionError } from '@polyad/core'
import { advise, words } from '@polyad/core/options'
import type { Tables } from '../duckdb/client.ts'
import type { StoredModel } from '../output/model-store.ts'
import { badValueError } from '../source/relation/bad-value.ts'
import { numberSql } from '../source/relation/bin-sql.ts'
import { explained } from '../source/relation/faults.ts'
import { valueSql } from '../source/relation/values.ts'
import { type Column, columnNamed } from '../table/columns/columns.ts'
import { dictionaryOf } from '../table/values/dictionary.ts'
import { recipeColumns } from '../table/view/recipe.ts'
import type { ModelTable } from './model-table.ts'
import { scored } from './score-table.ts'
import { designCodes, type SampleRequest, sampleTable, type TableSample } from './table-sample.ts'

export type OutcomeKind = 'number' | 'category'

export interface DistalOptions extends SampleRequest {
  readonly outcome: string
  /** Default: a number where all of its values are. */
  readonly kind: OutcomeKind | undefined
}

/** A column with more categories than this is no outcome, but an identifier. */
const MOST_CATEGORIES = 100

/** The posteriors of a table's rows, and their outcome, counts and weights, as columns. `polyad_score` must be known. */
export const readDistal = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  { outcome, kind: asked, ...request }: DistalOptions,
): Promise<{ data: DistalData; kind: OutcomeKind; sample: TableSample }> => {
  const { relation, seen } = table
  const { rank } = stored.model
  const column = columnNamed(seen, outcome, ' for the outcome', relation)
  if (recipeColumns(stored.recipe).some(name => name.toLowerCase() === column.name.toLowerCase()))
    throw new OptionError(
      `the classes were made from ${JSON.stringify(column.name)}: the outcome must be another column`,
    )
  if (column.kind === 'nested' || column.kind === 'empty')
    throw new OptionError(
      `the outcome ${JSON.stringify(column.name)} holds ${column.kind === 'empty' ? 'nothing' : 'lists or records'}`,
    )
  const kind = asked ?? (column.kind === 'number' ? 'number' : 'category')
  const sample = await sampleTable(tables, table, stored, request)
  const { sql: weight } = sample.weights
  const value = valueSql(column, relation, stored.recipe)
  return explained(relation, async () => {
    const { sql, labels, positions } =
      kind === 'number' ? await numbers(tables, table, column, value) : await categories(tables, table, column, value)
    const posterior = Array.from({ length: rank }, (_, k) => `polyad_result[${4 + k}]`)
    const design = sample.cluster === undefined ? [] : (await designCodes(tables, table, sample)).map(each => each.sql)
    const wanted = [...posterior, sql, table.weight, weight, ...design]
    const parts = wanted.map((): Float64Array[] => [])
    const add = (piece: readonly ArrayLike<unknown>[]) =>
      piece.forEach((own, i) => void parts[i].push(Float64Array.from(own as ArrayLike<number>)))
    await tables.columns(`SELECT ${wanted.join(', ')} FROM ${scored(table)}`, add)
    if (design.length > 0 && table.whole !== table.relation.from) {
      // Clusters whose rows were left out are part of the sample all the same, with rows that count for nothing.
      const idle = [...posterior.map((_, k) => (k === 0 ? 1 : 0)), 0, 0, 0].map(each => `CAST(${each} AS DOUBLE)`)
      await tables.columns(`SELECT DISTINCT ${[...idle, ...design].join(', ')} FROM ${table.whole}`, add)
    }
    const [outcomes, counts, sampled, clusters, strata] = parts.slice(rank).map(joined)
    const columns = parts.slice(0, rank).map(joined)
    const posteriors = Float64Array.from({ length: outcomes.length * rank }, (_, at) => {
      return columns[at % rank][Math.floor(at / rank)]
    })
    return {
      kind,
      sample,
      data: {
        ...{ posteriors, classes: rank, counts, weights: sampled },
        outcome: positions === undefined ? outcomes : outcomes.map(code => (code < 0 ? -1 : positions[code])),
        ...(labels !== undefined && { labels }),
        ...(clusters !== undefined && { clusters, strata }),
      },
    }
  })
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

type Outcome = { readonly sql: string; readonly labels?: DistalData['labels']; readonly positions?: Int32Array }

const numbers = async (tables: Tables, { relation }: ModelTable, column: Column, value: string): Promise<Outcome> => {
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
  { relation }: ModelTable,
  column: Column,
  value: string,
): Promise<Outcome> => {
  const { name } = column
  const known = `SELECT DISTINCT ${value} AS v FROM ${relation.from} WHERE ${value} IS NOT NULL`
  const [[distinct]] = (await tables.rows(`SELECT CAST(count(*) AS DOUBLE) FROM (${known})`)) as number[][]
  if (distinct < 2) throw new DataError(`the outcome ${JSON.stringify(name)} has the same value in every row`)
  if (distinct > MOST_CATEGORIES)
    throw new DataError(`the outcome ${JSON.stringify(name)} has ${distinct} categories: at most ${MOST_CATEGORIES}; is it an identifier, or a number?`) // biome-ignore format: one message
  await tables.run(`DROP TYPE IF EXISTS outcome_labels; CREATE TYPE outcome_labels AS ENUM (${known} ORDER BY v)`)
  const [[texts]] = (await tables.rows('SELECT enum_range(NULL::outcome_labels)::VARCHAR[]')) as [string[]][]
  const sql = `CAST(coalesce(CAST(enum_code(TRY_CAST(${value} AS outcome_labels)) AS INTEGER), -1) AS DOUBLE)`
  return { sql, ...dictionaryOf({ column, binning: undefined }, texts) }
}
