import type { FitFigures } from './fit-figures.ts'
import { count } from './numbers.ts'

/** How far a solution can be relied on, and why, in a sentence each. */
export interface Reliability {
  readonly level: 'exact' | 'reliable' | 'fair' | 'provisional'
  readonly words: string
}

/** Above this chance of a better solution one should search on: from there on the verdict of a search advises it, too. */
const DOUBT = 0.01

type Judged = {
  readonly rank: number
  readonly verdict: Pick<FitFigures['verdict'], 'reached' | 'attempts' | 'chanceOfBetter' | 'ambiguous'>
  readonly reason: string
}

/** How a run ends that has converged, or has next to nothing left to gain. */
const ENDED = ['stationary', 'settled']

/** What the search says of its own result: the conclusion first, the figures behind it elsewhere. */
export const reliabilityOf = ({
  rank,
  verdict: { reached, attempts, chanceOfBetter, ambiguous },
  reason,
}: Judged): Reliability => {
  if (rank === 1) return { level: 'exact', words: 'One class has an exact solution.' }
  if (ambiguous) return { level: 'provisional', words: 'Different classes fit equally well: use fewer classes.' }
  if (reason === 'stopped') return { level: 'provisional', words: 'The search was stopped: fit again to be sure.' }
  if (!ENDED.includes(reason)) return { level: 'provisional', words: 'The search did not converge: fit again.' }
  if (attempts === 1) return { level: 'provisional', words: 'Only one search was made.' }
  const found = `${count(reached)} of ${count(attempts)} searches found this solution`
  if (reached === 1) return { level: 'provisional', words: `${found}: fit again with another seed to be sure.` }
  if (chanceOfBetter > DOUBT) return { level: 'fair', words: `${found}: a better one may exist.` }
  return { level: 'reliable', words: `${found}: reliable.` }
}
