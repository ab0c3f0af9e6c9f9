import { OptionError } from '@polyad/core'
import { isAddress, redacted } from '../../engine/sql/address.ts'
import { readTensor } from '../../source/read-tensor.ts'
import type { ReadResult, TableOptions } from '../../table/rules/read-view.ts'
import { type DataOptions, sourceOptions } from '../options/data-options.ts'
import { type TimeLimit, timeLimit } from '../terminal/time-limit.ts'
import type { Call } from './define-command.ts'

export interface ReadingOptions extends Pick<TableOptions, 'include' | 'weights' | 'rescaleWeights'> {
  readonly limit?: TimeLimit
}

/** Reads the data a command was given, with a line of progress, and passes on what the reader has to say. */
export const readData = async (
  { terminal, line }: Pick<Call, 'terminal' | 'line'>,
  paths: readonly string[],
  options: DataOptions,
  { limit = timeLimit(undefined), ...more }: ReadingOptions = {},
): Promise<ReadResult> => {
  checkNamed(paths, options.sql)
  const name = sourceName(paths)
  line.show([`reading ${name}`])
  try {
    const reading = readTensor(paths, {
      ...sourceOptions(options),
      ...more,
      onProgress: percent => line.show([`reading ${name}`, `${Math.round(percent)} %`], [1]),
    })
    const result = await limit.within(`reading ${name}`, reading)
    line.clear()
    for (const { kind, text } of result.notes) kind === 'warning' ? terminal.warn(text) : terminal.note(text)
    return result
  } finally {
    line.clear()
  }
}

export const checkNamed = (paths: readonly string[], sql: string | undefined): void => {
  const address = paths.find(isAddress)
  if (address !== undefined)
    throw new OptionError(
      `${redacted(address)} is data in a database, where fit, rank, classify, impute and sample work on it: this needs files`,
    )
  if (paths.length === 0 && sql === undefined)
    throw new OptionError('name the data to read: a file, a pattern, - for standard input, or --sql')
}

/** What to call the data in messages. */
export const sourceName = (paths: readonly string[]): string => paths.join(', ') || 'the query'
