/** What is read from a file may come from anyone: each check says whether a value is what it should be. */

export type Check = (value: unknown) => boolean

export const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value)
export const isText: Check = value => typeof value === 'string'
export const isFlag: Check = value => typeof value === 'boolean'
export const orNull =
  (check: Check): Check =>
  value =>
    value === null || check(value)
export const orAbsent =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)
export const listOf =
  (check: Check, length?: number): Check =>
  value =>
    Array.isArray(value) && (length === undefined || value.length === length) && value.every(check)
export const objectOf =
  (checks: Readonly<Record<string, Check>>): Check =>
  value =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(checks).every(([key, check]) => check((value as Record<string, unknown>)[key]))

export const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** The parts of a value that are as they should be. */
export const known = <T extends object>(
  value: unknown,
  checks: Readonly<Record<keyof T & string, Check>>,
): T | null => {
  if (!objectOf(checks)(value)) return null
  const all = fields(value)
  return Object.fromEntries(Object.keys(checks).map(key => [key, all[key]])) as T
}

export const textOf = (value: unknown): string | null => (isText(value) ? (value as string) : null)
