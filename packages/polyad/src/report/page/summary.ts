import type { ClassMark } from '@polyad/core/stats'
import { numberedName } from '../class-names.ts'
import { inText } from '../html.ts'
import { isTableEmpty } from '../meaning.ts'
import { count, counted, fixed, lift, percent, pText } from '../numbers.ts'
import { capital, inWords, listed } from '../prose.ts'
import { reliabilityOf } from '../reliability.ts'
import type { DataFacts, FitStatistics, Report, ReportClass, SearchFacts } from '../report.ts'

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
/** The level of tests in words. */
export const LEVEL = 0.05

/** What classes hold a part of: observations, or the weight of a sample that has weights. */
export const heldOf = ({ weights, same }: DataFacts): string =>
  `${weights === null ? 'the observations' : 'the weight'}${same === false ? ' of the fit' : ''}`

/** How much data the model was fitted to: `118 observations on 7 variables`. */
export const dataText = ({ fitted, weights }: DataFacts, variables: string): string =>
  weights === null
    ? `${count(fitted)} observations on ${variables}`
    : `observations on ${variables}, weighted by ${inText(weights)} (sum of the weights: ${count(fitted)})`

/** What was found, in a few sentences. */
export const summary = (report: Report): string[] => [
  ...foundSentences(report),
  ...(report.search === null ? [] : optimumSentences(report.search, report.classes.length)),
  ...(report.statistics === null ? [] : certaintySentences(report.statistics, report.classes.length)),
  ...fitSentences(report),
]

const foundSentences = ({ classes, variables, joined: lists, groups, effects, data, covariates }: Report): string[] => {
  const rank = classes.length
  const what = dataText(data, counted(variables, 'variable'))
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
    ...(covariates === null || covariates.curves.length === 0
      ? []
      : [`Class membership is explained by ${listed(covariates.curves.map(({ covariate }) => inText(covariate)))}.`]),
  ]
}

/** How large a class is and what marks it. */
export const classSentences = ({ classes, data }: Report, k: number): string[] => {
  const { share, marks } = classes[k]
  const about = `about ${count(Math.round(share * data.fitted))} of ${count(data.fitted)}`
  const size = `It contains ${percent(share)} of ${heldOf(data)}, ${about}.`
  if (classes.length === 1) return []
  if (marks.length === 0)
    return [size, 'No category is much more frequent in it than overall: it is close to the average.']
  return [size, `Most typical: ${marks.slice(0, MARKS).map(markText).join('; ')}.`]
}

const markText = ({ mode, label, probability, overall, lift: times }: ClassMark): string =>
  `${inText(mode)} = ${inText(label)} (${percent(probability)} in the class, ${percent(overall)} overall, ${lift(times)})`

const optimumSentences = ({ verdict, converged, reason }: SearchFacts, rank: number): string[] => {
  const { attempts, chanceOfBetter } = verdict
  if (rank === 1) return ['This is the best model of its kind: its optimum is known in closed form.']
  const ended = converged
    ? ' The search converged.'
    : reason === 'settled'
      ? ' The run stopped early, because hardly any further gain was expected.'
      : ''
  const better = attempts === 1 ? '' : ` The estimated chance that a better one exists is ${chance(chanceOfBetter)}.`
  return [`${reliabilityOf({ rank, verdict, reason }).words}${better}${ended}`]
}

const chance = (value: number): string =>
  value === 0 ? '0 %' : value < 0.001 ? 'under 0.1 %' : `${Number((100 * value).toPrecision(value < 0.095 ? 1 : 2))} %`

const certaintySentences = ({ classificationError, relativeEntropy }: FitStatistics, rank: number): string[] =>
  rank === 1
    ? []
    : [
        `If each observation is assigned to its most probable class, ${percent(1 - classificationError)} are expected to be correct${relativeEntropy === null ? '' : ` (relative entropy ${fixed(relativeEntropy, 2)})`}.`,
      ]

/** A test of the model's fit, with its p-value. */
export interface FitTest {
  readonly p: number
  readonly text: string
}

/**
 * The test of G²: by the bootstrap if there is one, else by χ² if there are degrees of freedom and enough observations. Weights are no
 * observations, and neither are counts that are not whole: their G² follows no χ².
 */
export const fitTest = ({
  statistics,
  bootstrap,
  data,
}: Pick<Report, 'statistics' | 'bootstrap' | 'data'>): FitTest | null => {
  if (statistics === null || data.weights !== null || data.whole === false) return null
  const { gSquared, degreesOfFreedom, sparse } = statistics
  const on = `G² = ${fixed(gSquared, 2)}${isTableEmpty(degreesOfFreedom, data.fitted) ? '' : ` on ${counted(degreesOfFreedom, 'degree')} of freedom`}`
  const by = bootstrap === null ? '' : ` by the bootstrap (${counted(bootstrap.replicates, 'replicate')})`
  const p = bootstrap?.pValue ?? (sparse ? null : statistics.pValue)
  return gSquared === null || p === null ? null : { p, text: `${on}, ${pText(p)}${by}` }
}

const fitSentences = (report: Report): string[] => {
  const test = fitTest(report)
  return test !== null && test.p >= LEVEL ? [`The test of fit does not reject the model (${test.text}).`] : []
}
