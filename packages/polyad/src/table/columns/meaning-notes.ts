import { choice, firstOf, listed, type Note } from '../values/note.ts'
import type { ViewColumn } from '../view/view.ts'

/** So many columns are named in a note. */
const SHOWN = 6

/**
 * What is said of columns whose file says what their values mean: which are shown as labels, and which are missing.
 * @param isGiven whether the categories of a column are in another order, which was given
 */
export const meaningNotes = <C extends ViewColumn>(
  columns: readonly C[],
  isGiven: (column: C) => boolean = () => false,
): readonly Note[] => {
  const told = (say: string, text: (column: C) => string | undefined): readonly Note[] => {
    const texts = columns.map(text).filter(each => each !== undefined)
    return texts.length === 0 ? [] : [choice(`${say}: ${firstOf(texts, SHOWN)}`)]
  }
  const withDetail = (name: string, detail: string | undefined) =>
    detail === undefined ? undefined : `${listed(name)} (${detail})`
  return [
    ...told('categories are value labels, in the order of their codes', column =>
      column.order === undefined || isGiven(column) ? undefined : listed(column.name),
    ),
    ...told('missing, as the file declares', ({ name, declaredMissing }) => withDetail(name, declaredMissing)),
    ...told('codes are kept, because not all values have labels', ({ name, someLabels }) =>
      withDetail(name, someLabels),
    ),
  ]
}
