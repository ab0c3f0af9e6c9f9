import { listed, quoteListed } from './note.ts'

/**
 * Whether a text names columns before its codes: it has a colon outside of double quotes.
 * @example
 * namesColumns('trust0:8,9') // true
 * namesColumns('"12:30",99') // false
 */
export const namesColumns = (text: string): boolean => /.:/s.test(text.replace(/"(?:[^"]|"")*"/g, '""'))

/**
 * The categories of a column in their order, as `order` takes them.
 * @example
 * orderText('q1', ['low', 'high']) // 'q1=low,high'
 */
export const orderText = (name: string, categories: readonly string[]): string =>
  `${quoteListed(name, /["=,*]|^\s|\s$/)}=${categories.map(listed).join(',')}`

/**
 * Codes of one column, as `missingIn` takes them.
 * @example
 * columnCode('a:b', ['8', '9']) // '"a:b":8,9'
 */
export const columnCode = (name: string, codes: readonly string[]): string =>
  `${quoteListed(name, /[":,*]|^\s|\s$/)}:${codes.map(listed).join(',')}`
