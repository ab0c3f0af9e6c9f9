import { type Counts, type Mode, type Model, OptionError } from '@polyad/core'
import { advise, words } from '@polyad/core/options'
import type { StoredModel } from '../../output/model-store.ts'
import { type ScoreSummary, tallied } from '../../table/values/score-summary.ts'
import { askNumbers, askRows } from './ask.ts'
import type { SentTable, Statement } from './connection.ts'
import type { OpenDatabase } from './database-kind.ts'
import { logFactors } from './factors.ts'
import type { ModelView } from './model-view.ts'
import { type RetryOptions, retried } from './retry.ts'

/** Work of a model on rows that stay in their database: what comes out is sums, and what is made is a table there. */

export interface ScoreOptions extends RetryOptions {
  /** Append the probability of every class. */
  readonly posterior?: boolean
  /** The column by which rows are counted in the summary; undefined: every row once. */
  readonly count?: string | undefined
}

const factorsOf = ({ parameters, modes }: Model): readonly SentTable[] =>
  logFactors(
    modes.map(({ size }) => size),
    [parameters],
    false,
  ).tables

const classNames = ({ dialect }: OpenDatabase, { classNames: names, rank }: Model): string[] =>
  Array.from({ length: rank }, (_, k) => (names === undefined ? String(k + 1) : dialect.literal(names[k])))

/** Makes the table that was asked for, if one was, with class, probability and log-likelihood appended; and sums them up. */
export const classifyInDatabase = async (
  database: OpenDatabase,
  stored: StoredModel,
  { posterior = false, count, ...retry }: ScoreOptions = {},
): Promise<ScoreSummary & { readonly absent: readonly string[] }> => {
  const { dialect, connection, from, target } = database
  const { model } = stored
  const view = await database.look(stored)
  const posteriors = posterior ? Array.from({ length: model.rank }, (_, k) => model.classNames?.[k] ?? k + 1) : []
  const [name, probability, logLikelihood, ...rest] = view.scoreColumns(posteriors)
  const plan = {
    into: target ?? '',
    from,
    modes: view.modes,
    shape: model.modes.map(({ size }) => size),
    rank: model.rank,
    shares: model.shares,
    classes: classNames(database, model),
    columns: { class: name, probability, logLikelihood },
    posteriors: rest,
  }
  const sent = [...view.dictionaries, ...factorsOf(model)]
  if (target !== undefined) await make(database, dialect.score(plan), sent)
  const rows = await askRows(connection, retry, dialect.summary(plan, view.weight(count)), 6 + model.modes.length, sent)
  return { ...tallied(rows, model.rank, model.modes.length), absent: view.absent }
}

/** What is known of the rows of a table for a model, before any work on them: as counts that a plan is made from. */
export const countInDatabase = async (
  database: OpenDatabase,
  { model }: StoredModel,
  view: ModelView,
  { count, ...retry }: Pick<ScoreOptions, 'count'> & RetryOptions = {},
): Promise<Counts> => {
  const { dialect, connection, from } = database
  const keys = view.modes.map(({ key }) => key)
  const weight = view.weight(count)
  const sums = ['count(*)', `sum(${weight ?? '1'})`, ...keys.map(key => `count(${key})`)]
  const patterns = `SELECT DISTINCT ${keys.map((key, n) => `${key} AS ${dialect.identifier(`polyad_run_${n}`)}`).join(', ')} FROM ${from}`
  const numbers = (what: readonly string[], rows: string) =>
    askNumbers(connection, retry, `SELECT ${what.map(each => `1e0 * ${each}`).join(', ')} FROM ${rows}`, what.length)
  const [rows, total, ...known] = await numbers(sums, from)
  const [cells] = await numbers(['count(*)'], `(${patterns}) polyad_patterns`)
  const shape = model.modes.map(({ size }) => size)
  return {
    modes: model.modes,
    shape,
    cells,
    total,
    missing: known.map(present => present < rows),
    marginals: shape.map(size => new Float64Array(size)),
    constants: { yLogY: 0, logFactorials: 0 },
  }
}

