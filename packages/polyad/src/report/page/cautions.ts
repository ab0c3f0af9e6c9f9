import { INSTEAD_IF_SPARSE, SPARSE_TABLE } from '../figures/fit-tests.ts'
import { isTableEmpty } from '../figures/meaning.ts'
import type { FitStatistics } from '../figures/statistics.ts'
import { inText } from '../html.ts'
import { count, counted, fixed, numberText, whole } from '../numbers.ts'
import { capital, inWords, listed } from '../prose.ts'
import type { ReportFacts, SearchFacts } from '../record/report.ts'
import { omissionSentences } from '../text/sample-text.ts'
import { associationSentence } from './association.ts'
import { fitTest, LEVEL } from './fit-test.ts'
import { ASSIGNED, UNCERTAIN } from './judgements.ts'
import { linkedCautions } from './linked-sentences.ts'
import { classText } from './summary.ts'

/** What a reader should be careful about, by rules: each has its own subject, so that nothing is said twice. */

/** A class of fewer observations rests on little; so does one of a small part of them, unless it is still many. */
const SMALL = { observations: 30, share: 0.05, many: 1000 }

const isSmall = (share: number, total: number): boolean =>
  share * total < SMALL.observations || (share < SMALL.share && share * total < SMALL.many)
/** Fewer observations than this per parameter are few. */
export const PER_PARAMETER = 5

type Rule = (report: ReportFacts) => string | readonly string[] | undefined

const ofSearch =
  (rule: (search: SearchFacts, report: ReportFacts) => string | undefined): Rule =>
  report =>
    report.search === null ? undefined : rule(report.search, report)

const ofStatistics =
  (rule: (statistics: FitStatistics, report: ReportFacts) => string | undefined): Rule =>
  report =>
    report.statistics === null ? undefined : rule(report.statistics, report)

/** Passes over the new rows alone are no fit to all. */
const updated: Rule = ({ updates }) =>
  updates === 0
    ? undefined
    : `The model was updated ${updates === 1 ? 'once' : `${whole(updates)} times`} with new data: it is close to a fit to all data, but not the same. Fit statistics apply only to the data given here. Fit the model again before you publish it.`

const unfinished = ofSearch(({ converged, reason }) => {
  if (converged || reason === 'settled') return undefined
  return {
    passes: 'The search did not converge within its passes: allow more (--max-passes).',
    stopped: 'The search was stopped before it converged: give it more time.',
    stalled: 'Rounding kept the search from converging: ignore the last digits.',
  }[reason as string]
})

const provisional = ofSearch(({ verdict: { attempts, reached, chanceOfBetter: better, advice, text } }) => {
  if (better === 0 || advice.length === 0) return undefined
  if (attempts === 1 && text.includes('the model that was given'))
    return 'The fit began at a given model, which says nothing about other solutions: search without --init.'
  if (attempts === 1) return 'One start says nothing about other solutions: use more (--starts).'
  if (reached === 1)
    return 'Only one run reached the best solution: treat it as provisional, and search longer (--starts, --max-passes).'
  return better > 0.01
    ? 'A better solution may exist: fit again with other seeds (--seed) and keep the best, or search longer (--max-passes).'
    : undefined
})

const ambiguous = ofSearch(({ verdict }) =>
  verdict.ambiguous
    ? 'Solutions that fit equally well have different classes: the data does not determine this many. Try fewer.'
    : undefined,
)

const unidentified = ofStatistics(({ identification: { verdict, rank, parameters, atFit } }) => {
  const where =
    atFit === undefined || atFit.classes.length === 0
      ? ''
      : `: it concerns ${listed(atFit.modes.map(mode => inText(mode)))} in ${atFit.classes.length === 1 ? 'class' : 'classes'} ${listed(atFit.classes.map(k => `${k + 1}`))}`
  switch (verdict) {
    case 'not identified':
      return rank < parameters
        ? `The model is not identified: the data determines ${whole(rank)} of its ${whole(parameters)} parameters${where}.`
        : `The model is not identified here, because classes are alike${where}.`
    case 'boundary':
      return `The model is not identified here, because some parameters are 0${where}.`
    case 'not checked':
      return 'The model is too large for its identification to be checked.'
    default:
      return undefined
  }
})

const untestable = ofStatistics(({ degreesOfFreedom, gSquared }) =>
  gSquared !== null && degreesOfFreedom !== null && degreesOfFreedom <= 0
    ? 'No degrees of freedom are left: the model fits any table of this shape, so its fit proves nothing.'
    : undefined,
)

const rejected: Rule = report => {
  const test = fitTest(report)
  return test !== null && test.p < LEVEL ? `The test of fit rejects the model (${test.text}).` : undefined
}

const sparse = ofStatistics((statistics, { bootstrap, data }) =>
  statistics.sparse &&
  statistics.pValue !== null &&
  bootstrap === null &&
  !isTableEmpty(statistics.degreesOfFreedom, data.fitted)
    ? `${SPARSE_TABLE} ${INSTEAD_IF_SPARSE}`
    : undefined,
)

const roughTests: Rule = ({ ranks }) => ranks?.tests.flatMap(({ warnings = [] }) => warnings).join(' ') || undefined

const missing: Rule = ({ data, statistics }) =>
  data.missing === null || data.missing.length === 0
    ? undefined
    : `Values are missing in ${data.missing.length > 5 ? counted(data.missing.length, 'variable') : listed(data.missing.map(mode => inText(mode)))}; they are assumed missing at random${statistics !== null && statistics.gSquared === null ? ', and G² is not defined' : ''}.`

