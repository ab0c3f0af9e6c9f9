import type { Run } from './em.ts'
import type { StartSummary } from './fit.ts'

export interface Verdict {
  /** One sentence for a person. */
  readonly text: string
  /** How many of the starts ended at the best loss, to one part in ten million. */
  readonly reached: number
  readonly starts: number
  /** What to do where the result is not to be trusted yet; empty where it is. */
  readonly advice: readonly string[]
}

/** Two losses this close, relative to their size, count as one optimum. */
const SAME = 1e-7

export const verdictOf = (rank: number, best: Run, starts: readonly StartSummary[]): Verdict => {
  const stationary = `stationary to ${best.stationarity.toExponential(0)}`
  if (rank === 1) {
    return { text: `closed form: the global optimum; ${stationary}`, reached: 1, starts: 1, advice: [] }
  }
  const near = SAME * Math.max(1, Math.abs(best.loss))
  const reached = starts.filter(({ loss }) => loss - best.loss <= near).length
  const advice: string[] = []
  if (best.reason === 'passes') advice.push('it was still moving at the limit of passes: raise maxPasses')
  if (best.reason === 'stopped') advice.push('it was stopped before it had settled: run it again for longer')
  if (starts.length > 1 && reached === 1) advice.push('the best was reached once only: raise starts')
  if (starts.length === 1) advice.push('one start says nothing about other optima: raise starts')
  const times = starts.length === 1 ? 'one start' : `best optimum reached by ${reached} of ${starts.length} starts`
  const state =
    best.reason === 'stationary' ? stationary : `not converged (residual ${best.stationarity.toExponential(0)})`
  return { text: `${times}; ${state}`, reached, starts: starts.length, advice }
}
