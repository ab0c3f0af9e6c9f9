import type { InspectedColumn } from 'polyad/table'
import type { Role } from '../../../state/store/settings.ts'

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
  covariate: 'It predicts class membership.',
  weight: 'Sampling weight: how many people a row represents.',
  count: 'How often a row counts.',
  class: 'Kept aside for comparison with the classes.',
  ignore: 'Not used.',
}

export const ROLE_ORDER: readonly Role[] = ['mode', 'covariate', 'weight', 'count', 'class', 'ignore']

/** What the values of a column are. */
export const KINDS: Readonly<Record<InspectedColumn['kind'], string>> = {
  text: 'Text',
  number: 'Numbers',
  date: 'Dates or times',
  nested: 'Lists or records (not supported)',
  empty: 'Empty',
}
