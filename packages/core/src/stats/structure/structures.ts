import { OptionError } from '../../errors.ts'
import { mention, type Sentence, words } from '../../wording.ts'

/** A feature that some structures exclude. */
export type Feature =
  | 'smoothing'
  | 'em'
  | 'one class'
  | 'init'
  | 'ranks'
  | 'held-out'
  | 'database'
  | 'bootstrap of weights'
  | 'replicate weights'
  | 'update'
  | 'bootstrap'
  | 'linked rows'

/** One part that a model may have besides its classes, or that says how its rows were chosen. */
export interface StructurePart {
  /** What texts call it. */
  readonly name: string
  /** Whether it decides the classes of a row: the fit then has a logit of membership, or known classes. */
  readonly decides?: boolean
  /** The parts of which it needs one, and why. */
  readonly needs?: { readonly oneOf: readonly StructureName[]; readonly reason: string }
  /** The features that are not available with it, each with the reason. */
  readonly without: Partial<Record<Feature, string>>
}

const NO_LIKELIHOOD = 'smoothed models have no likelihood to compare'
const NO_EM = 'whose coefficients it does not fit'
const OWN_START = 'its search begins at the model without it'
const IN_MEMORY = 'it needs the cells in memory'
const WHOLE_ROWS = 'replicates draw whole clusters'
const WHOLE_UNITS = 'replicates draw whole persons or groups, which count once each'
const TABLE_ONLY = 'replicate weights are for models of the table of counts'
const IN_PARTS = 'its variables are in parts, some of which stay equal'

const ROWS_APART = 'its classes are those of single rows'
/** What is not available for rows that belong together. */
const LINKED = {
  smoothing: NO_LIKELIHOOD,
  em: 'whose tables it does not fit',
  init: OWN_START,
  'one class': 'since one class can neither change nor differ',
  'held-out': 'folds would tear apart what belongs together',
  database: IN_MEMORY,
  'bootstrap of weights': WHOLE_UNITS,
  'replicate weights': TABLE_ONLY,
}

/** What all that decides the classes of a row has in common. */
const DECIDING = { smoothing: NO_LIKELIHOOD, em: NO_EM, init: OWN_START }
const FITTED_APART = { 'bootstrap of weights': WHOLE_ROWS, 'replicate weights': TABLE_ONLY, database: IN_MEMORY }

