import { isTableEmpty } from '../figures/meaning.ts'
import { type FitStatistics, statisticsOn } from '../figures/statistics.ts'
import { count, counted, fixed, percent, simulatedText } from '../numbers.ts'
import { listed } from '../prose.ts'
import type { Report, SearchFacts } from '../record/report.ts'
import { fitTest } from './fit-test.ts'
import { sampleSentences, structureSentences } from './structure-sentences.ts'
import { heldOf } from './summary.ts'

/** Why there is no paragraph for a methods section; null if there is one. */
export const undescribed = ({ data }: Report): string | null =>
  data.same === false
    ? 'The methods paragraph is left out: the data of this report is not the data that the model was fitted to.'
    : null

/** A paragraph for a methods section, with the numbers that journals ask for: what is not known is not in it. */
export const howToReport = (report: Report): string[] => {
  if (undescribed(report) !== null) return []
  const { classes, data, statistics, search, origin, ranks } = report
  const rank = classes.length
  const trained = origin.command === 'train'
  const fitted = `${trained ? 'A naive Bayes model' : 'A latent class model'} with ${counted(rank, 'class', 'classes')} was fitted to ${observedText(report)}`
  const by = hasPrior(report)
    ? 'with a prior'
    : data.weights === null
      ? 'by maximum likelihood'
      : 'by pseudo-maximum likelihood'
  const program = `Polyad${origin.version === null ? '' : ` ${origin.version}`}${origin.seed === null ? '' : `, seed ${origin.seed}`}`
  const sentences = [`${fitted} ${by} (${program}).`]
  sentences.push(...sampleSentences(report), ...structureSentences(report))
  if (ranks !== null && ranks.ranks.length > 1)
    sentences.push(
      `Models with ${Math.min(...ranks.ranks)} to ${Math.max(...ranks.ranks)} classes were compared${ranks.recommended === null ? '' : `, of which ${ranks.recommended} ${ranks.recommended === 1 ? 'was' : 'were'} recommended`}.`,
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
  const kinds = modes.flatMap(({ item }) => (item === undefined ? [] : [item.kind]))
  const parts = [
    [variables - kinds.length, 'categorical'] as const,
    ...Object.entries(KINDS).map(([kind, name]) => [kinds.filter(each => each === kind).length, name] as const),
  ].filter(([number]) => number > 0)
  return `${listed(parts.map(([number, name]) => `${number} ${name}`))} ${variables === 1 ? 'variable' : 'variables'}`
}

const KINDS = { ordinal: 'ordinal', normal: 'continuous', count: 'count' } as const

/** 118 observations of 7 categorical variables; a sum, if counts are not whole. */
const observedText = ({ data, variables, modes }: Report): string => {
  const of = `of ${variablesText(modes, variables)}`
  return data.weights === null && data.whole === false
    ? `counts ${of} that sum to ${count(data.fitted)} and are not whole numbers`
    : `${counted(data.fitted, 'observation')} ${of}`
}

const fitSentences = (report: Report, statistics: FitStatistics): string[] => {
  const { logLikelihood, identification, relativeEntropy, averagePosteriors, degreesOfFreedom } = statistics
  const known = statisticsOn('paper').flatMap(({ group, name, value, text }) =>
    group === 'criteria' && typeof value(statistics) === 'number' ? [`${name} ${text(statistics)}`] : [],
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
          `Relative entropy was ${fixed(relativeEntropy, 3)}; the mean posterior probability of the assigned class was ${own.length === 1 ? fixed(own[0], 3) : `from ${fixed(Math.min(...own), 3)} to ${fixed(Math.max(...own), 3)}`} by class.`,
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

interface Reference {
  readonly text: string
  readonly when: (report: Report) => boolean
}

/** The works that what is on the page rests on. */
const REFERENCES: readonly Reference[] = [
  {
    text: 'Akaike, H. (1974). A new look at the statistical model identification. IEEE Transactions on Automatic Control, 19(6), 716–723.',
    when: ({ statistics }) => typeof statistics?.criteria.aic === 'number',
  },
  {
    text: 'Allman, E. S., Matias, C., & Rhodes, J. A. (2009). Identifiability of parameters in latent structure models with many observed variables. The Annals of Statistics, 37(6A), 3099–3132.',
    when: ({ statistics }) => statistics !== null,
  },
  {
    text: 'Celeux, G., & Soromenho, G. (1996). An entropy criterion for assessing the number of clusters in a mixture model. Journal of Classification, 13(2), 195–212.',
    when: ({ statistics }) => typeof statistics?.relativeEntropy === 'number',
  },
  {
    text: 'Dempster, A. P., Laird, N. M., & Rubin, D. B. (1977). Maximum likelihood from incomplete data via the EM algorithm. Journal of the Royal Statistical Society, Series B, 39(1), 1–38.',
    when: ({ search, classes }) => search !== null && classes.length > 1,
  },
  {
    text: 'Goodman, L. A. (1974). Exploratory latent structure analysis using both identifiable and unidentifiable models. Biometrika, 61(2), 215–231.',
    when: ({ classes }) => classes.length > 1,
  },
  {
    text: 'Huang, K., & Sidiropoulos, N. D. (2017). Kullback–Leibler principal component for tensors is not NP-hard. Asilomar Conference on Signals, Systems, and Computers.',
    when: () => true,
  },
  {
    text: 'Lazarsfeld, P. F., & Henry, N. W. (1968). Latent structure analysis. Houghton Mifflin.',
    when: () => true,
  },
  {
    text: 'Nylund, K. L., Asparouhov, T., & Muthén, B. O. (2007). Deciding on the number of classes in latent class analysis and growth mixture modeling: A Monte Carlo simulation study. Structural Equation Modeling, 14(4), 535–569.',
    when: ({ ranks }) => ranks !== null,
  },
  {
    text: 'Satorra, A., & Bentler, P. M. (2001). A scaled difference chi-square test statistic for moment structure analysis. Psychometrika, 66(4), 507–514.',
    when: ({ comparison }) => comparison?.tests.some(({ scaled }) => scaled !== undefined) === true,
  },
  {
    text: 'Schwarz, G. (1978). Estimating the dimension of a model. The Annals of Statistics, 6(2), 461–464.',
    when: ({ statistics }) => typeof statistics?.criteria.bic === 'number',
  },
]

export const references = (report: Report): string[] =>
  REFERENCES.filter(({ when }) => when(report)).map(({ text }) => text)
