import { expect, it } from 'vitest'
import { isOtherText } from './western-text.ts'

const file = (text: string, name = 'a.csv') => ({
  from: 'bytes' as const,
  name,
  bytes: Uint8Array.from(text, letter => letter.charCodeAt(0)),
})

it('text that is not UTF-8 is of another encoding, unless one was chosen', () => {
  expect(isOtherText(file('a;b\nf\xfcr;1\n'))).toBe(true)
  expect(isOtherText(file('a;b\nf\xc3\xbcr;1\n'))).toBe(false)
  expect(isOtherText(file('a;b\nx;1\n'))).toBe(false)
  expect(isOtherText({ ...file('f\xfcr'), encoding: 'windows-1252' })).toBe(false)
  // Other data, and packed text.
  expect(isOtherText(file('PAR1\x00\xff'))).toBe(false)
  expect(isOtherText(file('f\xfcr', 'a.csv.gz'))).toBe(false)
})
