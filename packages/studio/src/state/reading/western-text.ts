import type { DataFile } from '../../worker/protocol.ts'

/** What spreadsheets of Western Europe write where they do not write UTF-8. */
export const WESTERN = 'windows-1252'

/** Bytes that are looked at to tell text from other data. */
const HEAD = 4000

/** Whether a file is text in another encoding than UTF-8, and none was chosen. */
export const isOtherText = (file: DataFile): boolean => {
  if (file.from !== 'bytes' || file.encoding !== undefined || /\.gz$/i.test(file.name)) return false
  // Control characters are in no text, except tabs and the ends of lines.
  if (file.bytes.subarray(0, HEAD).some(byte => byte < 9)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(file.bytes)
    return false
  } catch {
    return true
  }
}
