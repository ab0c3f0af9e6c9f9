import { labelArray, type PackedTexts } from '@polyad/core/model'
import { describe, expect, it } from 'vitest'
import { missingCodes } from '../../table/columns/missing-codes.ts'
import { dictionaryOf } from '../../table/values/dictionary.ts'
import type { ModeSource } from './keyed-rows.ts'
import { labelsOfTexts } from './labels-of-texts.ts'

const packed = (texts: readonly string[]): PackedTexts => {
  let length = 0
  const ends = Float64Array.from(texts, text => (length += Buffer.byteLength(text)))
  return { bytes: Buffer.from(texts.join('')), ends }
}

const mode = { column: { name: 'user' }, binning: undefined, spelling: undefined } as unknown as ModeSource
/** Numbers in no order, each once. */
const SHUFFLED = Array.from({ length: 60_000 }, (_, i) => (i * 7919) % 60_000)

describe('the labels of very many texts', () => {
  it.each([
    ['names', SHUFFLED.map(i => `user-${i}`)],
    [
      'names, numbers and words for missing',
      [...SHUFFLED.map(i => `Ü${i}`), '12', 'n/a', 'Unknown', ' -9', 'no answer'],
    ],
    ['whole numbers', SHUFFLED.map(i => `${i - 30_000}`)],
    ['numbers', [...SHUFFLED.map(i => `${i / 4}`), '1.0', '-0', '1e3', '2.50']],
    ['codes with zeros before them', SHUFFLED.map(i => `${i}`.padStart(5, '0'))],
    ['very large numbers', [...SHUFFLED.map(i => `${i}`), '123456789012345', '9007199254740993']],
  ])('%s: those of a dictionary of strings, in the same order', (_, texts) => {
    const { labels, positions } = labelsOfTexts(mode, packed(texts))
    const expected = dictionaryOf(mode, texts)
    const all = labelArray(labels)
    expect(all.length === expected.labels.length && all.every((label, i) => label === expected.labels[i])).toBe(true)
    expect(positions.every((place, i) => place === expected.positions[i])).toBe(true)
    expect(Array.isArray(labels)).toBe(typeof all[0] === 'number')
    expect(missingCodes(labels)).toEqual(missingCodes(all))
  })
})
