import { DataError, type Model, OptionError } from '@polyad/core'
import type { ModelFile } from '@polyad/core/file'
import { mostProbable, posteriorInto } from '@polyad/core/model'
import { checkRecipe, type MemoryTable, membership, openTable, type RowCodes } from 'polyad/table'
import { tableInMemory } from './held.ts'
import { openModel } from './models.ts'
import { readParquet } from './parquet.ts'
import type { Classified, ClassifiedRow, Confusion, JobHandler, ModelHandle, RowPage, RowQuery } from './protocol.ts'

/** The rows of a table as a model sees them. */
interface Scored {
  readonly table: MemoryTable
  readonly model: Model
  readonly codes: RowCodes
  /** By row and class. */
  readonly posteriors: Float64Array
  /** The most probable class of every row, and log P of the row. */
  readonly classes: Int32Array
  readonly logProbabilities: Float64Array
  /** How often every row was seen, by the column that the model's own data was counted by; null where every row counts once. */
  readonly counts: { readonly column: string; readonly values: Float64Array } | null
  /** What the table is called, and its values, by column and row. */
  readonly columns: readonly string[]
  readonly values: readonly (readonly (string | null)[])[]
}

const score = async (table: MemoryTable, { model, run }: ModelFile): Promise<Scored> => {
  const recipe = checkRecipe(
    run.recipe,
    model.modes.map(({ name }) => name),
  )
  const codes = await table.rowCodes(recipe, model.modes)
  const { rank, parameters } = model
  // To the model, what it has never seen is missing.
  const indices = codes.codes.map(each => each.map(code => Math.max(code, -1)))
  const posteriors = new Float64Array(table.rows * rank)
  const classes = new Int32Array(table.rows)
  const logProbabilities = new Float64Array(table.rows)
  const prior = parameters.shares.slice()
  const given = { ...parameters, shares: prior }
  for (let row = 0; row < table.rows; row++) {
    const own = posteriors.subarray(row * rank, (row + 1) * rank)
    if (codes.predictors.length > 0) membership(codes.predictors, row, parameters.shares, prior)
    logProbabilities[row] = posteriorInto(given, indices, row, own)
    classes[row] = mostProbable(own)
  }
  const columns = table.columns.map(({ name }) => name)
  return {
    ...{ table, model, codes, posteriors, classes, logProbabilities, columns },
    counts: countsOf(table, run),
    values: columns.map(name => table.column(name)),
  }
}

const countsOf = (table: MemoryTable, run: Readonly<Record<string, unknown>>): Scored['counts'] => {
  const column = (run.source as { readonly count?: unknown } | undefined)?.count
  if (typeof column !== 'string' || table.columns.every(({ name }) => name !== column)) return null
  const values = Float64Array.from(table.column(column), (text, row) => {
    const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
    if (value >= 0 && value < Number.POSITIVE_INFINITY) return value
    throw new DataError(`a count must be a number ≥ 0 (column ${column}, row ${row + 1}, got ${JSON.stringify(text)})`)
  })
  return { column, values }
}

/** The scores of the open table by the model asked for last: rows are asked for page by page. */
let last: Scored | undefined

const scoredRows = async (handle: ModelHandle): Promise<Scored> => {
  const [table, opened] = [tableInMemory(), openModel(handle)]
  if (last?.table !== table || last.model !== opened.model) last = await score(table, opened)
  return last
}

const rowOf = (
  { values, posteriors, classes, logProbabilities, model: { rank } }: Scored,
  row: number,
): ClassifiedRow => ({
  row,
  values: values.map(column => column[row]),
  posterior: [...posteriors.subarray(row * rank, (row + 1) * rank)],
  class: classes[row],
  logProbability: Number.isFinite(logProbabilities[row]) ? logProbabilities[row] : null,
})

const keyOf = (scored: Scored, by: RowQuery['by']): ((row: number) => number) => {
  const { posteriors, classes, logProbabilities, model } = scored
  if (by === 'row') return row => row
  if (by === 'probability') return row => logProbabilities[row]
  if (by === 'certainty') return row => posteriors[row * model.rank + classes[row]]
  return row => posteriors[row * model.rank + by.class]
}

