import type { Run } from '../descent/run.ts'
import type { Optima } from './optima.ts'

/** How far to trust a result, with the evidence. */
export interface Verdict {
  /** One sentence for a person. */
  readonly text: string
  /** How many of the attempts ended at the best loss. */
  readonly reached: number
  readonly attempts: number
  /** The chance that one more independent start ends at an optimum not seen yet (Good–Turing); a better one is among those. */
  readonly unseen: number
  /** Whether models of the best loss differ in their parameters: the data does not tell them apart. */
  readonly ambiguous: boolean
  /** What to do where the result is not to be trusted yet; empty where it is. */
  readonly advice: readonly string[]
}

export interface Evidence {
  readonly best: Run
  readonly optima: Pick<Optima, 'attempts' | 'timesBest' | 'unseen' | 'ambiguous'>
  /** A closed form, with nothing to search. */
  readonly closed: boolean
  /** Whether the search ended by its limits. */
  readonly exhausted: boolean
  /** Whether it was told to stop. */
  readonly stopped: boolean
}

/** An optimum counts as found again and again where it was reached this often, and hardly any start came to an end of its own. */
export const CONFIRMED = { reached: 6, unseen: 0.05 }

export const verdictOf = (evidence: Evidence): Verdict => {
  const { best, optima, closed } = evidence
  const stationary = `stationary to ${best.stationarity.toExponential(0)}`
  if (closed) {
    const text = `closed form: the global optimum; ${stationary}`
    return Object.freeze({ text, reached: 1, attempts: 1, unseen: 0, ambiguous: false, advice: Object.freeze([]) })
  }
  const { attempts, timesBest: reached, unseen, ambiguous } = optima
  const parts = [
    attempts === 1
      ? 'one start'
      : reached === 1
        ? `best optimum reached once in ${attempts} attempts: treat as provisional`
        : `best optimum reached by ${reached} of ${attempts} attempts`,
  ]
  if (attempts > 1) parts.push(`chance that another start ends at an optimum not seen yet: ${percent(unseen)}`)
  parts.push(
    best.reason === 'stationary' ? stationary : `not converged (residual ${best.stationarity.toExponential(0)})`,
  )
  if (ambiguous) parts.push('models of this loss differ in their parameters: the classes are not identified')
  const advice = Object.freeze(adviceFor(evidence))
  return Object.freeze({ text: parts.join('; '), reached, attempts, unseen, ambiguous, advice })
}

const percent = (chance: number): string => (chance > 0 && chance < 0.01 ? '< 1 %' : `${Math.round(100 * chance)} %`)

const adviceFor = ({ best, optima, exhausted, stopped }: Evidence): string[] => {
  const { attempts, timesBest: reached, unseen, ambiguous } = optima
  const advice: string[] = []
  if (best.reason === 'passes') advice.push('it was still moving at the limit of passes: raise maxPasses')
  if (best.reason === 'stopped') advice.push('it was stopped before it had settled: run it again for longer')
  if (best.reason === 'stalled')
    advice.push('rounding keeps it from settling: scale the values, or lower the precision asked for')
  const more = exhausted ? 'raise maxPasses' : 'raise starts'
  if (stopped && reached < CONFIRMED.reached) advice.push('the search was cut short: give it more time')
  else if (attempts === 1) advice.push('one start says nothing about other optima: raise starts')
  else if (reached === 1) advice.push(`the best was reached once: ${more}`)
  else if (reached < CONFIRMED.reached || unseen > CONFIRMED.unseen) {
    advice.push(`a better optimum may have been missed (reached ${reached} times, ${percent(unseen)} unseen): ${more}`)
  }
  if (ambiguous) advice.push('the data does not determine this many classes: try fewer')
  return advice
}
