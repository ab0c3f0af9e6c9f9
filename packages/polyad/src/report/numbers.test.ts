import { describe, expect, it } from 'vitest'
import { duration, fixed, percent, pText, pValue } from './numbers.ts'

describe('numbers as text', () => {
  it.each([
    [0, '0.0 s'],
    [9.94, '9.9 s'],
    [9.96, '10 s'],
    [59.6, '1 min 0 s'],
    [119.7, '2 min 0 s'],
    [3599.8, '1 h 0 min'],
    [7322, '2 h 2 min'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text)
  })

  it('p-values next to 0 or 1 are bounds', () => {
    expect([0.00001, 0.05, 0.99999, 1, null, Number.NaN].map(pValue)).toEqual(['< 0.001', '0.050', '> 0.999', '> 0.999', '–', '–']) // biome-ignore format: a table
    expect([0.00001, 0.05, 1].map(pText)).toEqual(['p < 0.001', 'p = 0.050', 'p > 0.999'])
  })

  it('what is not a number is a dash', () => {
    expect([fixed(Number.NaN), fixed(undefined), percent(Number.NaN)]).toEqual(['–', '–', '–'])
    expect([fixed(-1234.5), percent(0.1234, 2)]).toEqual(['−1,234.50', '12.34 %'])
  })
})
