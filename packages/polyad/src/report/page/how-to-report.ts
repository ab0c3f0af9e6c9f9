import { isTableEmpty } from '../figures/meaning.ts'
import { type FitStatistics, statisticsOn } from '../figures/statistics.ts'
import { count, counted, fixed, percent, simulatedText } from '../numbers.ts'
import { listed } from '../prose.ts'
import type { ReportFacts as Report, SearchFacts } from '../record/report.ts'
import { fitTest } from './fit-test.ts'
import { linkedModel, unitsText } from './linked-sentences.ts'
import { cited, type WORKS, worksIn } from './references.ts'
import { sampleSentences, structureSentences } from './structure-sentences.ts'
import { heldOf } from './summary.ts'
import { citation, polyadWork, referenceText, type Work } from './works.ts'

/** Why there is no paragraph for a methods section; null if there is one. */
export const undescribed = ({ data }: Report): string | null =>
  data.same === false
    ? 'There is no methods paragraph, because the data of this report is not the data that the model was fitted to.'
    : null

/** A paragraph for a methods section, with the figures that journals ask for. Unknown figures are omitted. */
export const howToReport = (report: Report): string[] => {
  if (undescribed(report) !== null) return []
  const { classes, data, statistics, search, origin, ranks } = report
  const rank = classes.length
  const trained = origin.command === 'train'
  const linked = linkedModel(report)
  const model = trained ? 'A naive Bayes model' : (linked ?? 'A latent class model')
  const sources = trained || rank === 1 || linked !== undefined ? '' : ` ${cited('goodman', 'lazarsfeld')}`
  const fitted = `${model} with ${counted(rank, 'class', 'classes')}${sources} was fitted to ${observedText(report)}`
  const by = hasPrior(report)
    ? 'with a prior'
    : data.weights === null
      ? 'by maximum likelihood'
      : 'by pseudo-maximum likelihood'
  const method = search === null || rank === 1 ? '' : ` with the EM algorithm ${cited('dempster')}`
  const seed = origin.seed === null ? '' : `; seed ${origin.seed}`
  const program = `Polyad${origin.version === null ? '' : ` ${origin.version}`} (${citation(polyadWork(null))}${seed})`
  const sentences = [`${fitted} ${by}${method}, using ${program}.`]
  sentences.push(...sampleSentences(report), ...structureSentences(report))
  if (ranks !== null && ranks.ranks.length > 1)
    sentences.push(
      `Models with ${Math.min(...ranks.ranks)} to ${Math.max(...ranks.ranks)} classes were compared ${cited('nylund')}${ranks.recommended === null ? '' : `, of which ${ranks.recommended} ${ranks.recommended === 1 ? 'was' : 'were'} recommended`}.`,
      ...ranks.tests.map(
        test =>
          `A bootstrap likelihood-ratio test of ${test.rank} against ${counted(test.against, 'class', 'classes')} gave ${simulatedText(test)}.`,
      ),
    )
  if (search !== null) sentences.push(...startSentences(search))
  if (statistics !== null) sentences.push(...fitSentences(report, statistics))
  if (rank > 1)
    sentences.push(`The classes comprised ${listed(classes.map(({ share }) => percent(share)))} of ${heldOf(data)}.`)
  return sentences
}

/** Of the independent starts alone: a recombination begins at their solutions, so that it says less. */
const startSentences = ({ verdict: { starts, startsReached, attempts }, converged }: SearchFacts): string[] => {
  if (attempts === 1) return []
  if (startsReached === null) return [`The search made ${counted(starts, 'independent start')}.`]
  const which = startsReached === 0 ? 'None' : startsReached === starts ? 'All' : count(startsReached)
  const reached = `${which}${which === 'All' ? '' : ' of'} ${counted(starts, 'independent start')} reached the best solution`
  return [
    `${reached}${startsReached === 0 ? '; it was found by recombining their solutions' : converged ? ', which converged' : ''}.`,
  ]
}

/** 7 categorical variables; 2 categorical, 3 ordinal and 2 continuous variables. */
const variablesText = (modes: Report['modes'], variables: number): string => {
  const kinds = modes.flatMap(({ item }) =>
    item?.kind === 'multivariate-normal' ? item.variables.map(() => 'normal') : (item?.kind ?? []),
  )
  const parts = [
    [variables - kinds.length, 'categorical'] as const,
    ...Object.entries(KINDS).map(([kind, name]) => [kinds.filter(each => each === kind).length, name] as const),
  ].filter(([number]) => number > 0)
  return `${listed(parts.map(([number, name]) => `${number} ${name}`))} ${variables === 1 ? 'variable' : 'variables'}`
}

