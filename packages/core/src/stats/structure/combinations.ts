import { OptionError } from '../../errors.ts'
import { mention, type Sentence, words } from '../../wording.ts'
import {
  DECIDING_STRUCTURES,
  excludedBy,
  type Feature,
  type GivenStructures,
  lackingOf,
  STRUCTURE_NAMES,
  type StructureName,
} from './structures.ts'

/** What decides whether parts of a model can be together. */
export type Combination = GivenStructures &
  Readonly<
    Partial<
      Record<
        | ('categories' | 'referenceCategories' | 'reference' | 'per' | 'standardize')
        | ('smoothing' | 'algorithm' | 'pseudoCounts' | 'design' | 'squares'),
        unknown
      >
    >
  > & { readonly rank?: number | undefined }

interface Rule {
  /** The option that is refused. */
  readonly option: keyof Combination & string
  /** Why, if it is. */
  readonly against: (given: Combination) => Sentence | undefined
}

/** An option that structures exclude. */
const excluding = (feature: Feature, option: Rule['option'], verb = 'cannot be combined with', link = ': '): Rule => ({
  option,
  against: given => {
    const found = excludedBy(feature, given)
    return found && words`${verb} ${mention(found.name)}${link}${found.reason}`
  },
})

const em = excluding('em', 'algorithm', 'cannot be em with', ', ')
const oneClass = excluding('one class', 'rank', 'must be 2 or more with', ', ')

/** Everything that cannot be combined, or is of no use alone, with the reason. All else can. */
const RULES: readonly Rule[] = [
  excluding('smoothing', 'smoothing'),
  excluding('linked rows', 'person'),
  excluding('linked rows', 'within'),
  excluding('linked rows', 'waves'),
  {
    option: 'within',
    against: given =>
      given.person === undefined && given.waves === undefined
        ? undefined
        : words`cannot be combined with ${mention(given.person === undefined ? 'waves' : 'person')}: a table has waves of persons or members of groups`,
  },
  {
    option: 'waves',
    against: given =>
      given.person === undefined && given.time === undefined
        ? undefined
        : words`cannot be combined with ${mention(given.person === undefined ? 'time' : 'person')}: a table has a column for each wave or a row for each wave`,
  },
  {
    option: 'groups',
    against: given =>
      given.within === undefined
        ? undefined
        : words`cannot be combined with ${mention('within')}: name the column in ${mention('covariates')}`,
  },
  ...(['reference', 'per', 'standardize'] as const).map(
    (option): Rule => ({
      option,
      against: given => {
        const linking = (['person', 'waves', 'within'] as const).find(name => given[name] !== undefined)
        return (
          linking &&
          words`cannot be combined with ${mention(linking)}: effects are per unit of a covariate, compared with class 1, or with the class that is left`
        )
      },
    }),
  ),
  { ...em, against: given => (given.algorithm === 'em' ? em.against(given) : undefined) },
  ...(['categories', 'referenceCategories', 'reference', 'per', 'standardize'] as const).map((option): Rule => {
    const enough: readonly StructureName[] =
      option === 'reference' || option === 'referenceCategories'
        ? DECIDING_STRUCTURES
        : ['covariates', 'transitionCovariates', 'groupCovariates']
    return {
      option,
      against: given =>
        enough.some(name => given[name] !== undefined) ? undefined : words`needs ${mention('covariates')}`,
    }
  }),
  ...STRUCTURE_NAMES.map((option): Rule => ({ option, against: given => lackingOf(option, given) })),
  { ...oneClass, against: given => (given.rank === 1 ? oneClass.against(given) : undefined) },
]

/**
 * Refuses a combination that cannot be, with the reason.
 * @example
 * checkCombination({ rank: 2, covariates: ['age'], groups: 'country', known: 'expert' })
 */
export const checkCombination = (given: Combination): void => {
  for (const { option, against } of RULES) {
    if (given[option] === undefined || given[option] === false) continue
    const reason = against(given)
    if (reason !== undefined) throw new OptionError(option, reason)
  }
}
