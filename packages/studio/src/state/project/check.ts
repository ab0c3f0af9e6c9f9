import { DataError } from '@polyad/core'

/**
 * Values from untrusted hands, read into what they must be. What is not as it should be is refused with where it is; what is not asked
 * for is left behind.
 */
export type Read<T> = (value: unknown, where: string) => T

const show = (value: unknown): string =>
  typeof value === 'string'
    ? value.length > 40
      ? `${JSON.stringify(`${value.slice(0, 40)}…`)} of ${value.length} characters`
      : JSON.stringify(value)
    : Array.isArray(value)
      ? `a list of ${value.length}`
      : typeof value === 'object' && value !== null
        ? 'an object'
        : String(value)

/** That a value is refused, and what should be there. */
class Refusal extends DataError {
  readonly wanted: string

  constructor(where: string, wanted: string, value: unknown) {
    super(`${where} must be ${wanted} (got ${show(value)})`)
    this.wanted = wanted
  }
}

const refuse = (where: string, wanted: string, value: unknown): never => {
  throw new Refusal(where, wanted, value)
}

export const flag: Read<boolean> = (value, where) =>
  typeof value === 'boolean' ? value : refuse(where, 'true or false', value)

/** Text of at most so many characters. */
export const text =
  (most: number): Read<string> =>
  (value, where) =>
    typeof value === 'string' && value.length <= most
      ? value
      : refuse(where, `text of at most ${most} characters`, value)

export const number =
  (least = Number.NEGATIVE_INFINITY): Read<number> =>
  (value, where) =>
    typeof value === 'number' && Number.isFinite(value) && value >= least
      ? value
      : refuse(where, least === Number.NEGATIVE_INFINITY ? 'a number' : `a number ≥ ${least}`, value)

export const whole =
  (least: number, most: number): Read<number> =>
  (value, where) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? (value as number)
      : refuse(where, `a whole number from ${least} to ${most}`, value)

export const oneOf =
  <T extends string>(allowed: readonly T[]): Read<T> =>
  (value, where) =>
    allowed.find(each => each === value) ?? refuse(where, `one of ${allowed.join(', ')}`, value)

export const matching =
  (pattern: RegExp, wanted: string): Read<string> =>
  (value, where) =>
    typeof value === 'string' && pattern.test(value) ? value : refuse(where, wanted, value)

/** One or the other; where it is neither, both are named. */
export const either =
  <A, B>(first: Read<A>, second: Read<B>): Read<A | B> =>
  (value, where) => {
    try {
      return first(value, where)
    } catch (refusal) {
      try {
        return second(value, where)
      } catch (another) {
        throw refusal instanceof Refusal && another instanceof Refusal
          ? new Refusal(where, `${refusal.wanted}, or ${another.wanted}`, value)
          : another
      }
    }
  }

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
