import { describe, expect, it } from 'vitest'
import {
  duration,
  fixed,
  formatted,
  levelText,
  percent,
  pText,
  pValue,
  simulatedP,
  simulatedText,
  simulatedValue,
} from './numbers.ts'

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
    expect([0.00001, 0.05, 0.99999, 1, null, Number.NaN].map(pValue)).toEqual([
      '< 0.001',
      '0.050',
      '> 0.999',
      '> 0.999',
      '–',
      '–',
    ])
    expect([0.00001, 0.05, 1].map(pText)).toEqual(['p < 0.001', 'p = 0.050', 'p > 0.999'])
  })

  it('a p-value of no replicate is a bound, rounded up', () => {
    const test = (b: number, of: number) => ({ pValue: (b + 1) / (of + 1), interval: [0.023, 0.056], replicates: of })
    expect(simulatedText(test(0, 112), '', '--all for more')).toBe('p ≤ 0.009 (0 of 112 replicates; --all for more)')
    // 1/232 = 0.00431: a bound of 0.004 would promise too much.
    expect(simulatedP(test(0, 231))).toBe('≤ 0.005 (0 of 231 replicates)')
    expect([simulatedValue(test(0, 199)), simulatedValue(test(0, 999)), simulatedValue(test(0, 1999))]).toEqual([
      '≤ 0.005',
      '≤ 0.001',
      '< 0.001',
    ])
    expect(simulatedP(test(18, 499))).toBe('0.038 (0.023–0.056)')
    expect(simulatedText(test(18, 499), ' by the bootstrap', 'more')).toBe(
      'p = 0.038 by the bootstrap (499 replicates)',
    )
    expect(simulatedValue(test(0, 0))).toBe('> 0.999')
  })

  it('a statistic has the digits of its format', () => {
    const formats = [4, 'whole', 'percent', 'proportion', 'p'] as const
    expect(formats.map(format => formatted(0.98765, format))).toEqual(['0.9877', '1', '98.8%', '0.988', '0.988'])
    for (const none of [null, undefined, Number.NaN])
      expect(formats.map(format => formatted(none, format))).toEqual(formats.map(() => '–'))
  })

  it('what is not a number is a dash', () => {
    expect([fixed(Number.NaN), fixed(undefined), percent(Number.NaN)]).toEqual(['–', '–', '–'])
    expect([0.95, 0.999].map(levelText)).toEqual(['95%', '99.9%'])
    expect([fixed(-1234.5), percent(0.1234, 2)]).toEqual(['−1,234.50', '12.34%'])
  })
})
