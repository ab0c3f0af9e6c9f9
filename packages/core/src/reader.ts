import { DataError, show } from './errors.ts'
import { type Check, is, type OptionDefinition, type OptionTable } from './options.ts'

/** Reads an untrusted value into what it must be; throws a `DataError` with the place of what is wrong. */
export type Read<T> = (value: unknown, where: string) => T

/** What one value must be: the checks of options are such. */
type Rule = Pick<Check, 'rule' | 'allows'>

/** How each field of an object is read. A field that may be missing has a reader that accepts undefined: `optional`. */
type FieldsOf<T> = { readonly [K in keyof T]-?: Read<T[K]> }

const got = (value: unknown): string => {
  if (value === undefined) return 'it is missing'
  return `got ${ArrayBuffer.isView(value) ? 'binary data' : show(value)}`
}

const refuse = (where: string, wanted: string, value: unknown): never => {
  throw new DataError(`${where || 'it'} must be ${wanted} (${got(value)})`)
}

/** What a check allows: the options of a fit and of reading have theirs from the library. */
const by =
  <T>({ rule, allows }: Rule): Read<T> =>
  (value, where) =>
    allows(value) ? (value as T) : refuse(where, rule, value)

const flag: Read<boolean> = by(is.flag)

const finite: Read<number> = by(is.finite)

/** A number that is finite and not negative. */
const amount: Read<number> = by(is.nonNegative)

/** A number of any kind, also one that is not finite. */
const number: Read<number> = by({ rule: 'a number', allows: value => typeof value === 'number' })

/** Text of at most so many characters. */
const text = (most = Number.POSITIVE_INFINITY): Read<string> =>
  by({
    rule: most === Number.POSITIVE_INFINITY ? is.text.rule : `text of at most ${most} characters`,
    allows: value => typeof value === 'string' && value.length <= most,
  })

const LABEL: Rule = {
  rule: 'a text or a finite number',
  allows: value => typeof value === 'string' || Number.isFinite(value),
}

const label: Read<string | number> = by(LABEL)

const oneOf = <T extends string>(allowed: readonly T[]): Read<T> => by(is.oneOf(allowed))

const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value, where) =>
    value === null ? null : read(value, where)

const optional =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value, where) =>
    value === undefined ? undefined : read(value, where)

const checkLength = (where: string, { length }: ArrayLike<unknown>, wanted: number | undefined): void => {
  if (wanted !== undefined && length !== wanted)
    throw new DataError(`${where} must have ${wanted} entries (got ${length})`)
}

/** An array of one type, as it is: of so many numbers, if that is said, by this rule. */
const arrayOf =
  <A extends ArrayLike<unknown>>(type: string, isOne: (value: unknown) => boolean, usual?: Rule) =>
  (length?: number, rule = usual): Read<A> =>
  (value, where) => {
    if (!isOne(value)) return refuse(where, type, value)
    const array = value as A
    checkLength(where, array, length)
    if (rule !== undefined)
      for (let i = 0; i < array.length; i++) if (!rule.allows(array[i])) refuse(`${where}[${i}]`, rule.rule, array[i])
    return array
  }

const labels = arrayOf<(string | number)[]>('a list', Array.isArray, LABEL)

const numbers = arrayOf<number[]>('a list', Array.isArray, is.finite)

/** Numbers of any kind unless there is a rule. */
const reals = arrayOf<Float64Array>('binary numbers', value => value instanceof Float64Array)

const list =
  <T>(read: Read<T>, most = Number.POSITIVE_INFINITY): Read<T[]> =>
  (value, where) =>
    Array.isArray(value) && value.length <= most
      ? Array.from(value, (each, i) => read(each, `${where}[${i}]`))
      : refuse(where, most === Number.POSITIVE_INFINITY ? 'a list' : `a list of at most ${most}`, value)

/** A list of so many entries. */
const vector =
  <T>(length: number, read: Read<T>): Read<T[]> =>
  (value, where) => {
    if (Array.isArray(value)) checkLength(where, value, length)
    return list(read)(value, where)
  }

/** A list with an entry for each reader. */
const tuple =
  <T>(reads: readonly Read<T>[]): Read<T[]> =>
  (value, where) =>
    vector(reads.length, each => each)(value, where).map((each, i) => reads[i](each, `${where}[${i}]`))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)

