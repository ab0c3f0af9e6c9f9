import { decimals } from '@polyad/core/numeric'

/** Numbers as a person reads them. What is not defined is a dash, never NaN. */

export const DASH = '–'

/** From here on a number is shown with an exponent: its digits are neither exact nor readable. */
const HUGE = 1e15

export const whole = (value: number): string => {
  if (!Number.isFinite(value)) return DASH
  return Math.abs(value) >= HUGE ? exponential(value) : minus(decimals(value, 0, 0))
}

/** 1.2 × 10¹⁵⁰. */
const exponential = (value: number): string =>
  minus(value.toExponential(1).replace(/e\+(\d+)$/, (_, power: string) => ` × 10${raised(power)}`))

const raised = (digits: string): string => digits.replace(/\d/g, digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)])

const minus = (text: string): string => text.replace(/^-/, '−')

/** A count: whole where it is whole, else with a few decimals. */
export const count = (value: number): string => (Math.abs(value) >= HUGE ? exponential(value) : decimals(value, 0, 3))

export const percent = (share: number, digits = 1): string =>
  Number.isFinite(share) ? `${(share * 100).toFixed(digits)}%` : DASH

/** The level of intervals: 95%, 97.5%. */
export const levelText = (confidence: number): string => percent(confidence).replace('.0%', '%')

/** With so many digits after the point. */
export const fixed = (value: number | undefined | null, digits = 2): string =>
  value === undefined || value === null || !Number.isFinite(value)
    ? DASH
    : Math.abs(value) >= HUGE
      ? exponential(value)
      : minus(decimals(value, digits, digits))

/** How a number is shown. */
export type NumberFormat = number | 'whole' | 'percent' | 'proportion' | 'p'

export const formatted = (value: number | undefined | null, format: NumberFormat): string => {
  if (typeof format === 'number') return fixed(value, format)
  const known = value ?? Number.NaN
  return { whole, percent, proportion: (share: number) => fixed(share, PROPORTION_DIGITS), p: pValue }[format](known)
}

/** The digits after the point of numbers between 0 and 1. */
export const PROPORTION_DIGITS = 3

/** The digits after the point of p-values. */
export const P_DIGITS = 3

/** Four decimals, or the leading digits of what is smaller. */
export const digits = (value: number | null): string =>
  value !== null && value !== 0 && Math.abs(value) < 0.001 ? value.toExponential(2).replace('-', '−') : fixed(value, 4)

/** A p-value: one next to 0 or 1 is a bound, as in print. */
export const pValue = (value: number | undefined | null): string => {
  if (value === undefined || value === null || !Number.isFinite(value)) return DASH
  const least = 10 ** -P_DIGITS
  if (value < least) return `< ${least.toFixed(P_DIGITS)}`
  return value > 1 - least ? `> ${(1 - least).toFixed(P_DIGITS)}` : value.toFixed(P_DIGITS)
}

/** p = 0.905, or p < 0.001. */
export const pText = (value: number | undefined | null): string => equation(pValue(value))

const equation = (text: string): string => (/^[<>≤]/.test(text) ? `p ${text}` : `p = ${text}`)

/** A p-value by simulation. */
export interface Simulated {
  /** (b + 1)/(B + 1), if b of B replicates were as large. */
  readonly pValue: number
  /** Where the p-value of infinitely many replicates lies. */
  readonly interval: readonly number[]
  readonly replicates?: number | undefined
}

/** Whether no replicate was as large: the p-value is then no estimate, but as low as so many replicates can show. */
export const isBound = ({ pValue, replicates = 0 }: Simulated): boolean =>
  replicates > 0 && Math.round(pValue * (replicates + 1)) === 1

/** A p-value by simulation: 0.038, or the bound ≤ 0.009, rounded up. */
export const simulatedValue = (test: Simulated): string => {
  const digit = 10 ** P_DIGITS
  return isBound(test) && test.pValue >= 1 / digit
    ? `≤ ${(Math.ceil(test.pValue * digit - ROUNDING) / digit).toFixed(P_DIGITS)}`
    : pValue(test.pValue)
}

/** What a p-value of exactly three digits may exceed them by. */
const ROUNDING = 1e-9

/** How many replicates a p-value is of: 0 of 112 replicates, if it is a bound. */
const ofReplicates = (test: Simulated): string =>
  `${isBound(test) ? '0 of ' : ''}${counted(test.replicates ?? 0, 'replicate')}`

/**
 * p = 0.038 (500 replicates), or p ≤ 0.009 (0 of 112 replicates; --all for more).
 * @param by what says how it was found
 * @param more how to draw more replicates, for a bound
 */
export const simulatedText = (test: Simulated, by = '', more?: string): string =>
  `${equation(simulatedValue(test))}${by} (${ofReplicates(test)}${more !== undefined && isBound(test) ? `; ${more}` : ''})`

/** A p-value by simulation and how far it is known: 0.038 (0.023–0.056), or ≤ 0.009 (0 of 112 replicates). */
export const simulatedP = (test: Simulated): string =>
  `${simulatedValue(test)} (${isBound(test) ? ofReplicates(test) : test.interval.map(each => each.toFixed(3)).join('–')})`

/** How many times as frequent; a label that occurs nowhere else is not infinitely so to a reader. */
export const lift = (value: number): string =>
  !Number.isFinite(value)
    ? DASH
    : value >= 100
      ? `${whole(value)}×`
      : value >= 10
        ? `${value.toFixed(0)}×`
        : `${value.toFixed(1)}×`

/** A count and its noun: 1 row, 2 rows, 3 classes. */
export const counted = (value: number, noun: string, plural = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : plural}`

export const duration = (seconds: number): string => {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const all = Math.round(seconds)
  if (all < 60) return `${all} s`
  const minutes = Math.floor(all / 60)
  return minutes < 60 ? `${minutes} min ${all % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar of up to `width` columns, to an eighth of a column. */
export const bar = (share: number, width: number): string => {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8)
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]
}

/** A mean or another parameter: four digits, and no more than four after the point. */
export const numberText = (value: number): string =>
  fixed(value, Math.min(4, Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value) || 1)))))
