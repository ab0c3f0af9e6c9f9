import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { sha256 } from './sha256.ts'

it('is the digest that Node computes', () => {
  const texts = ['', 'abc', 'ä€𝄞', ...Array.from({ length: 130 }, (_, i) => 'x'.repeat(i)), 'long '.repeat(5000)]
  for (const text of texts)
    expect(Buffer.from(sha256(text)).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'))
})
