import { reachedText } from '@polyad/core/stats'
import type { FitFigures } from '../figures/fit-figures.ts'
import { type Judgement, judgement } from './judgement.ts'

/** Above this chance of a better solution one should search on: from there on the verdict of a search advises it, too. */
const DOUBT = 0.01

type Searched = Pick<FitFigures, 'rank' | 'reason'> & {
  readonly verdict: Pick<
    FitFigures['verdict'],
    'reached' | 'attempts' | 'startsReached' | 'starts' | 'chanceOfBetter' | 'ambiguous'
  >
}

/**
 * Judges whether the search settled: whether it keeps ending at the same solution. Whether there are classes is another question.
 * @example
 * judgeSearch(fitFigures(answers, result, 1, await evaluate(answers, result.model))).answer // 'The search settled.'
 */
export const judgeSearch = ({ rank, verdict, reason }: Searched): Judgement => {
  if (rank === 1) return judgement('search', 'good', 'One class has an exact solution.')
  const { attempts, reached, chanceOfBetter, ambiguous } = verdict
  if (ambiguous) return judgement('search', 'poor', 'Different classes fit equally well.', 'Use fewer classes.')
  if (reason === 'stopped')
    return judgement('search', 'poor', 'The search was stopped.', 'Fit again for longer to be sure.')
  if (reason !== 'stationary' && reason !== 'settled')
    return judgement('search', 'poor', 'The search did not converge.', 'Fit again and allow more passes.')
  if (attempts === 1)
    return judgement('search', 'poor', 'Only one run was made.', 'It says nothing about other solutions.')
  const found = [
    `${runsText(verdict)} reached this solution.`,
    `The estimated chance that a better one exists is ${chance(chanceOfBetter)}.`,
    ...(reason === 'settled' ? ['The best run stopped early, because hardly any further gain was expected.'] : []),
  ]
  if (reached === 1)
    return judgement(
      'search',
      'poor',
      'The search has not settled.',
      ...found,
      'Fit again with another seed to be sure.',
    )
  if (chanceOfBetter > DOUBT) return judgement('search', 'fair', 'The search may not have settled.', ...found)
  return judgement('search', 'good', 'The search settled.', ...found)
}

/** Starts and recombinations; files of earlier versions may have only the runs in all. */
const runsText = ({ startsReached, ...verdict }: Searched['verdict']): string =>
  startsReached === null ? `${verdict.reached} of ${verdict.attempts} runs` : reachedText({ ...verdict, startsReached })

const chance = (value: number): string =>
  value === 0 ? '0%' : value < 0.001 ? 'under 0.1%' : `${Number((100 * value).toPrecision(value < 0.095 ? 1 : 2))}%`

/**
 * The same as a level and a sentence, as version 1.0 had it.
 * @deprecated `reliable` means only that the search settled: use `judgeSearch`, and `judgements` for the other questions.
 * @example
 * reliabilityOf(fitFigures(answers, result, 1, await evaluate(answers, result.model))).level // 'reliable'
 */
export const reliabilityOf = (
  figures: Searched,
): { readonly level: 'exact' | 'reliable' | 'fair' | 'provisional'; readonly words: string } => {
  const { level, answer, evidence } = judgeSearch(figures)
  const levels = { good: figures.rank === 1 ? 'exact' : 'reliable', fair: 'fair', poor: 'provisional' } as const
  return { level: levels[level], words: [answer, ...evidence.slice(0, 1)].join(' ') }
}
