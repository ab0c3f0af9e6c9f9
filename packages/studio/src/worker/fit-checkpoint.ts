import { type Checkpoint, openCheckpoint } from '@polyad/core'
import { omit } from '@polyad/core/options'
import { version } from '../../package.json'
import type { Context, FitRequest } from './protocol.ts'

/** Seconds until the first state of a fit, and from one to the next: what a page that is closed in between has to compute again. */
const [FIRST, EVERY] = [0.5, 3]
/** A state that takes long to store is stored less often: storing takes at most a part of the time, one in so many. */
const SPARING = 20

/** The state of a fit, for as long as it is under way. */
export interface FitCheckpoint {
  readonly checkpoint: Checkpoint
  readonly end: () => Promise<void>
}

/** What a fit was asked for. The time limit may be another one; the command is only told. */
export const fitFacts = (request: FitRequest): Record<string, unknown> => ({
  version,
  ...Object.fromEntries(Object.entries(omit(request, 'line', 'maxSeconds')).filter(([, value]) => value !== null)),
})

/** Hands the state of a fit to the page now and then. @param resume the state that it goes on from; a `DataError` if it is not of this fit */
export const fitCheckpoint = (request: FitRequest, context: Context, resume: Uint8Array | null): FitCheckpoint => {
  let leave = () => {}
  // Whatever becomes of a state that is being stored when the fit ends, the fit does not wait for it.
  const left = new Promise<void>(resolve => {
    leave = resolve
  })
  let pause = 0
  const checkpoint = openCheckpoint({
    every: FIRST,
    facts: fitFacts(request),
    name: 'it',
    ...(resume !== null && { resume }),
    store: async bytes => {
      const began = performance.now()
      const stored = await Promise.race([context.store(bytes), left])
      pause = Math.min(EVERY - FIRST, pause + FIRST)
      const taken = (performance.now() - began) / 1000
      await Promise.race([passed(Math.max(pause, SPARING * taken)), left])
      if (stored === false) throw new Error('not stored')
    },
    // The page knows, and says it.
    onFailure: () => {},
  })
  return {
    checkpoint,
    end: () => {
      leave()
      return checkpoint.close({ store: false })
    },
  }
}

const passed = (seconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, 1000 * seconds))

/** Why a state cannot be used: without the advice for people who have it in a file. */
export const reasonAgainst = ({ message }: Error): string =>
  message.replace(/(: |\. )(use another|remove it)\b.*$/is, '')
