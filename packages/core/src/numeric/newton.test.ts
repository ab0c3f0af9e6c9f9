import { describe, expect, it } from 'vitest'
import { type Maximum, maximize } from './newton.ts'
import { cholesky } from './symmetric.ts'

/** Of one variable. */
const climb = (
  f: (x: number) => number,
  slope: (x: number) => number,
  bent: (x: number) => number,
  start: number,
  bound = 50,
): Maximum => {
  let x = start
  return maximize(
    Float64Array.of(start),
    {
      value: at => {
        x = at[0]
        return f(x)
      },
      slope: () => Float64Array.of(slope(x)),
      information: () => Float64Array.of(bent(x)),
      metric: () => cholesky(Float64Array.of(Math.abs(bent(x))), 1),
    },
    { gain: 1e-14, bound },
  )
}

describe('Newton’s steps', () => {
  it('are halved if they go too far', () => {
    // Whole steps from 3 double their distance each time.
    const { at, end } = climb(
      x => -Math.log(Math.cosh(x)),
      x => -Math.tanh(x),
      x => 1 / Math.cosh(x) ** 2,
      3,
    )
    expect(end).toBe('rounding')
    expect(at[0]).toBeCloseTo(0, 8)
  })

  it('go uphill where the function is bent the other way', () => {
    const { at, end } = climb(
      x => x ** 2 / 2 - x ** 4 / 4,
      x => x - x ** 3,
      x => 3 * x ** 2 - 1,
      0.1,
    )
    expect([end, at[0]]).toEqual(['rounding', expect.closeTo(1, 7)])
  })

  it('end if the function rises without end, or has no slope to follow', () => {
    expect(
      climb(
        x => x,
        () => 1,
        () => 0.1,
        0,
      ).end,
    ).toBe('infinite')
    expect(
      climb(
        () => 0,
        () => 0,
        () => 0,
        0,
      ).end,
    ).toBe('flat')
    // What promises a gain and does not keep it has another slope than it says.
    expect(
      climb(
        x => -x,
        () => 1,
        () => 1,
        0,
      ).end,
    ).toBe('unfinished')
  })
})
