import { setTimeout as wait } from 'node:timers/promises'
import { EngineError } from '@polyad/core'
import { words } from '@polyad/core/options'
import { type Connection, DatabaseFault } from './connection.ts'

export interface RetryOptions {
  /** How often a statement is tried that failed for a reason which may pass. Default 6. */
  readonly attempts?: number
  /** Milliseconds before the second try; each further wait is twice as long, up to half a minute. Default 250. */
  readonly backOff?: number
  /** Nothing is tried again once it asks for an end. */
  readonly signal?: AbortSignal
}

const LONGEST = 30_000

/**
 * Does work that changes nothing, again where it failed for a reason that may pass: a lost connection, a server that restarts, memory or
 * disk that was short. What fails for good is an `EngineError` that names the server or shard.
 */
export const retried = async <T>(
  connection: Connection,
  { attempts = 6, backOff = 250, signal }: RetryOptions,
  work: () => Promise<T>,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      if (attempt > 1) await connection.renew?.()
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error
      if (!error.transient || attempt >= attempts || signal?.aborted) throw failure(connection, error, attempt)
      await wait(Math.min(LONGEST, backOff * 2 ** (attempt - 1)))
    }
  }
}

const failure = ({ name }: Connection, cause: DatabaseFault, attempts: number): EngineError => {
  const tries = attempts === 1 ? '' : ` (tried ${attempts} times)`
  const what = `${cause.place ?? name}: ${cause.message}${tries}`
  return new EngineError(cause.advice === undefined ? what : words`${what}; ${cause.advice}`, { cause })
}
