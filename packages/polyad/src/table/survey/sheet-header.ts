import type { MergeRange } from 'hucre'
import { looksLikeData } from '../files/csv-dialect.ts'
import { choice, type Note } from '../values/note.ts'
import { cellText } from './sheet-texts.ts'

/** The names of a sheet's columns, and where its rows begin. */
export interface Header {
  readonly columns: readonly {
    readonly name: string
    readonly at: number
    /** Whether it is named in the sheet. */
    readonly given: boolean
  }[]
  /** So many rows come before the first one of data. */
  readonly rows: number
  /** How many of these name the columns: the last ones. */
  readonly names: number
  readonly notes: readonly Note[]
}

type Rows = readonly (readonly unknown[])[]

/** Rows that are looked at to tell names from data. */
const LOOKED_AT = 200

/** More rows of a single cell than this are a column of data. */
const MOST_TITLES = 8

/**
 * The first row that is not empty names the columns. Titles above them are left out. If cells of it are merged over several columns, the names
 * have two rows: `Trust police`, `Trust courts`.
 */
export const headerOf = (
  name: string,
  rows: Rows,
  merges: readonly MergeRange[],
  { header: asked, skipRows = 0 }: { readonly header?: boolean; readonly skipRows?: number },
): Header => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const texts = (row: number) => Array.from({ length: width }, (_, i) => cellText(rows[row]?.[i]))
  const present = (row: number) => new Set(texts(row).filter(text => text !== undefined)).size
  const next = (from: number) => {
    let row = from
    while (row < rows.length && present(row) === 0) row++
    return row
  }
  const notes: Note[] = []
  let first = next(skipRows)
  const titles: number[] = []
  let below = first
  while (below < rows.length && present(below) === 1 && titles.length < MOST_TITLES) {
    titles.push(below + 1)
    below = next(below + 1)
  }
  if (titles.length > 0 && below < rows.length && present(below) > 1 && asked !== false && skipRows === 0) {
    const [one, last] = [titles.length === 1, titles.pop()]
    notes.push(
      choice(
        `${name}: ${one ? `row ${last} is a title and is` : `rows ${titles.join(', ')} and ${last} are titles and are`} left out; row ${below + 1} names the columns`,
      ),
    )
    first = below
  }
  const records = rows.slice(first, first + LOOKED_AT).map((_, i) => texts(first + i).map(text => text ?? ''))
  const header =
    asked ?? !(records.length > 0 && looksLikeData(records.filter(record => record.some(text => text !== ''))))
  if (!header) {
    if (asked === undefined)
      notes.push(choice(`${name}: its first row is data like the others, so the columns are column1, column2, …`))
    return { columns: unnamed(width), rows: first, names: 0, notes }
  }
  // A damaged file may say that cells are merged over more rows than there are.
  const merged = Math.min(depthOf(rows, merges, first), rows.length - first)
  const over = merged > 1 ? undefined : namesOver(texts(first), records.slice(1))
  const depth = over === undefined ? merged : 2
  const parts = [over ?? texts(first), ...Array.from({ length: depth - 1 }, (_, i) => texts(first + 1 + i))]
  const columns = unnamed(width).map(({ name: usual, at }) => {
    const own = [...new Set(parts.map(row => row[at]?.trim().replace(/\s+/g, ' ')).filter(text => text !== undefined))]
    return { name: own.length === 0 ? usual : own.join(' '), at, given: own.length > 0 }
  })
  if (depth > 1)
    notes.push(
      choice(
        over === undefined
          ? `${name}: the names of the columns are in rows ${first + 1} to ${first + depth}, because cells are merged`
          : `${name}: the names of the columns are in rows ${first + 1} and ${first + 2}: row ${first + 1} names groups of columns`,
      ),
    )
  return { columns, rows: first + depth, names: depth, notes }
}

const unnamed = (width: number) =>
  Array.from({ length: width }, (_, at) => ({ name: `column${at + 1}`, at, given: false }))

/** So many rows of data show what the row above them is. */
const FEWEST_ROWS = 3

/**
 * The upper row of names in two rows whose cells are not merged, as `Reading, (empty), Maths, (empty)` over `likes, helps, likes, helps`, with every name
 * carried to the right; undefined if the names are in one row. The lower row must differ from the data below: its columns are numbers, or
 * repeat values that it does not have.
 */
const namesOver = (
  upper: readonly (string | undefined)[],
  [lower = [], ...data]: readonly (readonly string[])[],
): readonly (string | undefined)[] | undefined => {
  const isText = (text: string) => text !== '' && !Number.isFinite(Number(text))
  const goesOn = upper.some(
    (text, i) => text !== undefined && i + 1 < upper.length && upper[i + 1] === undefined && lower[i] !== '',
  )
  const isNamed = upper.every((text, i) => text !== undefined || isText(lower[i] ?? ''))
  if (!goesOn || !isNamed || data.length < FEWEST_ROWS || !upper.every((_, i) => lower[i] === '' || isText(lower[i])))
    return undefined
  const differs = upper.every((_, i) => {
    const values = data.flatMap(row => (row[i] === undefined || row[i] === '' ? [] : [row[i]]))
    if (lower[i] === '' || values.length === 0) return true
    return values.every(text => !isText(text)) || (new Set(values).size < values.length && !values.includes(lower[i]))
  })
  if (!differs) return undefined
  let group: string | undefined
  return upper.map((text, i) => {
    if (text !== undefined) group = lower[i] === '' ? undefined : text
    return text ?? group
  })
}

/** How many rows the names have: those that are merged downwards, and one more where a name stands over several others. */
const depthOf = (rows: Rows, merges: readonly MergeRange[], first: number): number => {
  const own = merges.filter(({ startRow }) => startRow === first)
  const down = own.reduce((depth, { endRow }) => Math.max(depth, endRow - first + 1), 1)
  const wide = own.filter(({ startCol, endCol, endRow }) => endCol > startCol && endRow - first + 1 < down + 1)
  const named = wide.some(({ startCol, endCol, endRow }) => {
    const under = (rows[endRow + 1] ?? []).slice(startCol, endCol + 1).map(cellText)
    return under.length > 1 && under.every(text => text !== undefined && !Number.isFinite(Number(text)))
  })
  return Math.max(down, named ? Math.max(...wide.map(({ endRow }) => endRow - first + 2)) : 1)
}
