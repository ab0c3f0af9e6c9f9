import { DataError, OptionError } from '@polyad/core'

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
