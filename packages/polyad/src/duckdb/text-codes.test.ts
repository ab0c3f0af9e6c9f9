import type { PackedTexts } from '@polyad/core/model'
import { describe, expect, it } from 'vitest'
import { PIECE_BYTES, TextCodes, TooManyTexts } from './text-codes.ts'

/** Texts as DuckDB has them in a vector: the length, and twelve bytes. */
const vector = (texts: readonly Buffer[]): Uint32Array => {
  const bytes = Buffer.alloc(16 * texts.length)
  texts.forEach((text, row) => {
    bytes.writeUInt32LE(text.length, 16 * row)
    text.copy(bytes, 16 * row + 4, 0, Math.min(text.length, PIECE_BYTES))
  })
  return new Uint32Array(bytes.buffer, bytes.byteOffset, 4 * texts.length)
}

const inPieces = (texts: readonly Buffer[], pieces: number): Uint32Array[] =>
  Array.from({ length: pieces }, (_, p) =>
    vector(texts.map(text => text.subarray(p * PIECE_BYTES, p === pieces - 1 ? text.length : (p + 1) * PIECE_BYTES))),
  )

const unpacked = ({ bytes, ends }: PackedTexts): string[] => {
  const buffer = Buffer.from(bytes)
  return Array.from(ends, (end, i) => buffer.toString('utf8', i === 0 ? 0 : ends[i - 1], end))
}

const coded = (texts: readonly string[], pieces: number, times = 1) => {
  const codes = new TextCodes(pieces, 1e6)
  const bytes = texts.map(text => Buffer.from(text))
  const into = new Int32Array(texts.length * times)
  for (let time = 0; time < times; time++)
    codes.code(inPieces(bytes, pieces), null, texts.length, into, time * texts.length, row => bytes[row])
  return { codes, into }
}

const TEXTS = [
  ...[
    '',
    ' ',
    'a',
    'A',
    'a ',
    'a\0',
    'a\0\0',
    '\0',
    '\u00e4',
    'a\u0308',
    'twelve bytes',
    'thirteen byte',
    'thirteen bytE',
  ],
  ...[
    'user-000001',
    '🦉🦉🦉',
    '🦉🦉🦉🦉',
    'x'.repeat(24),
    'x'.repeat(25),
    'x'.repeat(36),
    'x'.repeat(400),
    'x'.repeat(399),
  ],
]

describe('codes of texts', () => {
  it.each([1, 2, 3, 16])('are the same for the same bytes, with %i pieces', pieces => {
    const { codes, into } = coded([...TEXTS, ...TEXTS.toReversed()], pieces, 2)
    const first = TEXTS.map((_, i) => i + 1)
    expect([...into]).toEqual([...first, ...first.toReversed(), ...first, ...first.toReversed()])
    expect(codes.size).toBe(TEXTS.length)
    expect(unpacked(codes.pack())).toEqual(TEXTS)
  })

  it('stay the same while the table grows', () => {
    const texts = Array.from({ length: 20_000 }, (_, i) => (i % 11 === 0 ? `a much longer text ${i}` : `t${i}`))
    const { codes, into } = coded(texts, 1, 2)
    expect([...into.subarray(20_000)]).toEqual(texts.map((_, i) => i + 1))
    expect(unpacked(codes.pack())).toEqual(texts)
  })

  it('are 0 where there is no text', () => {
    const codes = new TextCodes(1, 10)
    const into = new Int32Array(10)
    const texts = Array.from({ length: 10 }, () => Buffer.from('a'))
    codes.code([vector(texts)], Uint8Array.of(0b10110101, 0b10), 10, into, 0, row => texts[row])
    expect([...into]).toEqual([1, 0, 1, 0, 1, 1, 0, 1, 0, 1])
  })

  it('end with an error where there are too many', () => {
    const texts = ['a', 'b', 'c'].map(text => Buffer.from(text))
    const codes = new TextCodes(1, 2)
    expect(() => codes.code([vector(texts)], null, 3, new Int32Array(3), 0, row => texts[row])).toThrow(TooManyTexts)
  })
})
