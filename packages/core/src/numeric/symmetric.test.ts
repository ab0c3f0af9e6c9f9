import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cholesky, congruence, eigen, eigenvalues, inverse, quadraticForm, solve } from './symmetric.ts'

const entry = fc.double({ min: -10, max: 10, noNaN: true })
/** A matrix of n rows and m columns, row by row. */
const matrixOf = (rows: number, columns: number) =>
  fc.array(entry, { minLength: rows * columns, maxLength: rows * columns }).map(list => Float64Array.from(list))
const sized = fc.integer({ min: 1, max: 12 })

const product = (a: Float64Array, b: Float64Array, n: number): Float64Array =>
  Float64Array.from({ length: n * n }, (_, at) => {
    let sum = 0
    for (let k = 0; k < n; k++) sum += a[Math.floor(at / n) * n + k] * b[k * n + (at % n)]
    return sum
  })
const transposed = (a: Float64Array, n: number) => Float64Array.from(a, (_, at) => a[(at % n) * n + Math.floor(at / n)])
const identity = (n: number) => Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0))
const near = (a: Float64Array, b: Float64Array, tolerance: number) => {
  a.forEach((value, i) => {
    expect(Math.abs(value - b[i])).toBeLessThanOrEqual(tolerance)
  })
}

/** B·Bᵀ + I: positive definite. */
const definite = sized.chain(n =>
  matrixOf(n, n).map(b => {
    const a = product(b, transposed(b, n), n)
    for (let i = 0; i < n; i++) a[i * n + i] += 1
    return { n, a }
  }),
)
const symmetric = sized.chain(n =>
  matrixOf(n, n).map(b => ({ n, a: b.map((value, at) => value + b[(at % n) * n + Math.floor(at / n)]) })),
)

