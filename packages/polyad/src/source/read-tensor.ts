import { OptionError } from '@polyad/core'
import { formatOfBytes } from '../table/formats/formats.ts'
import type { ReadResult } from '../table/reading/read-view.ts'
import { changedNote, reworded } from '../table/values/note.ts'
import { READERS, type Reader, type SourceOptions } from './readers.ts'
import { readHead } from './relation/files.ts'
import { withRemote } from './relation/remote.ts'
import { checkSourceOptions } from './source-options.ts'
import { readUnlessStopped } from './stoppable-reading.ts'

/** What standard input is called in messages, and in the record that a model file keeps. */
const STANDARD_INPUT = 'standard input'

/**
 * Data as a tensor: from CSV, TSV, Parquet, JSON, SPSS, Stata (also several files, patterns, gzipped, or a SQL query over them),
 * FROSTT .tns, NumPy .npy and .npz; `-` is standard input.
 * @example
 * const { tensor, notes } = await readTensor('survey.csv', { count: 'n' })
 * tensor.modes.map(mode => mode.name) // ['age', 'vote', 'trust']
 */
export const readTensor = async (
  paths: string | readonly string[],
  options: SourceOptions = {},
): Promise<ReadResult> => {
  checkSourceOptions('readTensor', options)
  const named = withRemote(typeof paths === 'string' ? [paths] : paths, options)
  return readUnlessStopped(options.signal, () => readFrom(named.paths, named.options))
}

const readFrom = async (named: readonly string[], options: SourceOptions): Promise<ReadResult> => {
  if (!named.includes('-')) return readNamed(named, options)
  if (named.length > 1) throw new OptionError('- (standard input) cannot be combined with files')
  const { spoolStandardInput } = await import('./standard-input.ts')
  const { path, remove } = await spoolStandardInput()
  const renamed = (text: string) => text.replaceAll(path, STANDARD_INPUT)
  try {
    const format = options.format ?? formatOfBytes(readHead(path, 4096))
    const result = await readNamed([path], { ...options, format })
    const notes = result.notes.map(note => changedNote(note, renamed))
    return { ...result, notes, source: { ...result.source, files: [STANDARD_INPUT] } }
  } catch (error) {
    throw reworded(error, renamed)
  } finally {
    remove()
  }
}

const readNamed = (paths: readonly string[], options: SourceOptions): Promise<ReadResult> => {
  const reader = READERS.find(({ accepts }) => accepts(paths, options)) as Reader
  return reader.read(paths, options)
}
