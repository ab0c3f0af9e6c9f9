import type { StandardErrors } from '@polyad/core'
import { count, counted } from '../numbers.ts'
import { listed } from '../prose.ts'
import type { ModelRecord } from '../record/model-record.ts'
import type { Omission, RecordedDesign } from '../record/record-types.ts'

/** What was analyzed, in sentences: for the notes of tables and for a methods section. */

/** How standard errors were computed, as the middle of a sentence. */
export const ERROR_KINDS: Readonly<Record<StandardErrors['kind'], string>> = {
  sandwich: 'robust (sandwich)',
  empirical: 'based on the scores (empirical information)',
  observed: 'based on the observed information',
  replicates: 'based on replicate weights',
}

/** Observations that were left out, and why. */
export const omissionSentences = (omissions: readonly Omission[]): string[] =>
  omissions.map(({ total, why }) => `${counted(total, 'observation')} ${total === 1 ? 'was' : 'were'} left out ${why}.`)

export const designText = ({ cluster, stratum }: RecordedDesign): string =>
  `clusters (${cluster})${stratum === null ? '' : ` within strata (${stratum})`}`

/** More variables than this are counted, not named. */
const NAMED = 5

export const missingSentence = (modes: readonly string[]): string =>
  `Values are missing in ${modes.length > NAMED ? counted(modes.length, 'variable') : listed(modes)}; they were assumed missing at random.`

/** How many observations there are, how they were weighted and drawn, what was left out and what is missing. */
export const sampleSentences = (
  record: Pick<ModelRecord, 'weights' | 'omissions' | 'missing' | 'design'>,
  total: number,
): string[] => [
  `N = ${count(total)}${record.weights === null ? '' : ` (weighted by ${record.weights}; weights scaled to N)`}.`,
  ...(record.design === null ? [] : [`Standard errors account for ${designText(record.design)}.`]),
  ...omissionSentences(record.omissions),
  ...(record.missing === null || record.missing.length === 0 ? [] : [missingSentence(record.missing)]),
]
