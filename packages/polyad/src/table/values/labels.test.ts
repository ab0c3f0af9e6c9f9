import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeRare, orderLabels } from './labels.ts'
import { nearest } from './nearest.ts'

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

  it('that are rare become one', () => {
    const merged = mergeRare(Int32Array.of(0, 1, 2, -1, 1), Float64Array.of(5, 1, 3, 9, 1), ['a', 'b', 'c'], 2)
    expect(merged).toEqual({ indices: Int32Array.of(0, 2, 1, -1, 2), labels: ['a', 'c', '(other)'], merged: 1 })
  })
})

describe('the nearest name', () => {
  it('is the one that was meant, or none', () => {
    expect(nearest('speceis', ['species', 'sepal_width'])).toBe('species')
    expect(nearest('PETAL', ['petal_length', 'species'])).toBe('petal_length')
    expect(nearest('banana', ['species', 'sepal_width'])).toBeUndefined()
    expect(nearest('sex', ['age', 'set_b', 'six'])).toBe('six')
    expect(nearest('x', ['y', 'q1'])).toBeUndefined()
    expect(nearest('age', ['ago', 'q1'])).toBe('ago')
    expect(nearest('abc', ['axx'])).toBeUndefined()
  })
})
