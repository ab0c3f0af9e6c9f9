import { OptionError } from '@polyad/core'
import { firstRecord } from '../files/csv-records.ts'
import type { TableView } from '../view/view.ts'
import { columnNamed, findColumn } from './columns.ts'

/** The codes for missing values of single columns, by their names: of `trust0:8,9`, and of `trust*:77` for all that begin so. */
export const columnCodes = (
  texts: readonly string[],
  view: Pick<TableView, 'name' | 'columns'>,
): Readonly<Record<string, readonly string[]>> => {
  const found = new Map<string, readonly string[]>()
  for (const text of texts) {
    const ends = [...text.matchAll(/:/g)].map(({ index }) => index)
    const [end] = ends
    if (end === undefined || end === 0 || end === text.length - 1)
      throw new OptionError('missingIn', 'must name a column and its codes, as in trust0:8,9', text)
    // Names may have colons themselves.
    const at = ends.find(each => columnsOf(text.slice(0, each), view).length > 0)
    if (at === undefined) columnNamed(view, text.slice(0, end), ' for missingIn', view)
    for (const { name } of columnsOf(text.slice(0, at), view))
      found.set(name, [...(found.get(name) ?? []), ...firstRecord(text.slice((at ?? end) + 1), ',')])
  }
  return Object.fromEntries(found)
}

/** The columns of a name, or of a pattern with stars. */
const columnsOf = (named: string, { columns }: Pick<TableView, 'columns'>): readonly { readonly name: string }[] => {
  const column = findColumn(columns, named)
  if (column !== undefined) return [column]
  if (!named.includes('*')) return []
  const parts = named.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`, 'is')
  return columns.filter(({ name }) => pattern.test(name))
}