/** Every structure, in the order of texts: its name, what it needs, and what is not available with it and why. Options, commands, records and messages use this table. */
export const STRUCTURES = {
  covariates: {
    name: 'covariates',
    decides: true,
    without: {
      ...DECIDING,
      ...FITTED_APART,
      'one class': 'which predict the class of a row',
      'held-out': 'folds are not drawn with covariates',
    },
  },
  groups: {
    name: 'known groups',
    decides: true,
    without: { ...DECIDING, ...FITTED_APART, 'held-out': 'folds are not drawn with groups' },
  },
  free: {
    name: 'variables that differ between groups',
    decides: true,
    needs: {
      oneOf: ['groups', 'person', 'waves'],
      reason: 'it names variables whose probabilities may differ between them, or between waves',
    },
    without: { ...DECIDING, 'one class': 'whose probabilities depend on the class too', update: IN_PARTS },
  },
  direct: {
    name: 'direct effects of covariates',
    decides: true,
    needs: { oneOf: ['covariates', 'groups'], reason: 'it names effects that they have on variables' },
    without: {
      ...DECIDING,
      'linked rows': ROWS_APART,
      'one class': 'which are effects within classes',
      update: IN_PARTS,
    },
  },
  known: {
    name: 'known classes',
    decides: true,
    without: {
      ...DECIDING,
      'linked rows': ROWS_APART,
      ...FITTED_APART,
      'one class': 'which says which class a row is of',
      ranks: 'the known classes say how many there are',
      update: 'new rows would need their known classes',
    },
  },
  constraints: {
    name: 'constraints',
    without: {
      'linked rows': ROWS_APART,
      ranks: 'they may name classes, and models with other numbers of classes have other classes',
      update: 'updated probabilities would not obey them',
    },
  },
  join: {
    name: 'joined variables',
    without: {
      'linked rows': ROWS_APART,
      ...FITTED_APART,
      init: OWN_START,
      ranks: 'joined and separate variables are compared for one number of classes',
    },
  },
  complete: { name: 'the omission of incomplete rows', without: { database: IN_MEMORY } },
  cluster: {
    name: 'a survey design',
    without: { database: IN_MEMORY, 'linked rows': 'persons or groups are the clusters' },
  },
  person: {
    name: 'waves of persons',
    decides: true,
    needs: { oneOf: ['time'], reason: 'it says which wave a row is of' },
    without: LINKED,
  },
  time: {
    name: 'waves of persons',
    decides: true,
    needs: { oneOf: ['person'], reason: 'it says whose waves these are' },
    without: LINKED,
  },
  waves: { name: 'waves in columns', decides: true, without: LINKED },
  transitions: {
    name: 'transitions',
    needs: { oneOf: ['person', 'waves'], reason: 'classes change from wave to wave of a person' },
    without: {},
  },
  within: {
    name: 'groups with classes',
    decides: true,
    needs: { oneOf: ['groupClasses'], reason: 'it says how many classes groups have' },
    without: LINKED,
  },
  groupClasses: {
    name: 'classes of groups',
    needs: { oneOf: ['within'], reason: 'it says what the groups are' },
    without: {},
  },
  transitionCovariates: {
    name: 'covariates of transitions',
    needs: { oneOf: ['person', 'waves'], reason: 'classes change from wave to wave of a person' },
    without: {},
  },
  groupCovariates: {
    name: 'covariates of groups',
    needs: { oneOf: ['within'], reason: 'they explain the class of a group' },
    without: {},
  },
  stayers: {
    name: 'persons who never change',
    needs: { oneOf: ['person', 'waves'], reason: 'classes change from wave to wave of a person' },
    without: {},
  },
  weights: { name: 'sampling weights', without: {} },
} as const satisfies Record<string, Omit<StructurePart, 'needs'> & { readonly needs?: unknown }>

export type StructureName = keyof typeof STRUCTURES

/** The names of all structures, in the order of texts. */
export const STRUCTURE_NAMES = Object.keys(STRUCTURES) as readonly StructureName[]

const partOf = (name: StructureName): StructurePart => STRUCTURES[name]

/** Structures by a property of theirs. */
const namesWith = (has: (part: StructurePart) => unknown): StructureName[] =>
  STRUCTURE_NAMES.filter(name => has(partOf(name)))

/** What decides the classes of rows. */
export const DECIDING_STRUCTURES: readonly StructureName[] = namesWith(({ decides }) => decides)

/**
 * The structures that a feature is available with.
 * @example
 * structuresOf('ranks').includes('known') // false
 */
export const structuresOf = (feature: Feature): readonly StructureName[] =>
  namesWith(({ without }) => without[feature] === undefined)

/** What is given of a model, by the names of structures; others are ignored. */
export type GivenStructures = { readonly [K in StructureName]?: unknown }

/**
 * The first structure that excludes a feature, and why; undefined if the feature is available.
 * @example
 * excludedBy('smoothing', { covariates: ['age'] })?.name // 'covariates'
 */
export const excludedBy = (
  feature: Feature,
  given: GivenStructures,
): { readonly name: StructureName; readonly reason: string } | undefined => {
  for (const name of STRUCTURE_NAMES) {
    const reason = partOf(name).without[feature]
    const value = given[name]
    if (reason !== undefined && value !== undefined && value !== false) return { name, reason }
  }
  return undefined
}

/**
 * Refuses an option that a structure excludes, with the reason.
 * @example
 * checkAvailable('init', 'init', {}) // nothing excludes it
 */
export const checkAvailable = (feature: Feature, option: string, given: GivenStructures): void => {
  const found = excludedBy(feature, given)
  if (found !== undefined)
    throw new OptionError(option, words`cannot be combined with ${mention(found.name)}: ${found.reason}`)
}

/** What a structure needs and has not got, as a rule for an error. */
export const lackingOf = (name: StructureName, given: GivenStructures): Sentence | undefined => {
  const { needs } = partOf(name)
  if (needs === undefined || needs.oneOf.some(other => given[other] !== undefined)) return undefined
  return words`needs ${mention(needs.oneOf[0])}: ${needs.reason}`
}
