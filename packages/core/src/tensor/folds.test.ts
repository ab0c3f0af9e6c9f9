import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tensors } from '../../../../test/arbitrary.ts'
import { gss82 } from '../../../../test/tables.ts'
import { tensorFromArray } from './dense.ts'
import { foldValues, splitFolds } from './folds.ts'

describe('splitFolds', () => {
  it('puts every count into one test set, and the rest into its training set', () => {
    fc.assert(
      fc.property(tensors(), fc.integer({ min: 2, max: 6 }), (tensor, folds) => {
        const parts = splitFolds(tensor, folds, 3)
        const tested = parts.reduce((sum, { test }) => sum + test.total, 0)
        if (parts.length > 1) expect(tested).toBeCloseTo(tensor.total, 8)
        for (const { training, test } of parts) {
          expect(training.total + test.total).toBeCloseTo(tensor.total, 8)
          expect(training.shape).toEqual(tensor.shape)
        }
      }),
    )
  })

  it('is done at once with values beyond all counting', () => {
    const huge = tensorFromArray([
      [1.11105e30, 1e29],
      [5e28, 2.6e25],
    ])
    for (const { training, test } of splitFolds(huge, 5, 1)) {
      expect((training.total + test.total) / huge.total).toBeCloseTo(1, 12)
    }
  })

  it('splits large cells at random too, by the multinomial distribution', () => {
    // Bin(n, 1/F) for every fold: its variance n·(1/F)·(1 − 1/F) would be next to nothing if folds were copies.
    const [cells, folds] = [4000, 5]
    for (const n of [10_001, 3_000_017, 1e15]) {
      const whole = tensorFromArray(new Array(cells).fill(n))
      const parts = foldValues(whole, folds, 7)
      expect(parts).toHaveLength(folds)
      const deviation = Math.sqrt((n * (folds - 1)) / folds ** 2)
      for (let cell = 0; cell < cells; cell++) {
        let sum = 0
        for (const part of parts) sum += part[cell]
        expect(sum).toBe(n)
      }
      const z = parts.map(part => Array.from(part, value => (value - n / folds) / deviation))
      z.forEach((own, f) => {
        const mean = own.reduce((sum, each) => sum + each, 0) / cells
        const variance = own.reduce((sum, each) => sum + each * each, 0) / cells
        expect(Math.abs(mean)).toBeLessThan(5 / Math.sqrt(cells))
        expect(Math.abs(variance - 1)).toBeLessThan(5 * Math.sqrt(2 / cells))
        // Two folds of a multinomial have the correlation −1/(F − 1).
        const other = z[(f + 2) % folds]
        const correlation = own.reduce((sum, each, cell) => sum + each * other[cell], 0) / cells
        expect(Math.abs(correlation + 1 / (folds - 1))).toBeLessThan(5 / Math.sqrt(cells))
      })
    }
  })

  it('keeps the bits of folds without large cells', () => {
    // Sums of the values weighed by their places, as the folds were before large cells were split at random.
    const marks = foldValues(gss82, 5, 1).map(part => part.reduce((sum, value, cell) => sum + value * (cell + 1), 0))
    expect(marks).toEqual([2014, 2373, 2010, 2033, 2129])
  })

  it('makes folds of about equal size, the same ones for the same seed', () => {
    const parts = splitFolds(gss82, 5, 1)
    expect(parts).toHaveLength(5)
    for (const { test } of parts) expect(Math.abs(test.total - 1202 / 5)).toBeLessThan(60)
    expect(splitFolds(gss82, 5, 1)).toEqual(parts)
    expect(splitFolds(gss82, 5, 2)[0].test.values).not.toEqual(parts[0].test.values)
  })
})
