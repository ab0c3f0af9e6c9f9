import { DataError } from '@polyad/core'
import { advise, type Sentence, words } from '@polyad/core/options'
import type { Binning } from '../values/bins.ts'
import type { Reading } from './reading.ts'
import type { Fault, TableView, ValueTest } from './view.ts'

/** What is wrong with a value, for a person. */
export type Rule = (shown: string | null) => Sentence

/** The error for a value that cannot be used, with its file, line and column. */
export const valueError = (
  { where, line, row, value }: Pick<Fault, 'where' | 'line' | 'row' | 'value'>,
  column: string,
  rule: Rule,
): DataError =>
  new DataError(words`${where}, column ${JSON.stringify(column)}: ${rule(value)}`, {
    ...(line !== undefined ? { line } : row !== undefined && { row }),
    column,
  })

/** The error for the first value that is found by a test. */
export const firstFaultError = async (
  view: Pick<TableView, 'name' | 'firstFault'>,
  tests: readonly (ValueTest & { readonly rule: Rule })[],
  reading: Reading,
): Promise<DataError> => {
  const fault = await view.firstFault(tests, reading)
  if (fault === undefined) return new DataError(`${view.name} has values that cannot be used`)
  const { column, rule } = tests[fault.test]
  return valueError(fault, column.name, rule)
}

/** What is wrong with a value that falls into no bin. */
export const noBinRule =
  (binning: Binning): Rule =>
  shown => {
    const wanted = binning.kind === 'date' ? 'a date or time such as 2024-05-31 13:45' : 'a number'
    return words`${JSON.stringify(shown)} is not ${wanted}, so it cannot be cut; if it means missing, ${advise('add', 'missing', shown ?? '')}`
  }

/** Refuses a table in which nothing was counted. */
export const checkCounted = (name: string, rows: number, dropped: number): void => {
  if (rows === 0) throw new DataError(`${name} has no rows`)
  if (rows === dropped) throw new DataError(`${name}: every variable is missing in all of its ${rows} rows`)
}
