import { DataError, OptionError } from '@polyad/core'
import { mention, words } from '@polyad/core/options'
import type { Format } from './formats.ts'

/** Whether texts of an encoding can be read here. */
export const isEncoding = (name: string): boolean => {
  try {
    return new TextDecoder(name) !== undefined
  } catch {
    return false
  }
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
  const decoder = new TextDecoder(encoding, { fatal: true })
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
