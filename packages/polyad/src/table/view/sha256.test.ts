import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { Sha256, sha256 } from './sha256.ts'

it('is the digest that Node computes', () => {
  const texts = ['', 'abc', 'ä€𝄞', ...Array.from({ length: 130 }, (_, i) => 'x'.repeat(i)), 'long '.repeat(5000)]
  for (const text of texts)
    expect(Buffer.from(sha256(text)).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'))
})

it('is the same of parts of any length', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 31) % 256)
  const whole = createHash('sha256').update(bytes).digest('hex')
  for (const part of [1, 7, 63, 64, 65, 999]) {
    const hash = new Sha256()
    for (let at = 0; at < bytes.length; at += part) hash.update(bytes.subarray(at, at + part))
    expect(hash.hex()).toBe(whole)
  }
})
