import { decoderNamed } from '../files/text-encoding.ts'
import { choice, type Note, warning } from '../values/note.ts'

/** Code pages of Windows by their number, as `TextDecoder` calls them; the small numbers are SPSS's own. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  2: 'windows-1252',
  3: 'windows-1252',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  20866: 'koi8-r',
  21866: 'koi8-u',
  51932: 'euc-jp',
  54936: 'gb18030',
  65001: 'utf-8',
}

const codePageName = (page: number): string => {
  if (page >= 1250 && page <= 1258) return `windows-${page}`
  if (page >= 28591 && page <= 28605) return `iso-8859-${page - 28590}`
  return CODE_PAGES[page] ?? `code page ${page}`
}

/** The encoding of old files that do not declare one. */
export const WESTERN = 'windows-1252'

export interface Decoder {
  readonly decode: (bytes: Uint8Array) => string
  readonly notes: readonly Note[]
}

/** How texts of a file are read: by the name of an encoding, or the number of a code page. */
export const decoderOf = (name: string, declared: string | number | undefined): Decoder => {
  const asked = typeof declared === 'number' ? codePageName(declared) : (declared ?? WESTERN)
  const decoder = decoderNamed(asked)
  if (decoder !== undefined) {
    // A label may have been cut in the middle of a letter.
    return { decode: bytes => decoder.decode(bytes).replace(/\ufffd+$/, ''), notes: [] }
  }
  const western = new TextDecoder(WESTERN)
  return {
    decode: bytes => western.decode(bytes),
    notes: [
      warning(
        'file-doubtful',
        `${name} declares the encoding ${asked}, which is not known here: it is read as ${WESTERN}. Check letters with accents.`,
      ),
    ],
  }
}

/** The decoder of a file that does not say how it is written: UTF-8 if its texts are, else Western European. */
export const guessedDecoder = (name: string, samples: readonly Uint8Array[]): Decoder => {
  const letters = samples.filter(bytes => bytes.some(byte => byte > 127))
  if (letters.length === 0) return decoderOf(name, WESTERN)
  try {
    const strict = new TextDecoder('utf-8', { fatal: true })
    for (const bytes of letters) strict.decode(bytes)
    return decoderOf(name, 'utf-8')
  } catch {
    const { decode } = decoderOf(name, WESTERN)
    return { decode, notes: [choice(`${name} does not declare its encoding: it is read as ${WESTERN}`)] }
  }
}
