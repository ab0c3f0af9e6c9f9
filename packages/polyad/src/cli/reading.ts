import { OptionError } from '@polyad/core'
import type { ReadResult, TableOptions } from '../source/read-table.ts'
import { readTensor } from '../source/read-tensor.ts'
import { type DataOptions, sourceOptions } from './options/data-options.ts'
import type { ProgressLine } from './terminal/progress-line.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Reads the data a command was given, with a line of progress, and passes on what the reader has to say. */
export const readData = async (
  paths: readonly string[],
  options: DataOptions,
  terminal: Terminal,
  line: ProgressLine,
  more: Pick<TableOptions, 'include'> = {},
): Promise<ReadResult> => {
  if (paths.length === 0 && options.sql === undefined) {
    throw new OptionError('name the data to read: a file, a pattern, - for standard input, or --sql')
  }
  const name = paths.join(', ') || 'the query'
  line.show(`reading ${name}`)
  try {
    const result = await readTensor(paths, {
      ...sourceOptions(options),
      ...more,
      onProgress: percent => line.show(`reading ${name} · ${Math.round(percent)} %`),
    })
    line.clear()
    for (const { kind, text } of result.notes) kind === 'warning' ? terminal.warn(text) : terminal.note(text)
    return result
  } finally {
    line.clear()
  }
}
