import {
  DataError,
  type Label,
  MISSING,
  OptionError,
  type RegressOptions,
  type Tensor,
  tensorFromColumns,
} from '@polyad/core'
import { defined } from '@polyad/core/options'
import type { StoredModel } from '../output/model-store.ts'
import { findColumn } from '../table/columns/columns.ts'
import type { Note } from '../table/values/note.ts'
import { missingValuesNotes } from './missing-values-note.ts'
import type { ColumnKind, ModelRows, RowColumn, WantedColumn } from './model-rows.ts'
import type { ScoredRows } from './scored-rows.ts'
import type { SampleNames } from './table-sample.ts'

export interface RegressRequest {
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
  /** What is to be said of values that may mean missing. */
  readonly notes: readonly Note[]
  /** How many observations have an answer and all that was asked for, whatever they weigh, and how many do not. */
  readonly observations: { readonly used: number; readonly left: number }
}

export const readRegress = async (
  rows: ScoredRows,
  stored: StoredModel,
  { covariates, categories, outcome }: RegressRequest,
): Promise<RegressTable> => {
  if (stored.model.structure.kind !== 'shares')
    throw new OptionError(
      `${stored.path} was fitted with covariates, which explain its classes already: fit the classes without them`,
    )
  const products = covariates.map(text =>
    findColumn(rows.seen.columns, text) === undefined ? text.split('*').map(name => name.trim()) : [text],
  )
  const wanted = [...new Set(products.flat())].map((name): WantedColumn => {
    const asCategory = categories.some(each => each.toLowerCase() === name.toLowerCase())
    return { name, what: 'covariate', kind: asCategory ? 'category' : undefined, most: MOST_CATEGORIES.covariate }
  })
  if (outcome !== undefined) wanted.push({ ...outcome, what: 'outcome', most: MOST_CATEGORIES.outcome })
  const read = await rows.read(wanted)
  const explaining = outcome === undefined ? read.columns : read.columns.slice(0, -1)
  const named = (name: string) => explaining.find(each => each.name.toLowerCase() === name.toLowerCase())?.name ?? name
  return {
    ...tensorOf(read, stored, rows.sample),
    covariates: products.map(each => each.map(named).join('*')),
    outcome: outcome && read.columns.at(-1),
    notes: missingValuesNotes(read.columns, read.values),
  }
}

/** Cells of rows that have the same answers, covariates, weight and cluster. */
const tensorOf = (
  { columns, classified, values, counts, weights, clusters, strata }: ModelRows,
  { model, path }: StoredModel,
  sample: SampleNames,
): Pick<RegressTable, 'tensor' | 'options' | 'observations'> => {
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
    ...model.modes.map(({ name, labels, ordered, size }) => ({
      name,
      labels: labels ?? Array.from({ length: size }, (_, j) => j),
      ...(ordered && { ordered }),
    })),
    ...[...explaining, ...design].map(({ name, labels }) => ({ name, labels })),
  ]
  const twice = modes.find(({ name }, n) => modes.findIndex(mode => mode.name === name) < n)
  if (twice !== undefined)
    throw new OptionError(
      `column ${JSON.stringify(twice.name)} is named twice: a column is either a covariate or the outcome`,
    )
  const indices = [...answers, ...[...explaining, ...design].map(({ codes }) => codes)]
  const build = (value: (i: number) => number) =>
    tensorFromColumns(
      indices,
      counts.map((_, i) => value(i)),
      { shape: modes.map(({ labels }) => labels.length), modes },
    )
  if (!counts.some((count, i) => count * weights[i] > 0))
    throw new DataError('all counts and weights are zero: there is nothing to count')
  const weighed = sample.weights.column !== undefined
  const isUsed = (i: number) =>
    answers.some(codes => codes[i] !== MISSING) && explaining.every(({ codes }) => codes[i] !== MISSING)
  const observations = { used: 0, left: 0 }
  counts.forEach((count, i) => {
    if (weights[i] > 0) observations[isUsed(i) ? 'used' : 'left'] += count
  })
  return {
    observations,
    tensor: build(i => counts[i] * weights[i]),
    options: {
      ...defined({ constraints, fittedTo }),
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
