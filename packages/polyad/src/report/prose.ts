import { count } from './numbers.ts'

/** Pieces of sentences. */

const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** Small numbers in words. */
export const inWords = (value: number): string => NUMBERS[value] ?? count(value)

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** a, b and c. */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`
