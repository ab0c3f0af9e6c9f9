import { OptionError } from '@polyad/core'
import { advise, inWords, mention, type Sentence, type Wording, words } from '@polyad/core/options'
import type { BinRequest } from '../values/bins.ts'
import { choice, firstOf, grouped, joined, listed, many, type Note, repeated } from '../values/note.ts'
import type { Reading } from '../view/reading.ts'
import type { TableView } from '../view/view.ts'
import { type Column, columnNamed, FEW_NUMBERS, type Inspection, isTimeOfDay, proposedCut } from './columns.ts'
import type { CountChoice } from './count-column.ts'
import { meaningNotes } from './meaning-notes.ts'
import { type Unsuited, unsuitedColumns } from './unsuited-columns.ts'

export interface ModeOptions {
  /** The columns that become modes. Default: those that look categorical. */
  readonly modes?: readonly string[]
  /** Columns to take beside those chosen, whatever they look like. */
  readonly include?: readonly string[]
  /** Columns to leave out of the default. */
  readonly exclude?: readonly string[]
}

/** The same, and the columns of the design of the sample: they are read beside the modes, and are none. */
export interface ModeRequest extends ModeOptions {
  readonly beside?: readonly string[]
  /** Columns whose categories were given an order, whatever the file says. */
  readonly ordered?: readonly string[]
}

/** A number with more values than this is a measurement, not a category. */
const MOST_NUMBERS = 50

/** A number with more values than this is worth a word about bins. */
const MANY_NUMBERS = 20

const cutOf = (column: Column): string => `${repeated(column.name)}:${proposedCut(column) ?? 'q5'}`

/** The first few cuts, as advice. */
const cutsOf = (lead: string, columns: readonly Column[]): Wording =>
  words`${advise(lead, 'bins', ...columns.slice(0, 3).map(cutOf))}${columns.length > 3 ? ', …' : ''}`

const among = ({ distinct }: Column, { rows, all }: Inspection): string =>
  `${grouped(distinct)} different values in ${all ? '' : 'the first '}${grouped(rows)} rows`

/**
 * Why a column does not look categorical, or undefined where it does. A number is a category where it has at most 50
 * different values, each seen twice on average; text is one unless it has more than 20 and most
 * of them are seen once.
 */
export const reasonAgainst = (column: Column, seen: Inspection): Sentence | undefined => {
  const { rows, all } = seen
  const { kind, distinct, numeric, word } = column
  if (kind === 'nested') return 'lists or records'
  if (kind === 'empty') return 'no values'
  if (distinct === 1) return `the same value in ${all ? 'every row' : `the first ${grouped(rows)} rows`}`
  if (kind === 'date')
    return isTimeOfDay(column)
      ? words`times of day. ${advise('Group them with', 'bins', cutOf(column))}`
      : words`dates or times. ${advise('Group them with', 'bins', cutOf(column))} (or hour, weekday, year, …)`
  if (kind === 'number') {
    if (distinct <= MOST_NUMBERS && rows >= 2 * distinct) return undefined
    if (distinct < FEW_NUMBERS) return `${among(column, seen)}: too few rows to tell whether it is a category`
    const rather = distinct === rows ? 'If these are no identifiers, use them' : 'Use them'
    return words`${among(column, seen)}. ${advise(`${rather} as numbers with`, 'items', repeated(column.name))}, or ${advise('group them with', 'bins', cutOf(column))}`
  }
  if (isFreeText(column, seen)) return `${among(column, seen)}: free text`
  if (distinct <= 20 || distinct <= rows / 2) return undefined
  if (numeric > 0.8 && word !== undefined)
    return words`${among(column, seen)}, nearly all numbers, but not ${JSON.stringify(word)}: if that means missing, ${advise('add', 'missing', word)}`
  return `${among(column, seen)}: an identifier or free text`
}

/** What columns of remarks are called. */
const REMARKS =
  /^(comments?|remarks?|notes?|free_?text|kommentare?|bemerkung(en)?|anmerkung(en)?|notiz(en)?|commentaires?|remarques?|comentarios?|observaciones|osservazioni|commenti|opmerking(en)?|uwagi)$/i
/** Fewer different values than this may be categories. */
const FEWEST_REMARKS = 4

/** Whether a column has remarks: it is called so, and most of those that are there differ. */
const isFreeText = ({ name, distinct, missing }: Column, { rows }: Inspection): boolean =>
  REMARKS.test(name) && distinct >= FEWEST_REMARKS && 2 * distinct > rows - missing

/** What is made of a column, and why. */
export interface Verdict {
  readonly column: Column
  readonly use: 'mode' | 'count' | 'ignore'
  readonly reason: Sentence
  /** What is proposed to a person, where that is more than reading does by itself: weights, clusters or strata, or bins for a number of many values. */
  readonly proposal?:
    | { readonly use: 'weight' | 'cluster' | 'strata' }
    | { readonly use: 'mode'; readonly bins: string }
  /** Whether it is not suited to be a variable: what was left out as asked is another matter. */
  readonly unfit: boolean
  /** Whether it is used because it was named. */
  readonly requested: boolean
}

