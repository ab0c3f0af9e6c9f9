import { type Label, OptionError } from '@polyad/core'
import { advise, mention, words } from '@polyad/core/options'
import { firstOf, listed, type Note, warning } from '../values/note.ts'
import type { Reading } from '../view/reading.ts'
import { MISSING_TEXTS } from '../view/recipe.ts'
import type { ReadColumn, TableView } from '../view/view.ts'
import { findColumn } from './columns.ts'

/** Words that stand for missing in the files of many programs and surveys. */
const WORDS = new RegExp(
  `^(${[
    '#?n/?a',
    'n\\.a\\.?',
    '#n/a',
    'nan?',
    'null',
    '\\.[a-z]?',
    '\\?+',
    '-+',
    '\\*+',
    'missing',
    'unknown',
    'refused|refusal|(prefer not|declined) to (say|answer)',
    'don.?t know|do not know|dk|dk/na|d\\.k\\.',
    'no (answer|response)|not (asked|applicable|available|answered|stated|ascertained)',
    'k\\. ?a\\.?|keine angabe|wei(ß|ss) nicht',
  ].join('|')})$`,
  'i',
)

const NEGATIVE = new Set([-7, -8, -9, -77, -88, -97, -98, -99, -777, -888, -997, -998, -999, -9999])
const LARGE = new Set([77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9997, 9998, 9999])

/** The labels of a column that look like codes for missing values. */
export const missingCodes = (labels: readonly Label[]): string[] => {
  const texts = labels.map(String)
  const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text))
  const numbers = texts.filter(isNumber)
  const words = texts.filter(text => !isNumber(text) && WORDS.test(text.trim()))
  // A column that has little else is about something else.
  if (words.length * 2 > texts.length) return []
  return [...words, ...numericCodes(numbers, numbers.length + words.length < texts.length)]
}

/**
 * Numbers that are codes by custom, and lie far from all other values: below zero where nothing else is, or far above;
 * or the only numbers among words.
 */
const numericCodes = (numbers: readonly string[], amongWords: boolean): string[] => {
  const usual = numbers.map(Number).filter(value => !NEGATIVE.has(value) && !LARGE.has(value))
  if (usual.length === 0 && amongWords) return [...numbers]
  if (usual.length < 2) return []
  const [least, most] = usual.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [usual[0], usual[0]],
  )
  return numbers.filter(text => {
    const value = Number(text)
    return (NEGATIVE.has(value) && least >= 0) || (LARGE.has(value) && value > 2 * most && least >= 0)
  })
}

/** One note for all columns, with the option to use: codes that stand in the same columns are named together. */
export const missingCodesNote = (found: readonly (readonly [column: string, codes: readonly string[]])[]): Note[] => {
  const codes = [...new Set(found.flatMap(([, own]) => own))]
  if (codes.length === 0) return []
  const groups = new Map<string, string[]>()
  for (const code of codes) {
    const where = columnsText(found.filter(([, own]) => own.includes(code)).map(([column]) => column))
    groups.set(where, [...(groups.get(where) ?? []), code])
  }
  const shown = [...groups].map(([where, own]) => `${firstOf(own.map(codeText), 6)} in ${where}`)
  const advice = advise('add', 'missing', ...codes.slice(0, 6))
  return [warning(words`counted as labels, but may mean missing: ${firstOf(shown, 6)}; if so, ${advice}`)]
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
    : [warning(`${firstOf(unused, 6)}: no value matches the missing code; check how it is written`)]

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
    const value = code.slice(at + 1)
    throw new OptionError(
      words`${mention('missing', code)}: a code cannot be given for one column; ${mention('missing', value)} treats it as missing in every column; to recode ${listed(code.slice(0, at))} alone, ${advise('use', 'sql')}`,
    )
  }
}
