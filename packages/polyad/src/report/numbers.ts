import { decimals } from '@polyad/core/numeric'

/** Numbers as a person reads them. What is not defined is a dash, never NaN. */

export const DASH = '–'

/** From here on a number is shown with an exponent: its digits are neither exact nor readable. */
const HUGE = 1e15

export const whole = (value: number): string => {
  if (!Number.isFinite(value)) return DASH
  return Math.abs(value) >= HUGE ? exponential(value) : minus(decimals(value, 0, 0))
}

/** 1.2e150. */
const exponential = (value: number): string => minus(value.toExponential(1).replace('e+', 'e'))

const minus = (text: string): string => text.replace(/^-/, '−')

/** A count: whole where it is whole, else with a few decimals. */
export const count = (value: number): string => (Math.abs(value) >= HUGE ? exponential(value) : decimals(value, 0, 3))

export const percent = (share: number, digits = 1): string =>
  Number.isFinite(share) ? `${(share * 100).toFixed(digits)} %` : DASH

/** With so many digits after the point. */
export const fixed = (value: number | undefined | null, digits = 2): string =>
  value === undefined || value === null || !Number.isFinite(value)
    ? DASH
    : Math.abs(value) >= HUGE
      ? exponential(value)
      : minus(decimals(value, digits, digits))

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
export const pText = (value: number | undefined | null): string => {
  const text = pValue(value)
  return /^[<>]/.test(text) ? `p ${text}` : `p = ${text}`
}

/** A p-value by simulation and how far it is known: 0.038 (0.023–0.056). */
export const simulatedP = (test: { readonly pValue: number; readonly interval: readonly number[] }): string =>
  `${pValue(test.pValue)} (${test.interval.map(each => each.toFixed(3)).join('–')})`

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
