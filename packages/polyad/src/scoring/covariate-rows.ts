import { DataError, type Label, Mode, Model } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import type { StoredModel } from '../output/model-store.ts'
import { rewordErrors } from '../source/relation/faults.ts'
import { choice, grouped, warning } from '../table/values/note.ts'
import type { ModelTable } from './model-table.ts'
import { type SmallModelTable, sampleSmallTable } from './small-model-table.ts'
import { ownDesignNotes, sampleTable } from './table-sample.ts'
import { type ModelTableReading, withModelTable } from './with-model-table.ts'

/** The different combinations of a model's covariates in a table, and how much each counts. */
export interface CovariateRows {
  readonly rows: readonly Readonly<Record<string, Label>>[]
  readonly weights: readonly number[]
}

/** The covariates of rows that are equal, as numbers or positions of categories; how many there are, and what they weigh together. */
interface Combination {
  readonly values: readonly number[]
  readonly rows: number
  readonly weight: number
}

/** Reads the covariates of a model from a table, which need not have its variables. Rows that lack one are left out, with a warning. */
export const readCovariateRows = (
  stored: StoredModel,
  paths: readonly string[],
  { onNote = () => {}, ...reading }: ModelTableReading,
  weights: string | undefined,
): Promise<CovariateRows> => {
  const { given } = stored.model.structure
  // Rows are drawn one by one, whatever clusters they came in.
  const request = { weights, cluster: 'none' }
  const isUsable = ({ values }: Combination) =>
    values.every((value, i) => (given[i].numeric ? Number.isFinite(value) : value >= 0))
  const covariateRows = (name: string, all: readonly Combination[]): CovariateRows => {
    const used = all.filter(each => each.weight > 0 && isUsable(each))
    if (used.length === 0)
      throw new DataError(`${name} has no row with a known value of every covariate (${given.map(each => each.name)})`)
    const left = all.reduce((sum, each) => (isUsable(each) ? sum : sum + each.rows), 0)
    if (left > 0)
      onNote(warning('rows-left-out', `${grouped(left)} left out: a covariate has no value that the model knows`))
    return { rows: used.map(({ values }) => rowOf(stored.model, values)), weights: used.map(({ weight }) => weight) }
  }
  return withModelTable(
    { model: covariatesAsModes(stored), paths },
    { onNote, ...reading },
    {
      large: async (tables, table) => {
        const sample = await sampleTable(tables, table, stored, request)
        for (const note of ownDesignNotes(sample, request)) onNote(choice(note))
        return covariateRows(table.relation.name, await combinationsIn(tables, table, sample.weights.raw))
      },
      small: async table => {
        const sample = await sampleSmallTable(table, stored, request)
        for (const note of ownDesignNotes(sample, request)) onNote(choice(note))
        return covariateRows(table.view.name, smallCombinations(table, sample.weights.raw))
      },
    },
  )
}

/** For reading, covariates are all that the model has: the table needs nothing else. */
export const covariatesAsModes = (stored: StoredModel): StoredModel => {
  const { model, recipe } = stored
  const { given } = model.structure
  const modes = given.map(({ name, labels }) => new Mode(name, labels))
  const factors = modes.map(({ size }) => new Float64Array(size).fill(1 / size))
  const components = { rank: 1, sizes: Float64Array.of(1), factors }
  return {
    ...stored,
    model: new Model(modes, components, undefined, model.structure),
    recipe: { ...recipe, modes: recipe.given! },
  }
}

export const rowOf = ({ structure: { given } }: Model, values: readonly number[]): Record<string, Label> =>
  Object.fromEntries(
    given.flatMap(({ name, numeric, labels }, i) => {
      const value = numeric ? values[i] : labels[values[i]]
      return value === undefined || Number.isNaN(value) ? [] : [[name, value] as const]
    }),
  )

/** In a fixed order: what is drawn depends on it. */
const combinationsIn = async (
  tables: Tables,
  { given, relation, weight: count }: ModelTable,
  weight: string,
): Promise<Combination[]> => {
  const columns = given.map((sql, i) => `coalesce(${sql}, 'NaN'::DOUBLE) AS g${i}`)
  const names = given.map((_, i) => `g${i}`).join(', ')
  const found = await rewordErrors(relation, () =>
    tables.rows(
      `SELECT ${names}, sum(counted)::DOUBLE, sum(counted * weight)::DOUBLE FROM (SELECT ${columns.join(', ')}, ${count} AS counted, ${weight} AS weight FROM ${relation.from}) GROUP BY ${names} ORDER BY ${names}`,
    ),
  )
  return (found as number[][]).map(row => ({
    values: row.slice(0, given.length),
    rows: row[given.length],
    weight: row[given.length + 1],
  }))
}

const smallCombinations = ({ given, counts, used }: SmallModelTable, weights: Float64Array): Combination[] => {
  const found = new Map<string, Combination>()
  for (const row of used) {
    const values = given.map(column => column[row])
    const known = found.get(values.join()) ?? { values, rows: 0, weight: 0 }
    const [rows, weight] = [known.rows + counts[row], known.weight + counts[row] * weights[row]]
    found.set(values.join(), { values, rows, weight })
  }
  return [...found.values()].sort((a, b) => compare(a.values, b.values))
}

/** Numbers in their order, what is none last, as in SQL. */
const compare = (a: readonly number[], b: readonly number[]): number => {
  const n = a.findIndex((value, i) => !Object.is(value, b[i]))
  if (n < 0) return 0
  return Number.isNaN(a[n]) ? 1 : Number.isNaN(b[n]) ? -1 : a[n] - b[n]
}
