import { DataError, OptionError } from '@polyad/core'
import { defined, mention, omit, words } from '@polyad/core/options'
import { type Column, columnNamed, inspect } from '../columns/columns.ts'
import { type Condition, conditionOf, testsOf } from '../values/condition.ts'
import { sortTexts } from '../values/labels.ts'
import { someNames } from '../values/nearest.ts'
import { choice, grouped, type Note, warning } from '../values/note.ts'
import { parseCondition } from '../values/parse-condition.ts'
import type { Reading, ReadingOptions } from '../view/reading.ts'
import type { Filter, TableView } from '../view/view.ts'

/** Which rows of a table are read, and how their values are. */
export interface FilterOptions extends ReadingOptions {
  /** What rows must meet to be used: `age >= 18 and country in ('DE', 'AT') and trust is not missing`. Default: all rows. */
  readonly where?: string
}

/**
 * The table with the rows that are asked for, before anything else is decided: a condition is about values as they are in the table, once what
 * means missing is gone, and not of bins or of categories that are recoded. A view gives one of its own kind.
 */
export const filterView = async <V extends TableView>(
  view: V,
  where: string | undefined,
  asked: Reading,
): Promise<V> => {
  const reading = omit(asked, 'recode')
  if (where === undefined) return view
  const parsed = parseCondition(where)
  if (view.filtered === undefined)
    throw new OptionError('where', `cannot be used with ${view.name}: make a view of the table`)
  const seen = await inspect(view, reading)
  const condition = conditionOf(parsed, name => columnNamed(seen, name, ' to filter by', view))
  checkComparable(condition)
  const found = await view.filtered(condition, reading)
  const filter: Filter = { where, rows: found.rows, kept: found.kept }
  if (filter.kept === 0)
    throw new DataError(words`no row of ${view.name} meets ${mention('where')}: ${where.trim()}${valuesOf(condition)}`)
  const own = found.view as V
  const { release } = view
  // The methods of a class are not its own properties: a view is changed, not copied.
  return Object.assign(own, { filter, notes: [...view.notes, filterNote(filter)], ...defined({ release }) })
}

/** Where a condition names categories: those that there are. */
const valuesOf = (condition: Condition<Column>): string => {
  const columns = new Set(testsOf(condition).map(({ column }) => column))
  return [...columns]
    .map(({ name, values, range, kind }) => {
      if (kind === 'number') return `. ${name} has values from ${range.join(' to ')}`
      return values === undefined || values.length === 0
        ? ''
        : `. ${name} has the values ${someNames(sortTexts(values))}`
    })
    .join('')
}

/** "1,204 of 1,785 rows used: age >= 18". */
const filterNote = ({ where, rows, kept }: Filter): Note =>
  kept === rows
    ? warning('option-without-effect', words`all ${grouped(rows)} rows meet ${mention('where', where)}`)
    : choice(`${grouped(kept)} of ${grouped(rows)} rows used: ${where.trim()}`)

/** Refuses comparisons by size of what has no order as text: dates written otherwise than 2024-05-31, and categories with an order of their own. */
const checkComparable = (condition: Condition<Column>): void => {
  for (const test of testsOf(condition)) {
    if (test.kind !== 'compare' || test.operator === '=' || test.operator === '!=') continue
    const { column, operator, value } = test
    const said = (what: string) =>
      new OptionError(
        words`${mention('where')}: ${JSON.stringify(column.name)} ${operator} ${typeof value === 'number' ? String(value) : `'${value}'`}: ${what}`,
      )
    if (column.kind === 'nested') throw said('its values are lists or records')
    if (typeof value === 'number') {
      if (column.kind === 'text' && column.numeric === 0)
        throw said("its values are not numbers; compare with texts in single quotes, as in in ('a', 'b')")
      continue
    }
    if (column.kind === 'number') throw said('its values are numbers; leave the quotes out')
    if (column.kind === 'date' && column.dates !== undefined)
      throw said('its dates are not written as in 2024-05-31, so they cannot be compared')
    if (column.order !== undefined)
      throw said("its categories have an order of their own; list those you mean, as in in ('a', 'b')")
  }
}
