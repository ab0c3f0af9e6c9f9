import type { Session, Statistics } from '../../engine/engine.ts'
import type { StopSignal } from '../../errors.ts'
import type { Parameters } from '../../model/parameters.ts'

/** A session of one of several runs that are done together. */
export interface Companion {
  readonly session: Session
  /** To be called when the run has ended: the others no longer wait for it. */
  leave(): void
}

interface Request {
  readonly parameters: Parameters
  readonly resolve: (statistics: Statistics) => void
  readonly reject: (error: unknown) => void
}

/**
 * Sessions for several runs whose passes are made in one scan: each waits at its pass until all others that still run have come
 * to theirs. For engines where the scan is what costs, such as a database.
 */
export const shareScans = (session: Session, count: number, signal?: StopSignal): Companion[] => {
  let running = count
  let waiting: Request[] = []
  const scan = async (): Promise<void> => {
    if (waiting.length === 0 || waiting.length < running) return
    const requests = waiting
    waiting = []
    try {
      const results = await session.passes!(
        requests.map(({ parameters }) => parameters),
        signal,
      )
      requests.forEach(({ resolve }, i) => {
        resolve(results[i])
      })
    } catch (error) {
      for (const { reject } of requests) reject(error)
    }
  }
  return Array.from({ length: count }, () => ({
    session: {
      data: session.data,
      traits: session.traits,
      can: [],
      measure: parameters => session.measure(parameters),
      close: async () => {},
      pass: async (parameters, into) => {
        const found = await new Promise<Statistics>((resolve, reject) => {
          waiting.push({ parameters, resolve, reject })
          void scan()
        })
        return into === undefined ? found : copied(found, into)
      },
    },
    leave: () => {
      running--
      void scan()
    },
  }))
}

const copied = (from: Statistics, into: Statistics): Statistics => {
  into.sizes.set(from.sizes)
  from.factors.forEach((table, n) => {
    into.factors[n].set(table)
  })
  into.logLikelihood = from.logLikelihood
  return into
}
