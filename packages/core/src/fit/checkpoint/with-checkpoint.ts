import { loadPart } from '../../load-part.ts'
import type { Checkpoint, CheckpointOptions } from './checkpoint.ts'

/** What a function has of options, as far as a checkpoint is concerned. */
interface Watched {
  readonly checkpoint?: CheckpointOptions | Checkpoint | undefined
}

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
  if (isOpen(checkpoint)) return work({ checkpoint })
  const { openFor } = await loadPart(import('./open-checkpoint.ts'))
  const opened = openFor(owner, options, checkpoint)
  try {
    return await work({ checkpoint: opened })
  } finally {
    await opened.close()
  }
}

/** Whether a checkpoint is open already. By what it can do: its class is loaded with the first checkpoint that is opened. */
export const isOpen = (checkpoint: CheckpointOptions | Checkpoint): checkpoint is Checkpoint =>
  'once' in checkpoint && typeof checkpoint.once === 'function'

/** A checkpoint that a function further up has opened. */
export const openedCheckpoint = (checkpoint: CheckpointOptions | Checkpoint | undefined): Checkpoint | undefined =>
  checkpoint !== undefined && isOpen(checkpoint) ? checkpoint : undefined
