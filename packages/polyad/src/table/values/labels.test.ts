import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNumber, keepFrequent, mergeRare, orderLabels, placeLabels, sortTexts, spelledLabels } from './labels.ts'

describe('labels', () => {
  it('are numbers where all of them are, in order of size', () => {
    expect(orderLabels(['10', '9', '-1.5'])).toEqual({ labels: [-1.5, 9, 10], positions: Int32Array.of(2, 1, 0) })
    expect(orderLabels(['1', '1.0', '2'])).toEqual({ labels: [1, 2], positions: Int32Array.of(0, 0, 1) })
  })

  it('are texts where one is, or where a number would lose something', () => {
    expect(orderLabels(['10', '9', 'x']).labels).toEqual(['10', '9', 'x'])
    expect(orderLabels(['007', '7']).labels).toEqual(['007', '7'])
    expect(orderLabels(['12345678901234567890']).labels).toEqual(['12345678901234567890'])
  })

  it('keep every text at its place', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 20 }), texts => {
        const { labels, positions } = orderLabels([...texts, 'z'])
        texts.forEach((text, i) => {
          expect(labels[positions[i]]).toBe(text)
        })
      }),
    )
  })

  it.each([
    ...[
      '0',
      '-0',
      '7',
      '-7',
      '10',
      '1.0',
      '-0.5',
      '1e3',
      '1E+3',
      '2.5e-7',
      '9007199254740991',
      '1.5e-300',
      '123456789012345.6',
    ],
  ])('%s is a number', text => expect(isNumber(text)).toBe(true))

  it.each([
    ...[
      '',
      ' 1',
      '1 ',
      '007',
      '+1',
      '.5',
      '1.',
      '1,5',
      '0x10',
      '--1',
      'x1',
      '1x',
      '1e',
      '1e+',
      '1.e3',
      '1e999',
      '1e300',
      '9007199254740993',
      'NaN',
      'Infinity',
    ],
  ])('%j is none', text => expect(isNumber(text)).toBe(false))

  it('that are numbers are told apart by their values', () => {
    expect(orderLabels(['-0', '0', '0.0'])).toEqual({ labels: [0], positions: Int32Array.of(0, 0, 0) })
    expect(orderLabels(['3', '1', '2', '1e0'])).toEqual({ labels: [1, 2, 3], positions: Int32Array.of(2, 0, 1, 0) })
    expect(orderLabels(['2', '10'])).toEqual({ labels: [2, 10], positions: Int32Array.of(0, 1) })
  })

  it('that are texts are in the order of their letters', () => {
    expect(orderLabels(['b', 'a', 'c'])).toEqual({ labels: ['a', 'b', 'c'], positions: Int32Array.of(1, 0, 2) })
    expect(orderLabels(['c', 'b', 'a', 'A'])).toEqual({
      labels: ['A', 'a', 'b', 'c'],
      positions: Int32Array.of(3, 2, 1, 0),
    })
    expect(orderLabels(['a', 'b', 'c'])).toEqual({ labels: ['a', 'b', 'c'], positions: Int32Array.of(0, 1, 2) })
    expect(orderLabels(['a', 'c', 'b'])).toEqual({ labels: ['a', 'b', 'c'], positions: Int32Array.of(0, 2, 1) })
    expect(sortTexts(['b', '10', '9', 'a'])).toEqual(['10', '9', 'a', 'b'])
    expect(sortTexts(['10', '9', '1.0', '1', '-3'])).toEqual(['-3', '1', '1.0', '9', '10'])
    expect(sortTexts(['1.0', '1', '1.00'])).toEqual(['1', '1.0', '1.00'])
  })

  it('stand in an order that is known, others after it', () => {
    expect(placeLabels(['high', 'low', 'mid'], ['low', 'mid', 'high'])).toEqual({
      labels: ['low', 'mid', 'high'],
      positions: Int32Array.of(2, 0, 1),
    })
    expect(placeLabels(['C', 'HIGH ', 'A', 'B', 'Low'], ['low', 'high']).labels).toEqual([
      'Low',
      'HIGH ',
      'A',
      'B',
      'C',
    ])
    // As it is written goes before case and blanks.
    expect(placeLabels(['A', 'a', 'b'], ['a', 'b', 'A']).labels).toEqual(['a', 'b', 'A'])
    expect(placeLabels(['a', 'b', 'A'], ['A', 'b', 'a']).labels).toEqual(['A', 'b', 'a'])
    // Of those that have one place, the order of letters.
    expect(placeLabels(['x', 'a ', 'a', 'A'], ['a']).labels).toEqual(['A', 'a', 'a ', 'x'])
    expect(placeLabels([], ['a'])).toEqual({ labels: [], positions: new Int32Array() })
  })

  it('have the spelling that is met most, where case was ignored', () => {
    const written = new Map([
      ['yes', 'Yes'],
      ['no', 'NO'],
    ])
    expect(spelledLabels(['yes', 'no', 'else', 3, '(none)'], written, '(None)')).toEqual([
      'Yes',
      'NO',
      'else',
      3,
      '(None)',
    ])
    expect(spelledLabels(['yes', 'maybe'], written, undefined)).toEqual(['Yes', 'maybe'])
    expect(spelledLabels([3, 'x'], new Map([['3', 'three']]), 'X')).toEqual(['three', 'X'])
  })

  it('are all kept up to a number', () => {
    const [indices, values] = [Int32Array.of(0, 1, -1), Float64Array.of(1, 2, 3)]
    expect(mergeRare(indices, values, ['a', 'b'], 2)).toEqual({ indices, labels: ['a', 'b'], merged: 0 })
    expect(mergeRare(indices, values, ['a', 'b'], undefined)).toEqual({ indices, labels: ['a', 'b'], merged: 0 })
    expect(mergeRare(indices, values, ['a', 'b'], 1)).toEqual({
      indices: Int32Array.of(1, 0, -1),
      labels: ['b', '(other)'],
      merged: 1,
    })
    // Of equally frequent ones, the first; they stay in their order.
    expect(keepFrequent(Float64Array.of(1, 3, 1, 3, 1), [1, 2, 3, 4, 5], 3)).toEqual({
      position: Int32Array.of(0, 1, 3, 2, 3),
      labels: [1, 2, 4, '(other)'],
      merged: 2,
    })
  })

  it('that are rare become one', () => {
    const merged = mergeRare(Int32Array.of(0, 1, 2, -1, 1), Float64Array.of(5, 1, 3, 9, 1), ['a', 'b', 'c'], 2)
    expect(merged).toEqual({ indices: Int32Array.of(0, 2, 1, -1, 2), labels: ['a', 'c', '(other)'], merged: 1 })
  })
})
