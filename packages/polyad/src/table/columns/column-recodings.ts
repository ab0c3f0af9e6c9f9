import { OptionError } from '@polyad/core'
import { advise, mention, type Sentence, words } from '@polyad/core/options'
import { columnCode } from '../values/column-code.ts'
import { quoted, repeated } from '../values/note.ts'
import type { Recode, Recodings } from '../values/recode.ts'
import { MISSING_TEXTS } from '../view/recipe.ts'
import type { TableView } from '../view/view.ts'
import { type NamedLists, namedColumns } from './named-lists.ts'

const RECODE: NamedLists = {
  option: 'recode',
  separator: ':',
  rule: 'must name a column, its categories and what they become, as in q1:1,2=low,3=high',
  hint: 'put a name with a colon in double quotes, as in "q:1":2=low',
}

/** Several columns in one text, with semicolons outside of quotes between them. */
const COLUMNS = /(?:"(?:[^"]|"")*"|[^;])+/g

/** A category, in double quotes or bare, and what follows it. */
const CATEGORY = /\s*(?:"((?:[^"]|"")*)"|([^,=]*?))\s*([,=]|$)/y

/**
 * How the categories of columns are recoded, by the names of the columns: `q1:1,2=low,3=high`, `q*:…` for all that begin so, and several with
 * semicolons between.
 */
export const columnRecodings = (texts: readonly string[], view: Pick<TableView, 'name' | 'columns'>): Recodings => {
  const found = new Map<string, readonly Recode[]>()
  for (const text of texts.flatMap(each => each.match(COLUMNS) ?? [each])) {
    const { columns, rest } = namedColumns(text.trim(), RECODE, view)
    for (const { name } of columns) found.set(name, [...(found.get(name) ?? []), ...recodesOf(name, rest, text)])
  }
  for (const [name, recode] of found) checkOnce(name, recode)
  return Object.fromEntries(found)
}

/** What a list says: `1,2=low,3=high`. */
const recodesOf = (column: string, list: string, text: string): readonly Recode[] => {
  const refused = (what: Sentence) => new OptionError(words`${mention('recode', repeated(text.trim()))}: ${what}`)
  const recodes: Recode[] = []
  let from: string[] = []
  let place = 0
  /** The next category and what follows it. */
  const next = (): readonly [string, string] => {
    CATEGORY.lastIndex = place
    const [whole, quoted, bare, after] = CATEGORY.exec(list) as RegExpExecArray
    place += whole.length
    return [quoted?.replaceAll('""', '"') ?? bare, after]
  }
  for (let after = ','; after !== ''; ) {
    const [category, follows] = next()
    if (category === '') throw refused('a category is empty; give it a name, or remove the comma')
    from.push(category)
    after = follows
    if (after !== '=') continue
    const [to, end] = next()
    if (end === '=') throw refused(`${quoted(to)} is between two =; put a category that contains = in double quotes`)
    if (to === '' || MISSING_TEXTS.includes(to))
      throw refused(
        words`a category cannot become missing by recoding; ${advise('use', 'missingIn', repeated(columnCode(column, from)))}`,
      )
    recodes.push({ from, to })
    from = []
    after = end
  }
  if (from.length > 0)
    throw refused(
      `nothing says what ${repeated(from.map(each => JSON.stringify(each)).join(', '))} becomes; add =, as in ${repeated(from[from.length - 1])}=low`,
    )
  return recodes
}

/** Refuses a category that is to become two. */
const checkOnce = (column: string, recode: readonly Recode[]): void => {
  const seen = new Map<string, string>()
  for (const { from, to } of recode)
    for (const category of from) {
      const before = seen.get(category)
      if (before !== undefined && before !== to)
        throw new OptionError(
          words`${mention('recode')}: ${quoted(category)} of ${quoted(column)} is to become both ${quoted(before)} and ${quoted(to)}; name it once`,
        )
      seen.set(category, to)
    }
}