describe('symmetric matrices', () => {
  it('are factored, solved and inverted', () => {
    fc.assert(
      fc.property(definite, ({ n, a }) => {
        const factor = cholesky(a, n)!
        const size = Math.max(...a)
        near(product(factor, transposed(factor, n), n), a, 1e-13 * n * size)
        const inverted = inverse(factor, n)
        near(product(a, inverted, n), identity(n), 1e-12 * n * size)
        const right = a.slice(0, n)
        const x = solve(factor, n, right)
        const back = Float64Array.from({ length: n }, (_, i) =>
          x.reduce((sum, value, j) => sum + a[i * n + j] * value, 0),
        )
        near(back, right, 1e-11 * n * size)
      }),
    )
  })

  it('have a quadratic form', () => {
    fc.assert(
      fc.property(definite, ({ n, a }) => {
        const x = Float64Array.from({ length: n }, (_, i) => (i % 3) - 1.5)
        let expected = 0
        for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) expected += x[i] * a[i * n + j] * x[j]
        expect(Math.abs(quadraticForm(cholesky(a, n)!, n, x) - expected)).toBeLessThanOrEqual(1e-9 * (1 + expected))
      }),
    )
  })

  it('have no factor where they are not positive definite', () => {
    expect(cholesky(Float64Array.of(1, 2, 2, 4), 2)).toBeUndefined()
    expect(cholesky(Float64Array.of(1, 2, 2, 3), 2)).toBeUndefined()
    expect(cholesky(Float64Array.of(Number.NaN), 1)).toBeUndefined()
    expect(cholesky(Float64Array.of(0), 1)).toBeUndefined()
    // Scale does not matter, only what the earlier columns explain.
    expect(cholesky(Float64Array.of(1e-200, 0, 0, 1e200), 2)).toBeDefined()
    expect(cholesky(new Float64Array(0), 0)).toEqual(new Float64Array(0))
  })

  it('have real eigenvalues and orthonormal vectors that put them together again', () => {
    fc.assert(
      fc.property(symmetric, ({ n, a }) => {
        const { values, vectors } = eigen(a, n)
        const size = 1e-14 * n * Math.max(1, ...a.map(Math.abs))
        near(product(vectors, transposed(vectors, n), n), identity(n), 1e-13 * n)
        const scaled = vectors.map((value, at) => value * values[Math.floor(at / n)])
        near(product(transposed(vectors, n), scaled, n), a, 10 * size)
        expect(eigenvalues(a, n)).toEqual(values)
        for (let i = 1; i < n; i++) expect(values[i]).toBeLessThanOrEqual(values[i - 1])
      }),
    )
  })

  it('may hold entries whose squares are no numbers any more', () => {
    const [tiny, small, large] = [7.914411551011497e-64, 3.7924405875544864e-162, 2.412911844191911]
    const a = Float64Array.of(0, 0, 0, tiny, 0, 4.4e-59, -large, -small, 0, -large, 0, 0, tiny, -small, 0, 0)
    const { values } = eigen(a, 4)
    expect(values[0]).toBeCloseTo(large, 12)
    expect(values[3]).toBeCloseTo(-large, 12)
  })

  it('have the eigenvalues that are known', () => {
    // The second difference of n points: 2 − 2·cos(πj/(n + 1)).
    const n = 40
    const chain = Float64Array.from({ length: n * n }, (_, at) => {
      const apart = Math.abs(Math.floor(at / n) - (at % n))
      return apart === 0 ? 2 : apart === 1 ? -1 : 0
    })
    eigen(chain, n).values.forEach((value, i) => {
      expect(value).toBeCloseTo(2 - 2 * Math.cos((Math.PI * (n - i)) / (n + 1)), 13)
    })
    expect([...eigen(Float64Array.of(5, 0, 0, 0, -3, 0, 0, 0, 5), 3).values]).toEqual([5, 5, -3])
    // Ones everywhere: one eigenvalue n, the others zero.
    const { values } = eigen(new Float64Array(400).fill(1), 20)
    expect(values[0]).toBeCloseTo(20, 12)
    expect(Math.max(...values.slice(1).map(Math.abs))).toBeLessThan(1e-14)
    expect(eigen(Float64Array.of(7), 1)).toEqual({ values: Float64Array.of(7), vectors: Float64Array.of(1) })
    expect(() => eigen(new Float64Array(9).fill(Number.NaN), 3)).toThrow('finite')
  })

  it('may have a rank far below their size', () => {
    // Products of skewed columns, as the Jacobian of a long table has them, scaled to a diagonal of 1. Eigenvalues beyond the rank are zero, and
    // the sums of all eigenvalues and of their squares are the matrix's own trace and squares.
    const column = fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 3, maxLength: 3 })
    const skewed = fc.array(fc.tuple(column, fc.integer({ min: -12, max: 0 })), { minLength: 80, maxLength: 80 })
    fc.assert(
      fc.property(skewed, fc.integer({ min: 1, max: 3 }), (columns, rank) => {
        const n = columns.length
        const b = columns.map(([entries, power]) => entries.slice(0, rank).map(entry => (entry + 0.5) * 10 ** power))
        const length = b.map(each => Math.sqrt(each.reduce((sum, value) => sum + value * value, 0)) || 1)
        const a = Float64Array.from({ length: n * n }, (_, at) => {
          const [i, j] = [Math.floor(at / n), at % n]
          return b[i].reduce((sum, value, k) => sum + value * b[j][k], 0) / (length[i] * length[j])
        })
        const { values, vectors } = eigen(a, n)
        expect(Math.max(...values.slice(rank).map(Math.abs))).toBeLessThan(1e-13 * n)
        const trace = Array.from({ length: n }, (_, i) => a[i * n + i]).reduce((sum, entry) => sum + entry, 0)
        expect(Math.abs(values.reduce((sum, value) => sum + value, 0) - trace)).toBeLessThan(1e-12 * n)
        const squares = a.reduce((sum, entry) => sum + entry * entry, 0)
        expect(Math.abs(values.reduce((sum, value) => sum + value * value, 0) - squares)).toBeLessThan(1e-12 * n * n)
        near(product(vectors, transposed(vectors, n), n), identity(n), 1e-12 * n)
      }),
      { numRuns: 5 },
    )
  })

  it('go through a linear map', () => {
    const map = Float64Array.of(1, 0, 2, 0, 1, -1)
    const a = Float64Array.of(2, 1, 0, 1, 3, 1, 0, 1, 4)
    expect([...congruence(map, 2, a, 3)]).toEqual([18, -5, -5, 5])
  })
})
