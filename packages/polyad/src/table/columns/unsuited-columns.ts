import { advise, words } from '@polyad/core/options'
import { grouped, listed } from '../values/note.ts'
import type { Reading } from '../view/reading.ts'
import type { TableView } from '../view/view.ts'
import type { Column, Inspection } from './columns.ts'
import type { SetAside } from './design-columns.ts'
import { type CodedColumn, codedColumn, determines } from './determined-columns.ts'

/**
 * Columns that look categorical and still cannot be items: clusters, what another column determines, and demographics beside a battery of items.
 * As items they would be all that the classes show. Only what is not asked for is set aside; the rules only read the first rows.
 */

/** A short scale has at most this many categories, and a column with more than the second number is no item beside them. */
const SHORT = 10
const MANY = 20

/** Beside so many short scales, and so many times as many as there are columns with many categories, those are the exception. */
const FEWEST_SHORT = 4
const TIMES_SHORT = 3

/** So many columns with the same categories are a battery of items. */
const BATTERY = 4

/** So many values are compared at most, so that a table with a thousand columns costs no more than one with 200. */
const MOST_VALUES = 4_000_000

/** What columns that describe the respondents are called, in the languages of most surveys. */
const DEMOGRAPHICS =
  /^(sexe?|sexo|gender|geschlecht|g[eé]n(re|ero)|sesso|geslacht|p[lł]e[cć]|[aâ]ge|alter|edad|idade|et[aà]|leeftijd|wiek|age_?(gr(ou)?p|gr|cat|class|range|band)s?|alters(gruppe|klasse)n?|(year_?of_?)?birth_?year|year_?(of_?birth|born)|yob|geburtsjahr|race|ethnic(ity)?|race_?eth(nicity)?|hispanic|educ?(ation)?(_?(level|cat))?|bildung|schulabschluss|marital(_?status)?|familienstand|region|country|county|district|canton|kanton|bundesland|landkreis|provin[cz](e|ia)?)$/i

export const looksDemographic = ({ name }: Pick<Column, 'name'>): boolean => DEMOGRAPHICS.test(name)

/** What is known of the columns before. */
export interface Candidates {
  /** Columns that would be items. */
  readonly items: readonly Column[]
  /** Columns that are used as requested, for whatever. */
  readonly requested: readonly Column[]
}

/** A column that is better no item, and why. */
export interface Unsuited extends SetAside {
  /** Whether it is one once its numbers are grouped. */
  readonly inBins?: boolean
}

/** Columns that are better not items, and why; none if less than two items would be left. */
export const unsuitedColumns = async (
  view: Pick<TableView, 'firstCodes'>,
  seen: Inspection,
  reading: Reading,
  { items, requested }: Candidates,
): Promise<readonly Unsuited[]> => {
  const all = seen.columns.filter(column => items.includes(column) || requested.includes(column))
  if (items.length < 2) return []
  const determinedBy = await determination(view, all, reading)
  const short = all.filter(({ distinct }) => distinct <= SHORT)
  const long = all.filter(({ distinct }) => distinct > MANY)
  const isSurvey = short.length >= Math.max(FEWEST_SHORT, TIMES_SHORT * long.length)
  const battery = largestBattery(items.filter(column => !looksDemographic(column)))
  const isDemographic = (column: Column) => battery >= BATTERY && looksDemographic(column)
  const asides = new Map<Column, Unsuited>()
  for (const column of isSurvey ? items.filter(each => !isDemographic(each)) : []) {
    const own = short.filter(other => determinedBy.get(other)?.includes(column))
    if (column.distinct > (own.length > 0 ? SHORT : MANY)) asides.set(column, clusterOrNumber(column, own))
  }
  for (const column of items.filter(each => !asides.has(each))) {
    const by = determinedBy.get(column)?.find(other => {
      // Of two columns that determine each other, the first is kept, unless the second is requested.
      const mutual = determinedBy.get(other)?.includes(column) === true
      return !mutual || requested.includes(other) || all.indexOf(other) < all.indexOf(column)
    })
    if (by !== undefined) asides.set(column, { column, reason: `determined by ${listed(by.name)}` })
    else if (isDemographic(column))
      asides.set(column, { column, reason: `demographics, beside ${battery} items with the same categories` })
  }
  return items.length - asides.size < 2 ? [] : [...asides.values()]
}

const clusterOrNumber = (column: Column, determined: readonly Column[]): Unsuited => {
  const { name, kind, distinct } = column
  const which = determined.length === 0 ? ' beside short scales' : `, which determine ${listed(determined[0].name)}`
  const isNumber = kind === 'number'
  const grouping = isNumber ? words`${advise('Group them with', 'bins', `${name}:q5`)}, ` : ''
  const cluster = advise(`${isNumber ? 'or if' : 'If'} whole groups were sampled, use`, 'cluster', name)
  const reason = words`${grouped(distinct)} different values${which}. ${grouping}${cluster}`
  return { column, reason, ...(isNumber && { inBins: true }) }
}

/** How many columns have the categories that most columns have. */
const largestBattery = (columns: readonly Column[]): number => {
  const sizes = new Map<string, number>()
  for (const { values = [] } of columns) {
    const scale = JSON.stringify([...values].sort())
    sizes.set(scale, (sizes.get(scale) ?? 0) + 1)
  }
  return Math.max(0, ...sizes.values())
}

/** For each column those that determine it, from the first rows. */
const determination = async (
  view: Pick<TableView, 'firstCodes'>,
  columns: readonly Column[],
  reading: Reading,
): Promise<ReadonlyMap<Column, readonly Column[]>> => {
  const most = Math.floor(MOST_VALUES / columns.length)
  const codes = (await view.firstCodes(columns, reading, most)).map(codedColumn)
  const coded = new Map<Column, CodedColumn>(columns.map((column, i) => [column, codes[i]]))
  const by = (to: CodedColumn) =>
    columns.filter(column => {
      const from = coded.get(column)!
      // What determines a column has at least as many values, and as many rows beside its most frequent one.
      return from !== to && from.values >= to.values && determines(from, to)
    })
  return new Map([...coded].map(([column, own]) => [column, by(own)]))
}
