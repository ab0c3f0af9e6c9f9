import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tensors } from '../../../../test/arbitrary.ts'
import { gss82 } from '../../../../test/tables.ts'
import { tensorFromArray } from './dense.ts'
import { splitFolds } from './folds.ts'

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

  it('makes folds of about equal size, the same ones for the same seed', () => {
    const parts = splitFolds(gss82, 5, 1)
    expect(parts).toHaveLength(5)
    for (const { test } of parts) expect(Math.abs(test.total - 1202 / 5)).toBeLessThan(60)
    expect(splitFolds(gss82, 5, 1)).toEqual(parts)
    expect(splitFolds(gss82, 5, 2)[0].test.values).not.toEqual(parts[0].test.values)
  })
})
