import { OptionError } from '@polyad/core'
import { labelArray } from '@polyad/core/model'
import { advise, type Mention, mention, words } from '@polyad/core/options'
import { columnCode } from '../values/column-code.ts'
import { firstOf, joined, listed, type Note, warning } from '../values/note.ts'
import type { Reading } from '../view/reading.ts'
import { MISSING_TEXTS } from '../view/recipe.ts'
import type { ReadColumn, TableView } from '../view/view.ts'
import { findColumn } from './columns.ts'
import type { Suspect } from './missing-codes.ts'

/** One note for all columns, with the options to use: codes that stand in the same columns are named together. */
export const missingCodesNote = (found: readonly Suspect[]): Note[] => {
  const codes = [...new Set(found.flatMap(({ codes }) => codes))]
  if (codes.length === 0) return []
  const named = grouped(
    found.filter(each => each.codes.length > 0),
    each => each.codes.join(),
  )
  const shown = [...named.values()].map(
    columns => `${firstOf(columns[0].codes.map(codeText), 6)} in ${columnsText(columns.map(({ name }) => name))}`,
  )
  const { advice, elsewhere } = proposals(found, codes)
  const more = advice.length > MOST_ADVICE ? ', …' : ''
  const values = [...elsewhere].map(([code, names]) => `${code} also occurs in ${columnsText(names)}`)
  const caution = values.length === 0 ? '' : ` (${firstOf(values, 3)}, and would be missing there too)`
  return [
    warning(
      'missing-values',
      words`counted as answers, but may mean missing: ${firstOf(shown, 6)}; if so, ${joined(advice.slice(0, MOST_ADVICE), ', ')}${more}${caution}`,
    ),
  ]
}

/** So many options are proposed at once. */
const MOST_ADVICE = 6

