import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { dictionaryOf, type LabelSource } from './dictionary.ts'

describe('the labels of a mode', () => {
  const of = (texts: readonly string[], column: Partial<LabelSource['column']> = {}, more: Partial<LabelSource> = {}) =>
    dictionaryOf({ column: { name: 'q', ...column }, binning: undefined, ...more }, texts)

  it('are numbers by size, names by their letters, and scales by their steps', () => {
    expect(of(['10', '9'])).toEqual({ labels: [9, 10], positions: Int32Array.of(1, 0) })
    expect(of(['red', 'blue']).labels).toEqual(['blue', 'red'])
    expect(of(['high', 'low', 'medium'])).toEqual({
      labels: ['low', 'medium', 'high'],
      positions: Int32Array.of(2, 0, 1),
    })
    expect(of(['low', 'high', 'medium', '(none)'], {}, { missingAs: '(none)' }).labels).toEqual([
      'low',
      'medium',
      'high',
      '(none)',
    ])
    expect(of(['high', 'low'], { order: ['high', 'low'] }).labels).toEqual(['high', 'low'])
    expect(
      of(['high', 'low', '3'], {
        recode: [
          { from: ['1', '2'], to: 'low' },
          { from: ['9'], to: 'high' },
        ],
      }).labels,
    ).toEqual(['low', '3', 'high'])
    expect(
      of(
        ['a', 'b', '(none)'],
        {
          recode: [
            { from: ['2'], to: 'a' },
            { from: ['1'], to: 'b' },
          ],
        },
        { missingAs: '(none)' },
      ).labels,
    ).toEqual(['(none)', 'b', 'a'])
  })

  it('are bins in order, without gaps between widths', () => {
    const binning = { kind: 'width', width: 10 } as const
    expect(of(['4', '1', '2'], {}, { binning })).toEqual({
      labels: ['[10,20)', '[20,30)', '[30,40)', '[40,50)'],
      positions: Int32Array.of(3, 0, 1),
    })
    expect(of(['12', '3'], { order: ['x'] }, { binning: { kind: 'date', part: 'month' } }).labels).toEqual([
      'March',
      'December',
    ])
  })

  it('in an order that was given are all in it, and are no numbers', async () => {
    const given = { order: ['low', 'high'], orderGiven: true }
    expect(of(['HIGH', 'low'], given).labels).toEqual(['low', 'HIGH'])
    expect(of(['high', 'low', '(None)'], given, { missingAs: '(none)' }).labels).toEqual(['low', 'high', '(None)'])
    expect(await refusal(() => of(['high', '(none)'], given))).toBe(
      'OptionError: order: "q" has categories that are not in the order given: "(none)"; add them, or make them missing',
    )
    expect(await refusal(() => of(['1', '2'], given))).toBe(
      'OptionError: order: the categories of "q" are numbers, which are in order by size',
    )
    expect(await refusal(() => of(['low'], given, { binning: { kind: 'int' } }))).toBe(
      'OptionError: order: the categories of "q" are numbers that are cut, which are in order by size',
    )
    expect(await refusal(() => of(['1', 'low'], { orderGiven: true }))).toContain('not in the order given: "1", "low"')
    expect(of(['1', '2'], { order: ['2', '1'] }).labels).toEqual(['2', '1'])
  })

  it('are there', async () => {
    expect(await refusal(() => of([]))).toBe('DataError: column "q" is empty in every row')
    try {
      of([])
    } catch (error) {
      expect((error as { place: unknown }).place).toEqual({ column: 'q' })
    }
  })
})
