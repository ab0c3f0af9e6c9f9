import { DataError, OptionError } from '@polyad/core'
import { readHead } from './files.ts'

/** How a file of separated values is written. It is settled here, from the header, so that no row is ever guessed away. */
export interface Dialect {
  readonly delimiter: string
  readonly columns: readonly string[]
  readonly header: boolean
  readonly newline: '\\n' | '\\r\\n' | '\\r'
}

export interface DialectOptions {
  readonly delimiter?: string
  readonly header?: boolean
}

const CANDIDATES = [',', '\t', ';', '|']

export const readDialect = (path: string, tabs: boolean, options: DialectOptions): Dialect => {
  const head = readHead(path)
  if (head[0] === 0xff && head[1] === 0xfe) throw new DataError(`${path} is in UTF-16; save it as UTF-8`)
  const nul = head.indexOf(0)
  if (nul >= 0) throw new DataError(`${path} is not a text file: it has a zero byte at position ${nul}`)
  const text = head.toString('utf8').replace(/^\ufeff/, '')
  const delimiter = checkDelimiter(options.delimiter) ?? (tabs ? '\t' : guessDelimiter(text))
  const first = firstRecord(text, delimiter)
  if (first.every(field => field === ''))
    throw new DataError(`${path}: line 1 is blank where the names of the columns should be`)
  const header = options.header ?? true
  const newline = text.includes('\r\n') ? '\\r\\n' : text.includes('\n') ? '\\n' : text.includes('\r') ? '\\r' : '\\n'
  return { delimiter, columns: distinct(header ? first : first.map((_, i) => `column${i + 1}`)), header, newline }
}

const checkDelimiter = (delimiter: string | undefined): string | undefined => {
  if (delimiter === undefined) return undefined
  const meant = delimiter === '\\t' || delimiter === 'tab' ? '\t' : delimiter
  if (meant.length === 1) return meant
  throw new OptionError(`delimiter must be one character, or tab (got ${JSON.stringify(delimiter)})`)
}

/** The candidate that splits the first line into the most fields. */
const guessDelimiter = (text: string): string => {
  let best = ','
  let most = 1
  for (const candidate of CANDIDATES) {
    const fields = firstRecord(text, candidate).length
    if (fields > most) [best, most] = [candidate, fields]
  }
  return best
}

/** The fields of the first record, with quotes taken off. */
export const firstRecord = (text: string, delimiter: string): string[] => {
  const fields: string[] = []
  let field = ''
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]
    if (quoted) {
      if (letter !== '"') field += letter
      else if (text[i + 1] === '"') field += text[++i]
      else quoted = false
    } else if (letter === '"' && field.trim() === '') {
      field = ''
      quoted = true
    } else if (letter === delimiter) {
      fields.push(field)
      field = ''
    } else if (letter === '\n' || letter === '\r') break
    else field += letter
  }
  return [...fields, field].map(name => name.trim())
}

/** Names without repetition or blanks, since every column must be nameable: a, a_2, column3. */
const distinct = (names: readonly string[]): string[] => {
  const seen = new Set<string>()
  return names.map((name, i) => {
    const base = name === '' ? `column${i + 1}` : name
    let unique = base
    for (let n = 2; seen.has(unique.toLowerCase()); n++) unique = `${base}_${n}`
    seen.add(unique.toLowerCase())
    return unique
  })
}
