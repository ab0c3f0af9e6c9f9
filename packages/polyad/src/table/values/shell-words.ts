/**
 * A word of a command line as a shell takes it: in quotes if it needs them.
 * @example
 * shellWord('two words') // "'two words'"
 */
export const shellWord = (text: string): string =>
  /^[\w.,:@%+/=-]+$/.test(text) || /^[\p{L}\p{N}_.,:@%+/=-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/**
 * A flag with its value; a value that looks like a flag is joined to it.
 * @example
 * flagWithValue('--missing', '-99') // '--missing=-99'
 */
export const flagWithValue = (flag: string, value: string | number): string =>
  `${flag}${`${value}`.startsWith('-') ? '=' : ' '}${shellWord(`${value}`)}`
