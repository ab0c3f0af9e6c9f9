import { OptionError } from '@polyad/core'
import { mention, words } from '@polyad/core/options'
import { firstRecord } from '../files/csv-records.ts'
import { someNames, suggestion } from '../values/nearest.ts'
import { quoted, repeated } from '../values/note.ts'
import { findColumn } from './columns.ts'

/** How an option names columns and what is said of them: `trust0:8,9`, `att*=low,high`. */
export interface NamedLists {
  readonly option: string
  /** What stands between the columns and the list. */
  readonly separator: ':' | '='
  /** What must be said, for a person. */
  readonly rule: string
  /** What else to think of where there is no such column. */
  readonly hint?: string
}

export interface NamedColumns {
  readonly columns: readonly { readonly name: string }[]
  /** What is said of them. */
  readonly rest: string
}

export interface NamedList extends Omit<NamedColumns, 'rest'> {
  readonly items: readonly string[]
}

interface Named {
  readonly name: string
  readonly columns: readonly { readonly name: string }[]
}

/** A name in double quotes, exact and without patterns. */
const QUOTED = /^"((?:[^"]|"")*)"/

/** The columns that a text names, and its list. */
export const namedList = (text: string, how: NamedLists, view: Named): NamedList => {
  const { columns, rest } = namedColumns(text, how, view)
  return { columns, items: firstRecord(rest, ',') }
}

/** The columns that a text names, and what it says of them. */
export const namedColumns = (text: string, how: NamedLists, view: Named): NamedColumns => {
  const { option, separator, rule } = how
  const [quoted, inside] = QUOTED.exec(text) ?? []
  const from = quoted?.length ?? 0
  const name = inside?.replaceAll('""', '"')
  // Names may have separators themselves: the first that ends the name of a column ends it.
  const ends = [...text.matchAll(new RegExp(separator, 'g'))]
    .map(({ index }) => index)
    .filter(end => end >= Math.max(from, 1))
  const [first] = ends
  if (first === undefined || first === text.length - 1 || (quoted !== undefined && first !== from))
    throw new OptionError(option, rule, text)
  for (const end of quoted === undefined ? ends : [first]) {
    const columns = name === undefined ? columnsOf(text.slice(0, end), view) : exactly(name, view)
    if (columns.length > 0) return { columns, rest: text.slice(end + 1) }
  }
  return refuse(text, name ?? text.slice(0, first), name === undefined, how, view)
}

const refuse = (
  text: string,
  name: string,
  plain: boolean,
  { option, hint }: Pick<NamedLists, 'option' | 'hint'>,
  view: Named,
): never => {
  const known = view.columns.map(column => column.name)
  const last = name.slice(name.lastIndexOf(',') + 1)
  const said = (what: string, help: string | undefined) =>
    new OptionError(words`${mention(option, repeated(text))}: ${what}${help === undefined ? '' : ` (${help})`}`)
  if (plain && last !== name && columnsOf(last, view).length > 0)
    throw said('names codes before a column', 'give codes for all columns and codes for one column separately')
  if (plain && name.includes('*'))
    throw said(`no column of ${view.name} matches ${repeated(name)}`, `its columns are ${someNames(known)}`)
  throw said(`${view.name} has no column ${quoted(name)}${suggestion(name, known)}`, hint)
}

/**
 * Names of columns in place of patterns with stars, as in `q*`; a name that a column has is that column. A pattern that matches nothing is refused.
 * @param option of which they are; without it, such a pattern is a name
 */
export const expandNames = (names: readonly string[], option: string | undefined, view: Named): string[] =>
  names.flatMap(name => {
    const columns = columnsOf(name, view)
    if (columns.length > 0) return columns.map(column => column.name)
    // A name without stars is refused where it is used, with what it was to be.
    return option !== undefined && name.includes('*') ? refuse(name, name, true, { option }, view) : [name]
  })

const exactly = (name: string, { columns }: Pick<Named, 'columns'>): NamedColumns['columns'] => {
  const column = findColumn(columns, name)
  return column === undefined ? [] : [column]
}

/** The columns of a name, or of a pattern with stars. */
const columnsOf = (named: string, view: Pick<Named, 'columns'>): NamedColumns['columns'] => {
  const exact = exactly(named, view)
  if (exact.length > 0 || !named.includes('*')) return exact
  const parts = named.toLowerCase().split('*')
  return view.columns.filter(({ name }) => hasParts(name.toLowerCase(), parts))
}

/** Whether a text begins with the first part, ends with the last, and has the others between, in their order. */
const hasParts = (text: string, [first, ...rest]: readonly string[]): boolean => {
  const last = rest.pop() ?? ''
  const end = text.length - last.length
  if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
