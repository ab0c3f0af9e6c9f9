import type { TableView } from '../view/view.ts'
import { type NamedLists, namedList } from './named-lists.ts'

const CODES: NamedLists = {
  option: 'missingIn',
  separator: ':',
  rule: 'must name a column and its codes, as in trust0:8,9',
  hint: 'put a code with a colon in double quotes, as in "12:30"',
}

const ORDERS: NamedLists = {
  option: 'order',
  separator: '=',
  rule: 'must name a column and its categories in order, as in q1=low,middle,high',
}

/** The codes for missing values of single columns, by their names: of `trust0:8,9`, and of `trust*:77` for all that begin so. */
export const columnCodes = (
  texts: readonly string[],
  view: Pick<TableView, 'name' | 'columns'>,
): Readonly<Record<string, readonly string[]>> => {
  const found = new Map<string, readonly string[]>()
  for (const text of texts) {
    const { columns, items } = namedList(text, CODES, view)
    for (const { name } of columns) found.set(name, [...(found.get(name) ?? []), ...items])
  }
  return Object.fromEntries(found)
}

/** The categories of columns in the order that was given: `q1=low,middle,high`, and `q*=low,middle,high` for all that begin so. */
export const columnOrders = (
  texts: readonly string[],
  view: Pick<TableView, 'name' | 'columns'>,
): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>()
  for (const text of texts) {
    const { columns, items } = namedList(text, ORDERS, view)
    for (const { name } of columns) found.set(name, items)
  }
  return found
}
