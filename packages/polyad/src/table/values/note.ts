import { decimals } from '@polyad/core/numeric'
import { inWords, type Mention, type Sentence, type Wording, words } from '@polyad/core/options'
import type { WarningCode } from './warning-codes.ts'

/** A note or warning of a reader: a decision and its reason, or a caution. */
export interface Note {
  readonly kind: 'choice' | 'warning'
  readonly text: string
  /** What a warning is about, for programs. */
  readonly code?: WarningCode
  /** The same in parts, if it mentions options. */
  readonly wording?: Wording
}

const note = (kind: Note['kind'], text: Sentence, code?: WarningCode): Note => ({
  kind,
  ...(code !== undefined && { code }),
  text: inWords(text),
  ...(typeof text !== 'string' && text.some(part => typeof part !== 'string') && { wording: text }),
})

export const choice = (text: Sentence): Note => note('choice', text)

export const warning = (code: WarningCode, text: Sentence): Note => note('warning', text, code)

/** Sentences with something between them. */
export const joined = (texts: readonly (Sentence | Mention)[], between: string): Wording =>
  texts.flatMap((text, i) => words`${i === 0 ? '' : between}${text}`)

type Change = (text: string) => string
const changed = (wording: Wording, change: Change): Wording =>
  wording.map(part => (typeof part === 'string' ? change(part) : part))

/** A note with its text changed; the options that it mentions stay. */
export const changedNote = ({ kind, text, code, wording }: Note, change: Change): Note =>
  note(kind, wording === undefined ? change(text) : changed(wording, change), code)

/** The same of an error. */
export const reworded = <E>(error: E, change: Change): E => {
  const { message, wording } = (error ?? {}) as { readonly message?: string; readonly wording?: Wording }
  if (message === undefined) return error
  return Object.assign(error as Error, { message: change(message), wording: wording && changed(wording, change) }) as E
}

/** "1 row", "2,500 rows". */
export const many = (n: number, what: string, plural = `${what}s`): string => `${grouped(n)} ${n === 1 ? what : plural}`

/** A number as people read it: 3,869. */
export const grouped = (n: number): string => decimals(n, 0, 3)

/** Bytes as people read them: 3.4 GB. */
export const sizeText = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / 1e6))} MB`

/**
 * A name in a list of names separated by commas.
 * @example
 * listed('a, b') // '"a, b"'
 */
export const listed = (name: string): string => quoteListed(name, /[",]|^\s|\s$/)

/** A text in double quotes, if it has something that separates texts. */
export const quoteListed = (text: string, separates: RegExp): string =>
  separates.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** The first few of a list, and how many more there are. */
export const firstOf = (items: readonly string[], most: number): string =>
  items.length <= most ? items.join(', ') : `${items.slice(0, most).join(', ')} and ${items.length - most} more`

/** So much of a text that somebody has typed is repeated in a message. */
const LONGEST_REPEATED = 200

/** A text as a message repeats it. */
export const repeated = (text: string): string =>
  text.length > LONGEST_REPEATED ? `${text.slice(0, LONGEST_REPEATED)}…` : text

/** The same in double quotes. */
export const quoted = (text: string): string => JSON.stringify(repeated(text))
