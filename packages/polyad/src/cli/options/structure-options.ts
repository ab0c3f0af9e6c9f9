import { type Constraints, type DirectEffect, type FitOptions, type FreeVariable, OptionError } from '@polyad/core'
import { checkCombination, defined, reader, STRUCTURED_FIT_OPTIONS, structuresOf } from '@polyad/core/options'
import { NESTED_CRITERIA } from '@polyad/core/stats'
import { InvalidArgumentError } from 'commander'
import type { Structure } from '../../analysis/request.ts'
import { readBytes } from '../../source/relation/files.ts'
import type { CommandOption, Field, OptionGroup } from './definition.ts'
import {
  ANY_NUMBER,
  COMPARED_MODEL,
  COVARIATES_TYPE,
  INTERVAL,
  LABEL,
  NESTED_TEST,
  PROBABILITY,
  WALD_TEST,
} from './field-types.ts'
import { type ItemOptions, itemsOf } from './item-options.ts'
import { given, names, optionsOf, pairs } from './option-values.ts'

/** A unit of `--per`. */
const unitOf = (text: string): number => {
  const unit = Number(text)
  if (unit > 0 && unit < Number.POSITIVE_INFINITY) return unit
  throw new InvalidArgumentError('The unit must be a number > 0, as in income=10000.')
}

/** Options that say more of a model than how many classes it has, as the command line gives them. */
export type StructureOptions = Omit<Structure, 'constraints' | 'referenceCategories' | 'items'> &
  ItemOptions & {
    readonly constraints?: string
    readonly referenceCategory?: Structure['referenceCategories']
  }

const option = optionsOf(STRUCTURED_FIT_OPTIONS)

/** Which category the others of a covariate are compared with. */
export const REFERENCE_CATEGORY: CommandOption = option(
  'referenceCategories',
  'reference category of a covariate, as in party=Independent (default: its first; repeatable)',
  {
    flags: '--reference-category <name=category>',
    parse: pairs(text => text, 'party=Independent'),
  },
)

/** How covariates enter, and how their effects are shown: for a fit with covariates and for a regression after it. */
export const COVARIATES: readonly CommandOption[] = [
  REFERENCE_CATEGORY,
  option('reference', 'reference class of the logit (default: 1, the largest)', { default: undefined }),
  option(
    'per',
    'unit for the effect of a numeric covariate, as in income=10000 (default: 1, or a power of ten if 1 is far from its spread; repeatable)',
    {
      flags: '--per <name=unit>',
      parse: pairs(unitOf, 'income=10000'),
    },
  ),
  option('standardize', 'show the effects of numeric covariates per standard deviation', { default: undefined }),
]

