import { expect, it } from 'vitest'
import { cleanText, clipText } from './label-text.ts'
import { visibleProse, visibleText } from './visible-text.ts'

it('what nobody sees is shown as an escape', () => {
  expect(visibleText('yes\u202eon')).toBe('yes\\u202eon')
  const hidden = [
    '\u0000',
    '\u0007',
    '\u001b',
    '\u007f',
    '\u009b',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2060',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
    '\ufeff',
    '\u{e0041}',
    '\ud800',
  ]
  for (const character of hidden) {
    const point = character.codePointAt(0) as number
    const written = point > 0xffff ? '\\u{e0041}' : `\\u${point.toString(16).padStart(4, '0')}`
    expect(visibleText(`a${character}b`)).toBe(`a${written}b`)
  }
})

it('writing that needs joiners and marks stays as it is', () => {
  const texts = [
    'plain – ä€𝄞 漢字',
    'שלום עולם',
    'مرحبا',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍⚕️ ❤️',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ]
  for (const text of texts) expect(visibleText(text)).toBe(text)
})

it('sentences keep their own line breaks and isolates', () => {
  expect(visibleProse('a\n\u2068שלום\u2069\tb\u202e')).toBe('a\n\u2068שלום\u2069\tb\\u202e')
})

it('cleaning twice is cleaning once', () => {
  for (const text of ['שלום 12', 'שלום\u202e', 'x\u200e', 'long שלום '.repeat(20)]) {
    expect(cleanText(cleanText(text))).toBe(cleanText(text))
    expect(clipText(clipText(text, 20), 20)).toBe(clipText(text, 20))
  }
})