const KINDS = { ordinal: 'ordinal', normal: 'continuous', count: 'count' } as const

/** 118 observations of 7 categorical variables; a sum, if counts are not whole. */
const observedText = ({ data, variables, modes, linked }: Report): string => {
  const of = `of ${variablesText(modes, variables)}`
  return data.weights === null && data.whole === false
    ? `counts ${of} that sum to ${count(data.fitted)} and are not whole numbers`
    : linked === null
      ? `${counted(data.fitted, 'observation')} ${of}`
      : `${counted(data.fitted, 'observation')}${unitsText(linked)} on ${variablesText(modes, variables)}`
}

/** Within parentheses. */
const bracketed = (key: keyof typeof WORKS): string => cited(key).replace(/^\(/, ' [').replace(/\)$/, ']')

/** Where criteria were proposed. */
const SOURCES: Readonly<Record<string, string>> = { aic: bracketed('akaike'), bic: bracketed('schwarz') }

const fitSentences = (report: Report, statistics: FitStatistics): string[] => {
  const { logLikelihood, identification, relativeEntropy, averagePosteriors, degreesOfFreedom } = statistics
  const known = statisticsOn('paper').flatMap(({ key, group, name, value, text }) =>
    group === 'criteria' && typeof value(statistics) === 'number'
      ? [`${name} ${text(statistics)}${SOURCES[key] ?? ''}`]
      : [],
  )
  // Criteria and degrees of freedom count the parameters that the table can tell apart.
  const { rank: apart, parameters } = identification
  const free = `${counted(apart, 'free parameter')}${apart < parameters ? ` that the data determines, of ${count(parameters)}` : ''}`
  const test = fitTest(report)
  const { data } = report
  const isTestable =
    statistics.gSquared !== null && degreesOfFreedom > 0 && !isTableEmpty(degreesOfFreedom, data.fitted)
  const own = averagePosteriors.flatMap((row, k) => (row === null ? [] : [row[k]]))
  const fit =
    report.groups === null
      ? `The log-likelihood was ${fixed(logLikelihood, 2)} with ${free}${known.length === 0 ? '' : ` (${known.join(', ')})`}.`
      : givenGroups(report)
  return [
    ...(fit === null ? [] : [fit]),
    ...(report.groups !== null
      ? []
      : test !== null
        ? [`For the table of counts, ${test.text}.`]
        : isTestable
          ? [
              data.weights !== null || data.whole === false
                ? 'The fit to the table of counts was not tested, because observations are weighted.'
                : `G² was ${fixed(statistics.gSquared, 2)} on ${counted(degreesOfFreedom, 'degree')} of freedom; it was not tested, because the table is sparse.`,
            ]
          : []),
    ...(report.classes.length > 1 && relativeEntropy !== null && own.length > 0
      ? [
          `Relative entropy ${cited('celeux')} was ${fixed(relativeEntropy, 3)}; ${own.length === 1 ? `the mean posterior probability of the assigned class was ${fixed(own[0], 3)}` : `mean posterior probabilities of the assigned class ranged from ${fixed(Math.min(...own), 3)} to ${fixed(Math.max(...own), 3)}`}.`,
        ]
      : []),
  ]
}

/** With known groups the figures of the fit are of a table with the group in it; papers report them given the group. */
const givenGroups = ({ comparison }: Report): string | null => {
  const named = (wanted: string) => comparison?.models.find(({ name }) => name === wanted)
  // With variables that differ between groups, that is the model in between.
  const own = named('partial') ?? named('probabilities equal')
  return own === undefined
    ? null
    : `Given the group, the log-likelihood of this model was ${fixed(own.logLikelihood, 2)} with ${counted(own.parameters, 'free parameter')} (AIC ${fixed(own.aic, 2)}, BIC ${fixed(own.bic, 2)}).`
}

const hasPrior = ({ origin }: Report): boolean =>
  origin.options.some(({ name, value }) => ['pseudoCounts', 'smoothing'].includes(name) && value !== '0')

/** The works that the paragraph cites, and Polyad. */
export const worksOf = (report: Report): readonly Work[] => [
  ...worksIn(howToReport(report).join(' ')),
  polyadWork(report.origin.version),
]

export const references = (report: Report): string[] => worksOf(report).map(referenceText).sort()
