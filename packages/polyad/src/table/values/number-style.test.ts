import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ASIDE, isStyled, isUnseparated, plainNumber, SEPARATED } from './number-style.ts'

describe('numbers as people write them', () => {
  it.each([
    // As with a point, as with a comma, and what they are.
    ['1200', '1200', '1200'],
    ['007', '007', '007'],
    ['1,200.50', '1200.50', undefined],
    ['1.200,50', undefined, '1200.50'],
    ['1,234', '1234', '1.234'],
    ['1.234', '1.234', '1234'],
    ['12,345,678', '12345678', undefined],
    ['12.345.678', undefined, '12345678'],
    ['1,5', undefined, '1.5'],
    ['1.5', '1.5', undefined],
    ["1'200.5", '1200.5', undefined],
    ["1'200,5", undefined, '1200.5'],
    ['1 200', '1200', '1200'],
    ['1\u00a0200,5', undefined, '1200.5'],
    ['1\u202f200.5', '1200.5', undefined],
    ['-3', '-3', '-3'],
    ['+3', '3', '3'],
    ['$1,200.50', '1200.50', undefined],
    ['$ 5', '5', '5'],
    ['-$5', '-5', '-5'],
    ['€-5', '-5', '-5'],
    ['5 €', '5', '5'],
    ['5€', '5', '5'],
    ['£5', '5', '5'],
    ['¥5', '5', '5'],
    ['₹5', '5', '5'],
    ['EUR 5', '5', '5'],
    ['USD5', '5', '5'],
    ['5 GBP', '5', '5'],
    ['CHF 1.5', '1.5', undefined],
    ['45%', '45', '45'],
    ['45%', '45', '45'],
    ['45,5\u00a0%', undefined, '45.5'],
    ['  12\t', '12', '12'],
    ['\u00a012\n', '12', '12'],
  ])('%j is %j with a decimal point, %j with a comma', (text, point, comma) => {
    expect([isStyled(text, 'point'), isStyled(text, 'comma')]).toEqual([point !== undefined, comma !== undefined])
    // What is not of the style stays as it is.
    expect([plainNumber(text, 'point'), plainNumber(text, 'comma')]).toEqual([point ?? text, comma ?? text])
  })

  it.each([
    ...[
      '',
      'x',
      '1x',
      'x1',
      '1,2,3',
      '1.2.3',
      '12,34',
      '0,123,456',
      '1234,567,890',
      '1,23,456',
      '1 20',
      '1  200',
      "1'20",
    ],
    ...['1.', ',5', '--1', '$', '%', '5%%', 'EU 5', '5 EUR EUR', '$  5', '1,200 .5', '1e5', '10.000.00', '1 200 30'],
  ])('%j is no number with a point', text => {
    expect([isStyled(text, 'point'), plainNumber(text, 'point')]).toEqual([false, text])
  })

  it('keep their size, however they are grouped', () => {
    const thousands = fc.constantFrom(',', "'", ' ', '')
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 99 }), thousands, (n, cents, sign) => {
        const digits = String(Math.abs(n)).replace(/\B(?=(\d{3})+$)/g, sign)
        const minus = n < 0 ? '-' : ''
        const value = Number(`${minus}${Math.abs(n)}.${String(cents).padStart(2, '0')}`)
        expect(Number(plainNumber(`${minus}${digits}.${String(cents).padStart(2, '0')}`, 'point'))).toBe(value)
        const comma = `${minus}${digits.replaceAll(',', '.')},${String(cents).padStart(2, '0')} €`
        expect(Number(plainNumber(comma, 'comma'))).toBe(value)
      }),
      { numRuns: 50 },
    )
  })

  it.each([
    ['1234', true],
    ['$ 12345,5 x', true],
    ['1234.5', true],
    ['-1234', true],
    ['123', false],
    ['1,234', false],
    ['1234,', true],
    ['1234,5.6', false],
    ['12 3456', false],
    ['1234 5', false],
    ['', false],
  ])('%j has no thousands though it might: %j', (text, is) => expect(isUnseparated(text)).toBe(is))

  it('have patterns for separators and for what is no part of them', () => {
    expect([...'a1.,- '].map(letter => new RegExp(SEPARATED).test(letter))).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ])
    expect([...'a1.,- '].map(letter => new RegExp(ASIDE).test(letter))).toEqual([
      true,
      false,
      false,
      false,
      false,
      true,
    ])
  })
})
