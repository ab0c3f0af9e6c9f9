import { OptionError } from '@polyad/core'
import { advise, mention, words } from '@polyad/core/options'
import { choice, firstOf, type Note } from '../values/note.ts'

/** Which of the tables in a file is read: the one that is asked for by its name or its number, else the first. */
export const chooseTable = (
  file: string,
  names: readonly string[],
  asked: string | undefined,
  usual = 0,
): { readonly chosen: number; readonly names: readonly string[] } => {
  if (asked === undefined) return { chosen: usual, names }
  const exact = names.indexOf(asked)
  if (exact >= 0) return { chosen: exact, names }
  const alike = names.flatMap((name, i) => (name.toLowerCase() === asked.trim().toLowerCase() ? [i] : []))
  if (alike.length === 1) return { chosen: alike[0], names }
  const number = /^\d+$/.test(asked.trim()) ? Number(asked) : 0
  if (number >= 1 && number <= names.length) return { chosen: number - 1, names }
  const listed = names.map((name, i) => `${i + 1} ${JSON.stringify(name)}`)
  throw new OptionError(words`${mention('sheet', asked)}: ${file} has no such sheet; it has ${firstOf(listed, 12)}`)
}

/** What is said of a file with several tables, unless one was asked for. */
export const tableNotes = (
  file: string,
  names: readonly string[],
  chosen: number,
  asked: string | undefined,
  what = 'table',
): readonly Note[] => {
  if (names.length < 2 || asked !== undefined) return []
  const others = names.filter((_, i) => i !== chosen)
  return [
    choice(
      words`${file}: the ${what} ${JSON.stringify(names[chosen])} is read; there is also ${firstOf(
        others.map(each => JSON.stringify(each)),
        6,
      )} (${advise('for another, use', 'sheet', others[0])})`,
    ),
  ]
}
