import { CRITERIA } from '@polyad/core/stats'

/** The terms of results in plain words: for the "?" of the studio, its glossary, and docs/reference/glossary.md. */

export interface GlossaryEntry {
  readonly title: string
  /** Two sentences: what it is, and how to read it. */
  readonly text: string
  /** Where docs/ says more. */
  readonly more?: string
}

/** The criteria without an entry of their own. */
const OTHERS = CRITERIA.flatMap(({ key, name }) => (['aic', 'bic', 'heldOut'].includes(key) ? [] : [name]))

export const GLOSSARY = {
  aic: {
    title: 'AIC',
    text: 'A score that weighs how well a model fits against how many parameters it has; lower is better. It tends to prefer more classes than BIC.',
    more: 'statistics/criteria.md',
  },
  bic: {
    title: 'BIC',
    text: 'A score that weighs how well a model fits against how many parameters it has; lower is better. Among numbers of classes, the one with the lowest BIC is the usual choice.',
    more: 'statistics/criteria.md',
  },
  bootstrap: {
    title: 'Bootstrap test',
    text: 'Simulates many data sets from the model and fits each one again. The p-value is the share of them that fit as badly as your data.',
    more: 'statistics/bootstrap.md#bootstrap',
  },
  classificationError: {
    title: 'Classification error',
    text: 'The share of observations that are expected to be in the wrong class if each is assigned to its most probable one. Below about 10% the classes are well separated.',
    more: 'results.md#certainty-of-the-classification',
  },
  criteria: {
    title: `Other criteria (${OTHERS.join(', ')})`,
    text: 'Scores like AIC and BIC that punish parameters more or less strongly; ICL and AWE also punish classes that overlap. Lower is better, and if they disagree, look at the solutions themselves.',
    more: 'statistics/criteria.md',
  },
  degreesOfFreedom: {
    title: 'Degrees of freedom',
    text: 'How many independent cells of the table are left after all parameters are estimated. If there are none, the model can fit anything and cannot be tested.',
    more: 'results.md#identification-degrees-of-freedom-criteria',
  },
  entropy: {
    title: 'Relative entropy',
    text: 'How clearly observations belong to one class: 1 means with certainty, 0 means by chance. Above about 0.8 the classes are well separated.',
    more: 'results.md#certainty-of-the-classification',
  },
  gSquared: {
    title: 'G² and X²',
    text: 'How far the observed table is from the one the model expects; 0 is a perfect fit. A small p-value means that the model misses something.',
    more: 'statistics/goodness-of-fit.md#goodness-of-fit',
  },
  heldOut: {
    title: 'Held-out log-likelihood',
    text: 'How well the model predicts observations that were left out when it was fitted, per observation. Higher is better.',
    more: 'statistics/criteria.md',
  },
  identification: {
    title: 'Identification',
    text: 'A model is identified if only one set of parameters fits the data best. If it is not, the profiles can change without changing the fit, and should not be interpreted.',
    more: 'statistics/identification.md',
  },
  lift: {
    title: 'Lift',
    text: 'How many times as frequent a category is in a class as in the whole sample. A lift of 2 means twice as frequent; 1 means that the category says nothing about the class.',
  },
  logLikelihood: {
    title: 'Log-likelihood',
    text: 'How probable the data is under the model, as a logarithm. Higher is better, but it always rises with more classes, so compare BIC instead.',
    more: 'statistics/criteria.md',
  },
  logProbability: {
    title: 'log P',
    text: 'How probable the model finds a row, as a logarithm. The lower it is, the more unusual the row.',
    more: 'production.md',
  },
  oddsRatio: {
    title: 'Odds ratio',
    text: 'How the odds of being in a class, rather than in the reference class, change when a covariate grows by one unit. Above 1 they rise, below 1 they fall.',
    more: 'statistics/covariates.md#in-one-step',
  },
  loss: {
    title: 'Loss',
    text: 'How far a model is from the data: minus the log-likelihood, up to a constant. The search looks for the lowest; differences below 0.001 are no differences.',
    more: 'results.md#the-optimum',
  },
  combinations: {
    title: 'Distinct combinations',
    text: 'Rows with the same value in every variable are one combination with a count. The classes are found from the combinations, so many equal rows cost no more time than one.',
    more: 'data.md',
  },
  posterior: {
    title: 'Class probability (posterior)',
    text: 'How probable it is that an observation belongs to a class, given its answers. The probabilities of all classes add up to 1.',
    more: 'results.md#certainty-of-the-classification',
  },
  pValue: {
    title: 'p-value',
    text: 'How often a result at least as extreme would occur if the model tested were true. Below 0.05, the model is usually rejected.',
    more: 'statistics/goodness-of-fit.md#goodness-of-fit',
  },
  reliability: {
    title: 'Starts, recombinations and runs',
    text: 'Every fit makes many runs: from independent random starts, and from recombinations of their solutions. If many starts reach the same solution, the search has settled and a better one is unlikely; whether the classes are real, and how well they fit, are other questions.',
    more: 'results.md#the-optimum',
  },
  residual: {
    title: 'Bivariate residual',
    text: 'How much association between two variables the classes leave unexplained. It is usually far below 1; a large one means that the pair remains associated within classes, and a bootstrap test says how likely chance is to give it.',
    more: 'statistics/goodness-of-fit.md#residuals',
  },
  standardError: {
    title: 'Standard error',
    text: 'How much an estimate would vary from one sample to the next. About two standard errors on either side make a 95% confidence interval.',
    more: 'statistics/standard-errors.md',
  },
} as const satisfies Record<string, GlossaryEntry>

export type GlossaryTerm = keyof typeof GLOSSARY

/** The glossary in the order of its titles. */
export const glossaryEntries = (): (GlossaryEntry & { readonly term: GlossaryTerm })[] =>
  (Object.entries(GLOSSARY) as [GlossaryTerm, GlossaryEntry][])
    .map(([term, entry]) => ({ term, ...entry }))
    .sort((a, b) => a.title.localeCompare(b.title, 'en'))

/** The first part of docs/reference/glossary.md, up to the words of other programs. */
export const glossaryPage = (): string =>
  `${[
    '# Glossary',
    '',
    'The terms of results in plain words. The studio shows the same texts beside each figure, behind a “?”.',
    '[Below](#in-the-library-and-in-other-programs) are the words of the library, and what other programs call them.',
    '',
    ...glossaryEntries().flatMap(({ title, text, more }) => [
      `## ${title}`,
      '',
      `${text}${more === undefined ? '' : ` [More](../${more})`}`,
      '',
    ]),
  ]
    .join('\n')
    .trimEnd()}\n`
