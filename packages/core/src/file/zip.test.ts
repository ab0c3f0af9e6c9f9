import { deflateRawSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DataError } from '../errors.ts'
import { readZip, writeZip } from './zip.ts'

const text = (value: string) => new TextEncoder().encode(value)
const archive = () =>
  writeZip(
    new Map([
      ['a.txt', text('hello')],
      ['b.txt', text('world')],
    ]),
  )

/** The archive with a number written over at a place counted from the mark given. */
const altered = (signature: number, offset: number, value: number, size: 2 | 4, which = 0, bytes = archive()) => {
  const view = new DataView(bytes.buffer)
  let seen = 0
  for (let at = 0; at < bytes.length - 4; at++) {
    if (view.getUint32(at, true) !== signature || seen++ !== which) continue
    if (size === 2) view.setUint16(at + offset, value, true)
    else view.setUint32(at + offset, value, true)
    break
  }
  return bytes
}

const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END = 0x06054b50

describe('zip', () => {
  it('gives back what was put in', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), { maxLength: 5 })
    fc.assert(
      fc.property(names, fc.uint8Array({ maxLength: 50 }), (keys, bytes) => {
        const members = new Map(keys.map((key, i) => [key, bytes.subarray(i)]))
        expect([...readZip(writeZip(members))]).toEqual([...members])
      }),
    )
  })

  it('opens compressed members where it can unpack them', () => {
    const packed = deflateRawSync(text('hello hello hello hello'))
    const bytes = writeZip(new Map([['x', packed]]))
    const view = new DataView(bytes.buffer)
    const plain = writeZip(new Map([['x', text('hello hello hello hello')]]))
    const sum = new DataView(plain.buffer).getUint32(14, true)
    for (let at = 0; at < bytes.length - 4; at++) {
      if (view.getUint32(at, true) !== CENTRAL) continue
      view.setUint16(at + 10, 8, true)
      view.setUint32(at + 16, sum, true)
      view.setUint32(at + 24, 23, true)
    }
    const inflate = (body: Uint8Array, size: number) => inflateRawSync(body, { maxOutputLength: size })
    expect(new TextDecoder().decode(readZip(bytes, inflate).get('x'))).toBe('hello hello hello hello')
    expect(() => readZip(bytes)).toThrow('compressed')
  })

  it.each([
    ['one cut short', archive().subarray(0, 40), 'its end is missing'],
    ['nothing', new Uint8Array(0), 'its end is missing'],
    ['a member beyond the end', altered(CENTRAL, 20, 2 ** 31, 4), 'beyond the end'],
    ['a bomb', altered(CENTRAL, 24, 2 ** 31, 4), 'two different sizes'],
    ['a directory elsewhere', altered(END, 16, 3, 4), 'directory is broken'],
    ['more members than there are', altered(END, 10, 9, 2), 'directory is broken'],
    ['a member in the place of another', altered(CENTRAL, 42, 0, 4, 1), 'overlap'],
    ['a header elsewhere', altered(CENTRAL, 42, 7, 4), 'no header'],
    ['an encrypted member', altered(CENTRAL, 8, 1, 2), 'encrypted'],
    ['an unknown method', altered(CENTRAL, 10, 99, 2), 'method 99'],
    ['a wrong checksum', altered(CENTRAL, 16, 1, 4), 'checksum'],
    [
      'a lie about deflation',
      altered(CENTRAL, 24, 2 ** 31, 4, 0, altered(CENTRAL, 10, 8, 2)),
      'claims 2147483648 bytes out of 5',
    ],
    ['the form for large files', altered(END, 16, 0xffffffff, 4), 'zip64'],
  ])('refuses %s', (_, bytes, reason) => {
    expect(() => readZip(bytes)).toThrow(DataError)
    expect(() => readZip(bytes)).toThrow(reason)
  })

  it('refuses two members at one place', () => {
    const same = writeZip(
      new Map([
        ['a', text('hello')],
        ['b', text('hello')],
      ]),
    )
    const view = new DataView(same.buffer)
    const places = [...same.keys()].filter(at => at < same.length - 4 && view.getUint32(at, true) === CENTRAL)
    view.setUint32(places[1] + 42, view.getUint32(places[0] + 42, true), true)
    expect(() => readZip(same)).toThrow('overlap')
  })

  it('never fails in another way, whatever byte is changed', () => {
    const whole = archive()
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const bytes = archive()
        bytes[at] = byte
        try {
          readZip(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(DataError)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('finds local headers only where they are', () => {
    expect(() => readZip(altered(LOCAL, 0, 0, 4))).toThrow('no header')
  })
})
