import { readFileSync } from 'node:fs'
import { type Constraints, type FitOptions, OptionError } from '@polyad/core'
import { COVARIATE_FIT_OPTIONS, mention, words } from '@polyad/core/options'
import type { Structure } from '../../analysis/request.ts'
import type { Field, OptionGroup } from './definition.ts'
import { given, names, optionsOf } from './option-values.ts'

/** Options that say more of a model than how many classes it has, as the command line gives them. */
export type StructureOptions = Omit<Structure, 'constraints'> & { readonly constraints?: string }

const option = optionsOf(COVARIATE_FIT_OPTIONS)

export const STRUCTURE: OptionGroup = {
  title: 'Structure',
  options: [
    option(
      'covariates',
      'columns that explain the classes, by a logit of membership: age,party or "age*party" for the interaction too',
      { value: 'names' },
    ),
    option('categories', 'covariates whose numbers are categories', { value: 'names' }),
    option('reference', 'reference class of the logit (default: 1, the largest)', { default: undefined }),
    { flags: '--groups <name>', text: 'a column of known groups: whether shares, or all, differ between them' },
    { flags: '--constraints <file>', text: 'a JSON file of probabilities that are fixed, zero or equal' },
    {
      flags: '--join <names>',
      text: 'columns that may depend on each other within a class, as a,b: one mode of their combinations; repeatable',
      parse: (text: string, before: readonly string[][] | undefined) => [...(before ?? []), names(text)],
    },
    { flags: '--complete', text: 'leave out rows in which anything is missing' },
  ],
}

/** What these options add to the object of --json. */
export const STRUCTURE_FIELDS: readonly Field[] = [
  [
    'covariates',
    'reference, confidence, names, terms (name, factors: covariate and, of a category, label; the intercept has none), coefficients (class, term, estimate, standardError, z, pValue, oddsRatio, interval: of the odds ratio), ' +
      "tests (covariate, test: statistic, degreesOfFreedom, pValue, of Wald's test that every term with it is zero; null where " +
      'that is not determined), curves (covariate, numeric: whether it entered as a number, points: value, probabilities), dropped',
  ],
  [
    'groups',
    'mode, models (name, logLikelihood given the group, parameters, aic, bic, caic, sabic), tests (model, within, statistic, degreesOfFreedom, pValue), ' +
      'shares (group, total, shares, freeShares, similarity), identified (whether the answers alone identify the classes; if not, the first p is approximate), dropped',
  ],
  ['constraints', 'the constraints, as they were read'],
  ['join', 'joined, models (separate and joined), test, partial (observations that lack some of the joined columns)'],
  ['left', 'observations that --complete left out'],
]

/** Options of a plain fit that a comparison of likelihoods, or a logit, has no use for. */
const PLAIN_ONLY = { covariates: ['smoothing', 'algorithm'], groups: ['smoothing', 'pseudoCounts'] } as const

export const structureOf = (
  options: StructureOptions,
  settings: Omit<FitOptions, 'rank'>,
  other: { readonly rank?: number; readonly modes?: readonly string[] } = {},
): Structure & {
  /** Columns that must be read, whatever they look like. */
  readonly include: readonly string[]
} => {
  const { covariates, categories, reference, groups, join, constraints } = options
  const kinds = Object.entries({ covariates, groups, constraints, join }).filter(([, value]) => value !== undefined)
  const both = covariates !== undefined && constraints !== undefined && kinds.length === 2
  if (kinds.length > 1 && !both) {
    const flags = kinds.map(([name]) => `--${name}`)
    throw new OptionError(`${flags.join(' and ')} cannot be combined: a model has one of them`)
  }
  if (covariates === undefined && (categories !== undefined || reference !== undefined))
    throw new OptionError(`--${categories === undefined ? 'reference' : 'categories'} is for --covariates`)
  if (covariates !== undefined) checkCovariates(covariates, other)
  const [kind] = kinds[0] ?? []
  const unlike = kind === 'covariates' || kind === 'groups' ? PLAIN_ONLY[kind] : []
  for (const name of unlike)
    if (settings[name] !== undefined) throw new OptionError(name, words`cannot be combined with ${mention(kind ?? '')}`)
  return {
    ...given(options, ['covariates', 'categories', 'reference', 'groups', 'join', 'complete']),
    ...(constraints !== undefined && { constraints: readConstraints(constraints) }),
    include: [
      ...(covariates ?? []).flatMap(factorsOf),
      ...(groups === undefined ? [] : [groups]),
      ...(join ?? []).flat(),
    ],
  }
}

/** The columns of `age*party`. */
const factorsOf = (covariate: string): string[] => covariate.split('*').map(name => name.trim())

const checkCovariates = (
  covariates: readonly string[],
  { rank, modes = [] }: { readonly rank?: number; readonly modes?: readonly string[] },
): void => {
  if (covariates.length === 0)
    throw new OptionError('--covariates needs the names of columns, as in --covariates age,party')
  if (rank === 1)
    throw new OptionError('--covariates needs two classes or more (got -k 1): they explain which class a row is in')
  const half = covariates.find(text => factorsOf(text).includes(''))
  if (half !== undefined)
    throw new OptionError(
      `--covariates: a name is missing beside * in ${JSON.stringify(half)}; write it as in "age*party"`,
    )
  // Columns are found whatever the case of their names.
  const alike = covariates.map(text => factorsOf(text.toLowerCase()).toSorted().join('*'))
  const twice = covariates.find((_, i) => alike.indexOf(alike[i]) < i)
  if (twice !== undefined) throw new OptionError(`--covariates has ${JSON.stringify(twice)} twice: name it once`)
  const known = modes.map(mode => mode.toLowerCase())
  const both = covariates.flatMap(factorsOf).find(name => known.includes(name.toLowerCase()))
  if (both !== undefined)
    throw new OptionError(
      `column ${JSON.stringify(both)} cannot be both a mode and a covariate: leave it out of --modes or of --covariates`,
    )
}

const readConstraints = (path: string): Constraints => {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read
  } catch (error) {
    const reason =
      error instanceof SyntaxError ? `is not JSON: ${error.message}` : `cannot be read: ${(error as Error).message}`
    throw new OptionError(`--constraints: ${path} ${reason}`)
  }
  throw new OptionError(`--constraints: ${path} must hold an object with fixed, zero or equal, as in {"zero": […]}`)
}
