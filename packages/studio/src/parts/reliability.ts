import type { FitFigures } from 'polyad/report'

/** How far a solution can be relied on, and why, in a sentence each. */
export interface Reliability {
  readonly level: 'exact' | 'reliable' | 'fair' | 'provisional'
  readonly words: string
}

/** Above this chance of a better solution one should search on. */
const DOUBT = 0.05

/** What the search says of its own result: the conclusion first, the figures behind it elsewhere. */
export const reliabilityOf = ({
  rank,
  verdict: { reached, attempts, chanceOfBetter, ambiguous },
  reason,
}: Pick<FitFigures, 'rank' | 'verdict' | 'reason'>): Reliability => {
  if (rank === 1) return { level: 'exact', words: 'One class has an exact solution.' }
  if (ambiguous) return { level: 'provisional', words: 'Different classes fit equally well: use fewer classes.' }
  if (reason === 'stopped') return { level: 'provisional', words: 'The search was stopped: fit again to be sure.' }
  if (attempts === 1) return { level: 'provisional', words: 'Only one search was made.' }
  const found = `${reached} of ${attempts} searches found this solution`
  if (reached === 1) return { level: 'provisional', words: `${found}: fit again with another seed to be sure.` }
  if (chanceOfBetter > DOUBT) return { level: 'fair', words: `${found}: a better one may exist.` }
  return { level: 'reliable', words: `${found}: reliable.` }
}
