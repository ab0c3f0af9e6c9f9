import type { FitOptions } from '@polyad/core'
import { inText } from '../html.ts'
import { counted, fixed, levelText, pText } from '../numbers.ts'
import { listed } from '../prose.ts'
import type { ComparisonFacts, ReportFacts as Report } from '../record/report.ts'
import { designText, ERROR_KINDS, omissionSentences } from '../text/sample-text.ts'
import { linkedSentences } from './linked-sentences.ts'
import { cited } from './references.ts'

/** What a methods section says of a model beyond its classes: one sentence or two for each part that it has. */

const test = (statistic: number, degreesOfFreedom: number, p: number | null): string =>
  `χ²(${degreesOfFreedom}) = ${fixed(statistic, 2)}${p === null ? '' : `, ${pText(p)}`}`

/** Which observations were used, and how they were weighted. */
export const sampleSentences = ({ data, omissions }: Report): string[] => [
  ...omissionSentences(omissions),
  ...(data.weights === null
    ? []
    : [`Observations were weighted by sampling weights (${inText(data.weights)}), divided by their mean.`]),
  ...(data.missing !== null && data.missing.length > 0
    ? ['Missing values were assumed to be missing at random, and the observations were kept.']
    : []),
]

/** What the model assumes besides classes. */
export const structureSentences = (report: Report): string[] => [
  ...itemSentences(report),
  ...joinedSentences(report),
  ...linkedSentences(report),
  ...groupSentences(report),
  ...covariateSentences(report),
  ...effectSentences(report),
  ...knownSentences(report),
  ...constraintSentences(report),
  ...errorSentences(report),
]

/** What variables that are no categories are taken for within a class. */
const itemSentences = ({ modes }: Report): string[] => {
  const named = (wanted: (item: Item) => boolean) =>
    modes.flatMap(({ name, item }) => (item !== undefined && wanted(item) ? [inText(name)] : []))
  return ITEM_SENTENCES.flatMap(([wanted, text]) => {
    const names = named(wanted)
    return names.length === 0
      ? []
      : [`Within classes, ${listed(names)} ${names.length === 1 ? 'was' : 'were'} ${text}.`]
  })
}

type Item = NonNullable<Report['modes'][number]['item']>

const ITEM_SENTENCES: readonly (readonly [wanted: (item: Item) => boolean, text: string])[] = [
  [
    item => item.kind === 'ordinal',
    'modelled by adjacent-category logits, with one slope for each class and category scores in order',
  ],
  [
    item => item.kind === 'normal' && item.variances === 'free',
    'normally distributed, with a standard deviation for each class',
  ],
  [
    item => item.kind === 'normal' && item.variances === 'equal',
    'normally distributed, with one standard deviation for all classes',
  ],
  [
    item => item.kind === 'normal' && item.prior !== undefined,
    'given a prior on their variances, as if further observations with the overall variance had been made',
  ],
  [
    item => item.kind === 'multivariate-normal' && item.variances === 'free',
    'multivariate normally distributed, with standard deviations and correlations for each class',
  ],
  [
    item => item.kind === 'multivariate-normal' && item.variances === 'equal',
    'multivariate normally distributed, with the same standard deviations and correlations in all classes',
  ],
  [item => item.kind === 'count' && item.distribution === 'poisson', 'Poisson distributed'],
  [item => item.kind === 'count' && item.distribution === 'negative-binomial', 'negative binomially distributed'],
]

const joinedSentences = ({ joined, comparison, groups }: Report): string[] =>
  joined.length === 0
    ? []
    : [
        `${listed(joined.map(names => listed(names.map(name => inText(name)))))} were allowed to depend on each other within classes.`,
        ...(comparison === null || groups !== null ? [] : testSentences('The joined model was compared', comparison)),
      ]

