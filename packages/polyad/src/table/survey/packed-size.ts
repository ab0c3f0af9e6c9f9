import { DataError } from '@polyad/core'
import { checkUnpackedSize, UNPACK_LIMITS, type UnpackLimit } from '../files/unpack-limits.ts'

/** Deflate cannot do better than about 1 : 1032. */
const BEST_RATIO = 1100

const END = 0x06054b50
const ENTRY = 0x02014b50

/**
 * Refuses a packed file (zip) whose parts come to more than a limit, before anything is unpacked. What the directory of the file says of
 * a part is the most that is unpacked of it later.
 */
export const checkUnpacked = (
  name: string,
  bytes: Uint8Array,
  limit: UnpackLimit = UNPACK_LIMITS.spreadsheet,
): void => {
  const broken = (reason: string) => new DataError(`${name} is not a readable spreadsheet: ${reason}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 22 || view.getUint32(0, false) !== 0x504b0304)
    throw broken('it is not the kind of file that its name says')
  let end = bytes.length - 22
  while (end >= 0 && end > bytes.length - 22 - 0x10000 && view.getUint32(end, true) !== END) end--
  if (end < 0 || view.getUint32(end, true) !== END) throw broken('it is cut off or damaged')
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  let sum = 0
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== ENTRY) throw broken('its directory is damaged')
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    const isPacked = view.getUint16(at + 10, true) !== 0
    sum += isPacked ? size : Math.max(size, packed)
    checkUnpackedSize(name, bytes.length, sum, limit)
    // A part whose size is not said, or cannot be, would be unpacked without an end.
    if (isPacked && ((size === 0 && packed !== 2) || size > packed * BEST_RATIO + BEST_RATIO))
      throw broken('its directory is damaged')
    at += 46 + [28, 30, 32].reduce((length, offset) => length + view.getUint16(at + offset, true), 0)
  }
}
