import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DataError } from '../errors.ts'
import { readNpy, writeNpy } from './npy.ts'

/** A .npy file with a header of one's own. */
const file = (header: string, body: Uint8Array): Uint8Array => {
  const text = new TextEncoder().encode(`${header}\n`)
  return Uint8Array.from([
    0x93,
    0x4e,
    0x55,
    0x4d,
    0x50,
    0x59,
    1,
    0,
    text.length & 255,
    text.length >>> 8,
    ...text,
    ...body,
  ])
}

const header = (descr: string, shape: string, fortran = 'False') =>
  `{'descr': '${descr}', 'fortran_order': ${fortran}, 'shape': ${shape}, }`

describe('npy', () => {
  it('gives back every bit of every number', () => {
    fc.assert(
      fc.property(fc.array(fc.double(), { minLength: 1, maxLength: 30 }), numbers => {
        const read = readNpy(writeNpy({ shape: [numbers.length], data: Float64Array.from(numbers) }))
        expect(read.shape).toEqual([numbers.length])
        expect([...(read.data as Float64Array)].every((value, i) => Object.is(value, numbers[i]))).toBe(true)
      }),
    )
  })

  it('gives back strings, of any script', () => {
    const data = ['a', 'Ünïcödé', '日本', '🜁🜂', '']
    expect(readNpy(writeNpy({ shape: [5], data })).data).toEqual(data)
  })

  it('aligns its header as NumPy does', () => {
    const bytes = writeNpy({ shape: [2, 3], data: new Float64Array(6) })
    expect((bytes.length - 48) % 64).toBe(0)
    expect(new TextDecoder().decode(bytes.subarray(10, 10 + 40))).toContain("'descr': '<f8'")
  })

  it('reads other types, orders and byte orders', () => {
    expect(readNpy(file(header('>i2', '(2,)'), Uint8Array.of(1, 0, 255, 255))).data).toEqual(Float64Array.of(256, -1))
    expect(readNpy(file(header('|b1', '(2,)'), Uint8Array.of(1, 0))).data).toEqual(Float64Array.of(1, 0))
    expect(readNpy(file(header('|S3', '(2,)'), new TextEncoder().encode('ab\0xyz'))).data).toEqual(['ab', 'xyz'])
    const fortran = readNpy(file(header('|u1', '(2, 3)', 'True'), Uint8Array.of(1, 2, 3, 4, 5, 6)))
    expect(fortran.data).toEqual(Float64Array.of(1, 3, 5, 2, 4, 6))
  })

  it.each([
    ['something else', new TextEncoder().encode('not an array at all'), 'does not begin like one'],
    [
      'a huge shape',
      file(header('<f8', '(1000000000, 1000000000)'), new Uint8Array(8)),
      'needs 8000000000000000000 bytes',
    ],
    ['a body cut short', file(header('<f8', '(2,)'), new Uint8Array(15)), 'needs 16 bytes and it has 15'],
    ['a pickle', file(header('|O', '(1,)'), new Uint8Array(8)), 'pickle'],
    [
      'records',
      file("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", new Uint8Array(8)),
      'records',
    ],
    ['an unknown type', file(header('<c16', '(1,)'), new Uint8Array(16)), '"<c16"'],
    [
      'a header that lies',
      Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 255, 255, 0, 0),
      'ends within its header',
    ],
  ])('refuses %s', (_, bytes, reason) => {
    expect(() => readNpy(bytes, 'x.npy')).toThrow(DataError)
    expect(() => readNpy(bytes, 'x.npy')).toThrow(reason)
  })

  it('refuses more entries than the file has bytes', () => {
    const bytes = file(header('<U0', '(100000000,)'), new Uint8Array(0))
    expect(() => readNpy(bytes)).toThrow('more entries than the file has bytes')
  })
})
