import { OptionError } from '@polyad/core'
import { mention, omit, words } from '@polyad/core/options'
import { sortTexts } from '../values/labels.ts'
import { nearest } from '../values/nearest.ts'
import { firstOf, listed, type Note, quoted, warning } from '../values/note.ts'
import type { Recode, Recodings } from '../values/recode.ts'
import type { Reading } from '../view/reading.ts'
import type { ReadColumn, TableView } from '../view/view.ts'

/** Refuses to recode columns that hold no categories: those that are cut, and the one by which rows are counted. */
export const checkRecoded = (
  recode: Recodings,
  cut: readonly { readonly name: string }[],
  count: { readonly name: string } | undefined,
): void => {
  const refused = (name: string, why: string) => new OptionError(words`${mention('recode')}: ${quoted(name)} ${why}`)
  for (const { name } of cut)
    if (Object.hasOwn(recode, name))
      throw refused(
        name,
        'is cut into intervals, which are not recoded; leave out one of the two, or choose other cuts',
      )
  if (count !== undefined && Object.hasOwn(recode, count.name))
    throw refused(count.name, 'is the column of counts or weights, and has no categories')
}

/** A recoding as the table bears it out. */
export interface KnownRecode {
  /** Categories that stood in the table under a name that others were given are among those that became one. */
  readonly recode: readonly Recode[]
  readonly notes: readonly Note[]
}

/** What a table has of the categories that are recoded: those that never occur are a note with the nearest spelling. */
export const knownRecode = async (
  view: TableView,
  column: ReadColumn,
  recode: readonly Recode[],
  reading: Reading,
  all: boolean,
): Promise<KnownRecode> => {
  const before = omit(reading, 'recode')
  const named = recode.flatMap(({ from }) => from)
  const targets = recode.map(({ to }) => to).filter(to => !named.includes(to))
  const asked = [...new Set([...named, ...targets])]
  const first = await view.codesFound(asked, [column], before, all)
  const found = new Set(asked.filter((_, i) => first[i]))
  const late = all ? [] : named.filter(category => !found.has(category))
  if (late.length > 0) {
    const later = await view.codesFound(late, [column], before, true)
    late.forEach((category, i) => {
      if (later[i]) found.add(category)
    })
  }
  const absent = named.filter(category => !found.has(category))
  const values = absent.length === 0 ? [] : sortTexts((await view.firstValues([column], before))[0])
  const shown = absent.map(category => {
    const near = nearest(category, values)
    return `${quoted(category)}${near === undefined ? '' : ` (did you mean ${quoted(near)}?)`}`
  })
  return {
    recode: recode.map(({ from, to }) => ({
      from: !from.includes(to) && targets.includes(to) && found.has(to) ? [...from, to] : from,
      to,
    })),
    notes:
      absent.length === 0
        ? []
        : [
            warning(
              'option-without-effect',
              words`${mention('recode')}: no row has ${firstOf(shown, 6)} in ${listed(column.name)}; check how it is written`,
            ),
          ],
  }
}
