import { describe, expect, it } from 'vitest'
import { labelArray, MANY_LABELS, modeWithLabels, packedIfMany, packLabels } from './packed-labels.ts'

const TEXTS = [
  'b',
  'a "quoted" word',
  'é\\',
  '\u0001\n',
  '\ufeffmark',
  '\u{1f989}',
  '\uffee',
  '',
  '12',
  `long${'x'.repeat(300_000)}`,
]
const SORTED = [...TEXTS].sort()

const packed = (texts: readonly string[]) => {
  const parts = texts.map(text => Buffer.from(text))
  let length = 0
  return { bytes: Buffer.concat(parts), ends: Float64Array.from(parts, part => (length += part.length)) }
}

describe('packed labels', () => {
  const { labels, places } = packLabels(packed(TEXTS))

  it('are the strings that they were made of, in order', () => {
    expect(labels.length).toBe(TEXTS.length)
    expect(labelArray(labels)).toEqual(SORTED)
    expect(labelArray(labels)).toBe(labels.all())
    expect(labelArray(TEXTS)).toBe(TEXTS)
    expect(Array.from(places, place => SORTED[place])).toEqual(TEXTS)
  })

  it('are found by what they say', () => {
    expect(SORTED.map(label => labels.indexOf(label))).toEqual([...SORTED.keys()])
    expect(labels.indexOf(12)).toBe(SORTED.indexOf('12'))
    for (const none of ['c', 'a', '\u0002', '~~', 1]) expect(labels.indexOf(none)).toBe(undefined)
  })

  it('are written as JSON writes strings', () => {
    for (const texts of [TEXTS, ['only'], Array.from({ length: 80_000 }, (_, i) => `a "${i}"\t`)]) {
      let text = ''
      for (const piece of packLabels(packed(texts)).labels.json()) text += Buffer.from(piece).toString()
      expect(text).toBe(JSON.stringify([...texts].sort()))
    }
  })

  it('make a mode like any other, whose strings are made when they are read', () => {
    const own = packLabels(packed(TEXTS)).labels
    const [mode, plain] = [modeWithLabels('user', own), modeWithLabels('user', SORTED)]
    expect([mode.size, mode.ordered, (mode as { packed?: unknown }).packed]).toEqual([plain.size, plain.ordered, own])
    expect(mode.label(3)).toBe(SORTED[3])
    expect(mode.indexOf('b')).toBe(SORTED.indexOf('b'))
    expect(() => mode.label(TEXTS.length)).toThrow('has labels 0 to 9')
    expect(mode.labels).toEqual(SORTED)
    expect(JSON.stringify(mode)).toBe(JSON.stringify(plain))
    expect(structuredClone(mode)).toEqual(structuredClone(plain))
    expect({ ...mode }).toEqual({ ...plain })
  })
})

it('very many texts in order are packed, and only these', () => {
  const texts = Array.from({ length: MANY_LABELS + 1 }, (_, i) => `é${String(i).padStart(5, '0')}${'x'.repeat(i % 40)}`)
  const found = packedIfMany(texts)
  expect(Array.isArray(found)).toBe(false)
  expect(labelArray(found).every((label, i) => label === texts[i])).toBe(true)
  const few = texts.slice(0, 3)
  const kinds = [
    few,
    texts.toReversed(),
    [...texts, 'é'],
    [...texts, 3],
    [...texts, '\ud800'],
    [...texts, texts.at(-1)!],
  ]
  for (const labels of kinds) expect(packedIfMany(labels)).toBe(labels)
})
