import { DataError } from '@polyad/core'
import { choice, firstOf, listed, type Note, warning } from '../values/note.ts'

/** The columns of several files as one table. SQL does not tell capitals apart, people do: each column has two names. */
export interface ColumnNames {
  /** The name in the files for every name in SQL. */
  readonly shown: ReadonlyMap<string, string>
  /** For each file, the SQL names of its columns in their order. */
  readonly sql: readonly (readonly string[])[]
  readonly notes: readonly Note[]
}

/**
 * Gives every column a name of its own: the second `a` of a file becomes `a_2`. Columns of different files are the same
 * where their names are, or where they differ by case alone and nothing else in the file has a claim to the name.
 */
export const nameColumns = (
  files: readonly { readonly path: string; readonly columns: readonly string[] }[],
): ColumnNames => {
  const notes: Note[] = []
  const shown = new Map<string, string>()
  const sqlOf = new Map<string, string>()
  const taken = new Set<string>()
  const add = (name: string): string => {
    // A NUL would end a statement where it stands.
    const sql = unused(name.replaceAll('\0', '\u2400'), candidate => taken.has(candidate.toLowerCase()))
    taken.add(sql.toLowerCase())
    sqlOf.set(name, sql)
    shown.set(sql, name)
    return sql
  }
  const sql = files.map(({ path, columns }, i) => {
    const names = withoutRepeats(columns)
    const renamed = names.filter((name, n) => name !== columns[n])
    if (renamed.length > 0)
      notes.push(
        choice(`${path} repeats names of columns: the later ones are called ${firstOf(renamed.map(listed), 6)}`),
      )
    return names.map(name => sqlOf.get(name) ?? (i === 0 ? undefined : alike(name, names, sqlOf)) ?? add(name))
  })
  notes.push(
    ...differences(
      files.map(({ path }) => path),
      sql,
      shown,
    ),
  )
  return { shown, sql, notes }
}

/** The column that differs from a name by case alone, unless the file has that one too. */
const alike = (name: string, names: readonly string[], sqlOf: ReadonlyMap<string, string>): string | undefined => {
  const others = [...sqlOf].filter(([known]) => known.toLowerCase() === name.toLowerCase() && !names.includes(known))
  const rivals = names.filter(other => other.toLowerCase() === name.toLowerCase())
  return others.length === 1 && rivals.length === 1 ? others[0][1] : undefined
}

const withoutRepeats = (names: readonly string[]): string[] => {
  const seen = new Set<string>()
  return names.map(name => {
    const unique = unused(name, candidate => seen.has(candidate) || (candidate !== name && names.includes(candidate)))
    seen.add(unique)
    return unique
  })
}

const unused = (name: string, isTaken: (candidate: string) => boolean): string => {
  let candidate = name
  for (let n = 2; isTaken(candidate); n++) candidate = `${name}_${n}`
  return candidate
}

/** What is said of files that do not have the same columns; those without a common one are no table. */
export const differences = (
  paths: readonly string[],
  columns: readonly (readonly string[])[],
  shown: ReadonlyMap<string, string>,
): Note[] => {
  const all = [...new Set(columns.flat())]
  const lacking = columns.map(own => all.filter(name => !own.includes(name)))
  const incomplete = paths.flatMap((path, i) =>
    lacking[i].length === 0
      ? []
      : [
          `${path} has no ${firstOf(
            lacking[i].map(name => listed(shown.get(name) ?? name)),
            4,
          )}`,
        ],
  )
  if (incomplete.length === 0) return []
  if (!all.some(name => columns.every(own => own.includes(name))))
    throw new DataError(`the files have no column in common: ${firstOf(incomplete, 3)}`)
  return [
    warning(
      'columns-absent',
      `the files differ in their columns, and what a file lacks is missing in its rows: ${firstOf(incomplete, 3)}`,
    ),
  ]
}
