import { crc32, deflateRawSync, constants as zlib } from 'node:zlib'

/** Small files that unpack to far more than fits: what is read must stop at a limit. */

/** Lines, deflated ten megabytes at a time: blocks that end with a flush can be put one behind the other. */
const block = (line: string) => deflateRawSync(line.repeat(1e7 / line.length), { finishFlush: zlib.Z_FULL_FLUSH })

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])

/**
 * A gzip file of about a thousandth of what it unpacks to.
 * @param head the text that it begins with
 * @param line what follows, again and again
 */
export const gzipBomb = (bytes: number, head = '', line = '1,2\n'): Buffer =>
  Buffer.concat([
    HEADER,
    deflateRawSync(head, { finishFlush: zlib.Z_FULL_FLUSH }),
    ...Array<Buffer>(Math.ceil(bytes / 1e7)).fill(block(line)),
  ])

/** A zip archive of deflated zeros, with members of ten megabytes each as its directory says. */
export const zipBomb = (members: readonly string[]): Buffer => {
  const data = deflateRawSync(new Uint8Array(10_000_000))
  const sum = crc32Of(10_000_000)
  let at = 0
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []]
  for (const name of members) {
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(sum, 10)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(10_000_000, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, place, Buffer.from(name)]))
    bodies.push(local)
    at += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, directory, end])
}

const crc32Of = (zeros: number): number => crc32(new Uint8Array(zeros))
