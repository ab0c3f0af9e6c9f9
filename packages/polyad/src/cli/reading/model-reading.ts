import type { ModelTableReading } from '../../scoring/with-model-table.ts'
import type { Call } from '../framework/define-command.ts'
import { sourceOptions } from '../options/data-options.ts'
import type { ModelDataOptions } from '../options/model-options.ts'
import { given } from '../options/option-values.ts'
import { checkNamed, sourceName } from './read-data.ts'

type Watching = Pick<Call, 'terminal' | 'line'>
type Options = ModelDataOptions & { readonly complete?: boolean }

/** The options of a command by which it reads a table for a model. */
const READING = [
  'where',
  'sql',
  'format',
  'delimiter',
  'encoding',
  'sheet',
  'header',
  'skipRows',
  'memory',
  'count',
  'complete',
] as const

/** Reads a table for a model with a line of progress, and tells the notes. */
export const modelReading = async <T>(
  { terminal, line }: Watching,
  paths: readonly string[],
  options: Options,
  work: (reading: ModelTableReading) => Promise<T>,
): Promise<T> => {
  checkNamed(paths, options.sql)
  const name = sourceName(paths)
  const reading = given({ ...sourceOptions(options), ...given(options, ['complete']) }, READING)
  line.show([`reading ${name}`])
  try {
    return await work({
      ...reading,
      onProgress: percent => line.show([`reading ${name}`, `${Math.round(percent)}%`], [1]),
      onNote: note => {
        line.clear()
        terminal.printNotes([note])
      },
    })
  } finally {
    line.clear()
  }
}
