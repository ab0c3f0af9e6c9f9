import type { DistalData } from '@polyad/core'
import { defined } from '@polyad/core/options'
import type { Note } from '../table/values/note.ts'
import { missingValuesNotes } from './missing-values-note.ts'
import type { ColumnKind } from './model-rows.ts'
import type { ScoredRows } from './scored-rows.ts'

/** A column with more categories than this is no outcome, but an identifier. */
const MOST_CATEGORIES = 100

/** The rows of a table with their answers, outcome, counts and weights. By default an outcome is a number if all of its values are. */
export const readDistal = async (
  rows: ScoredRows,
  outcome: { readonly name: string; readonly kind: ColumnKind | undefined },
): Promise<{ data: DistalData; kind: ColumnKind; notes: readonly Note[] }> => {
  const { columns, classified, values, ...read } = await rows.read([
    { ...outcome, what: 'outcome', most: MOST_CATEGORIES },
  ])
  const [{ kind, labels }] = columns
  const notes = missingValuesNotes(columns, values)
  return { kind, notes, data: { ...classified, ...read, outcome: values[0], ...defined({ labels }) } }
}
