import { gunzipSync, gzipSync } from 'node:zlib'
import { readZip, writeZip } from '@polyad/core/file'
import { inflate } from '../../packages/polyad/src/source/formats/numpy.ts'
import { below, type Change, mutate, oneOf } from '../mutations.ts'

/** Archives whose content is damaged while they themselves are whole: what is behind a checksum is reached too. */

const NAMES = [
  '../../../tmp/polyad-escaped',
  '/tmp/polyad-escaped',
  '__proto__',
  'constructor.npy',
  '',
  'a'.repeat(3000),
  'C:\\x',
  '\0',
]

/** Bytes of the same length in place of others, wherever they occur. */
const replaced = (bytes: Uint8Array, from: string, to: string): Uint8Array => {
  const text = Buffer.from(bytes).toString('latin1').replaceAll(from, to)
  return Uint8Array.from(Buffer.from(text, 'latin1'))
}

const knownMembers = new WeakMap<Uint8Array, ReadonlyMap<string, Uint8Array>>()

const membersOf = (bytes: Uint8Array): ReadonlyMap<string, Uint8Array> => {
  const members = knownMembers.get(bytes) ?? readZip(bytes, inflate)
  knownMembers.set(bytes, members)
  return members
}

/** A change of one member, or of which members there are. */
export const changedZip =
  (change: Change): Change =>
  (bytes, random) => {
    const members = new Map(membersOf(bytes))
    const names = [...members.keys()]
    const name = oneOf(names, random)
    const content = members.get(name) as Uint8Array
    const kind = below(12, random)
    if (kind === 0) members.delete(name)
    else if (kind === 1) members.set(oneOf(NAMES, random), content)
    else if (kind === 2) members.set(name, members.get(oneOf(names, random)) as Uint8Array)
    else if (kind === 3) {
      // Two members of one name.
      const twin = name.replace(/.$/, '~')
      members.set(twin, content)
      return replaced(writeZip(members), twin, name)
    } else members.set(name, change(content, random, name))
    return writeZip(members)
  }

const unpackedOf = new WeakMap<Uint8Array, Uint8Array>()

/** A change of what is packed by gzip. */
export const changedGzip =
  (change: Change = mutate): Change =>
  (bytes, random, name) => {
    const unpacked = unpackedOf.get(bytes) ?? (bytes[0] === 0x1f ? new Uint8Array(gunzipSync(bytes)) : bytes)
    unpackedOf.set(bytes, unpacked)
    const changed = change(unpacked, random, name)
    return bytes[0] === 0x1f ? new Uint8Array(gzipSync(changed, { level: 1 })) : changed
  }

/** A change of an array of NumPy's: of its header, or of its entries. */
export const changedNpy: Change = (bytes, random) => {
  if (random() < 0.5) return mutate(bytes, random)
  const length = bytes[8] + 256 * bytes[9]
  const header = Buffer.from(bytes.subarray(10, 10 + length)).toString('latin1')
  const sizes = ['0', '1', '2', '3', '6', '-1', '2147483648', '9007199254740993', '99999999999999999999', '1L', '']
  const types = [
    '<f8',
    '<f4',
    '>f8',
    '<i8',
    '<u8',
    '|b1',
    '<U1',
    '<U0',
    '|S0',
    '|S8',
    '|O',
    '<c16',
    '<M8[ns]',
    '<U99999999',
  ]
  const list = Array.from({ length: below(4, random) }, () => oneOf(sizes, random))
  const changed =
    random() < 0.5
      ? header.replace(/\([^)]*\)/, `(${list.join(', ')}${random() < 0.1 ? ', 1'.repeat(70) : ''})`)
      : random() < 0.5
        ? header.replace(/'descr': '[^']*'/, `'descr': '${oneOf(types, random)}'`)
        : header.replace('False', oneOf(['True', 'None', ''], random))
  const head = Buffer.from(changed, 'latin1')
  return Uint8Array.from([
    ...bytes.subarray(0, 8),
    head.length & 255,
    head.length >> 8,
    ...head,
    ...bytes.subarray(10 + length),
  ])
}

/** Text between the tags of XML, or within them, changed. */
export const changedXml: Change = (bytes, random, name) => {
  if (!/\.(xml|rels)$/.test(name)) return mutate(bytes, random)
  const text = new TextDecoder().decode(bytes)
  const numbers = [
    '0',
    '-1',
    '1',
    '1048577',
    '16385',
    '2147483648',
    '9007199254740993',
    '1e999',
    'NaN',
    'XFE1',
    'A0',
    'A1:XFD1048576',
    '__proto__',
    '',
    'x'.repeat(5000),
    '&#0;',
    '&lol;',
    '&#x10ffff;',
  ]
  const pieces = [
    '<!DOCTYPE x [<!ENTITY lol "lol">]>',
    '<c>',
    '</c>',
    '<!--',
    ']]>',
    '<![CDATA[',
    '<row/>',
    '<a '.repeat(200),
    '<a>'.repeat(3000),
    '\0',
  ]
  const found = [...text.matchAll(random() < 0.7 ? /(?<==")[^"]*(?=")/g : /(?<=>)[^<]+(?=<)/g)]
  if (found.length === 0 || random() < 0.2) {
    const at = below(text.length, random)
    return new TextEncoder().encode(text.slice(0, at) + oneOf(pieces, random) + text.slice(at + below(8, random)))
  }
  const match = oneOf(found, random)
  return new TextEncoder().encode(
    text.slice(0, match.index) + oneOf(numbers, random) + text.slice(match.index + match[0].length),
  )
}
