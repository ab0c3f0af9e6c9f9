import { isNumber } from '../values/labels.ts'
import { plainNumber } from '../values/number-style.ts'
import { LAST_ZEROS, type Recode } from '../values/recode.ts'
import { missingNumbers, missingOf, type Reading, recodeOf } from '../view/reading.ts'
import type { ReadColumn } from '../view/view.ts'
import type { TextColumn } from './text-dictionary.ts'

/** Capitals to small letters one by one, as SQL does: without regard to what stands beside them. */
export const lower = (text: string): string =>
  /^[\0-\x7f]*$/.test(text)
    ? text.toLowerCase()
    : Array.from(text, letter => (letter === 'İ' ? 'i' : letter.toLowerCase())).join('')

const trimmed = (text: string): string => text.replace(/^[ \t\u00a0]+|[ \t\u00a0]+$/g, '')

/** Texts in the order of their bytes, as SQL compares them. */
export const compareTexts = (a: string, b: string): number => {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)]
    // Halves of pairs stand for characters beyond all others.
    if (x !== y) return x >= 0xd800 !== y >= 0xd800 || x < 0xd800 ? x - y : rank(x) - rank(y)
  }
  return a.length - b.length
}

const rank = (unit: number): number => (unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/** What a file's reader has said of missing values already, as they are written: of separated text, and nothing of other files. */
export interface Absent {
  readonly texts: readonly string[]
}

/** How a column's texts become values, null where they are missing. */
export const reader = (
  { name, type, style }: Pick<ReadColumn, 'name' | 'type' | 'style'>,
  absent: Absent,
  reading: Reading,
): ((written: string) => string | null) => {
  const { trim = false, ignoreCase = false } = reading
  const missing = missingOf(reading, name)
  const written = new Set(absent.texts)
  const keys = new Set(ignoreCase ? missing.map(lower) : missing)
  const numbers = new Set(missingNumbers(missing))
  const real = /^(DOUBLE|FLOAT|REAL)$/.test(type)
  const recoded = recoder(recodeOf(reading, name), reading)
  return text => {
    if (written.has(text) || (real && /^-?nan$/.test(text))) return null
    const cut = trim ? trimmed(text) : text
    const key = ignoreCase ? lower(cut) : cut
    if (keys.has(key)) return null
    const value = style === undefined ? key : plainNumber(key, style)
    // 8 and 8.0 are one label, so both are what a code of 8 means.
    if (numbers.size > 0 && isNumber(value) && numbers.has(Number(value))) return null
    return recoded(key, value)
  }
}

const ZEROS = LAST_ZEROS.map(pattern => new RegExp(pattern))

const shortened = (value: string): string => ZEROS.reduce((text, pattern) => text.replace(pattern, '$1'), value)

/** What values become by recoding. They are compared as codes for missing values are. */
const recoder = (
  recode: readonly Recode[],
  { ignoreCase = false, spelling = false }: Reading,
): ((key: string, value: string) => string) => {
  if (recode.length === 0) return (_, value) => value
  const folded = (text: string) => (ignoreCase || spelling ? lower(text) : text)
  const texts = new Map<string, string>()
  const numbers = new Map<number, string>()
  for (const { from, to } of recode) {
    const result = ignoreCase ? lower(to) : to
    for (const text of from) if (!texts.has(folded(text))) texts.set(folded(text), result)
    for (const x of missingNumbers(from)) if (!numbers.has(x)) numbers.set(x, result)
  }
  return (key, value) =>
    texts.get(folded(key)) ??
    texts.get(folded(value)) ??
    (isNumber(value) ? numbers.get(Number(value)) : undefined) ??
    shortened(value)
}

/** The values of a column: different texts may be the same one. */
export const readTexts = ({ texts, codes }: TextColumn, read: (written: string) => string | null): TextColumn => {
  const known = new Map<string, number>()
  const renumbered = Int32Array.from(texts, written => {
    const value = read(written)
    if (value === null) return -1
    const code = known.get(value) ?? known.size
    known.set(value, code)
    return code
  })
  const values = [...known.keys()]
  if (renumbered.every((code, i) => code === i)) return { texts: values, codes }
  return { texts: values, codes: codes.map(code => (code < 0 ? -1 : renumbered[code])) }
}

/** How often each value occurs among the first rows. */
export const countTexts = ({ texts, codes }: TextColumn, rows = codes.length): Int32Array => {
  const counts = new Int32Array(texts.length)
  for (let row = 0; row < rows && row < codes.length; row++) if (codes[row] >= 0) counts[codes[row]]++
  return counts
}
