import { createRequire } from 'node:module'
import type { ReadResult } from '../../source/read-table.ts'

export const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

/** What is kept with a model: everything needed to do it again, and to read new data in the same way. */
export const modelRecord = (
  command: string,
  { source, recipe }: Pick<ReadResult, 'source' | 'recipe'>,
  options: Readonly<Record<string, unknown>>,
  result: object,
): Record<string, unknown> => ({ program: 'polyad', programVersion: version, command, options, source, recipe, result })
