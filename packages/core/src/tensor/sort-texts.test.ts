import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packLabels } from './packed-labels.ts'

const packed = (texts: readonly string[]) => {
  const parts = texts.map(text => new TextEncoder().encode(text))
  let length = 0
  return {
    bytes: Uint8Array.from(parts.flatMap(part => [...part])),
    ends: Float64Array.from(parts, part => (length += part.length)),
  }
}

/** In the order that JavaScript has for strings. */
const inOrder = (texts: readonly string[]) => {
  const { labels, places } = packLabels(packed(texts))
  const sorted = labels.all()
  expect(sorted).toEqual([...texts].sort())
  expect(sorted.map((_, i) => labels.label(i))).toEqual(sorted)
  expect(sorted.map(label => labels.indexOf(label))).toEqual([...sorted.keys()])
  for (const text of texts.slice(0, 3)) expect(labels.indexOf(`${text}\0~`)).toBe(undefined)
  expect(Array.from(places, place => sorted[place])).toEqual(texts)
}

describe('packed texts', () => {
  it('are sorted as strings are, by their code units', () => {
    const letter = fc.constantFrom(
      'a',
      'b',
      '\0',
      'é',
      'ÿ',
      '\ud7ff',
      '\ue000',
      '\uffee',
      '\u{10000}',
      '\u{1f989}',
      '\u{10ffff}',
    )
    const text = fc.oneof(
      fc.string({ unit: letter, maxLength: 12 }),
      fc.string({ unit: letter, maxLength: 3 }).map(end => `the same beginning ${end}`),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    fc.assert(fc.property(fc.uniqueArray(text, { maxLength: 200 }), inOrder), { seed: 3, numRuns: 120 })
  })

  it('are sorted if there are many, with long parts in common', () => {
    inOrder(Array.from({ length: 5000 }, (_, i) => `user-${(i * 7919) % 5000}`))
    inOrder(Array.from({ length: 3000 }, (_, i) => `https://example.org/${'path/'.repeat(i % 7)}${(i * 7919) % 3000}`))
    inOrder(Array.from({ length: 60 }, (_, i) => `x${'\0'.repeat((i * 7) % 60)}`))
    inOrder([])
  })
})
