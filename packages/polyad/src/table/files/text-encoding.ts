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

/** Refuses a sheet for files that have none. */
export const checkSheet = (path: string, format: Format): void => {
  if (['xlsx', 'ods', 'rds', 'xpt'].includes(format)) return
  throw new OptionError(
    words`${mention('sheet')} is for spreadsheets, R and SAS files, and ${path} is a .${format} file`,
  )
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
