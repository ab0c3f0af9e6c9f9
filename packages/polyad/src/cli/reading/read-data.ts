import { OptionError } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { isAddress, redacted } from '../../engine/sql/address.ts'
import { checkOutput } from '../../output/overwriting.ts'
import { type OpenedData, type OpenOptions, openData } from '../../source/open-data.ts'
import { readTensor } from '../../source/read-tensor.ts'
import type { ReadResult, TableOptions } from '../../table/reading/read-view.ts'
import type { Call } from '../framework/define-command.ts'
import { type DataOptions, sourceOptions } from '../options/data-options.ts'
import { type TimeLimit, timeLimit } from '../terminal/time-limit.ts'

export interface ReadingOptions extends Pick<TableOptions, 'include' | 'weights' | 'replicateWeights' | 'design'> {
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
  return readWithProgress({ terminal, line }, paths, limit, onProgress =>
    readTensor(paths, { ...sourceOptions(options), ...more, onProgress }),
  )
}

/** The same, but cells that are too many for memory stay on disk. What is open is closed when the command ends. */
export const openDataFor = async (
  { terminal, line, onEnd }: Call,
  paths: readonly string[],
  { keep, ...options }: DataOptions & { readonly threads?: number; readonly ordered?: readonly string[] },
  {
    limit = timeLimit(undefined),
    needsCells,
    reserve,
    ...more
  }: ReadingOptions & {
    /** What was asked for that needs the cells in memory. */
    readonly needsCells?: string | undefined
    readonly reserve?: OpenOptions['reserve']
  } = {},
): Promise<OpenedData> => {
  checkNamed(paths, options.sql)
  if (keep !== undefined) {
    if (!/\.polyad$/i.test(keep))
      throw new OptionError(`the name of the file that --keep writes must end in .polyad: call it ${keep}.polyad`)
    checkOutput(keep, { paths, sql: options.sql })
  }
  const { threads } = options
  const data = await readWithProgress({ terminal, line }, paths, limit, onProgress =>
    openData(paths, {
      ...sourceOptions(options),
      ...more,
      ...defined({ keep, threads }),
      needsCells,
      onProgress,
      reserve,
    }),
  )
  onEnd(data.close)
  const { ordered } = options
  if (ordered !== undefined) {
    // What a report would refuse is refused before the fit. Columns that are joined get their names later.
    const { orderedModes } = await import('../../report/figures/ordered-modes.ts')
    const { modes } = data.tensor
    orderedModes(
      modes,
      ordered.filter(name => modes.some(mode => mode.name.toLowerCase() === name.toLowerCase())),
    )
  }
  if (keep !== undefined) terminal.note(`the cells are in ${keep}`)
  return data
}

/** Reads with a line of progress, and tells the notes. */
const readWithProgress = async <T extends Pick<ReadResult, 'notes'>>(
  { terminal, line }: Pick<Call, 'terminal' | 'line'>,
  paths: readonly string[],
  limit: TimeLimit,
  read: (onProgress: (percent: number) => void) => Promise<T>,
): Promise<T> => {
  const name = sourceName(paths)
  line.show([`reading ${name}`])
  try {
    const reading = read(percent => line.show([`reading ${name}`, `${Math.round(percent)}%`], [1]))
    const result = await limit.within(`reading ${name}`, reading)
    line.clear()
    terminal.printNotes(result.notes)
    return result
  } finally {
    line.clear()
  }
}

export const checkNamed = (paths: readonly string[], sql: string | undefined): void => {
  const address = paths.find(isAddress)
  if (address !== undefined)
    throw new OptionError(
      `${redacted(address)} is in a database, which only fit, rank, classify, impute and sample can use: this command needs files`,
    )
  if (paths.length === 0 && sql === undefined)
    throw new OptionError('no data was given: name a file, a pattern, - for standard input, or use --sql')
}

/** What to call the data in messages. */
export const sourceName = (paths: readonly string[]): string => paths.join(', ') || 'the query'
