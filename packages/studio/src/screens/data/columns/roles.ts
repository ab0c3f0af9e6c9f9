import type { InspectedColumn } from 'polyad/table'
import type { Role } from '../../../state/settings.ts'

/** What a column is used as, in a word. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  mode: 'Variable',
  covariate: 'Covariate',
  weight: 'Weights',
  count: 'Frequency',
  class: 'Known class',
  ignore: 'Excluded',
}

/** The same in a sentence. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  mode: 'The classes explain its answers.',
  covariate: 'It explains which class a row is in.',
  weight: 'How many people of the population a row stands for.',
  count: 'How many times this row was observed.',
  class: 'Kept aside, to compare with the classes that are found.',
  ignore: 'Not used.',
}

export const ROLE_ORDER: readonly Role[] = ['mode', 'covariate', 'weight', 'count', 'class', 'ignore']

/** What the values of a column are. */
export const KINDS: Readonly<Record<InspectedColumn['kind'], string>> = {
  text: 'Text',
  number: 'Numbers',
  date: 'Dates or times',
  nested: 'Lists or records, which cannot be used',
  empty: 'Empty',
}
