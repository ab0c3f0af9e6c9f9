import { openTables, type Tables } from '../../duckdb/client.ts'
import { loadModel, type StoredModel } from '../../output/model-store.ts'
import { count } from '../../report/numbers.ts'
import { type ModelTable, openModelTable } from '../../scoring/model-table.ts'
import { checkReadable, isPattern, readHead } from '../../source/relation/files.ts'
import { spoolStandardInput } from '../../source/standard-input.ts'
import { formatOfBytes } from '../../table/files/formats.ts'
import { sourceOptions } from '../options/data-options.ts'
import type { ModelDataOptions } from '../options/model-options.ts'
import { given } from '../options/option-values.ts'
import type { Call } from './define-command.ts'
import { checkNamed, sourceName } from './reading.ts'

/** Opens a model and a table for it, does the work, and closes what was opened. */
export const withModelTable = async <T>(
  { terminal, line }: Pick<Call, 'terminal' | 'line'>,
  model: string,
  paths: readonly string[],
  options: ModelDataOptions & { readonly complete?: boolean },
  work: (tables: Tables, table: ModelTable, stored: StoredModel) => Promise<T>,
): Promise<T> => {
  const stored = loadModel(model)
  checkNamed(paths, options.sql)
  paths.filter(path => path !== '-' && !isPattern(path)).forEach(checkReadable)
  const spooled = paths.includes('-') ? await spoolStandardInput() : undefined
  const files = spooled === undefined ? paths : [spooled.path]
  const format = options.format ?? (spooled === undefined ? undefined : formatOfBytes(readHead(spooled.path, 4096)))
  const name = sourceName(paths)
  const reading = sourceOptions(options)
  const tables = await openTables({
    ...given(options, ['memory']),
    onProgress: percent => line.show([`reading ${name}`, `${Math.round(percent)} %`], [1]),
  })
  try {
    line.show([`reading ${name}`])
    const table = await openModelTable(tables, files, stored, {
      ...{ ...reading, complete: options.complete === true },
      ...(format !== undefined && { format }),
    })
    terminal.tell(table.relation.notes)
    if (table.absent.length > 0)
      terminal.warn(`the data has no column ${table.absent.join(', ')}: missing in every row`)
    if (table.left > 0) terminal.note(`${count(table.left)} left out, with something missing (--complete)`)
    return await work(tables, table, stored)
  } finally {
    line.clear()
    await tables.close()
    spooled?.remove()
  }
}
