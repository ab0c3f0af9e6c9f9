import { exactBytes } from '../../file/exact-values.ts'
import { digestOf } from '../../numeric/digest.ts'
import { Checkpoint, type CheckpointOptions } from './checkpoint.ts'
import type { Facts } from './journal.ts'

/** What a function has of options, as far as a checkpoint is concerned. */
interface Watched {
  readonly checkpoint?: CheckpointOptions | Checkpoint | undefined
}

/** Options on which no result depends: a run may go on with others. */
const FREE = ['threads', 'maxSeconds', 'engine', 'signal']

/** What an option is known by: itself if that is short, else a digest. */
const MOST_BYTES = 256

const factOf = (value: unknown): unknown => {
  try {
    const parameters = (value as { readonly parameters?: unknown } | undefined)?.parameters
    const bytes = exactBytes(parameters ?? value)
    return bytes.length <= MOST_BYTES && parameters === undefined ? value : digestOf(bytes)
  } catch (error) {
    // Functions, and what holds some, are no facts.
    if (error instanceof TypeError) return undefined
    throw error
  }
}

const factsOf = (owner: string, options: object): Facts => ({
  function: owner,
  ...Object.fromEntries(
    Object.entries(options)
      .filter(([name]) => !FREE.includes(name))
      .map(([name, value]) => [name, factOf(value)] as const)
      .filter(([, fact]) => fact !== undefined),
  ),
})

/** A checkpoint that is open, as a part of options. */
export interface Opened {
  readonly checkpoint?: Checkpoint
}

/** Does work with a checkpoint that is open, if there is to be one; what is opened here is stored once more and closed here. */
export const withCheckpoint = async <T, Options extends Watched>(
  owner: string,
  { checkpoint, ...options }: Options,
  work: (opened: Opened) => Promise<T>,
): Promise<T> => {
  if (checkpoint === undefined) return work({})
  if (checkpoint instanceof Checkpoint) return work({ checkpoint })
  const opened = new Checkpoint(checkpoint, factsOf(owner, options))
  try {
    return await work({ checkpoint: opened })
  } finally {
    await opened.close()
  }
}

/** A checkpoint that a function further up has opened. */
export const openedCheckpoint = (checkpoint: CheckpointOptions | Checkpoint | undefined): Checkpoint | undefined =>
  checkpoint instanceof Checkpoint ? checkpoint : undefined
