import { describe, expect, it } from 'vitest'
import { binLabel, binRange, parseBin } from './bins.ts'

describe('bins', () => {
  it('reads how to cut a column', () => {
    expect(parseBin('petal_length:0.1')).toEqual({ column: 'petal_length', request: { kind: 'width', width: 0.1 } })
    expect(parseBin('age:q5').request).toEqual({ kind: 'quantiles', groups: 5 })
    expect(parseBin('score:int').request).toEqual({ kind: 'int' })
    expect(parseBin('a:b:hour')).toEqual({ column: 'a:b', request: { kind: 'date', part: 'hour' } })
  })

  it.each([
    ['age', 'column:how'],
    ['age:hourr', 'did you mean hour?'],
    ['age:0', 'not a way to cut'],
    ['age:-1', 'not a way to cut'],
    ['age:', 'not a way to cut'],
    ['age:q1', 'not a way to cut'],
  ])('refuses %s', (text, reason) => {
    expect(() => parseBin(text)).toThrow(reason)
  })

  it('leaves no gap between widths, and takes dates as they are', () => {
    expect(binRange([7, 4], { kind: 'width', width: 1 }, 'x')).toEqual([4, 5, 6, 7])
    expect(binRange([9, 1], { kind: 'date', part: 'month' }, 'x')).toEqual([1, 9])
    expect(() => binRange([0, 1e6], { kind: 'width', width: 0.001 }, 'x')).toThrow('larger width')
  })

  it('names bins as people do', () => {
    expect(binLabel(3, { kind: 'width', width: 0.1 })).toBe('[0.3,0.4)')
    const quantiles = { kind: 'quantiles', edges: [1, 2.5] } as const
    expect([0, 1, 2].map(bin => binLabel(bin, quantiles))).toEqual(['<1', '[1,2.5)', '≥2.5'])
    expect(binLabel(-4, { kind: 'int' })).toBe(-4)
    expect(binLabel(7, { kind: 'date', part: 'hour' })).toBe('07:00')
    expect(binLabel(1, { kind: 'date', part: 'weekday' })).toBe('Monday')
    expect(binLabel(2024 * 12 + 4, { kind: 'date', part: 'yearmonth' })).toBe('2024-05')
    expect(binLabel(19_844, { kind: 'date', part: 'date' })).toBe('2024-05-01')
  })
})
