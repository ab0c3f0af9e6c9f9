import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Checkpoint, DataError, OptionError, openCheckpoint } from '@polyad/core'
import { defined, FIT_OPTIONS, type OptionDefinition } from '@polyad/core/options'
import { writeAtomically } from '../../output/atomic-file.ts'
import { version } from '../../package-file.ts'
import { counted } from '../../report/numbers.ts'
import { flagOf } from '../../table/reading/reading-options.ts'
import type { Call } from '../framework/define-command.ts'

/** A checkpoint in a file, for as long as a command works. */
export interface CheckpointFile {
  readonly state: Checkpoint
  /** Writes it for the first time, so that a place that takes no file is told of at once. */
  readonly begin: () => Promise<void>
  /** The field of --json. */
  readonly record: () => { readonly checkpoint: { file: string; resumed: boolean; units: number } }
  /** Ends it after the answer: removed if the work is done, kept if it was stopped. */
  readonly end: () => Promise<void>
}

interface Options {
  readonly checkpoint?: string
  readonly checkpointEvery?: number
  readonly starts?: number | 'auto'
}

/** Options on which no result depends: work may go on with others. */
const FREE = [
  'checkpoint',
  'checkpointEvery',
  'threads',
  'maxSeconds',
  'json',
  'quiet',
  'labels',
  'output',
  'report',
  'names',
]

/** Opens the checkpoint that a command was asked for: what is in the file is where it goes on. Refused before anything is read. */
export const openCheckpointFile = (
  { terminal, line, onEnd, interrupt }: Pick<Call, 'terminal' | 'line' | 'onEnd' | 'interrupt'>,
  command: string,
  options: Options,
): CheckpointFile | undefined => {
  const { checkpoint: path, checkpointEvery: every } = options
  if (path === undefined) {
    if (every !== undefined) throw new OptionError('--checkpoint-every needs --checkpoint, the file that is written')
    return undefined
  }
  const before = contentOf(path)
  const state = openCheckpoint({
    store: bytes => writeDurably(path, bytes),
    name: path,
    facts: factsOf(command, options),
    ...defined({ resume: before, every }),
    onFailure: error => {
      line.clear()
      const last = existsSync(path) ? 'and the last checkpoint stays' : 'without a checkpoint'
      terminal.warn(
        'checkpoint',
        `the checkpoint could not be written (${messageOf(error)}): the work goes on, ${last}`,
      )
    },
  })
  let open = true
  const close = async (store: boolean) => {
    if (open) await state.close({ store })
    open = false
  }
  onEnd(() => close(true))
  if (before !== undefined) terminal.note(`resumed from ${path}: ${doneSoFar(state, command, options)}`)
  return {
    state,
    begin: () => state.save(),
    record: () => ({ checkpoint: { file: path, resumed: before !== undefined, units: state.units.found } }),
    end: async () => {
      const { aborted } = interrupt.signal
      await close(aborted)
      if (!aborted) removeEnded(path, terminal)
      else if (existsSync(path)) terminal.note(`the checkpoint is in ${path}: the same command resumes from it`)
    },
  }
}

/** Removes the checkpoint of work that is done. What cannot be removed does no harm: the same command would find everything done. */
const removeEnded = (path: string, terminal: Call['terminal']): void => {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    terminal.warn(
      'checkpoint',
      `the work is done, but its checkpoint ${path} could not be removed: ${messageOf(error)}`,
    )
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The bytes of the file; undefined if there is none. */
const contentOf = (path: string): Uint8Array | undefined => {
  try {
    if (!existsSync(path)) return undefined
    if (statSync(path).isDirectory()) throw new DataError(`${path} is a folder: name a file for the checkpoint`)
    return readFileSync(path)
  } catch (error) {
    if (error instanceof DataError) throw error
    throw new DataError(
      `${path} cannot be read (${messageOf(error)}): use another file for the checkpoint`,
      {},
      { cause: error },
    )
  }
}

/** Writes a file so that it is there whole or not at all, also after a loss of power. */
const writeDurably = async (path: string, bytes: Uint8Array): Promise<void> => {
  await writeAtomically(path, async temporary => {
    const file = await open(temporary, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
  })
  // The new name is durable once its folder is, where folders can be opened at all.
  try {
    const folder = openSync(dirname(path), 'r')
    fsyncSync(folder)
    closeSync(folder)
  } catch {
    // The file itself is whole either way.
  }
}

/** What the command was asked for, by its flags: what is not said is as by default. */
const factsOf = (command: string, options: object): Record<string, unknown> => {
  const usual = Object.entries<OptionDefinition>(FIT_OPTIONS).map(([name, each]) => [name, each.default])
  const all = Object.entries({ ...Object.fromEntries(usual), engine: 'wasm', ...options })
  return {
    version,
    command,
    ...Object.fromEntries(
      all
        .filter(([name, value]) => value !== undefined && !FREE.includes(name))
        .map(([name, value]) => [flagOf(name).slice(2), value]),
    ),
  }
}

const doneSoFar = ({ resumed }: Checkpoint, command: string, { starts }: Options): string => {
  const { run, fit, fold, replicate, test } = resumed
  const runs = command === 'fit' && typeof starts === 'number' ? `${run} of ${starts} starts` : counted(run, 'run')
  const parts = [
    ...(run > 0 ? [runs] : []),
    ...(fit > 0 ? [counted(fit, 'fit')] : []),
    ...(fold > 0 ? [counted(fold, 'held-out part')] : []),
    ...(replicate > 0 ? [counted(replicate, 'replicate')] : []),
    ...(test > 0 ? [counted(test, 'test')] : []),
  ]
  const middle = resumed.part > 0 ? ['in the middle of a run'] : []
  const all = [...(parts.length === 0 ? [] : [`${parts.join(', ')} done`]), ...middle]
  return all.length === 0 ? 'nothing was done yet' : all.join(', ')
}
