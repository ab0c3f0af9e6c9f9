import type { ClassMark } from '@polyad/core'
import { count, counted, fixed, lift, percent, pValue } from '../numbers.ts'
import type { DataFacts, FitStatistics, Report, ReportClass, SearchFacts } from '../report.ts'
import { inText } from './html.ts'

/** What a report says first, in words: every sentence follows from the numbers by a rule. */

const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** Small numbers in words. */
export const inWords = (value: number): string => NUMBERS[value] ?? count(value)

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** a, b and c. */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`

/** Class 2, with its name where it has one. */
export const classText = (classes: readonly ReportClass[], k: number): string => {
  const { name } = classes[k]
  return name === `class ${k + 1}` ? name : `class ${k + 1} (“${inText(name)}”)`
}

/** Shares are all told where they are no more than this. */
const TOLD = 8
/** How many marks of a class are told in words; a chart shows more. */
const MARKS = 3
/** The level of tests in words. */
export const LEVEL = 0.05

/** What classes hold a part of: observations, or the weight of a sample that has weights. */
export const heldOf = ({ weights }: DataFacts): string => (weights === null ? 'the observations' : 'the weight')

/** How much data there is, of modes that are counted in words: `118 observations of 7 modes`. */
export const dataText = ({ total, weights }: DataFacts, modes: string): string =>
  weights === null
    ? `${count(total)} observations of ${modes}`
    : `rows of ${modes} with sampling weights (${inText(weights)}), ${count(total)} in all`

/** What was found, in a few sentences. */
export const summary = (report: Report): string[] => [
  ...foundSentences(report),
  ...(report.search === null ? [] : optimumSentences(report.search)),
  ...(report.statistics === null ? [] : certaintySentences(report.statistics, report.classes.length)),
  ...(report.statistics === null ? [] : fitSentences(report.statistics)),
]

const foundSentences = ({ classes, modes, data, covariates }: Report): string[] => {
  const rank = classes.length
  const what = dataText(data, counted(modes.length, 'mode'))
  const held = heldOf(data)
  if (rank === 1) return [`One class describes ${what}: as if no mode had to do with another.`]
  const shares = classes.map(({ share }) => percent(share))
  const sizes =
    rank <= TOLD
      ? `They hold ${listed(shares)} of ${held}.`
      : `The largest holds ${shares[0]} of ${held}, the smallest ${percent(Math.min(...classes.map(({ share }) => share)))}.`
  return [
    `${capital(inWords(rank))} classes describe ${what}, on the assumption that within a class no mode has to do with another.`,
    sizes,
    ...(covariates === null || covariates.curves.length === 0
      ? []
      : [
          `Who belongs to which class is explained by ${listed(covariates.curves.map(({ covariate }) => inText(covariate)))}.`,
        ]),
  ]
}

/** How large a class is and what marks it. */
export const classSentences = ({ classes, data }: Report, k: number): string[] => {
  const { share, marks } = classes[k]
  const about = `about ${count(Math.round(share * data.total))} of ${count(data.total)}`
  const size = `It holds ${percent(share)} of ${heldOf(data)}, ${about}.`
  if (classes.length === 1) return []
  if (marks.length === 0) return [size, 'No label is much more frequent in it than overall: it is close to the whole.']
  return [size, `What marks it: ${marks.slice(0, MARKS).map(markText).join('; ')}.`]
}

const markText = ({ mode, label, probability, overall, lift: times }: ClassMark): string =>
  `${inText(mode)} = ${inText(label)} (${percent(probability)} in the class, ${percent(overall)} overall, ${lift(times)})`

const optimumSentences = ({ verdict, converged, reason }: SearchFacts): string[] => {
  const { reached, attempts, better } = verdict
  if (attempts === 1 && better === 0)
    return ['This is the best model of its kind: for it the optimum is known in closed form.']
  const ended = converged
    ? ' The search has converged there.'
    : reason === 'settled'
      ? ' The run stopped early: its last steps, extrapolated, promised next to nothing more. That is no bound.'
      : ''
  if (attempts === 1) return [`The model comes from a single start.${ended}`]
  const reachedBy =
    reached === attempts ? `All ${count(attempts)} attempts` : `Of ${count(attempts)} attempts, ${count(reached)}`
  return [
    reached === 1
      ? `Of ${count(attempts)} attempts, one alone reached the best optimum.${ended}`
      : `${reachedBy} reached the best optimum; the chance that a much longer search would find a better one is put at ${chance(better)}.${ended}`,
  ]
}

const chance = (value: number): string =>
  value === 0 ? '0 %' : value < 0.001 ? 'under 0.1 %' : `${Number((100 * value).toPrecision(value < 0.095 ? 1 : 2))} %`

const certaintySentences = ({ classificationError, relativeEntropy }: FitStatistics, rank: number): string[] =>
  rank === 1
    ? []
    : [
        `Assigned to its most probable class, an observation is expected to be in the right one in ${percent(1 - classificationError)} of cases${relativeEntropy === null ? '' : ` (relative entropy ${fixed(relativeEntropy, 2)})`}.`,
      ]

/** Whether G² can be held against χ²: there are degrees of freedom, and enough observations. */
export const isTested = ({ pValue, sparse }: Pick<FitStatistics, 'pValue' | 'sparse'>): boolean =>
  pValue !== null && !sparse

/** G² = 12.3 on 20 degrees of freedom, p = 0.9050. */
export const gSquaredText = ({ gSquared, degreesOfFreedom, pValue: p }: FitStatistics): string =>
  `G² = ${fixed(gSquared, 2)} on ${counted(degreesOfFreedom, 'degree')} of freedom, p ${p !== null && p < 0.0001 ? '' : '= '}${pValue(p)}`

const fitSentences = (statistics: FitStatistics): string[] =>
  isTested(statistics) && (statistics.pValue as number) >= LEVEL
    ? [`The counts do not speak against the model (${gSquaredText(statistics)}).`]
    : []
