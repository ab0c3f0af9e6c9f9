import type { Run } from '../descent/run.ts'
import type { Cluster } from './optima.ts'
import { sameLoss, unseenChance } from './optima.ts'

/** How far to trust a result, with the evidence. */
export interface Verdict {
  /** One sentence for a person. */
  readonly text: string
  /** How many of the independent attempts ended at the best loss. */
  readonly reached: number
  readonly attempts: number
  /** The chance that one more attempt would find an optimum not seen yet (Good–Turing); a better one is among those. */
  readonly unseen: number
  /** Whether models of the best loss differ in their parameters: the data does not tell them apart. */
  readonly ambiguous: boolean
  /** What to do where the result is not to be trusted yet; empty where it is. */
  readonly advice: readonly string[]
}

export interface Evidence {
  readonly best: Run
  readonly clusters: readonly Cluster[]
  /** A closed form, with nothing to search. */
  readonly closed: boolean
  /** Whether the search ended by its limits. */
  readonly exhausted: boolean
  /** Whether it was told to stop. */
  readonly stopped: boolean
  readonly unit: number
}

export const verdictOf = (evidence: Evidence): Verdict => {
  const { best, clusters, closed, unit } = evidence
  const stationary = `stationary to ${best.stationarity.toExponential(0)}`
  if (closed) {
    const text = `closed form: the global optimum; ${stationary}`
    return Object.freeze({ text, reached: 1, attempts: 1, unseen: 0, ambiguous: false, advice: Object.freeze([]) })
  }
  const attempts = clusters.reduce((sum, { reached }) => sum + reached, 0)
  const atBest = clusters.filter(({ run }) => sameLoss(run.objective, best.objective, unit))
  const reached = atBest.reduce((sum, cluster) => sum + cluster.reached, 0)
  const unseen = unseenChance(clusters)
  const ambiguous = atBest.length > 1
  const parts = [
    attempts === 1
      ? 'one start'
      : reached === 1
        ? `best optimum reached once in ${attempts} attempts: treat as provisional`
        : `best optimum reached by ${reached} of ${attempts} attempts`,
  ]
  if (attempts > 1) parts.push(`chance that another finds an optimum not seen yet: ${percent(unseen)}`)
  parts.push(
    best.reason === 'stationary' ? stationary : `not converged (residual ${best.stationarity.toExponential(0)})`,
  )
  if (ambiguous) parts.push('models of this loss differ in their parameters')
  return Object.freeze({
    text: parts.join('; '),
    reached,
    attempts,
    unseen,
    ambiguous,
    advice: Object.freeze(adviceFor(evidence, attempts, reached, ambiguous)),
  })
}

const percent = (chance: number): string => `${Math.round(100 * chance)} %`

const adviceFor = (
  { best, exhausted, stopped }: Evidence,
  attempts: number,
  reached: number,
  ambiguous: boolean,
): string[] => {
  const advice: string[] = []
  if (best.reason === 'passes') advice.push('it was still moving at the limit of passes: raise maxPasses')
  if (best.reason === 'stopped') advice.push('it was stopped before it had settled: run it again for longer')
  if (stopped && attempts > 0 && reached === 1) advice.push('the search was cut short: give it more time')
  else if (attempts === 1) advice.push('one start says nothing about other optima: raise starts')
  else if (reached === 1) {
    advice.push(
      exhausted
        ? 'the best was reached once within the limits: raise maxPasses'
        : 'the best was reached once: raise starts',
    )
  }
  if (ambiguous) advice.push('the data does not determine this many classes: try fewer')
  return advice
}
