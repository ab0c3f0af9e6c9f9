import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { asUtf8, decoderNamed, isEncoding, textReader } from './text-encoding.ts'

const bytes = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0))

describe('how text is written', () => {
  it('has a name that is known', () => {
    for (const name of ['utf-8', 'windows-1252', 'latin1', 'utf-16', 'shift_jis'])
      expect(isEncoding(name), name).toBe(true)
    for (const name of ['', 'windows-9999', 'western']) expect(isEncoding(name), name).toBe(false)
  })

  it.each([
    ['latin-1', 'windows-1252'],
    ['Latin 1', 'windows-1252'],
    ['ISO_8859-1', 'windows-1252'],
    ['iso 8859 15', 'iso-8859-15'],
    ['Latin-9', 'iso-8859-15'],
    ['CP1252', 'windows-1252'],
    [' Windows 1251 ', 'windows-1251'],
    ['win-1250', 'windows-1250'],
    ['cp65001', 'utf-8'],
    ['UTF8', 'utf-8'],
    ['utf_8', 'utf-8'],
    ['UTF 16', 'utf-16le'],
    ['Shift-JIS', 'shift_jis'],
    ['koi8-r', 'koi8-r'],
  ])('%s is %s', (name, encoding) => expect(decoderNamed(name)?.encoding).toBe(encoding))

  it('is decoded piece by piece, and refused if it is something else', async () => {
    const take = textReader('x.csv', 'utf-8')
    expect([take(Uint8Array.of(65, 0xc3)), take(Uint8Array.of(0xa4)), take()]).toEqual(['A', 'ä', ''])
    expect(await refusal(() => textReader('x.csv', 'utf-8')(Uint8Array.of(0xff)))).toBe(
      'DataError: x.csv is not utf-8 text',
    )
    const cut = textReader('x.csv', 'utf-8')
    cut(Uint8Array.of(0xc3))
    expect(await refusal(() => cut())).toBe('DataError: x.csv is not utf-8 text')
    expect(
      (await Promise.resolve()
        .then(() => cut(Uint8Array.of(0xff)))
        .catch((error: Error) => error)) as Error,
    ).toHaveProperty('cause')
    expect(new TextDecoder().decode(asUtf8('x.csv', bytes('Stra\xdfe \x80'), 'windows-1252'))).toBe('Straße €')
    expect(await refusal(() => asUtf8('x.csv', Uint8Array.of(0xc3), 'utf-8'))).toBe(
      'DataError: x.csv is not utf-8 text',
    )
  })
})