/** What is made of every column. Nothing is refused here. */
export const judgeColumns = (
  seen: Inspection,
  view: Pick<TableView, 'name' | 'weight'>,
  { modes, exclude = [], include = [], beside = [] }: ModeRequest,
  count: CountChoice,
  bins: ReadonlyMap<Column, BinRequest>,
  unsuited: readonly Unsuited[] = [],
): readonly Verdict[] => {
  const named = (name: string) => columnNamed(seen, name, '', view)
  const excluded = exclude.map(named)
  const wanted = [...(modes ?? []), ...include, ...beside].map(named).concat(...bins.keys())
  const verdicts = seen.columns.map((column): Verdict => {
    const verdict = (use: Verdict['use'], reason: Sentence, unfit = false) => ({
      column,
      use,
      reason,
      unfit,
      requested: wanted.includes(column),
    })
    if (column === count.column) return verdict('count', count.reason)
    if (excluded.includes(column)) return verdict('ignore', 'it is left out as requested')
    if (wanted.includes(column)) return verdict('mode', 'it is used as requested')
    if (modes !== undefined) return verdict('ignore', 'it is not among the variables named')
    // Of the weight variable that a file declares all is said already.
    if (column.name === view.weight && count.leftOut.includes(column)) return verdict('ignore', count.reason)
    const design = count.aside.find(each => each.column === column)
    if (design !== undefined) return verdict('ignore', design.reason)
    const against = reasonAgainst(column, seen)
    if (against !== undefined) return verdict('ignore', against, true)
    if (count.leftOut.includes(column)) return verdict('ignore', count.reason)
    const aside = unsuited.find(each => each.column === column)
    if (aside !== undefined) return verdict('ignore', aside.reason, true)
    return verdict('mode', among(column, seen))
  })
  const { cluster, stratum } = proposedSample(count, unsuited)
  return verdicts.map(verdict => {
    const { column, use } = verdict
    const bins = proposedCut(column)
    if (use === 'ignore' && column === count.proposedWeights) return { ...verdict, proposal: { use: 'weight' } }
    if (use === 'ignore' && column === cluster) return { ...verdict, proposal: { use: 'cluster' } }
    if (use === 'ignore' && column === stratum) return { ...verdict, proposal: { use: 'strata' } }
    const isItem = use === 'mode' || unsuited.some(each => each.column === column && each.inBins)
    if (isItem && bins !== undefined && isFine(column) && !wanted.includes(column))
      return { ...verdict, proposal: { use: 'mode', bins } }
    return verdict
  })
}

/** What strata are often made of. */
const AREAS =
  /^(region|area|district|county|state|province|bundesland|kanton|canton|land|school_?type|schul(art|form|typ))$/i

/** The columns that look like clusters and strata: strata are named as such, or are areas in each of which whole clusters lie. */
const proposedSample = (
  { aside }: Pick<CountChoice, 'aside'>,
  unsuited: readonly Unsuited[],
): { readonly cluster?: Column | undefined; readonly stratum?: Column | undefined } => {
  const cluster = [...aside, ...unsuited].find(each => each.as === 'cluster')?.column
  if (cluster === undefined) return {}
  const stratum =
    aside.find(each => each.as === 'strata') ??
    unsuited.find(
      ({ column, by }) => by === cluster && AREAS.test(column.name) && 2 * column.distinct <= cluster.distinct,
    )
  return { cluster, stratum: stratum?.column }
}

/** What is known of a table before its variables are chosen. */
interface Seen {
  readonly seen: Inspection
  readonly reading: Reading
  readonly cut: ReadonlyMap<Column, BinRequest>
}

/** What of the columns that look categorical is better not used as a variable, if a person has not named the variables. */
export const findUnsuited = async (
  view: Pick<TableView, 'name' | 'weight' | 'firstCodes'>,
  { seen, reading, cut }: Seen,
  options: ModeRequest,
  count: CountChoice,
): Promise<readonly Unsuited[]> => {
  if (options.modes !== undefined) return []
  const used = judgeColumns(seen, view, options, count, cut).filter(({ use }) => use === 'mode')
  const [requested, items] = [true, false].map(wanted =>
    used.filter(each => each.requested === wanted).map(({ column }) => column),
  )
  return unsuitedColumns(view, seen, reading, { items, requested })
}

/** Whether a number has so many values that bins serve better. */
const isFine = ({ kind, distinct }: Column): boolean => kind === 'number' && distinct > MANY_NUMBERS

/** So many columns are named, and for so many it is said why they are left out: a table may have a thousand. */
const MOST_NAMES = 100
const MOST_REASONS = 30

