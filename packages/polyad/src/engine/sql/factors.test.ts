import { describe, expect, it } from 'vitest'
import { logFactors, productFactors } from './factors.ts'

describe('factors that are sent to a database', () => {
  const model = (share: number, factor: number) => ({
    rank: 2,
    shares: Float64Array.of(1 - share, share),
    factors: [Float64Array.of(1, factor, 0, 1 - factor)],
  })
  const sent = ({ tables }: ReturnType<typeof logFactors>) => [...(tables[0].columns[1].values as Float64Array)]

  it('are logarithms of a share and a factor whose product is too small to be a number', () => {
    const tiny = sent(logFactors([2], [model(1e-200, 1e-200)], false))
    expect(tiny[3]).toBeCloseTo(-400 * Math.LN10, 9)
    expect(tiny[4]).toBe(Number.NEGATIVE_INFINITY)
  })

  it('say whether a product lost its digits, so that logarithms are taken', () => {
    expect(productFactors([2], [model(1e-200, 1e-200)]).underflow).toBe(true)
    expect(productFactors([2], [model(1e-200, 1e-112)]).underflow).toBe(true)
    expect(productFactors([2], [model(1e-100, 1e-100)]).underflow).toBe(false)
    expect(productFactors([2], [model(0, 0.5)]).underflow).toBe(false)
  })
})
