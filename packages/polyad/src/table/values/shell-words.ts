/**
 * A word of a command line as a shell takes it: in quotes if it needs them. Double quotes mean the same in sh, PowerShell and cmd, so single ones are for
 * words in which double ones would be read otherwise.
 * @example
 * shellWord('two words') // '"two words"'
 */
export const shellWord = (text: string): string =>
  /^[\w.,:@%+/=-]+$/.test(text) || /^[\p{L}\p{N}_.,:@%+/=-]+$/u.test(text)
    ? text
    : /["$`\\!]/.test(text)
      ? `'${text.replaceAll("'", `'\\''`)}'`
      : `"${text}"`

/**
 * A flag with its value; a value that looks like a flag is joined to it.
 * @example
 * flagWithValue('--missing', '-99') // '--missing=-99'
 */
export const flagWithValue = (flag: string, value: string | number): string =>
  `${flag}${`${value}`.startsWith('-') ? '=' : ' '}${shellWord(`${value}`)}`