const pageOf = (scored: Scored, { by, descending, class: only, containing, from, count }: RowQuery): RowPage => {
  const wanted = containing?.toLowerCase()
  const rows: number[] = []
  for (let row = 0; row < scored.table.rows; row++) {
    if (only !== undefined && scored.classes[row] !== only) continue
    if (wanted && !scored.values.some(column => column[row]?.toLowerCase().includes(wanted))) continue
    rows.push(row)
  }
  const key = keyOf(scored, by)
  const sign = descending ? -1 : 1
  if (by !== 'row' || descending) rows.sort((a, b) => sign * compare(key(a), key(b)) || a - b)
  return {
    columns: scored.columns,
    rows: rows.slice(from, from + count).map(row => rowOf(scored, row)),
    found: rows.length,
  }
}

/** Also of infinities, whose difference is none. */
const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)

const quoted = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** All rows as they are, with the class, its probability, log P and the posterior of every class. */
const csvOf = (scored: Scored, given?: readonly string[]): string => {
  const { columns, values, posteriors, classes, logProbabilities, model, table } = scored
  const names = given ?? model.classNames ?? model.shares.map((_, k) => `${k + 1}`)
  const header = [...columns, 'class', 'probability', 'logProbability', ...names.map(name => `P(${name})`)]
  const lines = [header.map(quoted).join(',')]
  for (let row = 0; row < table.rows; row++) {
    const own = posteriors.subarray(row * model.rank, (row + 1) * model.rank)
    const logP = logProbabilities[row]
    const figures = [own[classes[row]], Number.isFinite(logP) ? logP : '', ...own]
    lines.push([...values.map(column => quoted(column[row] ?? '')), quoted(names[classes[row]]), ...figures].join(','))
  }
  return `${lines.join('\n')}\n`
}

const confusionOf = (scored: Scored, column: string): Confusion => {
  const { table, classes, counts: seen, columns } = scored
  const { rank } = scored.model
  if (!columns.includes(column)) throw new OptionError(`the table has no column ${JSON.stringify(column)}`)
  const counts = new Map<string, number[]>()
  table.column(column).forEach((value, row) => {
    if (value === null || value === '') return
    const own = counts.get(value) ?? new Array<number>(rank).fill(0)
    own[classes[row]] += seen?.values[row] ?? 1
    counts.set(value, own)
  })
  // In the order that the file gives them, if it does; else in that of the alphabet.
  const order = table.columns.find(({ name }) => name === column)?.order ?? []
  const known = [...counts.keys()].sort().sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return { column, known, table: known.map(value => counts.get(value) ?? []), count: seen?.column ?? null }
}

const classify: JobHandler<'classify'> = async (_, handle, data, known, names) => {
  if (data.from === 'server') throw new OptionError('rows on the server are classified by the command line')
  const table = await openTable(data, { parquet: readParquet })
  const scored = await score(table, openModel(handle))
  const { model, codes, classes, posteriors, logProbabilities, counts } = scored
  const rows = table.rows
  const byClass = new Array<number>(model.rank).fill(0)
  let [sum, total] = [0, 0]
  for (let row = 0; row < rows; row++) {
    const count = counts?.values[row] ?? 1
    byClass[classes[row]] += count
    sum += count * posteriors[row * model.rank + classes[row]]
    total += count
  }
  return {
    rows,
    total,
    count: counts?.column ?? null,
    classes: byClass,
    meanProbability: total === 0 ? 0 : sum / total,
    impossible: logProbabilities.reduce((n, each) => n + (Number.isFinite(each) ? 0 : 1), 0),
    unseen: Object.fromEntries(
      model.modes.flatMap(({ name }, n) => (codes.unknown[n] > 0 ? [[name, codes.unknown[n]]] : [])),
    ),
    absent: codes.absent,
    confusion: known === null || !scored.columns.includes(known) ? null : confusionOf(scored, known),
    first: pageOf(scored, { by: 'row', descending: false, from: 0, count: 200 }),
    csv: csvOf(scored, names),
  } satisfies Classified
}

export const rowJobs: { readonly [J in 'rows' | 'rowsCsv' | 'confusion' | 'classify']: JobHandler<J> } = {
  rows: async (_, handle, query) => pageOf(await scoredRows(handle), query),
  rowsCsv: async (_, handle, names) => csvOf(await scoredRows(handle), names),
  confusion: async (_, handle, column) => confusionOf(await scoredRows(handle), column),
  classify,
}
