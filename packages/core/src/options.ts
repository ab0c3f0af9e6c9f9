import { OptionError, show } from './errors.ts'

/** The checks of options: each returns the value it checked, or throws naming the option, the rule and the value. */

export const wholeNumber = (name: string, value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): number => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? `≥ ${least}` : `from ${least} to ${most}`
  throw new OptionError(`${name} must be a whole number ${range} (got ${show(value)})`)
}

export const positiveNumber = (name: string, value: unknown): number => {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value
  throw new OptionError(`${name} must be a number > 0 (got ${show(value)})`)
}

export const nonNegativeNumber = (name: string, value: unknown): number => {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  throw new OptionError(`${name} must be a number ≥ 0 (got ${show(value)})`)
}

export const oneOf = <T extends string>(name: string, value: unknown, choices: readonly T[]): T => {
  if (choices.includes(value as T)) return value as T
  throw new OptionError(`${name} must be one of ${choices.join(', ')} (got ${show(value)})`)
}

/** Refuses options that are no object: what was meant is then not known. */
export const optionsObject = (owner: string, options: unknown): void => {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new OptionError(`${owner} needs an object of options (got ${show(options)})`)
  }
}

/** Refuses an option nobody reads: a misspelt one would otherwise be silently ignored. */
export const knownOptions = (owner: string, options: object, known: readonly string[]): void => {
  for (const key of Object.keys(options)) {
    if (!known.includes(key)) throw new OptionError(`${owner} has no option ${show(key)}; it takes ${known.join(', ')}`)
  }
}
