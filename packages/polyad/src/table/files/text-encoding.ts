import { DataError, OptionError } from '@polyad/core'
import { mention, words } from '@polyad/core/options'
import type { Format } from './formats.ts'

/** Whether texts of an encoding can be read here. */
export const isEncoding = (name: string): boolean => decoderNamed(name) !== undefined

/** The decoder of an encoding, by any of its usual names: latin-1, CP1252, Windows 1252, UTF8, ISO 8859-15. None if it is not known. */
export const decoderNamed = (name: string, options?: TextDecoderOptions): TextDecoder | undefined => {
  for (const spelling of [name.trim(), standardName(name)]) {
    try {
      return new TextDecoder(spelling, options)
    } catch {
      // Not a name that the platform knows: try the next.
    }
  }
  return undefined
}

/** Names as programs and people write them, as the platform calls them. */
const standardName = (name: string): string => {
  const plain = name.toLowerCase().replace(/[\s_-]+/g, '')
  const page = /^(?:cp|windows|win)(\d+)$/.exec(plain)?.[1]
  if (page !== undefined) return page === '65001' ? 'utf-8' : `windows-${page}`
  // The ninth Latin alphabet is part 15 of ISO 8859; the first six are known by their number.
  if (plain === 'latin9') return 'iso-8859-15'
  return plain.replace(/^iso8859(?=\d)/, 'iso-8859-').replace(/^utf(?=\d)/, 'utf-')
}

/** Refuses an encoding for files that are always written in the same one. */
export const checkEncoded = (path: string, format: Format): void => {
  if (['csv', 'tsv', 'sav', 'dta', 'rds', 'xpt'].includes(format)) return
  throw new OptionError(
    words`${mention('encoding')} is for CSV, SPSS, Stata, R and SAS files, and ${path} is a .${format} file`,
  )
}

/** Refuses an option that files of this format have no use for, such as a sheet of a CSV. */
export const checkFormatOptions = (path: string, format: Format, options: object): void => {
  for (const [name, { formats, what }] of Object.entries(FORMAT_OPTIONS))
    if ((options as Readonly<Record<string, unknown>>)[name] !== undefined && !formats.includes(format))
      throw new OptionError(words`${mention(name)} is for ${what}, and ${path} is a .${format} file`)
}

/** Options that files of some formats have a use for, and others would ignore. */
const FORMAT_OPTIONS: Readonly<Record<string, { readonly formats: readonly Format[]; readonly what: string }>> = {
  sheet: { formats: ['xlsx', 'ods', 'rds', 'xpt'], what: 'spreadsheets, R and SAS files' },
  delimiter: { formats: ['csv', 'tsv'], what: 'separated text' },
  skipRows: { formats: ['csv', 'tsv', 'xlsx', 'ods'], what: 'separated text and spreadsheets' },
  base: { formats: ['tns'], what: '.tns files' },
  coordinates: { formats: ['npy', 'npz'], what: 'NumPy arrays' },
}

/** Decodes the text of a file piece by piece: `take` gives the text of a piece, and of nothing the rest. Bytes that are no text are refused. */
export const textReader = (path: string, encoding: string): ((piece?: Uint8Array) => string) => {
  const decoder = decoderNamed(encoding, { fatal: true })
  if (decoder === undefined) throw new OptionError(`the encoding ${encoding} is not known`)
  return piece => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch (error) {
      throw new DataError(`${path} is not ${encoding} text`, {}, { cause: error })
    }
  }
}

/** Text of another encoding as UTF-8. */
export const asUtf8 = (path: string, bytes: Uint8Array, encoding: string): Uint8Array => {
  const take = textReader(path, encoding)
  return new TextEncoder().encode(take(bytes) + take())
}
