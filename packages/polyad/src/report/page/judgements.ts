import { count, counted, fixed, percent } from '../numbers.ts'
import type { ReportFacts } from '../record/report.ts'
import { associatedPairs } from './association.ts'
import { fitTest, LEVEL } from './fit-test.ts'
import { judgeGroups } from './judge-groups.ts'
import { judgeSearch } from './judge-search.ts'
import { type Judgement, judgement } from './judgement.ts'

/** Below this relative entropy classes overlap much (0.8 is often called high, 0.4 low). */
export const UNCERTAIN = 0.6
/** Those assigned to a class should belong to it with this probability, on average. */
export const ASSIGNED = 0.7
/** Above this part of wrong assignments classes are not well separated. */
const WRONG = 0.1
/** Up to this part of the pairs may remain associated in a model that fits in the main. */
const FEW_PAIRS = 0.1

/**
 * What is to be known of a model before its classes are interpreted, each question for itself: that the search settled does not say
 * that there are groups, and that there are groups does not say that the model fits.
 * @example
 * const report = await makeReport(model, { data: answers })
 * judgements(report).map(({ subject }) => subject) // ['groups', 'assignment', 'fit']
 */
export const judgements = (facts: ReportFacts): readonly Judgement[] =>
  [
    facts.search === null ? undefined : judgeSearch({ rank: facts.classes.length, ...facts.search }),
    judgeGroups(facts),
    judgeAssignment(facts),
    judgeFit(facts),
  ].filter(each => each !== undefined)

const judgeAssignment = ({ statistics, classes }: ReportFacts): Judgement | undefined => {
  if (statistics === null || classes.length === 1) return undefined
  const { classificationError, relativeEntropy, averagePosteriors } = statistics
  if (!Number.isFinite(classificationError)) return undefined
  const isWeak = averagePosteriors.some((row, k) => row !== null && row[k] < ASSIGNED)
  const isOverlapping = relativeEntropy !== null && relativeEntropy < UNCERTAIN
  const [level, answer] = isOverlapping
    ? (['poor', 'Many assignments are uncertain.'] as const)
    : isWeak
      ? (['poor', 'Assignments to some classes are uncertain.'] as const)
      : classificationError > WRONG
        ? (['fair', 'Some assignments are uncertain.'] as const)
        : (['good', 'Most assignments are certain.'] as const)
  return judgement(
    'assignment',
    level,
    answer,
    `If each observation is assigned to its most probable class, ${percent(1 - classificationError)} are expected to be correct${relativeEntropy === null ? '' : ` (relative entropy ${fixed(relativeEntropy, 2)})`}.`,
  )
}

/** One class alone is judged by whether there are groups: that is the same question. */
const judgeFit = (facts: ReportFacts): Judgement | undefined => {
  const { pairs, classes, statistics } = facts
  if (classes.length === 1) return undefined
  const [test, large] = [fitTest(facts), associatedPairs(facts)]
  const rejected = test !== null && test.p < LEVEL
  const tests =
    test === null ? [] : [rejected ? `${test.text}.` : `The test of fit does not reject the model (${test.text}).`]
  if (large.length > 0) {
    const many = rejected || large.length > FEW_PAIRS * (pairs?.length ?? 0)
    const of =
      pairs?.length === 1
        ? 'The two variables'
        : `${count(large.length)} of ${counted(pairs?.length ?? 0, 'pair')} of variables`
    return judgement(
      'fit',
      many ? 'poor' : 'fair',
      `${of} ${large.length === 1 && pairs?.length !== 1 ? 'remains' : 'remain'} associated within classes.`,
      ...tests,
    )
  }
  const none =
    pairs === null || pairs.length === 0
      ? []
      : [
          `No pair of variables remains associated within classes (largest bivariate residual ${fixed(pairs[0].residual, 1)}).`,
        ]
  if (rejected) return judgement('fit', 'poor', 'The model misses something in the data.', ...tests, ...none)
  if (statistics !== null && statistics.gSquared !== null && statistics.degreesOfFreedom <= 0)
    return judgement(
      'fit',
      'fair',
      'The fit cannot be tested.',
      'The model has as many parameters as the table has cells.',
    )
  return tests.length + none.length === 0 ? undefined : judgement('fit', 'good', 'No misfit found.', ...tests, ...none)
}

/** A judgement in sentences. */
export const judgementSentences = ({ answer, evidence }: Judgement): string => [answer, ...evidence].join(' ')
