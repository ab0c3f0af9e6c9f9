import { evaluate, fit, type Tensor } from '@polyad/core'
import { wasmEngine } from '@polyad/core/engine'
import { defined, omit } from '@polyad/core/options'
import { fitFigures, tensorDigest } from 'polyad/report'
import { inspectTable, openTable, type ReadResult, readView, type TableView } from 'polyad/table'
import { held, holdRead, holdTable, isInMemory, sampledRead, tableInMemory } from './current-data.ts'
import { figuresOf } from './inspected-figures.ts'
import { readParquet } from './parquet.ts'
import type { DataSummary, JobHandler, ReadOptions, TableSummary } from './protocol.ts'
import { inspectOnServer, readOnServer } from './server.ts'

/** Rows of a table that are shown at once. */
const PREVIEW = 20

const open: JobHandler<'open'> = async ({ signal, progress: onProgress }, file, options) => {
  const { decimal, thousands, ...dialect } = options
  const written = { ...(decimal && { decimal }), ...(thousands && { thousands }) }
  if (file.from === 'server') {
    const found = await withProposals(asked => inspectOnServer(file.id, { ...options, ...asked }, signal))
    await holdTable({ id: file.id, name: file.name, dialect })
    return { ...found, written }
  }
  const table = await openTable(file, { ...dialect, parquet: readParquet, signal, onProgress })
  const found = await withProposals(asked => summaryOf(table, { ...written, ...asked }))
  await holdTable(table)
  return found
}

/** A table as it was found, with what is to be said of it where what is proposed is done. */
const withProposals = async (look: (asked: ReadOptions) => Promise<TableSummary>): Promise<TableSummary> => {
  const found = await look({})
  const [weight, cluster, stratum] = (['weight', 'cluster', 'strata'] as const).map(
    use => found.columns.find(({ proposal }) => proposal.use === use)?.name,
  )
  const bins = found.columns.flatMap(({ name, proposal }) =>
    proposal.bins === undefined ? [] : [`${name}:${proposal.bins}`],
  )
  if ([weight, cluster].every(name => name === undefined) && bins.length === 0) return found
  const { notes } = await look({
    ...defined({ weights: weight }),
    ...(cluster !== undefined && { design: { cluster, ...defined({ stratum }) } }),
    ...(bins.length > 0 && { bins }),
  })
  return { ...found, notes }
}

const close: JobHandler<'close'> = () => holdTable(undefined)

const summaryOf = async (
  table: Awaited<ReturnType<typeof openTable>>,
  options: ReadOptions,
): Promise<TableSummary> => ({
  ...(await inspectTable(table, options)),
  length: table.rows,
  preview: table.preview(0, PREVIEW),
  ...defined({ head: table.head }),
  ...(table.sheets.length > 1 && { sheets: table.sheets }),
  written: {
    ...(options.decimal && { decimal: options.decimal }),
    ...(options.thousands && { thousands: options.thousands }),
  },
  format: table.format,
  place: 'page',
})

const inspect: JobHandler<'inspect'> = (_, options) =>
  held.table !== undefined && !isInMemory(held.table)
    ? inspectOnServer(held.table.id, { ...held.table.dialect, ...options })
    : summaryOf(tableInMemory(), options)

const figures: JobHandler<'figures'> = async (_, { by, ...options }) => {
  if (held.table === undefined || isInMemory(held.table))
    return tableInMemory().figures({ ...options, ...(by && { by }) })
  return figuresOf(await inspectOnServer(held.table.id, { ...held.table.dialect, ...omit(options, 'bins') }))
}

const read: JobHandler<'read'> = async ({ signal, progress }, options) => {
  const { table } = held
  const found = sampledRead(
    table !== undefined && !isInMemory(table)
      ? await readOnServer(table.id, { ...table.dialect, ...options }, signal, progress)
      : await readTable(options),
  )
  const digest = tensorDigest(found.tensor)
  await holdRead({ ...found, digest, options })
  return dataSummary(found, digest)
}

const readTable = (options: ReadOptions): Promise<ReadResult> => readView(tableInMemory() as TableView, options)

/** What is shown of the data, with the independence model: one pass more. */
const dataSummary = async (found: ReadResult, digest: string): Promise<DataSummary> => {
  const { tensor, rows, dropped, notes } = found
  return {
    modes: tensor.modes.map(({ name, size, labels, ordered }) => ({
      name,
      labels: labels ?? Array.from({ length: size }, (_, j) => j),
      ordered,
    })),
    cells: tensor.cells,
    total: tensor.total,
    rows,
    dropped,
    missing: tensor.missing,
    notes,
    digest,
    independence: await independenceOf(tensor),
  }
}

const independenceOf = async (tensor: Tensor): Promise<NonNullable<DataSummary['independence']>> => {
  const session = await wasmEngine({ threads: 1 }).open(tensor)
  try {
    const result = await fit(session, { rank: 1 })
    return fitFigures(tensor, result, 0, await evaluate(session, result.model))
  } finally {
    await session.close()
  }
}

export const tableJobs: {
  readonly [J in 'open' | 'close' | 'inspect' | 'figures' | 'preview' | 'read']: JobHandler<J>
} = {
  open,
  close,
  inspect,
  figures,
  preview: (_, from, count) => tableInMemory().preview(from, count),
  read,
}
