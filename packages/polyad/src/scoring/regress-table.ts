import {
  DataError,
  type Label,
  MISSING,
  OptionError,
  type RegressOptions,
  type Tensor,
  tensorFromColumns,
} from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import type { StoredModel } from '../output/model-store.ts'
import { explained } from '../source/relation/faults.ts'
import { findColumn } from '../table/columns/columns.ts'
import { type ColumnKind, type ModelRows, type RowColumn, readModelRows, rowColumn } from './model-rows.ts'
import type { ModelTable } from './model-table.ts'
import { type SampleRequest, sampleTable, type TableSample } from './table-sample.ts'

export interface RegressRequest extends SampleRequest {
  /** As they are given: `age`, or `age*party`. */
  readonly covariates: readonly string[]
  /** Covariates whose numbers are categories. */
  readonly categories: readonly string[]
  /** An outcome to read besides, and what it is; by default a number if all of its values are. */
  readonly outcome?: { readonly name: string; readonly kind: ColumnKind | undefined }
}

/** More categories are not even listed: the library refuses fewer. An outcome with more than the second is an identifier. */
const MOST_CATEGORIES = { covariate: 10_000, outcome: 100 }

/** The answers of a table's rows and their covariates as a tensor, and what a regression needs besides. */
export interface RegressTable {
  readonly tensor: Tensor
  /** The covariates by the names of their columns. */
  readonly covariates: readonly string[]
  readonly options: Pick<RegressOptions, 'squares' | 'design' | 'constraints' | 'fittedTo'>
  readonly outcome: RowColumn | undefined
  readonly sample: TableSample
}

export const readRegress = async (
  tables: Tables,
  table: ModelTable,
  stored: StoredModel,
  { covariates, categories, outcome: asked, ...request }: RegressRequest,
): Promise<RegressTable> => {
  const { relation, seen } = table
  if (stored.recipe.covariates !== undefined)
    throw new OptionError(
      `${stored.path} was fitted with covariates, which explain its classes already: fit the classes without them`,
    )
  const sample = await sampleTable(tables, table, stored, request)
  return explained(relation, async () => {
    const products = covariates.map(text =>
      findColumn(seen.columns, text) === undefined ? text.split('*').map(name => name.trim()) : [text],
    )
    const columns: RowColumn[] = []
    for (const name of new Set(products.flat())) {
      const asCategory = categories.some(each => each.toLowerCase() === name.toLowerCase())
      const use = {
        what: 'covariate',
        kind: asCategory ? ('category' as const) : undefined,
        most: MOST_CATEGORIES.covariate,
      }
      columns.push(await rowColumn(tables, table, stored, name, use))
    }
    const outcome =
      asked &&
      (await rowColumn(tables, table, stored, asked.name, {
        ...{ what: 'outcome', kind: asked.kind, most: MOST_CATEGORIES.outcome },
      }))
    const all = outcome === undefined ? columns : [...columns, outcome]
    const rows = await readModelRows(tables, table, stored, sample, all)
    const named = (name: string) => columns.find(each => each.name.toLowerCase() === name.toLowerCase())?.name ?? name
    return { ...tensorOf(rows, all, stored, sample), covariates: products.map(each => each.map(named).join('*')), outcome, sample } // biome-ignore format: one object
  })
}

/** Cells of rows that have the same answers, covariates, weight and cluster. */
const tensorOf = (
  rows: ModelRows,
  columns: readonly RowColumn[],
  { model, path }: StoredModel,
  sample: TableSample,
): Pick<RegressTable, 'tensor' | 'options'> => {
  const { classified, values, counts, weights, clusters, strata } = rows
  if (!('answers' in classified)) throw new OptionError(`${path} was fitted with covariates`)
  const { answers, constraints, fittedTo } = classified
  const explaining = columns.map(({ name, labels }, i) => ({ name, ...codesOf(values[i], labels) }))
  // A stratum may explain, too, and is then a mode of both kinds.
  const named = ({ name } = { name: '' }, what: string) =>
    columns.some(each => each.name === name) ? `${name} (${what})` : name
  const names = { cluster: named(sample.cluster, 'cluster'), stratum: named(sample.stratum, 'stratum') }
  const design = [
    ...(clusters === undefined ? [] : [{ name: names.cluster, ...codesOf(clusters) }]),
    ...(strata === undefined ? [] : [{ name: names.stratum, ...namesOf(strata) }]),
  ]
  const modes = [
    ...model.modes.map(({ name, labels, ordered, size }) => ({ name, labels: labels ?? Array.from({ length: size }, (_, j) => j), ...(ordered && { ordered }) })), // biome-ignore format: one object
    ...[...explaining, ...design].map(({ name, labels }) => ({ name, labels })),
  ]
  const twice = modes.find(({ name }, n) => modes.findIndex(mode => mode.name === name) < n)
  if (twice !== undefined)
    throw new OptionError(
      `column ${JSON.stringify(twice.name)} is named twice: a column is either a covariate or the outcome`,
    )
  const indices = [...answers, ...[...explaining, ...design].map(({ codes }) => codes)]
  const build = (value: (i: number) => number) =>
    tensorFromColumns(indices, counts.map((_, i) => value(i)), { shape: modes.map(({ labels }) => labels.length), modes }) // biome-ignore format: one call
  if (!counts.some((count, i) => count * weights[i] > 0))
    throw new DataError('all counts and weights are zero: there is nothing to count')
  const weighed = sample.weights.column !== undefined
  return {
    tensor: build(i => counts[i] * weights[i]),
    options: {
      ...(constraints !== undefined && { constraints }),
      ...(fittedTo !== undefined && { fittedTo }),
      ...(weighed && clusters === undefined && { squares: build(i => counts[i] * weights[i] ** 2).values }),
      ...(clusters !== undefined && {
        design: {
          cluster: names.cluster,
          ...(strata !== undefined && { stratum: names.stratum }),
          sizes: drawn(clusters, strata),
        },
      }),
    },
  }
}

/** Names of columns as a tensor has them, whatever their case. */
export const columnNames = ({ modes }: Tensor) => {
  const column = (name: string) => modes.find(mode => mode.name.toLowerCase() === name.toLowerCase())?.name ?? name
  return {
    column,
    record: <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [column(name), value])),
  }
}

/** Values as positions of labels: of numbers those that occur, in their order. */
const codesOf = (values: Float64Array, labels?: readonly Label[]): { codes: Int32Array; labels: readonly Label[] } => {
  if (labels !== undefined) return { codes: Int32Array.from(values), labels }
  const known = Array.from(new Set(values.filter(value => !Number.isNaN(value)))).sort((a, b) => a - b)
  const position = new Map(known.map((value, j) => [value, j]))
  return { codes: Int32Array.from(values, value => position.get(value) ?? MISSING), labels: known }
}

/** Names as positions of labels, in their order. */
const namesOf = (values: readonly string[]): { codes: Int32Array; labels: readonly string[] } => {
  const labels = [...new Set(values)].sort()
  const position = new Map(labels.map((value, j) => [value, j]))
  return { codes: Int32Array.from(values, value => position.get(value) as number), labels }
}

/** How many clusters there are in every stratum, whatever their rows weigh. */
const drawn = (clusters: Float64Array, strata: readonly string[] | undefined): number | Record<string, number> => {
  if (strata === undefined) return new Set(clusters).size
  const within = new Map<string, Set<number>>()
  clusters.forEach((cluster, i) => {
    within.set(strata[i], (within.get(strata[i]) ?? new Set()).add(cluster))
  })
  return Object.fromEntries([...within].map(([stratum, own]) => [stratum, own.size]))
}
