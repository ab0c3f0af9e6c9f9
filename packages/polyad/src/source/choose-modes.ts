import { OptionError } from '@polyad/core'
import type { BinRequest } from './bins.ts'
import { type Column, columnNamed, type Inspection } from './columns.ts'
import type { CountChoice } from './count-column.ts'
import { choice, firstOf, grouped, listed, type Note, quoted } from './note.ts'
import type { Relation } from './relation.ts'

export interface ModeOptions {
  /** The columns that become modes. Default: those that look categorical. */
  readonly modes?: readonly string[]
  /** Columns to take beside those chosen, whatever they look like. */
  readonly include?: readonly string[]
  /** Columns to leave out of the default. */
  readonly except?: readonly string[]
}

/** A number with more values than this is a measurement, not a category. */
const MOST_NUMBERS = 50

/** A number with more values than this is worth a word about bins. */
const MANY_NUMBERS = 20

/** A number with fewer values than this is not worth cutting. */
const FEW_NUMBERS = 10

/** The cut that is proposed for a number or a date. */
const cutOf = ({ name, kind }: Column): string => `bins ${quoted(`${name}:${kind === 'date' ? 'month' : 'q5'}`)}`

const isCuttable = ({ kind, distinct }: Column): boolean =>
  kind === 'date' || (kind === 'number' && distinct >= FEW_NUMBERS)

/** The first few cuts. */
const cutsOf = (columns: readonly Column[]): string =>
  `${columns.slice(0, 3).map(cutOf).join(', ')}${columns.length > 3 ? ', …' : ''}`

/**
 * Why a column does not look categorical, or undefined where it does. A number is a category where it has at most 50
 * different values, each seen twice on average; text is one unless it has more than 20 and most
 * of them are seen once.
 */
export const reasonAgainst = (column: Column, { rows, all }: Inspection): string | undefined => {
  const { kind, distinct, numeric, word } = column
  const among = `${grouped(distinct)} different values in ${all ? '' : 'the first '}${grouped(rows)} rows`
  if (kind === 'nested') return 'it holds lists or records'
  if (kind === 'empty') return 'nothing was observed in it'
  if (distinct === 1) return `it has the same value in ${all ? 'every row' : `the first ${grouped(rows)} rows`}`
  if (kind === 'date') return `it holds dates or times: cut it with ${cutOf(column)} (or hour, weekday, year, …)`
  if (kind === 'number') {
    if (distinct <= MOST_NUMBERS && rows >= 2 * distinct) return undefined
    if (distinct < FEW_NUMBERS) return `${among}: too few rows to tell whether it is a category`
    const rather = distinct === rows ? 'unless it is an identifier, ' : ''
    return `${among}: ${rather}cut it with ${cutOf(column)}, or by a width`
  }
  if (distinct <= 20 || distinct <= rows / 2) return undefined
  if (numeric > 0.8 && word !== undefined)
    return `${among}, nearly all numbers, but not ${JSON.stringify(word)}: if that means missing, add missing ${quoted(word)}`
  return `${among}: an identifier or free text`
}

/** The columns that become modes, and what is to be said about the choice. */
export const chooseModes = (
  seen: Inspection,
  relation: Relation,
  { modes, except = [], include = [] }: ModeOptions,
  { column: count, leftOut }: Pick<CountChoice, 'column' | 'leftOut'>,
  bins: ReadonlyMap<Column, BinRequest>,
): { columns: readonly Column[]; notes: readonly Note[] } => {
  const named = (name: string, what = '') => columnNamed(seen, name, what, relation)
  const excluded = except.map(name => named(name, ' to leave out'))
  const wanted = include.map(name => named(name))
  if (modes !== undefined) {
    const columns = [...new Set([...modes.map(name => named(name)), ...bins.keys(), ...wanted])]
    const nested = columns.find(({ kind }) => kind === 'nested')
    if (nested !== undefined)
      throw new OptionError(`column ${JSON.stringify(nested.name)} holds lists or records and cannot be a mode`)
    if (count !== undefined && columns.includes(count))
      throw new OptionError(`column ${JSON.stringify(count.name)} cannot be both a mode and the count`)
    return { columns: columns.filter(column => !excluded.includes(column)), notes: [] }
  }
  const columns: Column[] = []
  const against: { readonly column: Column; readonly reason: string }[] = []
  for (const column of seen.columns) {
    if (column === count || excluded.includes(column)) continue
    const reason = bins.has(column) || wanted.includes(column) ? undefined : reasonAgainst(column, seen)
    if (reason === undefined && leftOut.includes(column)) continue
    if (reason === undefined) columns.push(column)
    else against.push({ column, reason })
  }
  const reasons = against.map(({ column, reason }) => `${column.name} is left out: ${reason}`)
  const [only, second] = columns
  if (only === undefined) {
    throw new OptionError(
      `${relation.name} has no column that looks categorical; name some with modes:\n  ${reasons.join('\n  ')}`,
    )
  }
  // One mode has no classes: it is taken where it is all there is, or was asked for.
  if (second === undefined && against.length > 0 && !bins.has(only) && !wanted.includes(only)) {
    const cuttable = against.map(({ column }) => column).filter(isCuttable)
    const advice = cuttable.length > 0 ? `cut others with ${cutsOf(cuttable)}, or name the modes` : 'name more'
    throw new OptionError(
      `${relation.name} has a single column that looks categorical, ${listed(only.name)}; ${advice} with modes:\n  ${reasons.join('\n  ')}`,
    )
  }
  const chosen = choice(`modes: ${columns.map(({ name }) => listed(name)).join(', ')}`)
  const finely = columns.filter(
    column => column.kind === 'number' && column.distinct > MANY_NUMBERS && !wanted.includes(column),
  )
  return { columns, notes: [chosen, ...reasons.map(choice), ...proposal(finely.filter(column => !bins.has(column)))] }
}

/** Numbers that are taken as they are, though they have many values: bins may serve better. */
const proposal = (finely: readonly Column[]): readonly Note[] => {
  if (finely.length === 0) return []
  const named = finely.map(({ name, distinct }) => `${listed(name)} (${distinct})`)
  const them = finely.length === 1 ? 'it' : 'them'
  return [choice(`every value is a label of its own in ${firstOf(named, 6)}; to cut ${them}, use ${cutsOf(finely)}`)]
}