const overlapping = ofStatistics(({ relativeEntropy }) =>
  relativeEntropy !== null && relativeEntropy < UNCERTAIN
    ? `The classes overlap (relative entropy ${fixed(relativeEntropy, 2)}): do not rely on the assignment of single observations.`
    : undefined,
)

const unassigned = ofStatistics(({ averagePosteriors }, { classes }) => {
  const empty = averagePosteriors.flatMap((row, k) => (row === null ? [k] : []))
  return empty.length === 0 || classes.length === 1
    ? undefined
    : `No observation is assigned to ${listed(empty.map(k => classText(classes, k)))}.`
})

const uncertain = ofStatistics(({ averagePosteriors }, { classes }) => {
  const weak = averagePosteriors.flatMap((row, k) => (row !== null && row[k] < ASSIGNED ? [k] : []))
  return weak.length === 0
    ? undefined
    : `Observations assigned to a class should belong to it with a high average probability; it is low for ${listed(weak.map(k => `${classText(classes, k)}, ${fixed(averagePosteriors[k]?.[k], 2)}`))}.`
})

const small: Rule = ({ classes, data }) => {
  if (classes.length === 1) return undefined
  const few = classes.flatMap(({ share }, k) => (isSmall(share, data.fitted) ? [k] : []))
  if (few.length === 0) return undefined
  const held = (k: number) => Math.round(classes[k].share * data.fitted)
  const parts = few.map(
    k =>
      `${classText(classes, k)} rests on about ${counted(held(k), 'observation')}${data.weights === null ? '' : ' (weighted)'}`,
  )
  return `${capital(listed(parts))}: small classes may not replicate in other data.`
}

const coarse: Rule = ({ coarse: numbers, classes }) =>
  numbers.length === 0
    ? undefined
    : `${listed(
        numbers.map(
          ({ mode, step, classes: own }) =>
            `one step of ${inText(mode)} (${numberText(step)}) holds half of ${listed(own.map(k => classText(classes, k)))}`,
        ),
      ).replace(/^./, first =>
        first.toUpperCase(),
      )}: the data hardly determines such standard deviations. Use ${numbers.length === 1 ? 'the variable' : 'these variables'} as ${numbers.length === 1 ? 'a scale' : 'scales'} (--ordinal), or --variances equal.`

const fewData = ofStatistics(({ parameters }, { data }) =>
  data.fitted < PER_PARAMETER * parameters
    ? `There are ${count(data.fitted)} observations for ${counted(parameters, 'parameter')}: estimates are rough.`
    : undefined,
)

const boundary: Rule = ({ boundary: { at, of } }) =>
  at === 0
    ? undefined
    : `${count(at)} of ${counted(of, 'probability', 'probabilities')} ${at === 1 ? 'is' : 'are'} estimated as exactly 0 or 1. Treat ${at === 1 ? 'it' : 'them'} as “rare in this sample”, not “impossible”.`

const associated: Rule = associationSentence

const disagreeing: Rule = ({ ranks, classes }) => {
  if (ranks === null) return undefined
  const others = new Map<number, string[]>()
  for (const { name, rank } of ranks.preferred)
    if (rank !== classes.length) others.set(rank, [...(others.get(rank) ?? []), name])
  const parts = [...others].map(
    ([rank, names]) => `${listed(names)} ${names.length === 1 ? 'prefers' : 'prefer'} ${inWords(rank)}`,
  )
  return parts.length === 0 ? undefined : `The criteria disagree on the number of classes: ${parts.join('; ')}.`
}

const largestTried: Rule = ({ ranks, classes }) =>
  ranks !== null && ranks.ranks.length > 1 && classes.length === Math.max(...ranks.ranks)
    ? 'No larger number of classes was tried.'
    : undefined

const prior: Rule = ({ origin }) => {
  const used = origin.options.filter(({ name, value }) => ['pseudoCounts', 'smoothing'].includes(name) && value !== '0')
  return used.length === 0
    ? undefined
    : `A prior was used (${listed(used.map(({ name, value }) => `${name === 'smoothing' ? 'smoothing' : 'pseudo-counts'} ${inText(value)}`))}): estimates are not maximum likelihood, which criteria and tests assume.`
}

const fractions: Rule = ({ data }) =>
  data.weights !== null
    ? 'Observations are weighted: criteria such as AIC and BIC treat them as a simple random sample of the same size.'
    : data.whole === false
      ? 'Counts are not whole numbers (weights?): tests and criteria treat them as numbers of observations.'
      : undefined

const otherData: Rule = ({ data }) =>
  data.same === false
    ? 'This is not the data that the model was fitted to: the fit statistics are those of the new data.'
    : undefined

const unseen: Rule = ({ data }) =>
  data.unseen.length === 0
    ? undefined
    : `Categories that the model does not know count as missing: ${listed(data.unseen.map(({ mode, total }) => `${count(total)} in ${inText(mode)}`))}.`

const dropped: Rule = ({ omissions }) => (omissions.length === 0 ? undefined : omissionSentences(omissions).join(' '))

/** In order of weight: what makes the classes doubtful first. */
const RULES: readonly Rule[] = [
  otherData,
  updated,
  unfinished,
  provisional,
  ambiguous,
  unidentified,
  untestable,
  rejected,
  sparse,
  roughTests,
  associated,
  overlapping,
  unassigned,
  uncertain,
  small,
  linkedCautions,
  coarse,
  fewData,
  boundary,
  missing,
  unseen,
  dropped,
  disagreeing,
  largestTried,
  prior,
  fractions,
]

/** The cautions; empty if there are none. */
export const cautions = (report: ReportFacts): string[] => RULES.flatMap(rule => rule(report) ?? [])
