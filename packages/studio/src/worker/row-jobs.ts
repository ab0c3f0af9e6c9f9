import { OptionError } from '@polyad/core'
import { classifiedRows, csvField, doubleText, openTable, scoreColumns, summarizeRows } from 'polyad/table'
import { held, tableInMemory } from './current-data.ts'
import { openModel } from './models.ts'
import { readParquet } from './parquet.ts'
import {
  type Classified,
  type Confusion,
  isKnownClass,
  type JobHandler,
  type ModelHandle,
  type RowSource,
} from './protocol.ts'
import { sliceOf } from './row-listing.ts'
import { type Scored, score, textOf } from './scored-rows.ts'

/** The scores of the open table by the model asked for last: rows are asked for slice by slice. */
let last: Scored | undefined

const scoredRows = async (handle: ModelHandle): Promise<Scored> => {
  const [table, opened] = [tableInMemory(), openModel(handle)]
  if (last?.table !== table || last.model !== opened.model) last = await score(table, opened, held.read?.options ?? {})
  return last
}

/** The rows that were classified last, under the number that the page knows them by. */
let classified: { readonly id: number; readonly scored: Scored } | undefined

const rowsOf = async (source: RowSource): Promise<Scored> => {
  if ('model' in source) return scoredRows(source.model)
  if (classified?.id === source.classified) return classified.scored
  throw new OptionError('these rows are no longer available: classify them again')
}

/** The rows with the columns that polyad classify --posterior appends, for a spreadsheet. */
export const csvOf = (scored: Scored, given?: readonly string[]): string => {
  const { columns, table, written, posteriors, classes, probabilities, logLikelihoods, model, used } = scored
  const names = given ?? model.classNames ?? model.shares.map((_, k) => `${k + 1}`)
  const header = [...columns, ...scoreColumns(table.columns, names)]
  const lines = [header.map(csvField).join(',')]
  for (const row of used) {
    const own = posteriors.subarray(row * model.rank, (row + 1) * model.rank)
    const figures = [probabilities[row], logLikelihoods[row], ...own].map(doubleText)
    lines.push(
      [...written.map(column => csvField(textOf(column, row))), csvField(names[classes[row]]), ...figures].join(','),
    )
  }
  return `${lines.join('\n')}\n`
}

const confusionOf = (scored: Scored, column: string): Confusion => {
  const { table, used, classes, counts: seen, columns } = scored
  const { rank } = scored.model
  if (!columns.includes(column)) throw new OptionError(`the table has no column ${JSON.stringify(column)}`)
  const counts = new Map<string, number[]>()
  const values = table.column(column)
  for (const row of used) {
    const value = values[row]
    if (value === null || value === '') continue
    const own = counts.get(value) ?? new Array<number>(rank).fill(0)
    own[classes[row]] += seen?.values[row] ?? 1
    counts.set(value, own)
  }
  // In the order that the file gives them, if it does; else in that of the alphabet.
  const order = table.columns.find(({ name }) => name === column)?.order ?? []
  const known = [...counts.keys()].sort().sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return { column, known, table: known.map(value => counts.get(value) ?? []), count: seen?.column ?? null }
}

const classify: JobHandler<'classify'> = async (_, handle, data, known) => {
  if (data.from === 'server')
    throw new OptionError('rows on the server can be classified only on the command line: use polyad classify')
  const table = await openTable(data, { parquet: readParquet })
  const scored = await score(table, openModel(handle))
  classified = { id: (classified?.id ?? 0) + 1, scored }
  const { model, codes, counts } = scored
  const all = Int32Array.from({ length: table.rows }, (_, row) => row)
  const summary = summarizeRows(scored, codes.codes, model.rank, all, row => counts?.values[row] ?? 1)
  return {
    ...classifiedRows(summary, model, { count: counts?.column, absent: codes.absent }),
    confusion: known === null || !scored.columns.includes(known) ? null : confusionOf(scored, known),
    id: classified.id,
    columns: scored.columns.filter(
      (name, i) =>
        name === known ||
        (isKnownClass(scored.written[i].texts.length) && model.modes.every(mode => mode.name !== name)),
    ),
  } satisfies Classified
}

export const rowJobs: { readonly [J in 'rows' | 'rowsCsv' | 'confusion' | 'classify']: JobHandler<J> } = {
  rows: async (_, source, query) => sliceOf(await rowsOf(source), query),
  rowsCsv: async (_, source, names) => csvOf(await rowsOf(source), names),
  confusion: async (_, handle, column) => confusionOf(await scoredRows(handle), column),
  classify,
}
