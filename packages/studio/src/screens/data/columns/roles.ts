import type { Item } from '@polyad/core'
import type { InspectedColumn } from 'polyad/table'
import { canBe, KINDS_OF_VARIABLES, type Kind } from '../../../state/reading/choices.ts'
import type { Role } from '../../../state/store/settings.ts'

/** What a column is used as, in a word. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  mode: 'Variable',
  covariate: 'Covariate',
  weight: 'Weights',
  count: 'Frequency',
  cluster: 'Cluster',
  strata: 'Strata',
  class: 'Known class',
  person: 'Person',
  time: 'Time',
  group: 'Group',
  ignore: 'Excluded',
}

/** The same in a sentence. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  mode: 'The classes explain its answers.',
  covariate: 'It predicts class membership.',
  weight: 'Sampling weight: how many people a row represents.',
  count: 'How often a row counts.',
  cluster:
    'Schools, households or places that were sampled whole. Standard errors allow for people within them being alike; classes stay the same.',
  strata: 'Parts of the population, such as regions, within each of which clusters were sampled.',
  class: 'Kept aside for comparison with the classes.',
  person: 'Whose answers these are: people who were asked several times, whose classes may change.',
  time: 'The wave of the answers: when the person was asked.',
  group: 'A school or clinic: groups get classes too, which differ in the class sizes of their members.',
  ignore: 'Not used.',
}

export const ROLE_ORDER: readonly Role[] = [
  'mode',
  'covariate',
  'weight',
  'count',
  'cluster',
  'strata',
  'class',
  'person',
  'time',
  'group',
  'ignore',
]

/** What a variable is taken for, in a word, and in a sentence. */
export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  categorical: 'Category',
  ordinal: 'Scale',
  normal: 'Number',
  count: 'Count',
}

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  categorical: 'Each class has a probability for every category.',
  ordinal: 'Ordered categories: each class is higher or lower on the scale as a whole. Needs fewer parameters.',
  normal: 'A measurement: each class has a mean and a standard deviation.',
  count: 'Number of times (0, 1, 2, …): each class has a rate.',
}

/** A use as one text, as lists of uses have it. */
export const useText = (role: Role, item: Item | undefined): string =>
  item === undefined ? role : `${role} ${item.kind}`

interface Use {
  readonly role: Role
  readonly kind: Kind | undefined
  readonly text: string
  readonly name: string
}

/** The uses of columns to choose from, each with its role and, of a variable, its kind. */
export const usesOf = (columns: readonly InspectedColumn[]): readonly Use[] =>
  ROLE_ORDER.flatMap((role): readonly Use[] =>
    role === 'mode'
      ? KINDS_OF_VARIABLES.filter(kind => columns.some(column => canBe(column, kind))).map(kind => ({
          role,
          kind,
          text: kind === 'categorical' ? role : `${role} ${kind}`,
          name: kind === 'categorical' ? ROLE_NAMES.mode : KIND_NAMES[kind],
        }))
      : [{ role, kind: undefined, text: role, name: ROLE_NAMES[role] }],
  )

/** What the values of a column are. */
export const KINDS: Readonly<Record<InspectedColumn['kind'], string>> = {
  text: 'Text',
  number: 'Numbers',
  date: 'Dates or times',
  nested: 'Lists or records (not supported)',
  empty: 'Empty',
}
