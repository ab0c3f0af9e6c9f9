import type { ClassMark } from '@polyad/core/stats'
import { type Labels, labelsIn } from '../../table/values/codebook.ts'
import { numberedName } from '../figures/class-names.ts'
import type { CovariateFigures } from '../figures/covariate-figures.ts'
import { inText } from '../html.ts'
import { count, counted, lift, numberText, percent } from '../numbers.ts'
import { capital, inWords, listed } from '../prose.ts'
import type { DataFacts, ReportClass, ReportFacts } from '../record/report.ts'
import { LEVEL } from './fit-test.ts'
import { judgementSentences, judgements } from './judgements.ts'
import { linkedSummary, unitsText } from './linked-sentences.ts'

/** What a report says first, in words: every sentence follows from the numbers by a rule. */

/** Class 2, with its name where it has one. */
export const classText = (classes: readonly ReportClass[], k: number): string => {
  const { name } = classes[k]
  return name === numberedName(k) ? `class ${k + 1}` : `class ${k + 1} (“${inText(name)}”)`
}

/** Shares are all told where they are no more than this. */
const TOLD = 8
/** How many marks of a class are told in words; a chart shows more. */
const MARKS = 3
/** What classes hold a part of: observations, or the weight of a sample that has weights. */
export const heldOf = ({ weights, same }: DataFacts): string =>
  `${weights === null ? 'the observations' : 'the weight'}${same === false ? ' of the fit' : ''}`

/** How much data the model was fitted to: `118 observations on 7 variables`. */
export const dataText = ({ fitted, weights }: DataFacts, variables: string, units = ''): string =>
  `${count(fitted)} observations${units} on ${variables}${weights === null ? '' : `, weighted by ${inText(weights)}`}`

/** What was found, in a few sentences, and how it is to be judged. */
export const summary = (report: ReportFacts): string[] => [
  ...foundSentences(report),
  ...judgements(report).map(judgementSentences),
]

/** How many classes there are, of what, and how large. */
export const foundSentences = (facts: ReportFacts): string[] => {
  const { classes, variables, joined: lists, groups, effects, data, covariates } = facts
  const rank = classes.length
  const what = dataText(data, counted(variables, 'variable'), unitsText(facts.linked))
  const held = heldOf(data)
  const joined = lists.length > 0 ? ', except those that were joined' : ''
  if (rank === 1) return [`One class describes ${what}. The variables are assumed independent${joined}.`]
  const shares = classes.map(({ share }) => percent(share))
  const sizes =
    rank <= TOLD
      ? `They contain ${listed(shares)} of ${held}.`
      : `The largest contains ${shares[0]} of ${held}, the smallest ${percent(Math.min(...classes.map(({ share }) => share)))}.`
  return [
    `${capital(inWords(rank))} classes describe ${what}. Within a class, the variables are assumed independent${joined}.`,
    sizes,
    ...(groups === null
      ? []
      : [
          `Class sizes may differ between the known groups; profiles are the same in all${effects.length === 0 ? '' : ', except for the variables named below'}.`,
        ]),
    ...linkedSummary(facts),
    ...(covariates === null ? [] : membershipSentences(covariates)),
  ]
}

/** What covariates have to do with membership, by their tests. */
const membershipSentences = ({ tests, curves }: CovariateFigures): string[] => {
  const named = (names: readonly string[]) => listed([...new Set(names)].map(name => inText(name)))
  if (tests === undefined)
    return curves.length === 0
      ? []
      : [`Class membership may depend on ${named(curves.map(({ covariate }) => covariate))}; no test was recorded.`]
  const those = (rule: (p: number | null, whole: boolean) => boolean) =>
    tests.flatMap(({ covariate, test, untested = 0 }) =>
      rule(test?.pValue ?? null, untested === 0) ? [covariate] : [],
    )
  const explains = those(p => p !== null && p < LEVEL)
  const rest = those((p, whole) => p !== null && p >= LEVEL && whole)
  const partly = those((p, whole) => p !== null && p >= LEVEL && !whole)
  const untested = those(p => p === null)
  return [
    ...(explains.length === 0 ? [] : [`Class membership is explained by ${named(explains)} (p < ${LEVEL}).`]),
    ...(rest.length === 0
      ? []
      : [`Class membership is not significantly related to ${named(rest).replace(/ and (?=[^,]*$)/, ' or ')}.`]),
    ...(partly.length === 0
      ? []
      : [
          `Some effects of ${named(partly)} have no finite estimate, for example because a category has no members in a class. The test omits them, so it does not show whether class membership depends on ${named(partly)}.`,
        ]),
    ...(untested.length === 0 ? [] : [`The effect of ${named(untested)} could not be tested.`]),
  ]
}

/** How large a class is and what marks it. */
export const classSentences = ({ classes, data, labels }: ReportFacts, k: number): string[] => {
  const { share, marks } = classes[k]
  const about = `about ${count(Math.round(share * data.fitted))} of ${count(data.fitted)}`
  const size = `It contains ${percent(share)} of ${heldOf(data)}, ${about}.`
  if (classes.length === 1) return []
  if (marks.length === 0)
    return [size, 'No category is much more frequent in it than overall: it is close to the average.']
  const shown = labelsIn(labels)
  return [
    size,
    `Most typical: ${marks
      .slice(0, MARKS)
      .map(mark => markText(mark, shown))
      .join('; ')}.`,
  ]
}

const markText = ({ mode, label, probability, overall, lift: times, number }: ClassMark, labels: Labels): string =>
  number === undefined
    ? `${inText(mode)} = ${inText(labels.value(mode, label))} (${percent(probability)} in the class, ${percent(overall)} overall, ${lift(times)})`
    : `${number.side} on ${inText(mode)} (${numberText(number.mean)}, overall ${numberText(number.overall)})`
