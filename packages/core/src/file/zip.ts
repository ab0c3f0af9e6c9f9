import { DataError, show } from '../errors.ts'

/** The files in a zip archive by name, in order. */
export type ZipMembers = ReadonlyMap<string, Uint8Array>

/** Unpacks deflated bytes that must come to `size` bytes; without it, only archives without compression can be opened. */
export type Inflate = (bytes: Uint8Array, size: number) => Uint8Array

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** 1980-01-01: the same members give the same bytes whenever they are written. */
const DATE = 0x21

/**
 * A zip archive without compression. The same members give the same bytes.
 * @example
 * const bytes = writeZip(new Map([['note.txt', new TextEncoder().encode('hello')]]))
 */
export const writeZip = (members: ZipMembers): Uint8Array => {
  const entries = [...members].map(([name, bytes]) => ({
    name: new TextEncoder().encode(name),
    bytes,
    sum: crc32(bytes),
  }))
  const names = entries.reduce((sum, { name }) => sum + name.length, 0)
  const bodies = entries.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const size = bodies + 2 * names + entries.length * (30 + 46) + 22
  if (size >= 2 ** 32) throw new DataError(`the archive would have ${size} bytes: over the 4 GB of a zip file`)
  const out = new Uint8Array(size)
  const view = new DataView(out.buffer)
  let offset = 0
  const put = (fields: readonly (readonly [bytes: 2 | 4, value: number])[]) => {
    for (const [bytes, value] of fields) {
      if (bytes === 2) view.setUint16(offset, value, true)
      else view.setUint32(offset, value, true)
      offset += bytes
    }
  }
  const append = (bytes: Uint8Array) => {
    out.set(bytes, offset)
    offset += bytes.length
  }
  /** The fields that a member's two headers share. */
  const common = ({ name, bytes, sum }: (typeof entries)[number]) =>
    [
      [2, 20],
      [2, 0x800],
      [2, 0],
      [2, 0],
      [2, DATE],
      [4, sum],
      [4, bytes.length],
      [4, bytes.length],
      [2, name.length],
      [2, 0],
    ] as const
  const starts = entries.map(entry => {
    const start = offset
    put([[4, LOCAL], ...common(entry)])
    append(entry.name)
    append(entry.bytes)
    return start
  })
  const directory = offset
  entries.forEach((entry, i) => {
    put([[4, CENTRAL], [2, 20], ...common(entry), [2, 0], [2, 0], [2, 0], [4, 0], [4, starts[i]]])
    append(entry.name)
  })
  const count = entries.length
  put([
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, offset - directory],
    [4, directory],
    [2, 0],
  ])
  return out
}

/** Bytes that the compressed members of an archive may come to in all. */
const MOST_UNPACKED = 2_000_000_000

/**
 * Reads a zip archive from untrusted hands: every size is checked against the file before it is used, members may not
 * overlap or repeat, and what is unpacked must have the size and the checksum that were announced. Pass `inflate` to open
 * archives with compression; what they come to in all is limited (2 GB unless said otherwise), since a few megabytes can be made to
 * unpack to many gigabytes.
 * @example
 * const members = readZip(writeZip(new Map([['note.txt', new TextEncoder().encode('hello')]])))
 * new TextDecoder().decode(members.get('note.txt')) // 'hello'
 */
export const readZip = (bytes: Uint8Array, inflate?: Inflate, most = MOST_UNPACKED): Map<string, Uint8Array> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  let offset = view.getUint32(end + 16, true)
  if (offset === 0xffffffff || count === 0xffff) refuse('it is in the zip64 form for more than 4 GB')
  const found = new Map<string, Member>()
  for (let i = 0; i < count; i++) {
    if (offset + 46 > end || view.getUint32(offset, true) !== CENTRAL) refuse('its directory is broken')
    const nameLength = view.getUint16(offset + 28, true)
    const next = offset + 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true)
    if (next > end) refuse('its directory is broken')
    const name = new TextDecoder().decode(bytes.subarray(offset + 46, offset + 46 + nameLength))
    if (found.has(name)) refuse(`it has two members named ${show(name)}`)
    found.set(name, findMember(view, offset, name))
    offset = next
  }
  // Before anything is unpacked: members that share their bytes would come to far more than the file can hold.
  const spans = [...found.values()].sort((a, b) => a.from - b.from)
  if (spans.some(({ from }, i) => i > 0 && from < spans[i - 1].to)) refuse('its members overlap')
  const unpacked = spans.reduce((sum, { packed, size }) => sum + (packed ? size : 0), 0)
  if (unpacked > most)
    refuse(`it unpacks to more than ${most.toLocaleString('en-US')} bytes. Save it without compression`)
  return new Map([...found].map(([name, member]) => [name, unpack(bytes, member, name, inflate)]))
}

/** A member as the directory announces it, from the start of its header to the end of its content. */
interface Member {
  readonly from: number
  readonly start: number
  readonly to: number
  readonly packed: boolean
  readonly size: number
  readonly sum: number
}

const refuse = (reason: string): never => {
  throw new DataError(`this is not a usable zip archive: ${reason}`)
}

const findEnd = (view: DataView): number => {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at--) {
    if (view.getUint32(at, true) === END) return at
  }
  return refuse('its end is missing (it was cut short, or is of another kind)')
}

const findMember = (view: DataView, entry: number, name: string): Member => {
  const method = view.getUint16(entry + 10, true)
  const sum = view.getUint32(entry + 16, true)
  const packed = view.getUint32(entry + 20, true)
  const size = view.getUint32(entry + 24, true)
  const from = view.getUint32(entry + 42, true)
  if ((view.getUint16(entry + 8, true) & 1) !== 0) refuse(`${show(name)} is encrypted`)
  if (from + 30 > view.byteLength || view.getUint32(from, true) !== LOCAL) refuse(`${show(name)} has no header`)
  const start = from + 30 + view.getUint16(from + 26, true) + view.getUint16(from + 28, true)
  const to = start + packed
  if (to > view.byteLength) refuse(`${show(name)} reaches beyond the end of the file`)
  if (method !== 0 && method !== 8) refuse(`${show(name)} is packed by method ${method}, which is not known`)
  if (method === 0 && packed !== size) refuse(`${show(name)} has two different sizes`)
  // Deflate cannot do better than about 1 : 1032, so a larger claim is a lie and nothing is allocated for it.
  if (method === 8 && size > packed * 1100 + 100) refuse(`${show(name)} claims ${size} bytes out of ${packed}`)
  return { from, start, to, packed: method === 8, size, sum }
}

const unpack = (
  bytes: Uint8Array,
  { start, to, packed, size, sum }: Member,
  name: string,
  inflate: Inflate | undefined,
): Uint8Array => {
  const body = bytes.subarray(start, to)
  const data = packed ? inflated(body, size, name, inflate) : body
  if (data.length !== size || crc32(data) !== sum) refuse(`${show(name)} is damaged: its checksum differs`)
  return data
}

const inflated = (body: Uint8Array, size: number, name: string, inflate: Inflate | undefined): Uint8Array => {
  if (inflate === undefined) return refuse(`${show(name)} is compressed`)
  try {
    return inflate(body, size)
  } catch (error) {
    return refuse(`${show(name)} cannot be unpacked (${(error as Error).message})`)
  }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

const crc32 = (bytes: Uint8Array): number => {
  let sum = 0xffffffff
  for (let i = 0; i < bytes.length; i++) sum = (sum >>> 8) ^ TABLE[(sum ^ bytes[i]) & 0xff]
  return ~sum >>> 0
}
