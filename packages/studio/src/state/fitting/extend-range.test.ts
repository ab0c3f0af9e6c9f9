import { describe, expect, it } from 'vitest'
import type { Fits } from '../store/store.ts'
import { edgeOf, starredRank, suggestedRange } from './extend-range.ts'

const tried = (ranks: readonly number[], recommended: number | null, sizes = [3, 3, 3, 3]) =>
  ({
    fits: ranks.map(rank => ({ rank })),
    recommended,
    request: { covariates: [] },
    data: { cells: 60, total: 500, modes: sizes.map(size => ({ labels: new Array(size).fill('') })) },
  }) as unknown as Fits

describe('a recommended number of classes', () => {
  it('has a star within what was tried', () => {
    expect(starredRank(tried([1, 2, 3, 4], 3))).toBe(3)
    expect(starredRank(tried([1, 2, 3], 1))).toBe(1)
    expect(edgeOf(tried([3], 3))).toBeNull()
  })

  it('has none at the edge: two more are to be tried, or fewer', () => {
    expect(starredRank(tried([1, 2, 3, 4, 5, 6], 6))).toBeNull()
    expect(suggestedRange(tried([1, 2, 3, 4, 5, 6], 6))).toEqual({ edge: 'largest', from: 1, to: 8 })
    expect(suggestedRange(tried([3, 4, 5], 3))).toEqual({ edge: 'smallest', from: 1, to: 5 })
    expect(suggestedRange(tried([1, 2, 3, 4], 3))).toBeNull()
  })

  it('is not exceeded where more classes fit any table', () => {
    // Three variables of two categories: four classes fit every such table exactly.
    expect(suggestedRange(tried([1, 2, 3], 3, [2, 2, 2]))).toEqual({ edge: 'largest', from: 1, to: 4 })
    expect(suggestedRange(tried([1, 2, 3, 4], 4, [2, 2, 2]))).toBeNull()
  })
})
