import { percent } from '../numbers.ts'
import { capital, inWords } from '../prose.ts'
import type { ReportFacts } from '../record/report.ts'
import { associatedPairs } from './association.ts'
import { judgeGroups } from './judge-groups.ts'

/**
 * The result in one sentence: number of groups, correct assignments, and associations that remain.
 * @example
 * answer(await makeReport(model, { data: answers })) // 'Two groups; 94% of observations can be assigned correctly.'
 */
export const answer = (facts: ReportFacts): string => {
  const { classes, statistics, data } = facts
  const groups = judgeGroups(facts)
  if (classes.length === 1) return groups?.answer ?? 'One class.'
  const several = capital(inWords(classes.length))
  const found =
    groups?.level === 'poor'
      ? `${several} classes, but one class is enough`
      : groups?.level === 'fair'
        ? `${several} classes; it is uncertain whether there are groups`
        : `${several} groups`
  const wrong = statistics?.classificationError ?? Number.NaN
  const pairs = associatedPairs(facts).length
  const parts = [
    found,
    ...(Number.isFinite(wrong)
      ? [`${whole(1 - wrong)} of ${data.weights === null ? 'observations' : 'the weight'} can be assigned correctly`]
      : []),
    ...(pairs === 0
      ? []
      : [
          `${inWords(pairs)} ${pairs === 1 ? 'pair' : 'pairs'} of variables ${pairs === 1 ? 'remains' : 'remain'} associated within them`,
        ]),
  ]
  return `${parts.join('; ')}.`
}

/** Nothing that is nearly all reads as all. */
const whole = (share: number): string => (share > 0.995 && share < 1 ? 'over 99%' : percent(share, 0))