export const STRUCTURE: OptionGroup = {
  title: 'Structure',
  options: [
    option(
      'covariates',
      'covariates that predict class membership in a multinomial logit (comma-separated): age,party or "age*party" for the interaction too',
      { value: 'names' },
    ),
    ...COVARIATES,
    option('groups', 'column of known groups: compare models in which class sizes, or whole profiles, differ'),
    option(
      'free',
      'with --groups: variables whose probabilities may differ between groups, as in q1,q2@2 (q2 in class 2 only); with --person or --waves: between waves (comma-separated)',
      {
        value: 'names',
        parse: (text: string, before: readonly FreeVariable[] | undefined) => [
          ...(before ?? []),
          ...names(text).map(variableOf),
        ],
      },
    ),
    option(
      'direct',
      'direct effects of categorical covariates on variables, as in party->trust or party->vote@2 (in class 2 only) (comma-separated)',
      {
        value: 'effects',
        parse: (text: string, before: readonly DirectEffect[] | undefined) => [
          ...(before ?? []),
          ...names(text).map(effectOf),
        ],
      },
    ),
    option('person', 'column of persons with several rows: classes that change from wave to wave, with --time'),
    option('time', 'with --person: column of waves, in the order of its values'),
    option(
      'waves',
      'table with a row for each person: a pattern of columns for each wave, as in "*_t1,*_t2"; in place of --person and --time (comma-separated)',
      { value: 'patterns', parse: names },
    ),
    option(
      'transitions',
      'with --person or --waves: transitions of their own for every step (free, default), or the same for all',
    ),
    option(
      'transitionCovariates',
      'with --person or --waves: covariates that predict the transitions to a row (comma-separated); --covariates predict the class at the first wave, and --groups both',
      { value: 'names', parse: names },
    ),
    option('stayers', 'with --person or --waves: a latent part of the persons never changes (mover-stayer model)', {
      default: undefined,
    }),
    option('within', 'column of groups, such as schools, which have classes too, with --group-classes'),
    option('groupClasses', 'with --within: number of classes of groups', { default: undefined }),
    option(
      'groupCovariates',
      'with --within: covariates that predict the class of a group (comma-separated); --covariates predict the class of a member',
      { value: 'names', parse: names },
    ),
    option('known', 'column of known classes: rows with a value there belong to that class; the others are free'),
    { flags: '--constraints <file>', text: 'JSON file of probabilities that are fixed, zero or equal' },
    {
      flags: '--join <names>',
      text: 'variables that may depend on each other within a class, as in a,b; they become one variable of their combinations; continuous variables get covariances (repeatable)',
      parse: (text: string, before: readonly string[][] | undefined) => [...(before ?? []), names(text)],
    },
  ],
}

/** Those that models of any number of classes can have. */
export const STRUCTURE_OF_ALL: OptionGroup = {
  title: STRUCTURE.title,
  options: STRUCTURE.options.filter(({ library = [] }) =>
    library.some(name => ['referenceCategories', ...structuresOf('ranks')].includes(name)),
  ),
}

export type StructureOfAll = Pick<
  StructureOptions,
  | ('covariates' | 'referenceCategory' | 'groups' | 'free' | 'direct')
  | ('person' | 'time' | 'waves' | 'transitions' | 'within' | 'groupClasses')
  | ('transitionCovariates' | 'groupCovariates' | 'stayers')
>

/** What --json says of a logit of membership. */
export const COVARIATE_FIELD: Field = [
  'covariates',
  'reference (the reference class, numbered from 1), confidence, names, terms (name, factors: covariate and, for a category, label; the intercept has none), referenceCategories (by covariate), ' +
    'units (covariate, unit of the effects shown, by: one, given, deviation or automatic, deviation), ' +
    'coefficients (class (numbered from 1), term, estimate, limit: finite, infinity, -infinity or undetermined, standardError, z, pValue, oddsRatio, interval of the odds ratio, all per 1; shown: unit, and estimate, standardError, oddsRatio, interval per unit), ' +
    'tests (covariate, test: statistic, degreesOfFreedom, pValue of the Wald test that every term with it is zero; null if ' +
    'the data determines none of them; untested: how many are infinite or not determined), curves (covariate, numeric: whether it entered as a number, points: value, probabilities), dropped',
  `${COVARIATES_TYPE}?`,
]

