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

const number = (rule: string, least: number, most: number, allows: (value: number) => boolean): Check => ({
  rule,
  allows: value => typeof value === 'number' && Number.isFinite(value) && allows(value),
  number: { least, most, whole: rule.startsWith('a whole') },
})

/** A limit that is never reached in practice is not mentioned. */
const whole = (least: number, most = Number.MAX_SAFE_INTEGER): Check => {
  const rule = `a whole number ${most >= 2 ** 31 ? `≥ ${least}` : `from ${least} to ${most}`}`
  return number(rule, least, most, value => Number.isInteger(value) && value >= least && value <= most)
}

/** What only a program can give. */
const thing = (rule: string, allows: (value: never) => boolean): Check => ({
  rule,
  allows: value => value !== null && allows(value as never),
})

const text: Check = { rule: 'text', allows: value => typeof value === 'string' }
const texts: Check = { rule: 'a list of texts', allows: value => Array.isArray(value) && value.every(text.allows) }
const flag: Check = { rule: 'true or false', allows: value => typeof value === 'boolean' }

/** What options may be. The limits of a number are also those of a form. */
export const is = {
  number,
  whole,
  thing,
  text,
  texts,
  flag,
  function: thing('a function', value => typeof value === 'function'),
  finite: number('a finite number', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, () => true),
  positive: number('a number > 0', 0, Number.POSITIVE_INFINITY, value => value > 0),
  nonNegative: number('a number ≥ 0', 0, Number.POSITIVE_INFINITY, value => value >= 0),
  /** A confidence, a level of significance, or a part of something. */
  proportion: number('a number between 0 and 1', 0, 1, value => value > 0 && value < 1),
  oneOf: (choices: readonly string[]): Check => ({
    rule: `one of ${choices.join(', ')}`,
    allows: value => choices.includes(value as string),
    choices,
  }),
  /** A word or a number, or what else is allowed. */
  either: (first: string | number, check: Check): Check => ({
    ...check,
    rule: `${typeof first === 'string' ? `'${first}'` : first} or ${check.rule}`,
    allows: value => value === first || check.allows(value),
    ...(typeof first === 'string' && { choices: [first] }),
  }),
}

/**
 * The value, if a check allows it; else it is refused with the option, the rule and the value.
 * @example
 * checked('rank', is.whole(1), 3) // 3
 */
export const checked = <T>(name: string, check: Check, value: T): T => {
  if (check.allows(value)) return value
  throw new OptionError(name, `must be ${check.rule}`, value)
}

export const wholeNumber = (name: string, value: unknown, least: number, most?: number): number =>
  checked(name, whole(least, most), value) as number

export const nonNegativeNumber = (name: string, value: unknown): number =>
  checked(name, is.nonNegative, value) as number

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

/**
 * The options of a function by its table: each is checked, none is unknown, and defaults are filled in.
 * @example
 * checkedOptions('draw', { seed: { check: is.whole(0), default: 1 } }, {}) // { seed: 1 }
 */
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
