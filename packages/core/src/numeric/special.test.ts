import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assign } from './assignment.ts'
import {
  chiSquareQuantile,
  chiSquareTail,
  fisherTail,
  logGamma,
  studentQuantile,
  studentTail,
  upperGamma,
} from './special.ts'

/** To a part in 1e12 of what it is. */
const expectClose = (value: number, expected: number, part = 1e-12) =>
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(part * Math.abs(expected))

// The numbers below to 17 digits are those of mpmath 1.3 with 40 digits: betainc and gammainc, regularized, and loggamma.
describe('special functions', () => {
  it.each([
    [0.001, 6.907178885383853],
    [0.3, 1.0957979948180756],
    [3.7, 1.4280723266653879],
    [14.9, 24.924132002217277],
    [15.1, 25.458999750992664],
    [1e-8, 18.42068073818021],
    [100.5, 361.4355404677776],
    [1e10, 220258509288.81058],
  ])('log Γ(%d)', (x, expected) => {
    expectClose(logGamma(x), expected, 1e-14)
  })

  it.each([
    [0.5, 0.2, 0.5270892568655381],
    [0.5, 3, 0.01430587843542964],
    [3, 0.1, 0.9998453469297354],
    [3, 4.5, 0.17357807091003605],
    [2.5, 3.5, 0.2206403079367108],
    [10, 9, 0.5874082443319414],
    [10, 30, 7.121750862815577e-6],
    [100, 80, 0.9828916869648668],
    [100, 130, 0.002750408367306526],
    [0.01, 0.001, 0.061429347473871014],
    [0.001, 5, 1.150981339730861e-6],
    [1000, 1000, 0.4957947558197845],
  ])('Q(%d, %d)', (a, x, expected) => {
    expectClose(upperGamma(a, x), expected, 1e-11)
  })

  it('the incomplete gamma function is not defined where it is not', () => {
    expect(upperGamma(0, 1)).toBeNaN()
    expect(upperGamma(1, -1)).toBeNaN()
    expect(upperGamma(Number.NaN, 1)).toBeNaN()
    expect(upperGamma(1, Number.NaN)).toBeNaN()
    expect(upperGamma(1, 0)).toBe(1)
  })

  it.each([
    [0.1, 1, 0.9365489651388929],
    [1, 1, 0.5],
    [2, 3, 0.1393259685588432],
    [0.5, 4.5, 0.6405495020740472],
    [5, 7, 0.0015652779531728246],
    [12, 3, 0.0012450158007893367],
    [1.5, 30, 0.144065929128646],
    [3, 200, 0.0030430471139059026],
    [0, 5, 1],
  ])('P[|t| > %d] with %d degrees', (t, degrees, expected) => {
    expectClose(studentTail(t, degrees), expected)
    expectClose(studentTail(-t, degrees), expected)
    expect(studentQuantile(1 - expected, degrees)).toBeCloseTo(t, 8)
  })

  it.each([
    [0.5, 1, 1, 0.6081734479693928],
    [1, 2, 10, 0.4018775720164609],
    [3, 3, 8, 0.09512818918958575],
    [0.2, 5, 7, 0.9524164502214275],
    [10, 4, 2.5, 0.06305095238305099],
    [2, 12, 100, 0.031745887011627213],
    [4, 1, 30, 0.0546250449629831],
    [1, 150, 150, 0.5],
  ])('P[F > %d] with %d and %d degrees', (f, above, below, expected) => {
    expectClose(fisherTail(f, above, below), expected)
  })

  it('the ends of F are 1 and 0', () => {
    expect(fisherTail(0, 3, 4)).toBe(1)
    expect(fisherTail(Number.POSITIVE_INFINITY, 3, 4)).toBe(0)
  })
})

describe('logGamma', () => {
  it('is the log of the factorial, and of √π at one half', () => {
    let sum = 0
    for (let n = 1; n < 200; n++) {
      expect(Math.abs(logGamma(n) - sum)).toBeLessThanOrEqual(2e-14 * Math.max(1, sum))
      sum += Math.log(n)
    }
    // Γ(x + 1) = x·Γ(x), and Legendre's formula for twice the argument.
    for (const x of [0.1, 0.7, 1.3, 2.5, 9.9, 33.3, 170.2]) {
      expect(Math.abs(logGamma(x + 1) - logGamma(x) - Math.log(x))).toBeLessThan(1e-12)
      const doubled = logGamma(x) + logGamma(x + 0.5) + (2 * x - 1) * Math.LN2 - Math.log(Math.PI) / 2
      expect(Math.abs(logGamma(2 * x) - doubled)).toBeLessThan(1e-12 * Math.max(1, Math.abs(doubled)))
    }
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 14)
    expect(logGamma(1e6)).toBeCloseTo(12815504.569147611, 6)
    expect(logGamma(0)).toBe(Number.POSITIVE_INFINITY)
    expect(logGamma(-1)).toBeNaN()
  })
})

describe("Student's t", () => {
  // Two-sided quantiles that every table prints; for one degree they are tangents, for two they are algebraic.
  it.each([
    [0.95, 1, Math.tan((0.95 * Math.PI) / 2)],
    [0.95, 2, 0.95 / Math.sqrt((1 - 0.95 ** 2) / 2)],
    [0.95, 5, 2.570581836],
    [0.95, 10, 2.228138852],
    [0.99, 30, 2.749995654],
    [0.95, 1e6, 1.959966],
  ])('is below its %d quantile with %i degrees', (p, degrees, t) => {
    expect(studentQuantile(p, degrees)).toBeCloseTo(t, 6)
  })

  it('is not defined where it is not', () => {
    expect(studentQuantile(0, 3)).toBeCloseTo(0, 12)
    expect(studentQuantile(1, 3)).toBeNaN()
    expect(studentQuantile(0.9, 0)).toBeNaN()
  })
})

