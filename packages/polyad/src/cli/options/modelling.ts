import { OptionError } from '@polyad/core'
import { type Command, Option } from 'commander'
import { openTables, type Tables } from '../../duckdb/client.ts'
import { loadModel, type StoredModel } from '../../output/model-store.ts'
import { type ModelledTable, openModelled } from '../../scoring/score-table.ts'
import { checkReadable, FORMATS, type Format, formatOfBytes, isPattern, readHead } from '../../source/files.ts'
import { spoolStandardInput } from '../../source/standard-input.ts'
import type { ProgressLine } from '../terminal/progress-line.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Options of the commands that read new data for a model: how to read, not what, which the model knows. */
export interface ModelledOptions {
  readonly sql?: string
  readonly format?: Format
  readonly delimiter?: string
  readonly header: boolean
  readonly memory?: string
}

export const withModelled = (command: Command): Command =>
  command
    .argument('<model>', 'a model, .npz or .json')
    .argument('[data...]', 'files, patterns such as "part-*.csv", or - for standard input')
    .optionsGroup('Data:')
    .option('--sql <query>', 'a SQL query over files; the files named are its table data')
    .addOption(
      new Option('--format <name>', 'what the file is, where its name does not say').choices(FORMATS.slice(0, 4)),
    )
    .option('--delimiter <character>', 'what separates the fields of a CSV file (default: found from its header)')
    .option('--no-header', 'the first line is data; columns are column1, column2, …')
    .option('--memory <size>', 'memory for reading tables before temporary files are used (default: 1GB)')

/** Opens a model and a table for it, does the work, and closes what was opened. */
export const withModelledTable = async <T>(
  model: string,
  paths: readonly string[],
  options: ModelledOptions,
  terminal: Terminal,
  line: ProgressLine,
  work: (tables: Tables, table: ModelledTable, stored: StoredModel) => Promise<T>,
): Promise<T> => {
  const stored = loadModel(model)
  if (paths.length === 0 && options.sql === undefined) {
    throw new OptionError('name the data to read: a file, a pattern, - for standard input, or --sql')
  }
  paths.filter(path => path !== '-' && !isPattern(path)).forEach(checkReadable)
  const spooled = paths.includes('-') ? await spoolStandardInput() : undefined
  const files = spooled === undefined ? paths : [spooled.path]
  const format = options.format ?? (spooled === undefined ? undefined : formatOfBytes(readHead(spooled.path, 4096)))
  const name = paths.join(', ') || 'the query'
  const tables = await openTables({
    ...(options.memory === undefined ? {} : { memory: options.memory }),
    onProgress: percent => line.show(`reading ${name} · ${Math.round(percent)} %`),
  })
  try {
    line.show(`reading ${name}`)
    const table = await openModelled(tables, files, stored, {
      header: options.header,
      ...(format === undefined ? {} : { format }),
      ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
      ...(options.sql === undefined ? {} : { sql: options.sql }),
    })
    if (table.absent.length > 0)
      terminal.warn(`the data has no column ${table.absent.join(', ')}: missing in every row`)
    return await work(tables, table, stored)
  } finally {
    line.clear()
    await tables.close()
    spooled?.remove()
  }
}