const groupSentences = ({ groups, comparison, effects }: Report): string[] =>
  groups === null
    ? []
    : [
        `${inText(groups.mode)} was treated as a known grouping with ${counted(groups.shares.length, 'group')} ${cited('clogg')}: class sizes may differ between groups, response probabilities are equal${effects.some(({ columns }) => columns.includes(groups.mode)) ? ' unless stated otherwise' : ''}.`,
        ...(comparison === null ? [] : testSentences('Measurement invariance was tested', comparison)),
      ]

/** Models by their names: what each holds equal between groups is in the table. */
const testSentences = (begin: string, { tests, approximate }: ComparisonFacts): string[] => {
  if (tests.length === 0) return []
  const isScaled = tests.some(({ scaled }) => scaled !== undefined)
  const how = isScaled
    ? `scaled likelihood-ratio tests ${cited('satorra')}, which allow for the design of the sample`
    : 'likelihood-ratio tests'
  const each = tests.map(({ model, within, statistic, scaled = statistic, degreesOfFreedom, pValue }) => {
    const found =
      pValue === null && degreesOfFreedom > 0
        ? `likelihood ratio ${fixed(statistic, 2)} on ${counted(degreesOfFreedom, 'degree')} of freedom, without a p-value`
        : test(scaled, degreesOfFreedom, pValue)
    return `“${inText(model)}” against “${inText(within)}”, ${found}`
  })
  return [`${begin} by ${how}: ${each.join('; ')}${approximate ? ' (p of the pooled model is approximate)' : ''}.`]
}

const covariateSentences = ({ covariates }: Report): string[] => {
  if (covariates === null) return []
  const { names = [], reference, tests = [], confidence = 0.95 } = covariates
  const on = names.length > 0 ? names : covariates.curves.map(({ covariate }) => covariate)
  const known = tests.flatMap(({ covariate, test: found }) =>
    found === null ? [] : [`${inText(covariate)}, ${test(found.statistic, found.degreesOfFreedom, found.pValue)}`],
  )
  return [
    `Class membership was regressed on ${listed(on.map(name => inText(name)))} by a multinomial logit ${cited('dayton')}, estimated together with the classes, with class ${reference} as the reference class; odds ratios are given with ${levelText(confidence)} confidence intervals.`,
    ...(known.length === 0 ? [] : [`Wald tests over all classes: ${known.join('; ')}.`]),
  ]
}

/** Variables that differ between groups, and direct effects of covariates. */
const effectSentences = ({ effects, groups }: Report): string[] => {
  const differing = effects.filter(({ columns }) => groups !== null && columns.includes(groups.mode))
  const direct = effects.flatMap(({ mode, columns }) =>
    columns.filter(column => column !== groups?.mode).map(column => `${inText(column)} on ${inText(mode)}`),
  )
  return [
    ...(differing.length === 0
      ? []
      : [
          `The response probabilities of ${listed(differing.map(({ mode }) => inText(mode)))} were allowed to differ between the groups.`,
        ]),
    ...(direct.length === 0 ? [] : [`Direct effects within classes were included: ${listed(direct)}.`]),
  ]
}

const knownSentences = ({ known }: Report): string[] =>
  known === null
    ? []
    : [`The class of ${counted(known.total, 'observation')} was taken as known (${inText(known.name)}).`]

const KINDS = {
  zero: 'categories that cannot occur',
  fixed: 'known probabilities',
  equal: 'probabilities that are equal',
} as const satisfies Record<keyof NonNullable<FitOptions['constraints']>, string>

const constraintSentences = ({ structure, origin }: Report): string[] => {
  if (!structure.includes('constraints')) return []
  const stated = origin.options.find(({ name }) => name === 'constraints')?.value ?? ''
  const kinds = Object.entries(KINDS).flatMap(([key, text]) => (stated.includes(`"${key}"`) ? [text] : []))
  return [`The model was fitted under constraints${kinds.length === 0 ? '' : `: ${listed(kinds)}`}.`]
}

const errorSentences = ({ errorKind, design }: Report): string[] =>
  errorKind === null
    ? []
    : [
        `Standard errors are ${ERROR_KINDS[errorKind]}${design === null ? '' : `, and account for the design of the sample ${cited('binder')}: ${designText(design)}`}.`,
      ]
