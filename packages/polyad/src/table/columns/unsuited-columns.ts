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

/** What groups of people that are sampled together are called. */
const GROUPS =
  /^(schools?|schule|schul_?(id|nr)|school_?(id|no|nr|code)|idschool|class(room)?|class_?id|klasse|hospital|klinik|krankenhaus|clinic|practice|praxis|village|dorf|interviewer|intv?_?(id|nr)|site|cent(er|re)|firm|company|betrieb|household|haushalt|hh_?(id|nr)|team|ward)(_?(id|no|nr|code))?$/i

/** Numbers of people and of time, which are no groups however often they occur. */
const AMOUNTS =
  /(^|_)(age|alter|year|jahr|month|monat|week|woche|day|tag|date|datum|time|zeit|hour|stunde|minute|second|dauer|duration|height|weight|length|width|income|einkommen|wage|price|cost|score|points|total|sum|size|count|number)/i

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
  /** The first column that determines it. */
  readonly by?: Column
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
  const codes = await firstCodes(view, all, reading)
  const determinedBy = determination(codes)
  const short = all.filter(({ distinct }) => distinct <= SHORT)
  const long = all.filter(({ distinct }) => distinct > MANY)
  const isSurvey = short.length >= Math.max(FEWEST_SHORT, TIMES_SHORT * long.length)
  const battery = largestBattery(items.filter(column => !looksDemographic(column)))
  const isDemographic = (column: Column) => battery >= BATTERY && looksDemographic(column)
  const asides = new Map<Column, Unsuited>()
  for (const column of isSurvey ? items.filter(each => !isDemographic(each)) : []) {
    const own = short.filter(other => determinedBy.get(other)?.includes(column))
    if (column.distinct > (own.length > 0 ? SHORT : MANY))
      asides.set(column, clusterOrNumber(column, own, codes.get(column)!))
  }
  for (const column of items.filter(each => !asides.has(each))) {
    const by = determinedBy.get(column)?.find(other => {
      // Of two columns that determine each other, the first is kept, unless the second is requested.
      const mutual = determinedBy.get(other)?.includes(column) === true
      return !mutual || requested.includes(other) || all.indexOf(other) < all.indexOf(column)
    })
    if (by !== undefined) asides.set(column, { column, reason: `determined by ${listed(by.name)}`, by })
    else if (isDemographic(column))
      asides.set(column, { column, reason: `demographics, beside ${battery} items with the same categories` })
  }
  return items.length - asides.size < 2 ? [] : [...asides.values()]
}

/** Fewer groups than this, or groups with fewer rows on average, are no sample of groups. */
const FEWEST_GROUPS = 8
const FEWEST_MEMBERS = 3

/**
 * Whether a column looks like the groups that were sampled: by its name, or because it determines another column, or because the rows of
 * every value stand together. Amounts may do that too, and are none.
 */
const looksLikeGroups = (
  { name, range, distinct }: Column,
  determined: readonly Column[],
  own: CodedColumn,
): boolean => {
  if (looksDemographic({ name }) || AMOUNTS.test(name)) return false
  if (distinct < FEWEST_GROUPS || own.codes.length < FEWEST_MEMBERS * own.values) return false
  if (GROUPS.test(name)) return true
  const isWhole = range.every(end => !Number.isFinite(end) || Number.isInteger(end))
  // An amount determines the classes that were made of it, which are called after it.
  const stem = name.slice(0, 3).toLowerCase()
  const others = determined.some(each => !each.name.toLowerCase().includes(stem))
  return isWhole && (others || standTogether(own))
}

/** Whether the rows of every value follow each other. */
const standTogether = ({ codes, values }: CodedColumn): boolean => {
  let runs = 0
  for (let row = 0; row < codes.length; row++) if (row === 0 || codes[row] !== codes[row - 1]) runs++
  return runs === values
}

const clusterOrNumber = (column: Column, determined: readonly Column[], own: CodedColumn): Unsuited => {
  const { name, kind, distinct } = column
  const which = determined.length === 0 ? ' beside short scales' : `, which determine ${listed(determined[0].name)}`
  const isNumber = kind === 'number'
  const grouping = isNumber ? words`${advise('Group them with', 'bins', `${name}:q5`)}, ` : ''
  const cluster = advise(`${isNumber ? 'or if' : 'If'} whole groups were sampled, use`, 'cluster', name)
  const reason = words`${grouped(distinct)} different values${which}. ${grouping}${cluster}`
  if (looksLikeGroups(column, determined, own)) return { column, reason, as: 'cluster' }
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

/** The columns as codes of their values in the first rows. */
const firstCodes = async (
  view: Pick<TableView, 'firstCodes'>,
  columns: readonly Column[],
  reading: Reading,
): Promise<ReadonlyMap<Column, CodedColumn>> => {
  const most = Math.floor(MOST_VALUES / columns.length)
  const codes = (await view.firstCodes(columns, reading, most)).map(codedColumn)
  return new Map(columns.map((column, i) => [column, codes[i]]))
}

/** For each column those that determine it, from the first rows. */
const determination = (coded: ReadonlyMap<Column, CodedColumn>): ReadonlyMap<Column, readonly Column[]> => {
  const by = (to: CodedColumn) =>
    [...coded].flatMap(([column, from]) =>
      // What determines a column has at least as many values, and as many rows beside its most frequent one.
      from !== to && from.values >= to.values && determines(from, to) ? [column] : [],
    )
  return new Map([...coded].map(([column, own]) => [column, by(own)]))
}