/** Things by what they have in common, in the order of the first of each. */
const grouped = <T>(things: readonly T[], key: (thing: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, readonly T[]>()
  for (const thing of things) groups.set(key(thing), [...(groups.get(key(thing)) ?? []), thing])
  return groups
}

interface Proposals {
  readonly advice: readonly Mention[]
  /** Codes that are proposed for every column, with the columns in which they may be values. */
  readonly elsewhere: ReadonlyMap<string, readonly string[]>
}

/**
 * The options that make codes missing: in every column where they mean nothing else, and else in those that have them. Columns that
 * no pattern names are listed only if they are few.
 */
const proposals = (found: readonly Suspect[], codes: readonly string[]): Proposals => {
  const valuesElsewhere = (code: string) =>
    found.filter(({ codes, values }) => !codes.includes(code) && mayBeValue(code, values)).map(({ name }) => name)
  const isDigit = (code: string) => /^\d$/.test(code)
  const own = codes.filter(code => isDigit(code) || valuesElsewhere(code).length > 0)
  const suspected = found.map(({ name, codes }) => ({ name, codes: codes.filter(code => own.includes(code)) }))
  const groups = grouped(
    suspected.filter(each => each.codes.length > 0),
    ({ codes }) => codes.join(),
  )
  const single = [...groups.values()].map(group => {
    const names = group.map(({ name }) => name)
    const pattern = patternOf(
      names,
      found.map(({ name }) => name),
    )
    const of = (name: string) => columnCode(name, group[0].codes)
    const texts = pattern === undefined ? names.map(of) : [`${pattern}:${group[0].codes.join(',')}`]
    return { codes: group[0].codes, texts }
  })
  const long = new Set(single.filter(({ texts }) => texts.length > MOST_ADVICE).flatMap(each => each.codes))
  const everywhere = codes.filter(code => !own.includes(code) || long.has(code))
  const columns = single.filter(each => !each.codes.every(code => long.has(code))).flatMap(({ texts }) => texts)
  const lead = (option: string, values: readonly string[]): readonly Mention[] =>
    values.map((value, i) => (i === 0 ? advise('add', option, value) : mention(option, value)))
  const first = lead('missing', everywhere)
  return {
    advice: [
      ...first,
      ...(first.length === 0 ? lead('missingIn', columns) : columns.map(each => mention('missingIn', each))),
    ],
    elsewhere: new Map(
      [...long].map(code => [code, valuesElsewhere(code)] as const).filter(([, names]) => names.length > 0),
    ),
  }
}

/** Whether a column has a code, and it may be a value there: a number does not if all others are less than half as large. */
const mayBeValue = (code: string, own: Suspect['values']): boolean => {
  const values = labelArray(own)
  if (!values.map(String).includes(code)) return false
  const number = Number(code)
  const others = values.map(Number).filter(value => Number.isFinite(value) && value !== number)
  if (!(number > 10) || others.length < values.length - 1) return true
  return others.some(value => value * 2 >= number)
}

/** A pattern that finds these columns and no other: what all their names begin with, or end with. */
const patternOf = (names: readonly string[], all: readonly string[]): string | undefined => {
  if (names.length < 2) return undefined
  const parts = [commonStart(names), commonStart(names.map(reversed))]
  const tests = [
    [`${parts[0]}*`, (name: string) => name.startsWith(parts[0])],
    [`*${reversed(parts[1])}`, (name: string) => name.endsWith(reversed(parts[1]))],
  ] as const
  return tests.find(
    ([pattern, isFound]) => pattern !== '*' && !/[":,]/.test(pattern) && all.filter(isFound).length === names.length,
  )?.[0]
}

const reversed = (text: string): string => [...text].reverse().join('')

const commonStart = ([first, ...others]: readonly string[]): string => {
  let length = first.length
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}

const codeText = (code: string): string => (Number.isFinite(Number(code)) ? code : JSON.stringify(code))

/** "q1", "q1 and q2", "q1…q6 (6 columns)". */
const columnsText = (columns: readonly string[]): string =>
  columns.length < 3
    ? columns.map(listed).join(' and ')
    : `${listed(columns[0])}…${listed(columns[columns.length - 1])} (${columns.length} columns)`

/** What is said of codes that were given but match nothing in the columns that are used; of a query it cannot be told. */
export const unusedCodesNote = async (
  view: TableView,
  used: readonly ReadColumn[],
  reading: Reading,
  all: boolean,
): Promise<Note[]> => {
  const codes = givenCodes(reading)
  if (view.sql !== undefined) {
    refuseColumnCodes(codes, view.columns)
    return []
  }
  const { missingIn: own = {}, ...everywhere } = reading
  const unusedOf = async (given: readonly string[], columns: readonly ReadColumn[]) => {
    let unused = given
    for (const whole of all ? [false] : [false, true]) {
      if (unused.length === 0 || columns.length === 0) return unused
      const found = await view.codesFound(unused, columns, everywhere, whole)
      unused = unused.filter((_, i) => !found[i])
    }
    return unused
  }
  const nowhere: string[] = []
  for (const column of used.filter(({ name }) => Object.hasOwn(own, name)))
    nowhere.push(
      ...(await unusedOf(own[column.name], [column])).map(code => `${codeText(code)} in ${listed(column.name)}`),
    )
  return [...unusedNote(await unusedOf(codes, used), view.columns), ...unusedColumnNote(nowhere)]
}

/** What is said of codes for single columns that match nothing there. */
const unusedColumnNote = (unused: readonly string[]): Note[] =>
  unused.length === 0
    ? []
    : [
        warning(
          'option-without-effect',
          `${firstOf(unused, 6)}: no value matches the missing code; check how it is written`,
        ),
      ]

/** The codes that were given, without those that mean missing anyway. */
export const givenCodes = ({ missing }: Pick<Reading, 'missing'>): string[] =>
  missing.filter(code => !MISSING_TEXTS.includes(code))

/** The same of codes that are known to match nothing. */
export const unusedNote = (unused: readonly string[], columns: readonly { readonly name: string }[]): Note[] => {
  if (unused.length === 0) return []
  refuseColumnCodes(unused, columns)
  const shown = firstOf(unused.map(codeText), 6)
  const what = unused.length === 1 ? `the missing code ${shown}` : `the missing codes ${shown}`
  return [
    warning(
      'option-without-effect',
      `no value in the columns used matches ${what}; check how ${unused.length === 1 ? 'it is' : 'they are'} written`,
    ),
  ]
}

/** Refuses codes that are meant for one column: a name, a colon and a value. */
const refuseColumnCodes = (codes: readonly string[], columns: readonly { readonly name: string }[]): void => {
  for (const code of codes) {
    const ends = [...code.matchAll(/:/g)].map(({ index }) => index)
    const at = ends.find(end => findColumn(columns, code.slice(0, end)) !== undefined)
    if (at === undefined) continue
    throw new OptionError(
      words`${mention('missing', code)}: no value is written so. For codes of one column, ${advise('use', 'missingIn', code)}`,
    )
  }
}