/** What these options add to the object of --json. */
export const STRUCTURE_FIELDS: readonly Field[] = [
  COVARIATE_FIELD,
  [
    'groups',
    `mode, models (pooled, probabilities equal, partial with --free, free: name, logLikelihood given the group, parameters, ${NESTED_CRITERIA.join(', ')}), tests (model, within, statistic: the likelihood ratio, degreesOfFreedom, pValue; with weights or clusters scaling: its scaling factor, scaled: the statistic divided by it, or reason: why there is no p-value), with weights or clusters each model has scaling, ` +
      'shares (group, total, shares, freeShares, similarity), identified (whether the answers alone identify the classes; if not, the first p-value is approximate), dropped',
    `{ mode: string, models: ${COMPARED_MODEL}[], tests: ${NESTED_TEST}[], shares: { group: ${LABEL}, total: number, shares: number[], freeShares?: number[] | null, similarity?: (number | null)[] | null }[], identified?: boolean, dropped: number }?`,
  ],
  [
    'direct',
    'with --direct: effects (covariate, mode, class (numbered from 1)), models (without and with direct effects), test',
    `{ effects: { covariate: string, mode: string, class?: integer }[], models: ${COMPARED_MODEL}[], test: ${NESTED_TEST} }?`,
  ],
  [
    'parts',
    'with --free or --direct: modes of the model that are parts of a variable (mode: the variable, name: of the part, where: its column and label)',
    `{ mode: string, name: string, where: { column: string, label: ${LABEL} }[] }[]?`,
  ],
  [
    'known',
    'with --known: name (of the column), labels (one for each class) and totals (observations known to be in each class)',
    `{ name: string, labels: ${LABEL}[], totals: number[] }?`,
  ],
  ['persons', 'with --person or --waves: the number of persons', 'integer?'],
  [
    'waves',
    'with --person: for each wave its label, persons (with a row there) and sizes (of the classes: probability, standardError, interval)',
    `{ wave: ${LABEL}, persons: integer, sizes: ${PROBABILITY}[] }[]?`,
  ],
  [
    'initial',
    'with --person: the class sizes at the first wave (probability, standardError, interval)',
    `${PROBABILITY}[]?`,
  ],
  [
    'transitions',
    'with --person: for each step from and to (waves; null if all steps are the same) and probabilities, with a row for each class left and an entry for each class entered',
    `{ from: ${LABEL} | null, to: ${LABEL} | null, probabilities: ${PROBABILITY}[][] }[]?`,
  ],
  [
    'groupClasses',
    'with --within: within (the column), groups (their number), sizes (of the group classes) and mixes (for each group class its class sizes)',
    `{ within: string, groups: integer, sizes: ${PROBABILITY}[], mixes: ${PROBABILITY}[][] }?`,
  ],
  [
    'stayers',
    'with --stayers: share (the part of the persons who never change) and sizes (of their classes); initial and transitions are then those of the others',
    `{ share: ${PROBABILITY}, sizes: ${PROBABILITY}[] }?`,
  ],
  [
    'effects',
    'with covariates of persons or groups: on (initial: the class at the first wave; transitions; mixes: the class of a member; groups: the class of a group), reference (class 1; null for transitions, where it is the class that is left), ' +
      'covariates, coefficients (from (the class that is left), class, stays (whether it is the class of persons who never change), term, of (the step or group class of an intercept), estimate, limit, standardError, z, pValue, oddsRatio, interval of the odds ratio) and ' +
      'tests (covariate, test: the Wald test that all its coefficients are zero)',
    `{ on: string, reference: integer | null, covariates: string[], coefficients: { from: integer | null, class: integer, stays: boolean | null, term: string, of: integer | null, estimate: number, limit: string, standardError: ${ANY_NUMBER}, z: ${ANY_NUMBER}, pValue: ${ANY_NUMBER}, oddsRatio: ${ANY_NUMBER}, interval: ${INTERVAL} }[], tests: { covariate: string, test: ${WALD_TEST} | null }[] }[]?`,
  ],
  ['unlinked', 'observations that lack their person, wave or group, or every answer', 'number?'],
  ['constraints', 'the constraints, as they were read', 'unknown?'],
  [
    'join',
    'joined, models (separate and joined), test, partial (observations that lack some of the joined categorical columns)',
    `{ joined: string[][], models: ${COMPARED_MODEL}[], test: ${NESTED_TEST}, partial: number }?`,
  ],
]

