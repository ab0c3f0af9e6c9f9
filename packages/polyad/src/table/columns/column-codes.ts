import { OptionError } from '@polyad/core'
import { mention, words } from '@polyad/core/options'
import { firstRecord } from '../files/csv-records.ts'
import { suggestion } from '../values/nearest.ts'
import type { TableView } from '../view/view.ts'
import { findColumn } from './columns.ts'

/** A name in double quotes, exact and without patterns. */
const QUOTED = /^"((?:[^"]|"")*)"/

/** The codes for missing values of single columns, by their names: of `trust0:8,9`, and of `trust*:77` for all that begin so. */
export const columnCodes = (
  texts: readonly string[],
  view: Pick<TableView, 'name' | 'columns'>,
): Readonly<Record<string, readonly string[]>> => {
  const found = new Map<string, readonly string[]>()
  for (const text of texts) {
    const { columns, codes } = parse(text, view)
    for (const { name } of columns) found.set(name, [...(found.get(name) ?? []), ...codes])
  }
  return Object.fromEntries(found)
}

interface Named {
  readonly columns: readonly { readonly name: string }[]
  readonly codes: readonly string[]
}

const parse = (text: string, view: Pick<TableView, 'name' | 'columns'>): Named => {
  const [quoted, inside] = QUOTED.exec(text) ?? []
  const from = quoted?.length ?? 0
  // Names may have colons themselves: the first that ends the name of a column ends it.
  const ends = [...text.matchAll(/:/g)].map(({ index }) => index).filter(end => end >= Math.max(from, 1))
  const [first] = ends
  if (first === undefined || first === text.length - 1 || (quoted !== undefined && first !== from))
    throw new OptionError('missingIn', 'must name a column and its codes, as in trust0:8,9', text)
  const named = (end: number) => {
    if (inside === undefined) return columnsOf(text.slice(0, end), view)
    const column = findColumn(view.columns, inside.replaceAll('""', '"'))
    return column === undefined ? [] : [column]
  }
  for (const end of quoted === undefined ? ends : [first]) {
    const columns = named(end)
    const codes = firstRecord(text.slice(end + 1), ',')
    if (columns.length > 0) return { columns, codes }
  }
  return refuse(text, inside?.replaceAll('""', '"') ?? text.slice(0, first), inside === undefined, view)
}

const refuse = (text: string, name: string, plain: boolean, view: Pick<TableView, 'name' | 'columns'>): never => {
  const known = view.columns.map(column => column.name)
  const last = name.slice(name.lastIndexOf(',') + 1)
  const [what, help] =
    plain && last !== name && columnsOf(last, view).length > 0
      ? ['names codes before a column', 'give codes of all columns and codes of one column apart']
      : plain && name.includes('*')
        ? [`no column of ${view.name} matches ${name}`, `its columns are ${known.slice(0, 12).join(', ')}`]
        : [
            `${view.name} has no column ${JSON.stringify(name)}${suggestion(name, known)}`,
            'a code with a colon stands in double quotes, as in "12:30"',
          ]
  throw new OptionError(words`${mention('missingIn', text)}: ${what} (${help})`)
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
