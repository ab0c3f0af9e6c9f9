import type { Counts, Items } from '@polyad/core'
import { statedItems } from '@polyad/core/model'
import { mention, type Sentence, words } from '@polyad/core/options'
import { inColumns, namedItems } from '../../analysis/named-columns.ts'
import type { NamedItem, Structure } from '../../analysis/request.ts'
import { firstOf } from '../../table/values/note.ts'

/** A scale of more categories is more likely a count or a number. */
const MOST_CATEGORIES = 10
/** How many names a note lists. */
const SHOWN = 6

/** The steps of numbers that were found in the data: log-likelihoods depend on them. */
export const stepNotes = (data: Pick<Counts, 'modes'>, given: readonly NamedItem[] | undefined): Sentence[] => {
  const { items } = namedItems(data, given)
  if (items === undefined) return []
  const open = Object.keys(items).filter(name => {
    const item = items[name]
    return item.kind === 'normal' && item.step === undefined
  })
  if (open.length === 0) return []
  const stated: Items = statedItems(data, items)
  const steps = open.map(name => {
    const item = stated[name]
    return `${name} ${item.kind === 'normal' ? item.step : ''}`
  })
  return [
    words`numbers are taken as measured to the grid of their values: ${firstOf(steps, SHOWN)}; to state a step: ${mention('items', `${open[0]}:${steps[0].slice(open[0].length + 1)}`)}`,
  ]
}

/** Variables with ordered categories, which could be scales. @param data the variables, with others such as covariates */
export const scaleNotes = (data: Pick<Counts, 'modes'>, structure: Structure): Sentence[] => {
  const { covariates = [], groups, known, person, time, within, items = {}, join = [] } = inColumns(data, structure)
  const others = new Set([...covariates, groups, known, person, time, within, ...join.flat(), ...Object.keys(items)])
  const names = data.modes.flatMap(({ name, ordered, size }) =>
    ordered && size > 2 && size <= MOST_CATEGORIES && !others.has(name) ? [name] : [],
  )
  if (names.length === 0) return []
  return [
    words`ordered categories: ${firstOf(names, SHOWN)}; ${mention('ordinal')} describes each by one slope for each class, with fewer parameters`,
  ]
}