describe('χ²', () => {
  // Quantiles that every table prints, and closed forms for 2 degrees of freedom.
  it.each([
    [3.841458820694124, 1, 0.05],
    [5.991464547107979, 2, 0.05],
    [9.487729036781154, 4, 0.05],
    [18.307038053275146, 10, 0.05],
    [6.634896601021214, 1, 0.01],
    [124.3421134, 100, 0.05],
    [1000, 2, Math.exp(-500)],
  ])('P[χ² ≥ %d with %i degrees] = %d', (x, degrees, p) => {
    expect(Math.abs(chiSquareTail(x, degrees) / p - 1)).toBeLessThan(1e-8)
  })

  it('is the sum that it is for even degrees, and rises from one degree to the next but one as it must, to 1e-12', () => {
    for (const x of [0.01, 0.5, 1, 3.7, 10, 25, 60, 150]) {
      let [term, even] = [Math.exp(-x / 2), 0]
      for (let degrees = 2; degrees <= 120; degrees += 2) {
        even += term
        term *= x / degrees
        expect(Math.abs(chiSquareTail(x, degrees) / even - 1)).toBeLessThan(1e-12)
      }
      // Q(f + 2) = Q(f) + (x/2)^(f/2)·e^(−x/2) / Γ(f/2 + 1), from one degree, which the error function gives.
      for (let degrees = 1; degrees <= 119; degrees += 2) {
        const rise = Math.exp((degrees / 2) * Math.log(x / 2) - x / 2 - logGamma(degrees / 2 + 1))
        const next = chiSquareTail(x, degrees + 2)
        expect(Math.abs((chiSquareTail(x, degrees) + rise) / next - 1)).toBeLessThan(1e-12)
      }
    }
    // The error function's complement, as tables print it.
    expect(Math.abs(chiSquareTail(1, 1) / 0.31731050786291415 - 1)).toBeLessThan(1e-12)
    expect(Math.abs(chiSquareTail(4, 1) / 0.04550026389635842 - 1)).toBeLessThan(1e-12)
    expect(Math.abs(chiSquareTail(9, 1) / 0.0026997960632601866 - 1)).toBeLessThan(1e-12)
  })

  it('has quantiles', () => {
    expect(chiSquareQuantile(0.95, 1)).toBeCloseTo(3.841458820694124, 10)
    expect(Math.sqrt(chiSquareQuantile(0.95, 1))).toBeCloseTo(1.959963984540054, 11)
    expect(chiSquareQuantile(0.95, 10)).toBeCloseTo(18.307038053275146, 8)
    expect(chiSquareQuantile(0.5, 2)).toBeCloseTo(2 * Math.LN2, 10)
    expect(chiSquareQuantile(0, 3)).toBe(0)
    expect(chiSquareQuantile(1, 3)).toBeNaN()
  })

  it('falls from 1 to 0', () => {
    expect(chiSquareTail(0, 3)).toBe(1)
    expect(upperGamma(3, Number.POSITIVE_INFINITY)).toBe(0)
    expect(chiSquareTail(5, 0)).toBeNaN()
    expect(chiSquareTail(-1, 3)).toBe(1)
    expect(chiSquareQuantile(0.5, 0)).toBeNaN()
    expect(chiSquareQuantile(-0.1, 3)).toBeNaN()
    expect(chiSquareQuantile(0.999999, 1)).toBeCloseTo(23.928126, 5)
  })

  it('is normal with very many degrees, on either side of where the formulas change', () => {
    // (χ² − ν)/√2ν is normal up to a term of its skewness, √(8/ν)·(z² − 1)/6 of the density: P[z > 1] = 0.158655, P[z > −1] = 0.841345.
    for (const degrees of [9e7, 1.1e8, 1e12, 1e15]) {
      for (const [z, tail] of [
        [1, 0.15865525393145707],
        [-1, 0.8413447460685429],
        [2, 0.02275013194817921],
        [0, 0.5],
      ]) {
        const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
        const expected = tail + (density * Math.sqrt(8 / degrees) * (z * z - 1)) / 6
        expect(Math.abs(chiSquareTail(degrees + z * Math.sqrt(2 * degrees), degrees) - expected)).toBeLessThan(3e-8)
      }
    }
    expect(chiSquareTail(-1, 1e9)).toBe(1)
  })
})

describe('assign', () => {
  it('finds the least cost that trying every permutation finds', () => {
    const table = fc.integer({ min: 1, max: 5 }).chain(rows =>
      fc.integer({ min: rows, max: 6 }).chain(columns => {
        const row = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: columns, maxLength: columns })
        return fc.array(row, { minLength: rows, maxLength: rows })
      }),
    )
    const least = (cost: number[][], row: number, used: Set<number>): number => {
      if (row === cost.length) return 0
      let best = Number.POSITIVE_INFINITY
      cost[row].forEach((value, j) => {
        if (!used.has(j)) best = Math.min(best, value + least(cost, row + 1, new Set([...used, j])))
      })
      return best
    }
    fc.assert(
      fc.property(table, cost => {
        const columns = assign(cost)
        expect(new Set(columns).size).toBe(cost.length)
        expect(columns.reduce((sum, j, i) => sum + cost[i][j], 0)).toBe(least(cost, 0, new Set()))
      }),
    )
    expect(assign([])).toEqual([])
  })
})
