import { type Counts, EngineError, OptionError, type Session, type SurveyDesign, type Tensor } from '@polyad/core'
import type { Engine } from '@polyad/core/engine'
import type { RowWeights } from '@polyad/core/model'
import { defined, excludedBy, type GivenStructures } from '@polyad/core/options'
import { isAddress, redacted } from '../../engine/sql/address.ts'
import { tensorLine } from '../../report/text/fit-text.ts'
import type { OpenOptions } from '../../source/open-data.ts'
import type { ReadResult } from '../../table/reading/read-view.ts'
import { flagOf } from '../../table/reading/reading-options.ts'
import type { ReadReplicates } from '../../table/reading/replicate-weights.ts'
import type { Call } from '../framework/define-command.ts'
import { type DataOptions, type ScratchOptions, sourceOptions } from '../options/data-options.ts'
import type { CommandOption } from '../options/definition.ts'
import { given } from '../options/option-values.ts'
import { timeLimit } from '../terminal/time-limit.ts'
import { checkNamed, openDataFor, type ReadingOptions } from './read-data.ts'

/** Where the passes are made: whether files are read into memory, or stay where they are. */
export const ENGINE: CommandOption = {
  flags: '--engine <name>',
  text: 'wasm: on the processor (the default for files); gpu: on a graphics device, for large data (needs the package webgpu); auto: gpu if there is a device, else wasm; sql: in DuckDB, one query per pass; the data stays where it is',
  choices: ['wasm', 'gpu', 'auto', 'sql'],
  library: [],
}

export interface EngineOptions extends ScratchOptions {
  readonly engine?: 'wasm' | 'gpu' | 'auto' | 'sql'
}

/** Data that a command works on, wherever its cells are. What is open is closed when the command ends. */
export interface Source extends Pick<ReadResult, 'recipe' | 'source'> {
  readonly tensor: Counts
  /** What makes the passes, if it is not the processor. */
  readonly engine?: Engine
  /** Where the cells are not in memory: on disk, or in a database. */
  readonly session?: Session | undefined
  readonly squares?: Tensor | undefined
  readonly rowWeights?: RowWeights
  readonly population?: number
  readonly replicates?: ReadReplicates
  readonly design?: SurveyDesign
  readonly digest?: string
  readonly rows?: number | undefined
  /** With --memory: how many bytes are left for the work on the data. */
  readonly room?: number
}

/** The statistics for which the cells must be in memory. */
const NEEDS_CELLS = ['bootstrap', 'residuals', 'report', 'test'] as const

type Asked = { readonly [K in (typeof NEEDS_CELLS)[number]]?: unknown } & GivenStructures & {
    readonly se?: unknown
    readonly by?: unknown
    readonly smoothing?: readonly string[]
  }

/** What was asked for that needs the cells in memory; undefined if nothing does. */
const needingCells = (options: Asked & EngineOptions, inDatabase: boolean): string | undefined => {
  const { weights, se, by, smoothing, engine } = options
  if (engine === 'gpu') return '--engine gpu'
  const asked = excludedBy('database', options)?.name ?? NEEDS_CELLS.find(name => options[name] !== undefined)
  if (asked !== undefined) return flagOf(asked)
  if (weights !== undefined && inDatabase) return '--weights'
  if (weights !== undefined && se !== undefined) return '--se with --weights'
  if (by === 'heldOut') return '--by heldOut'
  return smoothing?.join() === 'auto' ? '--smoothing auto' : undefined
}

type Options = DataOptions & EngineOptions & Asked & { readonly threads?: number }

/** Opens the data of a command: files in memory or on disk, or a table that stays in its database. */
export const openSource = async (
  call: Call,
  paths: readonly string[],
  options: Options,
  reading: ReadingOptions & Pick<OpenOptions, 'reserve'>,
): Promise<Source> => {
  const inDatabase = staysInPlace(paths, options)
  checkScratch(paths, options)
  const needsCells = needingCells(options, inDatabase)
  if (inDatabase) {
    if (needsCells !== undefined)
      throw new OptionError(`${needsCells} needs the cells in memory, and this data stays where it is: leave it out`)
    return openInPlace(call, paths, options, reading.limit)
  }
  // If the engine is missing, no time is spent on reading.
  const asked = options.engine === 'gpu' ? await onGraphics(call, options) : undefined
  const source = await openDataFor(call, paths, options, { ...reading, needsCells })
  if (options.engine !== 'auto' || source.session !== undefined) return { ...source, ...defined({ engine: asked }) }
  return { ...source, engine: await onGraphics(call, options) }
}

/** Whether data is worked on where it is: tables of databases always, files if that is asked for. */
const staysInPlace = (paths: readonly string[], { engine }: EngineOptions): boolean => {
  const address = paths.find(isAddress)
  if (address !== undefined && (engine === 'wasm' || engine === 'gpu'))
    throw new OptionError(`${redacted(address)} can only be analysed with the sql engine: leave --engine out`)
  return address !== undefined || engine === 'sql'
}

/** Refuses a database for working tables if the data is in none. */
export const checkScratch = (paths: readonly string[], { scratch }: ScratchOptions): void => {
  if (scratch !== undefined && !paths.some(isAddress))
    throw new OptionError('--scratch is for tables of ClickHouse, and this data is in files: leave it out')
}

const openInPlace = async (call: Call, paths: readonly string[], options: Options, limit = timeLimit(undefined)) => {
  const { terminal, line, onEnd, interrupt } = call
  if (!paths.some(isAddress)) checkNamed(paths, options.sql)
  if (paths.includes('-'))
    throw new OptionError(
      'standard input (-) cannot be used with --engine sql, which reads the data many times: write it to a file',
    )
  call.stoppable(limit)
  // Tables that were made in a database are removed before the command ends.
  if (paths.some(isAddress)) call.found()
  const { openSqlTable } = await import('../../engine/open-sql-table.ts')
  line.show([`counting ${paths.map(redacted).join(', ') || 'the query'} in place`])
  try {
    const table = await openSqlTable(paths, {
      ...sourceOptions(options),
      ...given(options, ['threads', 'scratch']),
      signal: interrupt.signal,
    })
    const { session } = table
    onEnd(async () => {
      await session.close().catch(error => {
        if (!(error instanceof EngineError)) throw error
        terminal.warn(
          'leftover-tables',
          `working tables could not be removed from the database (${error.message}): remove them with polyad clean`,
        )
      })
    })
    line.clear()
    terminal.printNotes(table.notes)
    return { ...table, tensor: session.data }
  } finally {
    line.clear()
  }
}

/** The engine of graphics devices; with `auto`, the processor and a note if there are none. */
const onGraphics = async ({ terminal }: Call, { engine, threads }: Options): Promise<Engine> => {
  const { graphicsEngine } = await import('../../engine/graphics-engine.ts')
  const onFallback = (reason: string) => terminal.note(`the fit runs on the processor: ${reason}`)
  return graphicsEngine({ ...defined({ threads }), ...(engine === 'auto' && { onFallback }) })
}

/** One line on the data as it is fitted, and where its passes are made if not here. */
export const sourceLine = ({ rows, source }: Source, tensor: Counts): string =>
  `${tensorLine(tensor, rows)}${source.engine === undefined ? '' : `; fitted in place (${source.engine})`}`
