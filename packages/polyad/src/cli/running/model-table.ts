import type { Tables } from '../../duckdb/client.ts'
import type { StoredModel } from '../../output/model-store.ts'
import type { ModelTable } from '../../scoring/model-table.ts'
import { type ModelTableReading, storedModel, withModelTable as withTable } from '../../scoring/with-model-table.ts'
import { sourceOptions } from '../options/data-options.ts'
import type { ModelDataOptions } from '../options/model-options.ts'
import { given } from '../options/option-values.ts'
import type { Call } from './define-command.ts'
import { checkNamed, sourceName } from './reading.ts'

type Watching = Pick<Call, 'terminal' | 'line'>
type Options = ModelDataOptions & { readonly complete?: boolean }

/** Reads a table for a model with a line of progress, and tells the notes. */
export const tableFor = async <T>(
  { terminal, line }: Watching,
  paths: readonly string[],
  options: Options,
  work: (reading: ModelTableReading) => Promise<T>,
): Promise<T> => {
  checkNamed(paths, options.sql)
  const name = sourceName(paths)
  const { where, sql, format, delimiter, encoding, sheet, header, skipRows, memory, count } = sourceOptions(options)
  const reading = {
    where,
    sql,
    format,
    delimiter,
    encoding,
    sheet,
    header,
    skipRows,
    memory,
    count,
    complete: options.complete,
  }
  line.show([`reading ${name}`])
  try {
    return await work({
      ...given(reading, Object.keys(reading) as (keyof typeof reading)[]),
      onProgress: percent => line.show([`reading ${name}`, `${Math.round(percent)} %`], [1]),
      onNote: note => {
        line.clear()
        terminal.tell([note])
      },
    } as ModelTableReading)
  } finally {
    line.clear()
  }
}

/** Opens a model and a table for it, does the work, and closes what was opened. */
export const withModelTable = <T>(
  call: Watching,
  model: string,
  paths: readonly string[],
  options: Options,
  work: (tables: Tables, table: ModelTable, stored: StoredModel) => Promise<T>,
): Promise<T> => {
  const stored = storedModel(model)
  return tableFor(call, paths, options, reading =>
    withTable(stored, paths, reading, (tables, table) => work(tables, table, stored)),
  )
}