/** Makes a table in which every missing value is filled with its most probable label; how many there were. */
export const imputeInDatabase = async (
  database: OpenDatabase,
  stored: StoredModel,
  retry: RetryOptions = {},
): Promise<{ rows: number; missing: readonly number[]; absent: readonly string[] }> => {
  const { dialect, connection, from, target } = database
  const { model, recipe } = stored
  if (target === undefined) throw new OptionError('name the table to create for the filled values')
  const joined = recipe.modes.find(({ parts }) => parts !== undefined)
  if (joined !== undefined)
    throw new OptionError(
      words`${joined.column} was joined from several columns, which cannot be filled: ${advise('fit them without', 'join')}`,
    )
  const view = await database.look(stored)
  const counts = view.modes.map(({ key }) => `count(${key})`)
  const all = ['count(*)', ...counts]
  const [rows, ...known] = await askNumbers(
    connection,
    retry,
    `SELECT ${all.map(each => `1e0 * ${each}`).join(', ')} FROM ${from}`,
    all.length,
  )
  const plan = {
    into: target,
    from,
    modes: view.modes,
    columns: recipe.modes.map(({ column }) => column),
    absent: recipe.modes.map(({ column }) => view.absent.includes(column)),
    rank: model.rank,
    shares: model.shares,
    shape: model.modes.map(({ size }) => size),
  }
  const labels = model.modes.map((mode, n) => labelTable(mode, n, model.parameters.factors[n], model.rank))
  await make(database, dialect.impute(plan), [...view.dictionaries, ...factorsOf(model), ...labels])
  return { rows, missing: known.map(present => rows - present), absent: view.absent }
}

/** Makes a table of rows drawn from a model. */
export const sampleInDatabase = async (
  database: OpenDatabase,
  model: Model,
  {
    rows,
    seed = 1,
    class: withClass = false,
  }: { readonly rows: number; readonly seed?: number; readonly class?: boolean },
): Promise<void> => {
  const { dialect, target } = database
  if (target === undefined) throw new OptionError('name the table to create for the drawn rows')
  const { shares, factors } = model.parameters
  const columns = model.modes.map(({ name }) => name)
  const plan = {
    into: target,
    rows,
    seed,
    columns,
    class: withClass ? freeName('class', columns) : undefined,
    classes: classNames(database, model),
    rank: model.rank,
  }
  const sent = [
    drawTable('d', shares, 1),
    ...model.modes.map((mode, n) => drawTable(`d${n}`, factors[n], model.rank, mode)),
  ]
  await make(database, dialect.sample(plan), sent)
}

const freeName = (name: string, taken: readonly string[]): string => {
  let free = name
  while (taken.some(each => each.toLowerCase() === free.toLowerCase())) free = `polyad_${free}`
  return free
}

/** Makes a table, which may be there already: so it is not tried again, but what was begun is for the database to undo. */
const make = async ({ connection }: OpenDatabase, statements: readonly Statement[], sent: readonly SentTable[]) =>
  retried(connection, { attempts: 1 }, async () => {
    for (const sql of statements) await connection.run(sql, sent)
  })

const labelTable = (mode: Mode, n: number, factor: Float64Array, rank: number): SentTable => ({
  name: `g${n}`,
  rows: mode.size,
  columns: [
    { name: 'code', values: Int32Array.from({ length: mode.size }, (_, j) => j + 1) },
    { name: 'g', values: factor, width: rank },
    { name: 'label', values: Array.from({ length: mode.size }, (_, j) => String(mode.label(j))) },
  ],
})

/** For every class the intervals of [0, 1) that fall to each label of a mode, or without one to each class. Empty ones are left out. */
const drawTable = (name: string, sizes: Float64Array, rank: number, mode?: Mode): SentTable => {
  const [classes, low, high, labels]: [number[], number[], number[], string[]] = [[], [], [], []]
  for (let k = 0; k < rank; k++) {
    let total = 0
    for (let i = k; i < sizes.length; i += rank) total += sizes[i]
    let sum = 0
    for (let j = 0; j * rank + k < sizes.length; j++) {
      const size = sizes[j * rank + k] / total
      if (size <= 0) continue
      classes.push(mode === undefined ? j : k)
      low.push(sum)
      sum += size
      high.push(sum)
      labels.push(mode === undefined ? '' : String(mode.label(j)))
    }
    // Rounding must not leave a gap before 1.
    high[high.length - 1] = 1
  }
  return {
    name,
    rows: classes.length,
    columns: [
      { name: 'class', values: Int32Array.from(classes) },
      { name: 'low', values: Float64Array.from(low) },
      { name: 'high', values: Float64Array.from(high) },
      ...(mode === undefined ? [] : [{ name: 'label', values: labels }]),
    ],
  }
}