/** An object as it is. */
const object: Read<Readonly<Record<string, unknown>>> = by({ rule: 'an object', allows: isObject })

/** The fields of a value; none if it is not an object. */
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

/** Values by names of any kind. */
const record =
  <T>(read: Read<T>, most = Number.POSITIVE_INFINITY): Read<Record<string, T>> =>
  (value, where) => {
    const entries = Object.entries(object(value, where))
    if (entries.length > most) refuse(where, `at most ${most} values`, entries.length)
    return Object.fromEntries(entries.map(([key, each]) => [key, read(each, `${where}.${key}`)]))
  }

/** An object with these fields; others are dropped, and so are those that are undefined. */
const fields =
  <T extends object>(reads: FieldsOf<T>): Read<T> =>
  (value, where) => {
    const given = object(value, where)
    const found = Object.entries<Read<unknown>>(reads).map(([key, read]) => [
      key,
      read(Object.hasOwn(given, key) ? given[key] : undefined, where === '' ? key : `${where}.${key}`),
    ])
    return Object.fromEntries(found.filter(([, each]) => each !== undefined))
  }

/** Options of a table, each by its check. All of them may be missing. */
const options = <T extends object>(table: OptionTable<T>): Read<T> =>
  fields(
    Object.fromEntries(
      Object.entries<OptionDefinition>(table).map(([name, { check }]) => [name, optional(by(check))]),
    ) as FieldsOf<T>,
  )

/** An object with these fields, as it is: others stay. What it says of their types is not checked. */
const fieldsAmong =
  <T extends object>(reads: { readonly [K in keyof T]?: Read<unknown> }): Read<T> =>
  (value, where) => {
    fields(reads as FieldsOf<Record<string, unknown>>)(value, where)
    return value as T
  }

/** An object with these fields and no others. */
const onlyFields =
  <T extends object>(reads: FieldsOf<T>): Read<T> =>
  (value, where) => {
    const read = fields(reads)(value, where)
    const other = Object.keys(value as object).find(key => !Object.hasOwn(reads, key))
    if (other !== undefined)
      throw new DataError(`${where || 'it'} has no ${show(other)}; it has ${Object.keys(reads).join(', ')}`)
    return read
  }

/** An object of one of several kinds: its field `by` says of which. */
const kinds =
  <T extends object>(by: string, read: Readonly<Record<string, Read<T>>>): Read<T> =>
  (value, where) => {
    const kind = oneOf(Object.keys(read))(object(value, where)[by], `${where}.${by}`)
    return read[kind](value, where)
  }

/** What a reader makes of a value; null if it refuses it. */
const tried = <T>(read: Read<T>, value: unknown): T | null => {
  try {
    return read(value, '')
  } catch (error) {
    if (error instanceof DataError) return null
    throw error
  }
}

/** What one of two readers accepts. */
const either =
  <A, B>(first: Read<A>, second: Read<B>): Read<A | B> =>
  (value, where) =>
    tried(first, value) ?? second(value, where)

/** Makes something of a file. What is found wrong with its content, by a constructor too, is a fault of the file. @param fault the beginning of the message */
const usable = <T>(fault: string, make: () => T): T => {
  try {
    return make()
  } catch (error) {
    throw new DataError(`${fault} ${(error as Error).message}`)
  }
}

/** The value of JSON, of bytes in UTF-8 too. */
const json = (text: string | Uint8Array, what = 'it'): unknown => {
  try {
    return JSON.parse(typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text))
  } catch (error) {
    throw new DataError(`${what} is not JSON (${(error as Error).message})`)
  }
}

/**
 * Readers of untrusted values: those of files, messages and projects.
 * @example
 * reader.fields({ rank: reader.by(is.whole(1)) })({ rank: 3 }, 'setting').rank // 3
 */
export const reader = {
  by,
  flag,
  finite,
  amount,
  number,
  text,
  label,
  oneOf,
  orNull,
  optional,
  labels,
  numbers,
  reals,
  list,
  tuple,
  vector,
  object,
  fieldsOf,
  record,
  fields,
  fieldsAmong,
  onlyFields,
  options,
  kinds,
  either,
  tried,
  usable,
  json,
}
