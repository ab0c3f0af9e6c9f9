import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inverseOf, realRank } from './linear.ts'
import { modularInverse, modularRank, modulo, PRIME } from './modular-rank.ts'

const whole = fc.integer({ min: -9, max: 9 })
const table = (rows: number, columns: number) =>
  fc.array(fc.array(whole, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows })

/** The rank of a matrix of whole numbers, by elimination in fractions: exact. With a modulus, in remainders. */
const exactRank = (given: readonly (readonly number[])[], modulus?: bigint): number => {
  const reduced = (x: bigint) => (modulus === undefined ? x : ((x % modulus) + modulus) % modulus)
  let rows = given.map(row => row.map(entry => reduced(BigInt(entry))))
  let rank = 0
  for (let column = 0; column < (given[0]?.length ?? 0); column++) {
    const pivot = rows.find(row => row[column] !== 0n)
    if (pivot === undefined) continue
    rank++
    rows = rows
      .filter(row => row !== pivot)
      .map(row => row.map((entry, j) => reduced(entry * pivot[column] - row[column] * pivot[j])))
  }
  return rank
}

/** Matrices of a rank that is often below their size: products of thin ones. */
const thin = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 4 }))
  .chain(([rows, columns, rank]) =>
    fc
      .tuple(table(rows, rank), table(rank, columns))
      .map(([a, b]) => a.map(row => b[0].map((_, j) => row.reduce((sum, entry, k) => sum + entry * b[k][j], 0)))),
  )

describe('the inverse of a matrix', () => {
  it('times the matrix is one, on either side, and there is none where rows depend on each other', () => {
    const square = fc.integer({ min: 1, max: 6 }).chain(n => table(n, n))
    fc.assert(
      fc.property(square, rows => {
        const n = rows.length
        const given = Float64Array.from(rows.flat())
        const found = inverseOf(given, n)
        expect([...given]).toEqual(rows.flat())
        if (exactRank(rows) < n) {
          expect(found).toBeUndefined()
          return
        }
        let furthest = 0
        for (const [a, b] of [
          [given, found!],
          [found!, given],
        ]) {
          for (let i = 0; i < n; i++) {
            for (let j = 0; j < n; j++) {
              let sum = 0
              for (let k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j]
              furthest = Math.max(furthest, Math.abs(sum - (i === j ? 1 : 0)))
            }
          }
        }
        expect(furthest).toBeLessThan(1e-7)
      }),
      { numRuns: 150 },
    )
  })

  it('is taken with the largest pivot', () => {
    // Without it, the first row would be scaled by 1e20, and nothing be left of the second.
    const found = inverseOf(Float64Array.of(1e-20, 1, 1, 1), 2, 1e-30)!
    ;[-1, 1, 1, 0].forEach((entry, i) => {
      expect(found[i]).toBeCloseTo(entry, 12)
    })
    // A zero on the diagonal is no obstacle.
    expect([...inverseOf(Float64Array.of(0, 2, 4, 0), 2)!]).toEqual([0, 0.25, 0.5, 0])
  })

  it('needs pivots above a part of the largest entry', () => {
    const nearly = (small: number) => Float64Array.of(5, 0, 0, small)
    expect(inverseOf(nearly(1e-9), 2)).toBeDefined()
    expect(inverseOf(nearly(4.9e-10), 2)).toBeUndefined()
    expect(inverseOf(nearly(-1e-9), 2)).toBeDefined()
    expect(inverseOf(nearly(1e-3), 2, 1e-2)).toBeUndefined()
    // A negative entry may be the largest.
    expect(inverseOf(Float64Array.of(-5, 0, 0, 4.9e-10), 2)).toBeUndefined()
    expect(inverseOf(Float64Array.of(Number.NaN), 1)).toBeUndefined()
    expect(inverseOf(Float64Array.of(0), 1)).toBeUndefined()
    expect(inverseOf(new Float64Array(0), 0)).toEqual(new Float64Array(0))
  })
})

describe('the rank of a matrix', () => {
  it('is that of an exact elimination', () => {
    fc.assert(
      fc.property(thin, rows => {
        const given = rows.map(row => Float64Array.from(row))
        expect(realRank(given)).toBe(exactRank(rows))
        expect(given.map(row => [...row])).toEqual(rows)
      }),
      { numRuns: 200 },
    )
  })

  it('does not depend on the units of rows and columns', () => {
    const rows = [
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ]
    const scaled = rows.map((row, i) =>
      Float64Array.from(row, (entry, j) => entry * 10 ** (60 * i - 50) * 1000 ** (j - 1)),
    )
    expect(realRank(scaled)).toBe(2)
    scaled[2][2] *= 1.001
    expect(realRank(scaled)).toBe(3)
    expect(realRank([Float64Array.of(0, 0), Float64Array.of(0, 0)])).toBe(0)
    // A column of zeros beside others.
    expect(realRank([Float64Array.of(0, 1), Float64Array.of(0, 3)])).toBe(1)
  })

  it('modulo a prime is that of remainders', () => {
    fc.assert(
      fc.property(thin, fc.array(fc.integer({ min: 1, max: PRIME - 1 })), (rows, scales) => {
        // Rows and columns times remainders of full size have the same rank.
        const large = rows.map((row, i) =>
          Float64Array.from(row, (entry, j) => {
            const scale = BigInt(scales[i] ?? 1) * BigInt(scales[j + 7] ?? 1) * BigInt(entry)
            return Number(((scale % BigInt(PRIME)) + BigInt(PRIME)) % BigInt(PRIME))
          }),
        )
        const expected = exactRank(
          large.map(row => [...row]),
          BigInt(PRIME),
        )
        expect(expected).toBe(exactRank(rows, BigInt(PRIME)))
        expect(modularRank(large)).toBe(expected)
      }),
      { numRuns: 150 },
    )
  })

  it('remainders are those of whole numbers, near multiples too', () => {
    expect(PRIME).toBe(67108859)
    const times = fc.integer({ min: 0, max: PRIME - 1 })
    fc.assert(
      fc.property(times, fc.oneof(times, fc.constantFrom(0, 1, PRIME - 1)), (a, rest) => {
        const x = Math.min(a * PRIME + rest, 2 ** 53 - 1)
        expect(modulo(x)).toBe(Number(BigInt(x) % BigInt(PRIME)))
      }),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: PRIME - 1 }), x => {
        expect((BigInt(x) * BigInt(modularInverse(x))) % BigInt(PRIME)).toBe(1n)
      }),
    )
  })
})