/** The columns that become modes, and what is to be said about the choice. */
export const chooseModes = (
  seen: Inspection,
  view: Pick<TableView, 'name' | 'weight'>,
  options: ModeRequest,
  count: CountChoice,
  bins: ReadonlyMap<Column, BinRequest>,
  unsuited: readonly Unsuited[] = [],
): { columns: readonly Column[]; notes: readonly Note[] } => {
  const verdicts = judgeColumns(seen, view, options, count, bins, unsuited)
  const named = (names: readonly string[] = []) => names.map(name => columnNamed(seen, name, '', view))
  const isGiven = ({ name }: Column) => options.ordered?.includes(name) === true
  const beside = named(options.beside)
  const wanted = [...named(options.include), ...beside]
  if (options.modes !== undefined) {
    const columns = [...new Set([...named(options.modes), ...bins.keys(), ...wanted])]
    const nested = columns.find(({ kind }) => kind === 'nested')
    if (nested !== undefined)
      throw new OptionError(`column ${JSON.stringify(nested.name)} holds lists or records and cannot be a variable`)
    if (count.column !== undefined && columns.includes(count.column))
      throw new OptionError(
        `column ${JSON.stringify(count.column.name)} cannot be both ${beside.includes(count.column) ? 'a covariate or a part of the design' : 'a variable'} and the ${count.sampling ? 'weight' : 'count'}`,
      )
    const excluded = named(options.exclude)
    const kept = columns.filter(column => !excluded.includes(column))
    if (kept.length === 0)
      throw new OptionError(words`no variable is left: all that ${mention('modes')} names is in ${mention('exclude')}`)
    return {
      columns: kept,
      notes: meaningNotes(
        kept.filter(column => !beside.includes(column)),
        isGiven,
      ),
    }
  }
  const read = verdicts.filter(({ use }) => use === 'mode').map(({ column }) => column)
  const columns = read.filter(column => !beside.includes(column))
  const against = verdicts.filter(({ unfit }) => unfit)
  const left = against.length - MOST_REASONS
  const reasons = reasonsAgainst(against.slice(0, MOST_REASONS))
  if (left > 0) reasons.push(`${many(left, 'more column')} not used`)
  const [only, second] = columns
  if (only === undefined) {
    throw new OptionError(
      words`${view.name} has no column that looks categorical; ${advise('name some with', 'modes')}:\n  ${joined(reasons, '\n  ')}`,
    )
  }
  // One mode has no classes: it is taken where it is all there is, or was asked for.
  if (second === undefined && against.length > 0 && !bins.has(only) && !wanted.includes(only)) {
    const cuttable = against.map(({ column }) => column).filter(column => proposedCut(column) !== undefined)
    const cuts = cuttable.length > 0 ? words`${cutsOf('cut others with', cuttable)}, or ` : ''
    const more = advise(cuttable.length > 0 ? 'name the variables with' : 'name more with', 'modes')
    throw new OptionError(
      words`${view.name} has a single column that looks categorical, ${listed(only.name)}; ${cuts}${more}:\n  ${joined(reasons, '\n  ')}`,
    )
  }
  const names = firstOf(
    columns.map(({ name }) => listed(repeated(name))),
    MOST_NAMES,
  )
  const others =
    against.length === 0
      ? ''
      : words` (${grouped(columns.length)} of ${many(seen.columns.length, 'column')}; ${advise('choose others with', 'modes')})`
  const chosen = choice(words`variables: ${names}${others}`)
  const finely = columns.filter(column => isFine(column) && !wanted.includes(column))
  const cuts = proposal(finely.filter(column => !bins.has(column)))
  return { columns: read, notes: [chosen, ...meaningNotes(columns, isGiven), ...reasons.map(choice), ...cuts] }
}

/** Why columns are not used, a line for each reason. */
const reasonsAgainst = (against: readonly Verdict[]): Sentence[] => {
  const lines = new Map<string, { readonly names: string[]; readonly reason: Sentence }>()
  for (const { column, reason } of against) {
    const line = lines.get(inWords(reason)) ?? { names: [], reason }
    lines.set(inWords(reason), line)
    line.names.push(listed(repeated(column.name)))
  }
  return [...lines.values()].map(({ names, reason }) => words`${names.join(', ')} not used: ${reason}`)
}

/** Numbers that are taken as they are, though they have many values: bins may serve better. */
const proposal = (finely: readonly Column[]): readonly Note[] => {
  if (finely.length === 0) return []
  const named = finely.map(({ name, distinct }) => `${listed(name)} (${distinct})`)
  const them = finely.length === 1 ? 'it' : 'them'
  const cuts = cutsOf(`to cut ${them}, use`, finely)
  return [choice(words`every value is a category of its own in ${firstOf(named, 6)}; ${cuts}`)]
}
