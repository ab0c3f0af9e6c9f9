/**
 * Numbers as DuckDB casts text to DOUBLE, the measure of what a number is on both ways of reading: digits with at most one point
 * (`5.` and `.5` too), an exponent, a sign; one underscore between two digits; inf, infinity and nan in any case;
 * blanks and line breaks around all of it. No commas, no hexadecimal, no signs apart from their number.
 */
const DIGITS = '\\d+(?:_\\d+)*'
const NUMBER = new RegExp(
  `^[ \\t-\\r]*\\+?(-?(?:${DIGITS}\\.?|${DIGITS}\\.${DIGITS}|\\.${DIGITS})(?:[eE][-+]?${DIGITS})?)[ \\t-\\r]*$`,
)
const SPECIAL = /^[ \t-\r]*([-+]?)(?:(inf(?:inity)?)|nan)[ \t-\r]*$/i

/** Text as a number, which may be infinite or NaN; undefined where it is none. */
export const numberOf = (text: string): number | undefined => {
  const digits = NUMBER.exec(text)?.[1]
  if (digits !== undefined) return Number(digits.replaceAll('_', ''))
  const special = SPECIAL.exec(text)
  if (special === null) return undefined
  if (special[2] === undefined) return Number.NaN
  return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/** A number to nine decimals, halves away from zero, as SQL rounds. */
export const roundToNine = (x: number): number => {
  const scaled = Math.abs(x) * 1e9
  const whole = Math.trunc(scaled)
  const rounded = (Math.sign(x) * (scaled - whole >= 0.5 ? whole + 1 : whole)) / 1e9
  return Number.isFinite(rounded) ? rounded : x
}

/**
 * A double as DuckDB writes it: the shortest digits that give it back, with an exponent from 1e16 and below 1e-4.
 * @example
 * doubleText(1) // '1.0'
 */
export const doubleText = (x: number): string => realText(x, Math.abs(x).toExponential())

/**
 * The same of a number of single precision.
 * @example
 * floatText(Math.fround(0.1)) // '0.1'
 */
export const floatText = (x: number): string => {
  let digits = 0
  while (digits < 8 && Math.fround(Number(x.toExponential(digits))) !== x) digits++
  return realText(x, Math.abs(x).toExponential(digits))
}

const realText = (x: number, shortest: string): string => {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf'
  const minus = x < 0 || Object.is(x, -0) ? '-' : ''
  const [digits, power] = shortest.split('e')
  const exponent = Number(power)
  if (x !== 0 && (exponent < -4 || exponent >= 16)) {
    const sign = exponent < 0 ? '-' : '+'
    return `${minus}${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  const plain = plainText(digits.replace('.', ''), exponent)
  return `${minus}${plain.includes('.') ? plain : `${plain}.0`}`
}

/** Digits with the point after the first of them, moved by a power of ten. */
const plainText = (digits: string, exponent: number): string => {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`
  const padded = digits.padEnd(exponent + 1, '0')
  const fraction = padded.slice(exponent + 1)
  return fraction === '' ? padded : `${padded.slice(0, exponent + 1)}.${fraction}`
}
