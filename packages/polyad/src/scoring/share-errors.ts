import { type CategoryShares, categoryShares } from '@polyad/core/stats'
import type { Tables } from '../duckdb/client.ts'
import { explained } from '../source/relation/faults.ts'
import type { ModelTable } from './model-table.ts'
import { scored } from './score-table.ts'
import type { TableSample } from './table-sample.ts'

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
  const rows = (await explained(table.relation, () =>
    tables.rows(
      `SELECT ${design.join(', ')}, CAST(polyad_result[1] AS INTEGER), ${sums.join(', ')} FROM ${scored(table)} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    ),
  )) as [string, string, number, number, number, number][]
  // Clusters whose rows were left out are part of the sample all the same.
  const others =
    cluster === undefined || table.whole === table.relation.from
      ? []
      : ((await tables.rows(`SELECT DISTINCT ${design.join(', ')} FROM ${table.whole} ORDER BY 1, 2`)) as [string, string][]).map(([c, h]) => [c, h, 0, 0, 0, 0] as const) // biome-ignore format: one chain
  const all = [...rows, ...others]
  return categoryShares({
    categories: rank,
    category: all.map(row => row[2]),
    weights: all.map(row => row[3]),
    squares: all.map(row => row[4]),
    counts: all.map(row => row[5]),
    ...(cluster !== undefined && { clusters: all.map(row => row[0]) }),
    ...(stratum !== undefined && { strata: all.map(row => row[1]) }),
  })
}
