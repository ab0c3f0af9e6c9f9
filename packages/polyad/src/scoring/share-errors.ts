import { type CategoryShares, categoryShares } from '@polyad/core/stats'
import type { Tables } from '../duckdb/client.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import type { ModelTable } from './model-table.ts'
import { scored } from './score-table.ts'
import type { SampleNames, TableSample } from './table-sample.ts'

/** The shares of the classes that rows are given, with errors by the design; undefined if rows have neither weights nor clusters. */
export const shareErrors = async (
  tables: Tables,
  table: ModelTable,
  { weights, cluster, stratum }: TableSample,
  rank: number,
): Promise<CategoryShares | undefined> => {
  if (weights.column === undefined && cluster === undefined) return undefined
  const design = [cluster, stratum].map(column => column?.sql ?? "''")
  const sums = [weights.sql, `${weights.sql} * ${weights.sql}`, '1'].map(
    each => `sum(${table.weight} * ${each})::DOUBLE`,
  )
  const rows = (await rewordErrors(table.relation, () =>
    tables.rows(
      `SELECT ${design.join(', ')}, CAST(polyad_result[1] AS INTEGER), ${sums.join(', ')} FROM ${scored(table)} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    ),
  )) as readonly ShareRow[]
  // Clusters whose rows were left out are part of the sample all the same.
  const others =
    cluster === undefined || table.whole === table.relation.from
      ? []
      : (
          (await tables.rows(`SELECT DISTINCT ${design.join(', ')} FROM ${table.whole} ORDER BY 1, 2`)) as [
            string,
            string,
          ][]
        ).map(([c, h]): ShareRow => [c, h, 0, 0, 0, 0])
  return sharesOf([...rows, ...others], rank, { cluster, stratum })
}

/** Cluster, stratum, class from 0; the sums of weights, of their squares and of counts. */
export type ShareRow = readonly [
  cluster: string,
  stratum: string,
  category: number,
  weights: number,
  squares: number,
  counts: number,
]

export const sharesOf = (
  rows: readonly ShareRow[],
  rank: number,
  { cluster, stratum }: Pick<SampleNames, 'cluster' | 'stratum'>,
): CategoryShares =>
  categoryShares({
    categories: rank,
    category: rows.map(row => row[2]),
    weights: rows.map(row => row[3]),
    squares: rows.map(row => row[4]),
    counts: rows.map(row => row[5]),
    ...(cluster !== undefined && { clusters: rows.map(row => row[0]) }),
    ...(stratum !== undefined && { strata: rows.map(row => row[1]) }),
  })
