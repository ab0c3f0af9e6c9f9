import type { DataError, Label } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { type Binning, binLabel, binRange, DATE_PARTS, type DatePart, parseBin } from './bins.ts'

describe('bins', () => {
  it('reads how to cut a column', () => {
    expect(parseBin('petal_length:0.1')).toEqual({ column: 'petal_length', request: { kind: 'width', width: 0.1 } })
    expect(parseBin('age:q5').request).toEqual({ kind: 'quantiles', groups: 5 })
    expect(parseBin('score:int').request).toEqual({ kind: 'int' })
    expect(parseBin('a:b:hour')).toEqual({ column: 'a:b', request: { kind: 'date', part: 'hour' } })
  })

  it('reads groups, numbers and parts of dates as they are written', () => {
    const request = (how: string) => parseBin(`age:${how}`).request
    expect([request('q2'), request('q1000')]).toEqual([
      { kind: 'quantiles', groups: 2 },
      { kind: 'quantiles', groups: 1000 },
    ])
    expect([request('10'), request('1e-3'), request(' 5 ')].map(each => each.kind === 'width' && each.width)).toEqual([
      10, 0.001, 5,
    ])
    expect(parseBin('a:5')).toEqual({ column: 'a', request: { kind: 'width', width: 5 } })
    const parts = 'minute hour weekday day week month quarter year yearmonth date'.split(' ')
    expect(DATE_PARTS).toEqual(parts)
    expect(parts.map(request)).toEqual(parts.map(part => ({ kind: 'date', part })))
  })

  const ways = `a width such as 0.1, q5, int, or one of ${DATE_PARTS.join(', ')}`
  it.each([
    ['age', "bins must be 'column:how', as in 'age:10' (got \"age\")"],
    [':10', "bins must be 'column:how', as in 'age:10' (got \":10\")"],
    ['age:hourr', 'bins \'age:hourr\': "hourr" is not a way to cut a column; did you mean hour?'],
    ['age:ints', 'bins \'age:ints\': "ints" is not a way to cut a column; did you mean int?'],
    ...['0', '-1', '', ' ', 'q1', 'q1001', 'q', 'xq5', 'q5x', 'Infinity', '1e999', 'x'].map(how => [
      `age:${how}`,
      `bins 'age:${how}': ${JSON.stringify(how)} is not a way to cut a column; ${ways}`,
    ]),
  ])('refuses %s', async (text, message) => {
    expect(await refusal(() => parseBin(text))).toBe(`OptionError: ${message}`)
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
  it('of ten thousand bins at most', async () => {
    const tenth = { kind: 'width', width: 0.1 } as const
    expect(binRange([9999, 0], tenth, 'x')).toHaveLength(10_000)
    expect(await refusal(() => binRange([10_000, 0], tenth, 'x'))).toBe(
      'DataError: column "x": [0,0.1) to [1000,1000.1) makes 10001 bins, more than 10000; use a larger width',
    )
    expect(await refusal(() => binRange([-5, 10_000], { kind: 'int' }, 'x'))).toContain(
      '"x": -5 to 10000 makes 10006 bins',
    )
    const place = Promise.resolve()
      .then(() => binRange([0, 1e6], { kind: 'int' }, 'x'))
      .catch((error: DataError) => error.place)
    expect(await place).toEqual({ column: 'x' })
    expect(binRange([1e9, 1], { kind: 'date', part: 'year' }, 'x')).toEqual([1, 1e9])
    expect(binRange([2, 0], { kind: 'quantiles', edges: [1, 2] }, 'x')).toEqual([0, 2])
    expect(binRange([11, 9], { kind: 'int' }, 'x')).toEqual([9, 10, 11])
    expect([binRange([], tenth, 'x'), binRange([], { kind: 'int' }, 'x')]).toEqual([[], []])
  })

  it.each<[Binning, number, Label]>([
    [{ kind: 'width', width: 2.5 }, -1, '[-2.5,0)'],
    [{ kind: 'width', width: 1e-13 }, 3, '[3e-13,4e-13)'],
    [{ kind: 'quantiles', edges: [] }, 0, 'all'],
    [{ kind: 'quantiles', edges: [0.1 + 0.2] }, 0, '<0.3'],
    [{ kind: 'quantiles', edges: [5] }, 1, '≥5'],
    [{ kind: 'int' }, 7, 7],
    [{ kind: 'date', part: 'minute' }, 5, 5],
    [{ kind: 'date', part: 'hour' }, 13, '13:00'],
    [{ kind: 'date', part: 'day' }, 31, 31],
    [{ kind: 'date', part: 'week' }, 53, 53],
    [{ kind: 'date', part: 'quarter' }, 4, 'Q4'],
    [{ kind: 'date', part: 'year' }, 2024, 2024],
    [{ kind: 'date', part: 'yearmonth' }, 2024 * 12, '2024-01'],
    [{ kind: 'date', part: 'yearmonth' }, 2024 * 12 + 11, '2024-12'],
    [{ kind: 'date', part: 'date' }, 0, '1970-01-01'],
    [{ kind: 'date', part: 'date' }, -1, '1969-12-31'],
  ])('of %o, bin %i is %j', (binning, bin, label) => expect(binLabel(bin, binning)).toBe(label))

  it('has the days and months of everyone', () => {
    const labels = (part: DatePart, count: number) =>
      Array.from({ length: count }, (_, i) => binLabel(i + 1, { kind: 'date', part }))
    expect(labels('weekday', 7).join()).toBe('Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday')
    expect(labels('month', 12).join()).toBe(
      'January,February,March,April,May,June,July,August,September,October,November,December',
    )
  })
})
