import { describe, expect, it } from 'vitest'
import { evenShare, passBudget, startsWorth } from './budget.ts'

describe('the budget of an economical search', () => {
  it('leaves most passes for recombination, and few for what is settled before the close', () => {
    expect(passBudget(1400, 4)).toEqual({ start: 140, recombination: 70, settling: 56, close: 84 })
    expect(passBudget(3000, 4)).toEqual({ start: 300, recombination: 150, settling: 120, close: 180 })
    expect(passBudget(17_999, 4)).toEqual({ start: 1799, recombination: 899, settling: 719, close: 1079 })
  })

  it('gives no run less than sixty passes, so that few passes make few runs', () => {
    expect(passBudget(200, 4)).toEqual({ start: 80, recombination: 60, settling: 0, close: 20 })
    expect([passBudget(499, 4).settling, passBudget(500, 4).settling]).toEqual([0, 20])
    expect(passBudget(2, 4)).toEqual({ start: 80, recombination: 60, settling: 0, close: 0.2 })
  })

  it('shares what is left evenly among the starts that are left, two passes at least', () => {
    expect([evenShare(1500, 20), evenShare(300, 4), evenShare(1380, 4)]).toEqual([75, 75, 345])
    expect([evenShare(3, 2), evenShare(0, 1)]).toEqual([2, 2])
    expect(evenShare(Number.MAX_SAFE_INTEGER, 3)).toBe(Math.floor(Number.MAX_SAFE_INTEGER / 3))
  })
})

describe('the number of starts', () => {
  it('is what a fifth of the passes is enough for, in whole batches, from four to twenty-four', () => {
    expect([75, 103, 335].map(cost => startsWorth(1400, cost, 4))).toEqual([4, 4, 4])
    // As many as of 750 passes each if one takes 150.
    expect([3000, 6000, 9000, 17_999].map(passes => startsWorth(passes, 150, 4))).toEqual([4, 8, 12, 20])
    expect([startsWorth(6454, 76, 4), startsWorth(17_999, 76, 4), startsWorth(200, 60, 4)]).toEqual([16, 24, 4])
    expect(startsWorth(3000, 0, 4)).toBe(24)
  })
})
