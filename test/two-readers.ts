import { afterAll, beforeAll, expect } from 'vitest'
import { openTables, type Tables } from '../packages/polyad/src/duckdb/client.ts'
import { countCodes } from '../packages/polyad/src/source/cells/count-codes.ts'
import { sampleModes } from '../packages/polyad/src/source/cells/sampled-modes.ts'
import { countSource, type DuckView, duckView, modeSources, openView } from '../packages/polyad/src/source/duck-view.ts'
import { readTensor } from '../packages/polyad/src/source/read-tensor.ts'
import type { SourceOptions } from '../packages/polyad/src/source/readers.ts'
import { rewordErrors } from '../packages/polyad/src/source/relation/faults.ts'
import { checkReadable } from '../packages/polyad/src/source/relation/files.ts'
import { openRelation } from '../packages/polyad/src/source/relation/relation.ts'
import { openTable } from '../packages/polyad/src/table/memory/memory-table.ts'
import { type Inspected, inspectTable } from '../packages/polyad/src/table/reading/inspect-table.ts'
import { type ReadResult, readView, type TableOptions } from '../packages/polyad/src/table/reading/read-view.ts'
import { readingOf } from '../packages/polyad/src/table/view/reading.ts'
import { tensorDigest } from '../packages/polyad/src/table/view/tensor-digest.ts'
import type { FilteredRows, TableView } from '../packages/polyad/src/table/view/view.ts'
import { testFolder } from './test-folder.ts'

const outcome = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work()
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
}

const summary = ({ tensor, squares, ...result }: ReadResult) => ({
  digest: tensorDigest(tensor),
  labels: tensor.modes.map(({ name, labels, ordered }) => ({ name, labels, ordered })),
  squares: squares === undefined ? undefined : tensorDigest(squares),
  ...result,
})

/** What lists and records are made of, and how wide whole numbers are, is DuckDB's own affair. */
const inspected = ({ columns, ...rest }: Inspected) => ({
  ...rest,
  columns: columns.map(({ type, ...column }) => ({ ...column, type: /INT$|\[|^STRUCT/.test(type) ? '' : type })),
})

/** A file as a table of DuckDB whose cells are counted as those of large tables are. */
const codingView = async (tables: Tables, path: string, options: TableOptions): Promise<TableView> => {
  const relation = await openRelation(tables, [path], { ...options, missing: readingOf(options).missing })
  return codingOf(tables, await duckView(tables, relation))
}

const codingOf = (tables: Tables, view: DuckView): TableView => {
  const { relation } = view
  return {
    ...view,
    filtered: async (condition, reading) => {
      const found = (await view.filtered?.(condition, reading)) as FilteredRows
      return { ...found, view: codingOf(tables, found.view as DuckView) }
    },
    countCells: (plans, count, reading) =>
      rewordErrors(relation, async () => {
        const modes = modeSources(relation, plans, reading)
        const { modes: sampled } = await sampleModes(tables, relation, modes)
        return countCodes(tables, relation, modes, countSource(relation, count, reading), sampled)
      }),
  }
}

/** Reads and inspects the same file twice: by DuckDB, and in memory. What is refused comes out as the words of the refusal. */
export const twoReaders = () => {
  const { file } = testFolder()
  let tables: Tables
  beforeAll(async () => {
    tables = await openTables()
  })
  afterAll(() => tables.close())
  return async (
    name: string,
    content: string | Uint8Array,
    options: TableOptions & {
      delimiter?: string
      header?: boolean
      skipRows?: number
      encoding?: string
      sheet?: string
    },
  ) => {
    const path = file(name, content)
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    // A view that is asked again must not close its tables.
    const duck = async () => {
      checkReadable(path)
      return { ...(await openView(tables, [path], options)), release: async () => undefined }
    }
    const memory = () => openTable({ name: path, bytes }, options)
    const readings = await Promise.all([
      outcome(async () => summary(await readView(await duck(), options))),
      outcome(async () => summary(await readView(await memory(), options))),
    ])
    // The rows of large tables come over as codes: to the same tensor, or the same refusal.
    const coded = await outcome(async () => {
      checkReadable(path)
      return summary(await readView(await codingView(tables, path, options), options))
    })
    expect(coded).toEqual(readings[0])
    const inspections = await Promise.all([
      outcome(async () => inspected(await inspectTable(await duck(), options))),
      outcome(async () => inspected(await inspectTable(await memory(), options))),
    ])
    return { readings, inspections }
  }
}

/** Reads by DuckDB, and again as a small file is read, in this process; both must come to the same. */
export const readTwice = async (
  paths: string | readonly string[],
  options: SourceOptions = {},
): Promise<ReadResult> => {
  const here = await outcome(async () => summary(await readTensor(paths, options)))
  const byDuckDb = readTensor(paths, { memory: '1GB', ...options })
  expect(here).toEqual(await outcome(async () => summary(await byDuckDb)))
  return byDuckDb
}
