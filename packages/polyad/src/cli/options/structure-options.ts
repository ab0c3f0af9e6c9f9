import { readFileSync } from 'node:fs'
import { type Constraints, type FitOptions, OptionError } from '@polyad/core'
import { COVARIATE_FIT_OPTIONS, mention, words } from '@polyad/core/options'
import { InvalidArgumentError } from 'commander'
import type { Structure } from '../../analysis/request.ts'
import type { CommandOption, Field, OptionGroup } from './definition.ts'
import { given, names, optionsOf, pairs } from './option-values.ts'

/** A unit of `--per`. */
const unitOf = (text: string): number => {
  const unit = Number(text)
  if (unit > 0 && unit < Number.POSITIVE_INFINITY) return unit
  throw new InvalidArgumentError('The unit must be a number > 0, as in income=10000.')
}

/** Options that say more of a model than how many classes it has, as the command line gives them. */
export type StructureOptions = Omit<Structure, 'constraints' | 'referenceCategories'> & {
  readonly constraints?: string
  readonly referenceCategory?: Structure['referenceCategories']
}

const option = optionsOf(COVARIATE_FIT_OPTIONS)

/** How covariates enter, and how their effects are shown: for a fit with covariates and for a regression after it. */
export const COVARIATES: readonly CommandOption[] = [
  option('categories', 'covariates whose numbers are categories', { value: 'names' }),
  option(
    'referenceCategories',
    'reference category of a covariate, as in party=Independent (default: its first; repeatable)',
    {
      flags: '--reference-category <name=category>',
      parse: pairs(text => text, 'party=Independent'),
    },
  ),
  option('reference', 'reference class of the logit (default: 1, the largest)', { default: undefined }),
  option(
    'per',
    'unit in which the effect of a number is shown, as in income=10000 (default: 1, or a power of ten if 1 is far from its spread; repeatable)',
    {
      flags: '--per <name=unit>',
      parse: pairs(unitOf, 'income=10000'),
    },
  ),
  option('standardize', 'show the effects of numbers per standard deviation', { default: undefined }),
]

export const STRUCTURE: OptionGroup = {
  title: 'Structure',
  options: [
    option(
      'covariates',
      'columns that explain the classes, by a logit of membership: age,party or "age*party" for the interaction too',
      { value: 'names' },
    ),
    ...COVARIATES,
    { flags: '--groups <name>', text: 'a column of known groups: whether shares, or all, differ between them' },
    { flags: '--constraints <file>', text: 'a JSON file of probabilities that are fixed, zero or equal' },
    {
      flags: '--join <names>',
      text: 'columns that may depend on each other within a class, as a,b: one mode of their combinations; repeatable',
      parse: (text: string, before: readonly string[][] | undefined) => [...(before ?? []), names(text)],
    },
  ],
}

/** What these options add to the object of --json. */
export const STRUCTURE_FIELDS: readonly Field[] = [
  [
    'covariates',
    'reference, confidence, names, terms (name, factors: covariate and, of a category, label; the intercept has none), referenceCategories (by covariate), ' +
      'units (covariate, unit in which its effects are shown, by: one, given, deviation or automatic, deviation), ' +
      'coefficients (class, term, estimate, standardError, z, pValue, oddsRatio, interval: of the odds ratio, all per 1; shown: unit, estimate, standardError, oddsRatio, interval, per unit), ' +
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
  const { referenceCategory: referenceCategories, per, standardize } = options
  const without = Object.entries({ categories, reference, 'reference-category': referenceCategories, per, standardize })
  const [alone] = without.find(([, value]) => value !== undefined) ?? []
  if (covariates === undefined && alone !== undefined) throw new OptionError(`--${alone} is for --covariates`)
  if (covariates !== undefined) checkCovariates(covariates, other)
  const [kind] = kinds[0] ?? []
  const unlike = kind === 'covariates' || kind === 'groups' ? PLAIN_ONLY[kind] : []
  for (const name of unlike)
    if (settings[name] !== undefined) throw new OptionError(name, words`cannot be combined with ${mention(kind ?? '')}`)
  return {
    ...given(options, ['covariates', 'categories', 'reference', 'per', 'standardize', 'groups', 'join', 'complete']),
    ...(referenceCategories !== undefined && { referenceCategories }),
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