export const structureOf = (
  options: StructureOptions,
  settings: Omit<FitOptions, 'rank'>,
  other: { readonly rank?: number; readonly variables?: readonly string[] } = {},
): Structure & {
  /** Columns that must be read, whatever they look like. */
  readonly include: readonly string[]
} => {
  const { covariates, groups, known, join, constraints, referenceCategory: referenceCategories } = options
  const { person, time, within, transitionCovariates = [], groupCovariates = [] } = options
  if (covariates !== undefined) checkCovariates(covariates, other)
  // Those that are no covariates are for reading.
  const all = [...(covariates ?? []), ...transitionCovariates, ...groupCovariates]
  const explaining = all.flatMap(factorsOf).map(name => name.toLowerCase())
  const categories = (options.categories ?? []).filter(name => explaining.includes(name.toLowerCase()))
  const { include: numbers, ...items } = itemsOf(options)
  const structure = {
    ...items,
    ...(categories.length > 0 && { categories }),
    ...given(options, ['covariates', 'reference', 'per', 'standardize', 'groups', 'free', 'direct']),
    ...given(options, ['known', 'join', 'complete']),
    ...given(options, ['person', 'time', 'waves', 'transitions', 'within', 'groupClasses']),
    ...given(options, ['transitionCovariates', 'groupCovariates', 'stayers']),
    ...defined({ referenceCategories }),
  }
  checkCombination({ ...settings, ...structure, rank: other.rank })
  return {
    ...structure,
    ...(constraints !== undefined && { constraints: readConstraints(constraints) }),
    include: [
      ...[...(covariates ?? []), ...transitionCovariates, ...groupCovariates].flatMap(factorsOf),
      ...[groups, known, person, time, within].flatMap(name => (name === undefined ? [] : [name])),
      ...(join ?? []).flat(),
      ...numbers,
    ],
  }
}

/** `q1` or `q1@2`: a variable, and the class in which its probabilities may differ. */
const variableOf = (text: string): FreeVariable => {
  const [, mode, of] = /^(.+)@(\d+)$/.exec(text.trim()) ?? []
  return mode === undefined ? { mode: text.trim() } : { mode: mode.trim(), class: Number(of) }
}

/** `party->trust` or `party->trust@2`: a covariate, and the variable that it affects. */
const effectOf = (text: string): DirectEffect => {
  const [, covariate, variable] = /^(.+?)->(.+)$/.exec(text) ?? []
  if (covariate === undefined)
    throw new InvalidArgumentError('Write an effect as covariate->variable, as in party->trust.')
  return { covariate: covariate.trim(), ...variableOf(variable) }
}

/** The columns of `age*party`; `age*` is a column of that name, since nothing is beside its star. */
const factorsOf = (covariate: string): string[] => {
  const names = covariate.split('*').map(name => name.trim())
  return names.includes('') ? [covariate.trim()] : names
}

const checkCovariates = (
  covariates: readonly string[],
  { rank, variables = [] }: { readonly rank?: number; readonly variables?: readonly string[] },
): void => {
  if (covariates.length === 0)
    throw new OptionError('--covariates needs the names of columns, as in --covariates age,party')
  if (rank === 1)
    throw new OptionError('--covariates needs two classes or more (got -k 1): they predict which class a row is in')
  // Columns are found whatever the case of their names.
  const alike = covariates.map(text => factorsOf(text.toLowerCase()).toSorted().join('*'))
  const twice = covariates.find((_, i) => alike.indexOf(alike[i]) < i)
  if (twice !== undefined) throw new OptionError(`--covariates has ${JSON.stringify(twice)} twice: name it once`)
  const known = variables.map(name => name.toLowerCase())
  const both = covariates.flatMap(factorsOf).find(name => known.includes(name.toLowerCase()))
  if (both !== undefined)
    throw new OptionError(
      `column ${JSON.stringify(both)} cannot be both a variable and a covariate: leave it out of --variables or of --covariates`,
    )
}

const readConstraints = (path: string): Constraints => {
  try {
    const given = reader.tried(reader.object, reader.json(readBytes(path), path))
    if (given !== null) return given
  } catch (error) {
    throw new OptionError(`--constraints: ${(error as Error).message}`)
  }
  throw new OptionError(`--constraints: ${path} must contain an object with fixed, zero or equal, as in {"zero": […]}`)
}
