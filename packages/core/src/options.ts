import { OptionError, show } from './errors.ts'

/** What an option must be: the library, the command line, forms and files all check it by this. */
export interface Check {
  /** As it follows "must be". */
  readonly rule: string
  readonly allows: (value: unknown) => boolean
  /** The limits of a number. */
  readonly number?: { readonly least: number; readonly most: number; readonly whole: boolean }
  /** Words that are allowed, alone or besides a number. */
  readonly choices?: readonly string[]
}

/** One option: every place that reads, shows or checks it has it from here. */
export interface OptionDefinition {
  readonly check: Check
  /** What it is if it is not given, where that is one value. */
  readonly default?: unknown
  readonly required?: true
  /** Whether values may be given by the name of a mode. */
  readonly byMode?: true
  readonly unit?: string
}

/** The options of a function: one definition for each. */
export type OptionTable<T> = { readonly [K in keyof T]-?: OptionDefinition }

/** Options that were checked: those with a default are there. */
export type Checked<T, D> = T & {
  readonly [K in keyof T & keyof D as D[K] extends { readonly default: unknown } ? K : never]-?: NonNullable<T[K]>
}

/**
 * A number; `least` and `most` are the limits of a form.
 * @example
 * numberCheck('a number above 5', 5, 10, value => value > 5).allows(6) // true
 */
export const numberCheck = (rule: string, least: number, most: number, allows: (value: number) => boolean): Check => ({
  rule,
  allows: value => typeof value === 'number' && Number.isFinite(value) && allows(value),
  number: { least, most, whole: rule.startsWith('a whole') },
})

/**
 * A whole number. A limit that nobody comes near is not spoken of.
 * @example
 * whole(1, 10).rule // 'a whole number from 1 to 10'
 */
export const whole = (least: number, most = Number.MAX_SAFE_INTEGER): Check =>
  numberCheck(
    `a whole number ${most >= 2 ** 31 ? `≥ ${least}` : `from ${least} to ${most}`}`,
    least,
    most,
    value => Number.isInteger(value) && value >= least && value <= most,
  )

const INFINITE = Number.POSITIVE_INFINITY
export const POSITIVE: Check = numberCheck('a number > 0', 0, INFINITE, value => value > 0)
export const NON_NEGATIVE: Check = numberCheck('a number ≥ 0', 0, INFINITE, value => value >= 0)
/** A confidence, a level of significance, or a part of something. */
export const PROPORTION: Check = numberCheck('a number between 0 and 1', 0, 1, value => value > 0 && value < 1)
export const FLAG: Check = { rule: 'true or false', allows: value => typeof value === 'boolean' }
export const TEXT: Check = { rule: 'text', allows: value => typeof value === 'string' }
export const TEXTS: Check = {
  rule: 'a list of texts',
  allows: value => Array.isArray(value) && value.every(TEXT.allows),
}

/**
 * One of some words.
 * @example
 * oneOf(['empirical', 'observed']).rule // 'one of empirical, observed'
 */
export const oneOf = (choices: readonly string[]): Check => ({
  rule: `one of ${choices.join(', ')}`,
  allows: value => choices.includes(value as string),
  choices,
})

/** A word, or what else is allowed. */
export const wordOr = (word: string, check: Check): Check => ({
  ...check,
  rule: `'${word}' or ${check.rule}`,
  allows: value => value === word || check.allows(value),
  choices: [word],
})

/** Nothing at all, or what else is allowed. */
export const zeroOr = (check: Check): Check => ({
  ...check,
  rule: `0 or ${check.rule}`,
  allows: value => value === 0 || check.allows(value),
  ...(check.number !== undefined && { number: { ...check.number, least: 0 } }),
})

/** What only a program can give. */
export const thing = (rule: string, allows: (value: never) => boolean): Check => ({
  rule,
  allows: value => value !== null && allows(value as never),
})
export const FUNCTION: Check = thing('a function', value => typeof value === 'function')

/**
 * The value, if a check allows it; else it is refused with the option, the rule and the value.
 * @example
 * checked('rank', whole(1), 3) // 3
 */
export const checked = <T>(name: string, check: Check, value: T): T => {
  if (check.allows(value)) return value
  throw new OptionError(name, `must be ${check.rule}`, value)
}

export const wholeNumber = (name: string, value: unknown, least: number, most?: number): number =>
  checked(name, whole(least, most), value) as number

export const nonNegativeNumber = (name: string, value: unknown): number => checked(name, NON_NEGATIVE, value) as number

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

/** The options of a function by its table: each is checked, none is unknown, and defaults are filled in. */
export const checkedOptions = <T extends object, D extends OptionTable<T>>(
  owner: string,
  table: D,
  options: T,
): Checked<T, D> => {
  optionsObject(owner, options)
  knownOptions(owner, options, Object.keys(table))
  const given = Object.entries<OptionDefinition>(table).flatMap(
    ([name, { check, required, byMode, ...definition }]) => {
      const { [name as keyof T]: value = definition.default } = options
      const skipped = value === undefined ? required !== true : byMode === true && typeof value === 'object'
      if (!skipped) checked(name, check, value)
      return value === undefined ? [] : [[name, value]]
    },
  )
  return Object.fromEntries(given)
}
