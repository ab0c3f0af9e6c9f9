import { formatOfName } from 'polyad/table'
import { showError } from '../page/messages.ts'

/** Files that the page takes and gives, and names for them that any system takes. */

const LONGEST = 80
/** What Windows keeps for devices. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** A name without anything that means something to a system: folders, wildcards, control characters, dots at its ends. */
export const safeName = (name: string): string => {
  const plain = name
    .normalize('NFC')
    .replace(/^.*[/\\]/, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in it.
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"|?*]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.-]+/, '')
  const short = [...plain]
    .slice(0, LONGEST)
    .join('')
    .replace(/[\s.]+$/, '')
  return RESERVED.test(short) ? `_${short}` : short
}

/** A name without its extension: survey.csv.gz → survey. */
export const stemOf = (name: string): string => {
  const safe = safeName(name)
  const plain = safe.replace(/\.gz$/i, '')
  const isKnown = formatOfName(plain) !== undefined || /\.polyad-project$/i.test(plain)
  return (isKnown ? plain.replace(/\.[^.]*$/, '') : plain) || safe
}

/** Hands a file over to the person. */
export const download = (
  name: string,
  content: Uint8Array | string | Blob,
  type = 'application/octet-stream',
): void => {
  const blob = content instanceof Blob ? content : new Blob([content as BlobPart], { type })
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser has to have begun reading it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** A file that a person chose or dropped, as bytes. */
export const bytesOf = async (file: File): Promise<Uint8Array | undefined> => {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch (error) {
    showError(`${file.name} could not be read: ${(error as Error).message}`)
    return undefined
  }
}
