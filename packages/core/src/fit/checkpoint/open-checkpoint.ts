import type { Session } from '../../engine/engine.ts'
import { exactBytes } from '../../file/exact-values.ts'
import { digestOf } from '../../numeric/digest.ts'
import { Checkpoint, type CheckpointOptions } from './checkpoint.ts'
import type { Facts } from './journal.ts'
import { SessionUnits } from './session-units.ts'

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

/** Opens the checkpoint of a function. @param options of the function: a checkpoint of other ones is refused */
export const openFor = (owner: string, options: object, checkpoint: CheckpointOptions): Checkpoint =>
  new Checkpoint(checkpoint, factsOf(owner, options))

/** What a checkpoint knows of the work on a session's data. */
export const unitsOf = (checkpoint: Checkpoint, session: Session): SessionUnits => new SessionUnits(checkpoint, session)
