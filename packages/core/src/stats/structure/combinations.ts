import { OptionError } from '../../errors.ts'
import { mention, type Sentence, words } from '../../wording.ts'

/** What decides whether parts of a model can be together. */
export type Combination = Readonly<
  Partial<
    Record<
      | (
          | 'covariates'
          | 'categories'
          | 'referenceCategories'
          | 'reference'
          | 'per'
          | 'standardize'
          | 'groups'
          | 'free'
          | 'direct'
          | 'known'
          | 'join'
          | 'constraints'
        )
      | ('smoothing' | 'algorithm' | 'pseudoCounts' | 'design' | 'squares' | 'weights' | 'cluster'),
      unknown
    >
  >
> & { readonly rank?: number | undefined }

interface Rule {
  /** The option that is refused. */
  readonly option: keyof Combination & string
  /** If it is given, and this is so of the others. */
  readonly when: (given: Combination, has: (...names: readonly (keyof Combination)[]) => string | undefined) => unknown
  readonly reason: (other: string) => Sentence
}

/** What explains the classes, or makes variables depend on it. */
const EXPLAINED = ['covariates', 'groups', 'known', 'free', 'direct'] as const

/** Everything that cannot be combined, or is of no use alone, with the reason. All else can. */
const RULES: readonly Rule[] = [
  {
    option: 'smoothing',
    when: (_, has) => has(...EXPLAINED),
    reason: other => words`cannot be combined with ${mention(other)}: smoothed models have no likelihood to compare`,
  },
  {
    option: 'algorithm',
    when: ({ algorithm }, has) => algorithm === 'em' && has('covariates', 'known', 'free', 'direct'),
    reason: other => words`cannot be em with ${mention(other)}, whose coefficients it does not fit`,
  },
  ...(['categories', 'referenceCategories', 'reference', 'per', 'standardize'] as const).map(
    (option): Rule => ({
      option,
      when: (_, has) => has('covariates', ...(option === 'reference' || option === 'referenceCategories' ? EXPLAINED : [])) === undefined, // biome-ignore format: one condition
      reason: () => words`needs ${mention('covariates')}`,
    }),
  ),
  {
    option: 'free',
    when: ({ groups }) => groups === undefined,
    reason: () => words`needs ${mention('groups')}: it names variables whose probabilities may differ between them`,
  },
  {
    option: 'direct',
    when: ({ covariates, groups }) => covariates === undefined && groups === undefined,
    reason: () => words`needs ${mention('covariates')}: it names effects that they have on variables`,
  },
  {
    option: 'rank',
    when: ({ rank }, has) => rank === 1 && has('covariates', 'known', 'free', 'direct'),
    reason: other => words`must be 2 or more with ${mention(other)}${other === 'covariates' ? ', which predict the class of a row' : ''}`, // biome-ignore format: one sentence
  },
]

/**
 * Refuses a combination that cannot be, with the reason.
 * @example
 * checkCombination({ rank: 2, covariates: ['age'], groups: 'country', known: 'expert' })
 */
export const checkCombination = (given: Combination): void => {
  const has = (...names: readonly (keyof Combination)[]) => names.find(name => given[name] !== undefined)
  for (const { option, when, reason } of RULES) {
    if (given[option] === undefined || given[option] === false) continue
    const other = when(given, has)
    if (other) throw new OptionError(option, reason(typeof other === 'string' ? other : option))
  }
}
