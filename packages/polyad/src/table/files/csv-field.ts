/** What a spreadsheet would compute, although it is a text: a formula begins like this, and has something to compute. */
const FORMULA = /^[=+\-@\t\r\n]./s

/** Digits, with separators and an exponent: nothing else can be computed from them. */
const NUMBER = /^[+-]?(?:\d[\d.,' \u00a0\u202f]*|[.,]\d+)(?:e[+-]?\d+)?\s?%?$/i

/** A field of CSV as it is: in quotes if it must be. For files that programs read back: no label changes. */
export const plainField = (value: string | number | null): string => {
  const text = value === null ? '' : String(value)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A field as DuckDB writes it: in quotes only if it would be read otherwise, as if it were empty. */
export const copiedField = (text: string | null, delimiter: string): string => {
  if (text === null) return ''
  return text === '' || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * A field of CSV for a spreadsheet: a text that begins like a formula gets an apostrophe, so that no program computes it. Numbers
 * stay numbers.
 * @example
 * csvField('=1+1') // "'=1+1"
 * csvField('-3.5') // '-3.5'
 */
export const csvField = (value: string | number | null): string =>
  plainField(typeof value === 'string' && FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value)
