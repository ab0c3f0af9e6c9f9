import { type LabelList, labelArray } from '@polyad/core/model'
import { advise, words } from '@polyad/core/options'
import { firstOf, joined, listed, type Note, warning } from './note.ts'

/** With more labels than this they are names of things, and nobody has typed them. */
const MOST = 50_000

/** Labels that differ only by case or by blanks around them, in groups. */
export const similarLabels = (labels: LabelList): readonly (readonly string[])[] => {
  if (labels.length > MOST) return []
  const groups = new Map<string, string[]>()
  for (const label of labelArray(labels)) {
    if (typeof label !== 'string') continue
    const key = label.trim().toLowerCase()
    groups.set(key, [...(groups.get(key) ?? []), label])
  }
  return [...groups.values()].filter(({ length }) => length > 1)
}

/** What is said of a column that has such labels, with the options that join them. */
export const similarLabelsNote = (column: string, labels: LabelList): readonly Note[] => {
  const groups = similarLabels(labels)
  if (groups.length === 0) return []
  const shown = groups.map(group => group.map(label => JSON.stringify(label)).join(' and '))
  const trimmed = groups.map(group => new Set(group.map(label => label.trim())))
  const blanks = groups.some((group, i) => trimmed[i].size < group.length)
  const options = [
    ...(blanks ? [advise('with', 'trim')] : []),
    ...(trimmed.some(({ size }) => size > 1) ? [advise('with', 'ignoreCase')] : []),
  ]
  return [
    warning(
      'similar-categories',
      words`${listed(column)} has categories that differ only in case or blanks: ${firstOf(shown, 3)}; join them ${joined(options, ', ')}`,
    ),
  ]
}
