import { describe, expect, it } from 'vitest'
import { curvedInverse } from './curved-inverse.ts'

describe('the inverse where there is curvature', () => {
  it('is the inverse, if there is one', () => {
    const { inverse, determined } = curvedInverse(Float64Array.of(4, 2, 2, 3), 2)!
    expect([...inverse]).toEqual([3 / 8, -2 / 8, -2 / 8, 4 / 8].map(each => expect.closeTo(each, 12)))
    expect(determined).toEqual([true, true])
  })

  it('leaves out parameters of which only a sum is determined, whatever the units', () => {
    // The first two always appear as their sum; the third stands alone.
    for (const unit of [1, 1e-6, 1e6]) {
      const { inverse, determined } = curvedInverse(Float64Array.of(2, 2, 0, 2, 2, 0, 0, 0, 5 * unit), 3)!
      expect(determined).toEqual([false, false, true])
      expect(inverse[8] * unit).toBeCloseTo(1 / 5, 12)
    }
  })

  it('is not there without a maximum', () => {
    expect(curvedInverse(Float64Array.of(1, 2, 2, 1), 2)).toBeUndefined()
    expect(curvedInverse(Float64Array.of(0, 0, 0, 1), 2)).toBeUndefined()
    expect(curvedInverse(new Float64Array(0), 0)).toBeUndefined()
  })
})
