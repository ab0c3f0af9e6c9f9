import { type LabelList, labelArray, type PackedLabels } from '@polyad/core/model'
import { isMissingWord } from '../values/missing-words.ts'

const NEGATIVE = new Set([-7, -8, -9, -77, -88, -97, -98, -99, -777, -888, -997, -998, -999, -9999])
const LARGE = new Set([77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9997, 9998, 9999])

/** The labels of a column that look like codes for missing values. */
export const missingCodes = (labels: LabelList): string[] => {
  const texts = 'texts' in labels ? possibleCodes(labels) : labels.map(String)
  const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text))
  const numbers = texts.filter(isNumber)
  const words = texts.filter(text => !isNumber(text) && isMissingWord(text))
  // A column that has little else is about something else.
  if (words.length * 2 > labels.length) return []
  return [...words, ...numericCodes(numbers, numbers.length + words.length < labels.length)]
}

/** Of very many texts those that may be a number or a word that means missing: no number begins with a letter, and no such word has a digit. */
const possibleCodes = ({ texts: { bytes, ends } }: PackedLabels): string[] => {
  const found: string[] = []
  // As they lie in memory: in their order most of the time would go into waiting for it.
  for (let text = 0, from = 0; text < ends.length; from = ends[text++]) {
    let at = isLetter(bytes[from]) ? from : ends[text]
    while (at < ends[text] && !isDigit(bytes[at])) at++
    if (at === ends[text]) found.push(decoder.decode(bytes.subarray(from, ends[text])))
  }
  return found.sort()
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const isLetter = (byte: number): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

/**
 * Numbers that are codes by custom, and lie far from all other values: below zero where nothing else is, or far above;
 * or the only numbers among words.
 */
const numericCodes = (numbers: readonly string[], amongWords: boolean): string[] => {
  const values = numbers.map(Number)
  const usual = values.filter(value => !NEGATIVE.has(value) && !LARGE.has(value) && !isSmallNegative(value))
  if (usual.length === 0 && amongWords) return [...numbers]
  if (usual.length < 2) return []
  const [least, most] = ends(usual)
  if (least < 0) return []
  const codes = new Set([...negativeCodes(values, usual), ...runCodes(values), ...loneCode(values)])
  return numbers.filter(text => {
    const value = Number(text)
    return codes.has(value) || (LARGE.has(value) && value > 2 * most)
  })
}

const ends = (values: readonly number[]): readonly [number, number] =>
  values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [values[0], values[0]])

const isSmallNegative = (value: number): boolean => Number.isInteger(value) && value < 0 && value >= -9

/** A scale of answers has at most so many steps: 0 to 10. */
const MOST_STEPS = 11

/** Other values begin at least here where −1 and the like are codes beside a measurement, such as an age. */
const FAR_ABOVE = 5

/**
 * Numbers below zero where all others are not: those that are codes by custom; −1, −2 and the like beside a scale that reaches further up
 * than down, or beside values far above. −2 to 2 is a scale.
 */
const negativeCodes = (values: readonly number[], usual: readonly number[]): readonly number[] => {
  const negative = values.filter(value => value < 0)
  if (negative.length === 0) return []
  const [least, most] = ends(usual)
  const [lowest] = ends(negative)
  const unbroken = -lowest === new Set(negative).size
  if (Math.abs(lowest + most) <= 1 || (unbroken && -lowest >= most - 1)) return []
  const scale = usual.length <= MOST_STEPS && usual.every(Number.isInteger) && most <= MOST_STEPS
  if (scale || least >= FAR_ABOVE) return negative
  return unbroken ? [] : negative.filter(value => NEGATIVE.has(value))
}

/** Codes that follow each other at the end of what a field of two, three or four digits can hold. */
const RUNS = [
  [97, 98, 99],
  [997, 998, 999],
  [9997, 9998, 9999],
]

/** Numbers left free below such a run: the largest ages are rare, but seldom 97 and 98 without 95 and 96. */
const FREE = 2

/** Two or more codes of a run at the end of a column, with room below them. */
const runCodes = (values: readonly number[]): readonly number[] => {
  const [, most] = ends(values)
  const run = RUNS.find(each => most >= each[0] && most <= each[2])
  if (run === undefined) return []
  const there = run.filter(code => values.includes(code))
  const below = values.filter(value => value < run[0])
  return there.length > 1 && below.length > 1 && ends(below)[1] < run[0] - FREE ? there : []
}

/** The last number that a field of two, three or four digits can hold. */
const LAST = [99, 999, 9999]

/** Whole numbers below, at least so many, among whose largest ones a gap is at most a third of that below the code, which is at least so wide. */
const DENSE = 20
const TOP = 10
const TIMES_WIDER = 3
const WIDE = 5

/** Such a number alone, if it stands far apart from many others: 99 after the ages from 18 to 88. */
const loneCode = (values: readonly number[]): readonly number[] => {
  const sorted = [...new Set(values)].sort((a, b) => b - a)
  const [most, ...below] = sorted
  if (!LAST.includes(most) || below.length < DENSE || !below.every(Number.isInteger)) return []
  const gap = most - below[0]
  const widest = below.slice(1, TOP).reduce((wide, value, i) => Math.max(wide, below[i] - value), 1)
  return gap >= WIDE && gap >= TIMES_WIDER * widest ? [most] : []
}

/** A column with its values. */
export interface CodedColumn {
  readonly name: string
  readonly values: LabelList
}

/** A column with its values, and those of them that may mean missing. */
export interface Suspect extends CodedColumn {
  readonly codes: readonly string[]
}

/** The codes of every column that may mean missing: by themselves, and those at the end of scales that several columns have. */
export const suspects = (columns: readonly CodedColumn[]): readonly Suspect[] => {
  const found = columns.map(column => ({ ...column, own: missingCodes(column.values) }))
  const ended = found.map(({ values, own }) => scaleEnd(values, own))
  /** Scales with a code at their end, and how many columns have them. */
  const times = new Map<string, number>()
  const keys = ended.map(end => (end === undefined ? [] : end.codes.map(code => `${end.most} ${code}`)))
  for (const key of keys.flat()) times.set(key, (times.get(key) ?? 0) + 1)
  const known = new Set([...times].filter(([, columns]) => columns > 1).map(([key]) => key.split(' ')[1]))
  return found.map(({ name, values, own }, i) => {
    const codes = ended[i]?.codes.filter(code => known.has(code)) ?? []
    return { name, values, codes: [...own, ...codes] }
  })
}

/** Codes of one digit for missing answers. */
const DIGITS = ['7', '8', '9']

/**
 * The codes 7, 8 and 9 after a scale of whole numbers from 0 or 1 without gaps, with at least one number free between: 8 and 9 after 1 to 5.
 * A 7 alone may be the end of a scale of seven.
 */
const scaleEnd = (
  values: LabelList,
  codes: readonly string[],
): { readonly most: number; readonly codes: readonly string[] } | undefined => {
  if (values.length > MOST_STEPS + codes.length) return undefined
  const numbers = labelArray(values)
    .map(String)
    .filter(text => !codes.includes(text))
    .map(Number)
    .sort((a, b) => a - b)
  if (numbers[0] !== 0 && numbers[0] !== 1) return undefined
  const gap = numbers.findIndex((value, i) => i > 0 && value !== numbers[i - 1] + 1)
  if (gap < 2) return undefined
  const end = numbers.slice(gap).map(String)
  if (!end.every(code => DIGITS.includes(code)) || end.join() === '7') return undefined
  return { most: numbers[gap - 1], codes: end }
}
