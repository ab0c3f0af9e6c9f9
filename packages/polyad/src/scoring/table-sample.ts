import { MISSING, OptionError } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import type { StoredModel } from '../output/model-store.ts'
import { badValueError } from '../source/relation/bad-value.ts'
import { valueSql } from '../source/relation/values.ts'
import { type Column, columnNamed, findColumn, type Inspection } from '../table/columns/columns.ts'
import type { Rule } from '../table/view/value-fault.ts'
import { type ModelTable, type TableWeights, weighTable } from './model-table.ts'

/** What is asked of the design of a sample; what is not asked is as in the data of the model, if the table has the columns. */
export interface SampleRequest {
  /** The column of sampling weights; 'none': no weights. */
  readonly weights?: string | undefined
  /** The column of clusters; 'none': no clusters. */
  readonly cluster?: string | undefined
  readonly strata?: string | undefined
  /** Whether rows may lack their cluster: they are then in none. */
  readonly unclustered?: boolean
}

/** How the rows of a table were drawn. */
export interface TableSample {
  readonly weights: TableWeights
  /** The columns of clusters and strata, with SQL of their values as text; undefined if there are none. */
  readonly cluster: DesignColumn | undefined
  readonly stratum: DesignColumn | undefined
}

/** The names of the columns by which rows were drawn. */
export interface SampleNames {
  readonly weights: { readonly column: string | undefined }
  readonly cluster: { readonly name: string } | undefined
  readonly stratum: { readonly name: string } | undefined
}

export interface DesignColumn {
  readonly name: string
  readonly sql: string
}

/** The columns by which a table was drawn: those that are asked for, else those of the model's own data that are there. */
export const sampleColumns = (
  { seen, name }: { readonly seen: Inspection; readonly name: string },
  stored: Pick<StoredModel, 'weights' | 'cluster' | 'stratum'>,
  { weights, cluster, strata }: SampleRequest,
): { readonly [K in 'weights' | 'cluster' | 'stratum']: Column | undefined } => {
  const own = (column: string | undefined) => (column === undefined ? undefined : findColumn(seen.columns, column))
  const named = (column: string, what: string) => columnNamed(seen, column, what, { name })
  // Clusters without their strata would be another design.
  const usual = stored.stratum === undefined || own(stored.stratum) !== undefined ? own(stored.cluster) : undefined
  const clusters = cluster === undefined ? usual : cluster === 'none' ? undefined : named(cluster, ' of clusters')
  if (strata !== undefined && clusters === undefined)
    throw new OptionError('--strata needs --cluster: if rows were drawn one by one, name a column that numbers them')
  const layers =
    strata !== undefined
      ? named(strata, ' of strata')
      : cluster === undefined && clusters
        ? own(stored.stratum)
        : undefined
  return {
    weights:
      weights === 'none' ? undefined : weights === undefined ? own(stored.weights) : named(weights, ' of weights'),
    cluster: clusters,
    stratum: layers,
  }
}

/** What is wrong with a row without a cluster or a stratum. */
export const noDesign =
  (what: string): Rule =>
  () =>
    `the ${what} is missing: every row needs one`

/** Finds the columns by which a table was drawn, and checks that every row has its cluster and stratum. */
export const sampleTable = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  request: SampleRequest,
): Promise<TableSample> => {
  const { seen, relation } = table
  const { weights, cluster, stratum } = sampleColumns({ seen, name: relation.name }, stored, request)
  const designColumn = async (column: Column | undefined, what: string): Promise<DesignColumn | undefined> => {
    if (column === undefined) return undefined
    const sql = valueSql(column, relation, stored.recipe)
    if (request.unclustered === true) return { name: column.name, sql }
    const found = await tables.rows(`SELECT 1 FROM ${table.whole} WHERE ${sql} IS NULL LIMIT 1`)
    if (found.length > 0)
      throw await badValueError(tables, { ...relation, from: table.whole }, [
        { column: column.name, sql: column.key, condition: `${sql} IS NULL`, rule: noDesign(what) },
      ])
    return { name: column.name, sql }
  }
  return {
    weights: await weighTable(tables, table, weights),
    cluster: await designColumn(cluster, 'cluster'),
    stratum: await designColumn(stratum, 'stratum'),
  }
}

/** SQL of the numbers of clusters and strata, as a table without texts has them; of rows that are all from one stratum 0. */
export const designCodes = async (
  tables: Tables,
  { whole }: Pick<ModelTable, 'whole'>,
  { cluster, stratum }: Pick<TableSample, 'cluster' | 'stratum'>,
): Promise<readonly { readonly sql: string; readonly labels: readonly string[] }[]> => {
  const coded = async (type: string, column: DesignColumn | undefined) => {
    if (column === undefined) return { sql: 'CAST(0 AS INTEGER)', labels: [''] }
    await tables.run(
      `DROP TYPE IF EXISTS ${type}; CREATE TYPE ${type} AS ENUM (SELECT DISTINCT ${column.sql} AS v FROM ${whole} WHERE ${column.sql} IS NOT NULL ORDER BY v)`,
    )
    const [[labels]] = (await tables.rows(`SELECT enum_range(NULL::${type})::VARCHAR[]`)) as [string[]][]
    return { sql: `coalesce(CAST(enum_code(CAST(${column.sql} AS ${type})) AS INTEGER), ${MISSING})`, labels }
  }
  return [await coded('polyad_clusters', cluster), await coded('polyad_strata', stratum)]
}

/** That the design of the model's own data is used without being asked for. */
export const ownDesignNotes = (sample: SampleNames, asked: SampleRequest): string[] => [
  ...(asked.weights === undefined && sample.weights.column !== undefined
    ? [`weighted by column ${sample.weights.column}, as for the model's own data (--weights none: no weights)`]
    : []),
  ...(asked.cluster === undefined && sample.cluster !== undefined
    ? [
        `clusters are in column ${sample.cluster.name}${sample.stratum === undefined ? '' : `, strata in ${sample.stratum.name}`}, as for the model's own data (--cluster none: no clusters)`,
      ]
    : []),
]
