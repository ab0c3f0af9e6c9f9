import { DataError } from '@polyad/core'
import { type Check, is, show } from '@polyad/core/options'

/**
 * Values from untrusted hands, read into what they must be. What is not as it should be is refused with where it is; what is not asked
 * for is left behind.
 */
export type Read<T> = (value: unknown, where: string) => T

const refuse = (where: string, wanted: string, value: unknown): never => {
  throw new DataError(`${where} must be ${wanted} (${value === undefined ? 'it is missing' : `got ${show(value)}`})`)
}

/** What a check allows: the options of a fit and of reading have theirs from the library. */
export const by =
  <T>({ rule, allows }: Pick<Check, 'rule' | 'allows'>): Read<T> =>
  (value, where) =>
    allows(value) ? (value as T) : refuse(where, rule, value)

export const flag: Read<boolean> = by(is.flag)

/** Text of at most so many characters. */
export const text = (most: number): Read<string> =>
  by({ rule: `text of at most ${most} characters`, allows: value => typeof value === 'string' && value.length <= most })

export const oneOf = <T extends string>(allowed: readonly T[]): Read<T> => by(is.oneOf(allowed))

/** An object of one of several kinds: its field `by` says of which. */
export const kinds =
  <T extends object>(by: string, read: Readonly<Record<string, Read<T>>>): Read<T> =>
  (value, where) => {
    const kind = oneOf(Object.keys(read))(fieldsOf(value, where)[by], `${where}.${by}`)
    return read[kind](value, where)
  }

export const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value, where) =>
    value === null ? null : read(value, where)

export const list =
  <T>(read: Read<T>, most: number): Read<T[]> =>
  (value, where) =>
    Array.isArray(value) && value.length <= most
      ? value.map((each, i) => read(each, `${where}[${i}]`))
      : refuse(where, `a list of at most ${most}`, value)

const fieldsOf = (value: unknown, where: string): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : refuse(where, 'an object', value)

/** Values by names of any kind. */
export const record =
  <T>(read: Read<T>, most: number): Read<Record<string, T>> =>
  (value, where) => {
    const entries = Object.entries(fieldsOf(value, where))
    if (entries.length > most) refuse(where, `at most ${most} values`, entries.length)
    return Object.fromEntries(entries.map(([key, each]) => [key, read(each, `${where}.${key}`)]))
  }

/** An object with these fields, and those of `optional` where it has them. */
export const fields =
  <T extends object, O extends object = Record<never, never>>(
    required: { readonly [K in keyof T]: Read<T[K]> },
    optional?: { readonly [K in keyof O]: Read<O[K]> },
  ): Read<T & { readonly [K in keyof O]?: O[K] }> =>
  (value, where) => {
    const given = fieldsOf(value, where)
    const own = (key: string) => (Object.hasOwn(given, key) ? given[key] : undefined)
    const read = (checks: Readonly<Record<string, Read<unknown>>>) =>
      Object.entries(checks).map(([key, check]) => [key, check(own(key), where === '' ? key : `${where}.${key}`)])
    const there = Object.entries((optional ?? {}) as Record<string, Read<unknown>>).filter(
      ([key]) => own(key) !== undefined,
    )
    return Object.fromEntries([...read(required), ...read(Object.fromEntries(there))])
  }
