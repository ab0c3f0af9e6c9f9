import { isResidual } from '../figures/meaning.ts'
import { inText } from '../html.ts'
import { counted, fixed } from '../numbers.ts'
import type { ReportFacts } from '../record/report.ts'

/** A residual of two modes above this is large: a convention, not a test. */
export const LARGE_RESIDUAL = 4

/** The pairs of variables whose association the classes do not explain, the worst first. */
export const associatedPairs = ({ pairs }: Pick<ReportFacts, 'pairs'>) =>
  (pairs ?? []).filter(({ residual }) => isResidual(residual) && residual > LARGE_RESIDUAL)

/** `Within classes, KNOWB and INTELB remain associated (bivariate residual 66.9); so do 30 other pairs.` */
export const associationSentence = (facts: Pick<ReportFacts, 'pairs'>): string | undefined => {
  const [worst, ...others] = associatedPairs(facts)
  if (worst === undefined) return undefined
  const also =
    others.length === 0 ? '' : `; so ${others.length === 1 ? 'does' : 'do'} ${counted(others.length, 'other pair')}`
  return `Within classes, ${inText(worst.modes[0])} and ${inText(worst.modes[1])} remain associated (bivariate residual ${fixed(worst.residual, 1)})${also}.`
}
