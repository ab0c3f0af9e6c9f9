/** How the numbers of a column are written: with a decimal point (1,200.50) or a decimal comma (1.200,50). */
export type NumberStyle = 'point' | 'comma'

/** Currencies before or after a number. */
const SIGN = '(?:[$€£¥₹]|EUR|USD|GBP|CHF)'
const BLANK = '[ \u00a0\u202f]'
const AROUND = '[ \\t\\n\\f\\r\u00a0\u202f]*'

/** Digits in groups of three. */
const groups = (separator: string): string => `[1-9][0-9]{0,2}(?:${separator}[0-9]{3})+`

const pattern = (decimal: string, thousands: string): string => {
  const digits = `(?:[0-9]+|${groups(thousands)}|${groups("'")}|${groups(BLANK)})`
  const sign = `(?:${SIGN}${BLANK}?)?`
  return `${AROUND}${sign}[-+]?${sign}${digits}(?:${decimal}[0-9]+)?(?:${BLANK}?(?:%|${SIGN}))?${AROUND}`
}

/** Numbers of a style, as patterns for JavaScript and SQL that must match a whole text: with signs of currencies, percent signs and thousands. */
export const STYLED: Readonly<Record<NumberStyle, string>> = {
  point: pattern('[.]', ','),
  comma: pattern(',', '[.]'),
}

/** A number with a comma or a point, which may be read either way if it has both styles: 1,234. */
export const SEPARATED = '[.,]'

/** Four digits or more in a row before anything else: such texts do not separate thousands. */
export const UNSEPARATED = `[^0-9]*[0-9]{4,}(?:[.,][0-9]+)?[^0-9]*`

/** What is not part of a number, whatever its style. */
export const ASIDE = '[^0-9.,-]'

const whole = (text: string): RegExp => new RegExp(`^(?:${text})$`)
const MATCHES = { point: whole(STYLED.point), comma: whole(STYLED.comma) }
const LONG = whole(UNSEPARATED)

export const isStyled = (text: string, style: NumberStyle): boolean => MATCHES[style].test(text)

export const isUnseparated = (text: string): boolean => LONG.test(text)

/**
 * A number as programs write it; what is not of the style stays as it is.
 * @example
 * plainNumber('$1,200.50', 'point') // '1200.50'
 * plainNumber('45%', 'comma') // '45'
 */
export const plainNumber = (text: string, style: NumberStyle): string => {
  if (!isStyled(text, style)) return text
  const bare = text.replace(/[^0-9.,-]/g, '')
  return style === 'point' ? bare.replaceAll(',', '') : bare.replaceAll('.', '').replace(',', '.')
}
