import { expect, it } from 'vitest'
import { Digest, digestOf } from './digest.ts'

const bytes = (count: number, from = 0) => Uint8Array.from({ length: count }, (_, i) => (from + i) & 255)

it('whole blocks have the digest that MurmurHash3 gives them', () => {
  // Python's mmh3 5: hash_bytes(…, 0, x64arch=False), its four words in turn.
  expect(digestOf(new Uint8Array(0))).toBe('00000000000000000000000000000000')
  expect(digestOf(bytes(16))).toBe('6c25c825559180eeea53807489a55bef')
  expect(digestOf(bytes(256))).toBe('2c56c88fdb4503dfd352b21a494ca2c0')
  expect(digestOf(new Uint8Array(48).fill(255))).toBe('da0b99f108dcd28cb7219ce211ef2616')
})

it('every byte and the length count, wherever the bytes lie', () => {
  const seen = new Set<string>()
  for (let length = 0; length <= 40; length++) {
    const given = bytes(length, 7)
    seen.add(digestOf(given))
    for (let i = 0; i < length; i++) {
      const other = given.slice()
      other[i] ^= 1
      seen.add(digestOf(other))
    }
    // The same bytes, at places that are no multiple of four.
    for (const shift of [1, 2, 3, 4]) {
      const within = new Uint8Array(length + 8)
      within.set(given, shift)
      expect(digestOf(within.subarray(shift, shift + length))).toBe(digestOf(given))
    }
  }
  expect(seen.size).toBe(41 + (40 * 41) / 2)
  // What lacks a byte is filled up with zeros, but has another length.
  expect(digestOf(Uint8Array.of(1, 2))).not.toBe(digestOf(Uint8Array.of(1, 2, 0)))
})

it('pieces count as they are', () => {
  const [a, b] = [bytes(20), bytes(5, 99)]
  expect(new Digest().add(a).add(b).end()).toBe(digestOf(a, b))
  expect(digestOf(a, b)).not.toBe(digestOf(b, a))
  expect(digestOf(bytes(32))).not.toBe(digestOf(bytes(16), bytes(16, 16)))
  expect(digestOf(a, b)).toMatch(/^[0-9a-f]{32}$/)
})
