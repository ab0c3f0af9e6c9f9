import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { carcinoma, gss82, values } from '../../../../../test/tables.ts'
import { fit } from '../../fit/fit.ts'
import { Model } from '../../model/model.ts'
import { randomStart } from '../../model/random.ts'
import { modularRank, PRIME } from '../../numeric/modular-rank.ts'
import { random } from '../../numeric/philox.ts'
import { Mode } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { countParameters, identify } from './identification.ts'
import { identifyModel, whereText } from './local-identification.ts'

describe('identification', () => {
  it('a two-way table never determines more than one class', () => {
    for (const [rows, columns, rank, degreesOfFreedom] of [
      [6, 6, 3, 9],
      [4, 4, 2, 4],
      [5, 5, 2, 9],
      [5, 7, 3, 8],
      [3, 40, 2, 38],
    ]) {
      const found = identify([rows, columns], rank)
      expect(found).toMatchObject({ verdict: 'not identified', method: 'jacobian', degreesOfFreedom })
      // The dimension of the matrices of this rank, less one for their sum.
      expect(found.rank).toBe(rank * (rows + columns - rank) - 1)
    }
  })

  it.each<[string, number[], number, number]>([
    ['four binary items, 3 classes', [2, 2, 2, 2], 3, 13],
    ['three binary items, 2 classes', [2, 2, 2], 2, 7],
    ['carcinoma, 2 classes', [2, 2, 2, 2, 2, 2, 2], 2, 15],
    ['carcinoma, 4 classes', [2, 2, 2, 2, 2, 2, 2], 4, 31],
    ['survey attitudes, 4 classes', [3, 2, 2, 3], 4, 27],
    ['four binary items, 2 classes', [2, 2, 2, 2], 2, 9],
    // Strassen's defective case: one less than the table has room for; five classes fill it.
    ['3×3×3, 4 classes', [3, 3, 3], 4, 25],
    ['3×3×3, 5 classes', [3, 3, 3], 5, 26],
    ['a mode of one label counts for nothing', [2, 2, 1, 2, 2], 3, 13],
  ])('%s', (_, shape, rank, dimension) => {
    const found = identify(shape, rank)
    expect(found.rank).toBe(dimension)
    expect(found.verdict).toBe(dimension === countParameters(shape, rank) ? 'identified' : 'not identified')
    expect(found.degreesOfFreedom).toBe(shape.reduce((a, b) => a * b, 1) - 1 - dimension)
  })

  it('large models are judged by Kruskal, or said not to be', () => {
    expect(identify([1000, 1000, 1000], 10)).toMatchObject({ verdict: 'identified', method: 'kruskal' })
    expect(identify(new Array(60).fill(2), 12)).toMatchObject({ verdict: 'identified', method: 'kruskal' })
    expect(identify([20_000, 20_000], 10)).toMatchObject({ verdict: 'not identified', rank: 399_899 })
    expect(identify([4, 4, 4, 4], 130)).toMatchObject({ verdict: 'not checked', method: 'none' })
  })

  it('knows tables that tell nothing, and refuses what is no shape', () => {
    expect(identify([1, 1], 2)).toMatchObject({ rank: 0, degreesOfFreedom: 0, verdict: 'not identified' })
    expect(identify([5], 3)).toMatchObject({ rank: 4, degreesOfFreedom: 0 })
    expect(() => identify([2, 0], 2)).toThrow('shape[1] must be a whole number ≥ 1')
    expect(() => identify([2, 2], 0)).toThrow('rank must be a whole number ≥ 1')
  })

  it('where Kruskal says yes, so does the Jacobian', () => {
    const cases = fc.tuple(
      fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 3, maxLength: 5 }),
      fc.integer({ min: 2, max: 5 }),
    )
    fc.assert(
      fc.property(cases, ([shape, rank]) => {
        const { rank: dimension, parameters, method } = identify(shape, rank)
        expect(dimension).toBeLessThanOrEqual(parameters)
        expect(dimension).toBeLessThan(shape.reduce((a, b) => a * b, 1))
        // A mode of one class more than the others can hold keeps Kruskal silent, and must not change the answer.
        if (method === 'kruskal') expect(jacobian(shape, rank)).toBe(dimension)
      }),
      { numRuns: 60 },
    )
  })
})

/** The rank by central differences and a pivoted elimination in doubles, at a random point. */
const jacobian = (shape: readonly number[], rank: number): number => {
  let state = 12345
  const uniform = () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
  const point = Array.from({ length: rank * shape.reduce((a, b) => a + b, 0) }, () => 0.3 + uniform())
  const table = (x: readonly number[]): number[] => {
    let cells: number[][] = Array.from({ length: rank }, () => [1])
    let at = 0
    for (const size of shape) {
      cells = cells.map((column, k) =>
        column.flatMap(value => Array.from({ length: size }, (_, j) => value * x[at + k * size + j])),
      )
      at += rank * size
    }
    return cells[0].map((_, cell) => cells.reduce((sum, column) => sum + column[cell], 0))
  }
  const h = 1e-5
  const rows = point.map((_, i) => {
    const [up, down] = [h, -h].map(step => table(point.map((value, j) => (j === i ? value + step : value))))
    return up.map((value, cell) => (value - down[cell]) / (2 * h))
  })
  let found = 0
  for (; found < rows.length; found++) {
    let best = { row: -1, column: -1, size: 1e-6 }
    for (let row = found; row < rows.length; row++) {
      rows[row].forEach((value, column) => {
        if (Math.abs(value) > best.size) best = { row, column, size: Math.abs(value) }
      })
    }
    if (best.row < 0) break
    ;[rows[found], rows[best.row]] = [rows[best.row], rows[found]]
    const pivot = rows[found]
    for (let row = found + 1; row < rows.length; row++) {
      const factor = rows[row][best.column] / pivot[best.column]
      rows[row] = rows[row].map((value, column) => value - factor * pivot[column])
    }
  }
  return found - 1
}

describe('identification at a fit', () => {
  it.each([
    ['carcinoma', carcinoma, [2, 3, 4]],
    ['survey attitudes', gss82, [2, 3, 4]],
    ['values', values, [2]],
  ] as const)('%s is identified there too', async (_, tensor, ranks) => {
    for (const rank of ranks) {
      const { model } = await fit(tensor, { rank, threads: 1 })
      const { verdict, parameters, atFit } = identifyModel(model)
      expect(verdict).toBe('identified')
      expect(atFit).toMatchObject({ rank: parameters, classes: [], modes: [] })
      expect(atFit?.gap).toBeGreaterThan(1e4)
    }
  })

  it('finds the one direction in which four binary items leave three classes free', async () => {
    const { model } = await fit(values, { rank: 3, threads: 1 })
    const found = identifyModel(model)
    expect(found).toMatchObject({ verdict: 'not identified', parameters: 14, rank: 13, degreesOfFreedom: 2 })
    expect(found.atFit).toMatchObject({ rank: 13, classes: [0, 1, 2], modes: ['A', 'B', 'C', 'D'] })
    expect(found.atFit?.gap).toBeGreaterThan(1e4)
  })

  it('agrees with exact arithmetic at random parameters', () => {
    const cases = fc.tuple(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(),
    )
    fc.assert(
      fc.property(cases, ([shape, classes, seed]) => {
        const { rank: K, shares, factors } = randomStart(shape, classes, seed, 0)
        const named = shape.map((size, n) => new Mode(`mode${n + 1}`, size))
        const { rank, parameters, atFit, verdict } = identifyModel(
          new Model(named, { rank: K, sizes: shares, factors }),
        )
        expect(atFit!.rank).toBeLessThanOrEqual(rank)
        // Where the last singular value is not small, there is no doubt.
        if (atFit!.gap > 1e3) expect(atFit!.rank).toBe(rank)
        expect(verdict === 'identified').toBe(atFit!.rank === parameters)
      }),
      { numRuns: 100 },
    )
  })

  const modes = values.modes
  const table = (...columns: number[][]) =>
    modes.map(() => Float64Array.from([...columns.map(([p]) => p), ...columns.map(([, q]) => q)]))

  it('tells classes that are alike from a class without a share', () => {
    const alike = new Model(modes, { rank: 2, sizes: Float64Array.of(3, 2), factors: table([0.3, 0.7], [0.3, 0.7]) })
    // The shares, and in every mode one class against the other.
    expect(identifyModel(alike)).toMatchObject({ verdict: 'not identified', rank: 9, atFit: { rank: 4, boundary: 0 } })
    const empty = new Model(modes, { rank: 2, sizes: Float64Array.of(3, 0), factors: table([0.3, 0.7], [0.8, 0.2]) })
    expect(identifyModel(empty)).toMatchObject({
      verdict: 'boundary',
      rank: 9,
      degreesOfFreedom: 6,
      atFit: { rank: 5, boundary: 1, classes: [1], modes: ['A', 'B', 'C', 'D'] },
    })
  })

  it('is found for long tables whose probabilities differ by many orders of magnitude', async () => {
    const { uniform } = random(7, 'sample')
    const rows = Array.from({ length: 20_000 }, () => ({
      a: Math.floor(101 * uniform() ** 3),
      b: Math.floor(2 * uniform() ** 3),
    }))
    const { model } = await fit(tensorFromRows(rows), { rank: 3, starts: 2, threads: 1 })
    const found = identifyModel(model)
    // Two columns: whatever is beyond rank 2 changes nothing, and the matrices of rank 2 are all there are.
    expect(found).toMatchObject({ rank: 201, verdict: 'not identified' })
    expect(found.atFit?.rank).toBeLessThanOrEqual(201)
    expect(found.atFit?.rank).toBeGreaterThan(100)
  })

  it('says in words where it is not', () => {
    expect(whereText({ classes: [1], modes: [] })).toBe('class 2')
    expect(whereText({ classes: [0, 1, 3], modes: ['A', 'B'] })).toBe('classes 1, 2 and 4 in A, B')
    expect(whereText({ classes: [0, 1, 2, 3, 4, 5, 6], modes: [...'abcdefg'] })).toBe('7 classes in 7 variables')
  })

  it('is left out where there are too many parameters', () => {
    const factors = [150, 150].map(size => new Float64Array(2 * size).fill(1 / size))
    const model = new Model([new Mode('a', 150), new Mode('b', 150)], {
      rank: 2,
      sizes: Float64Array.of(1, 1),
      factors,
    })
    expect(identifyModel(model)).not.toHaveProperty('atFit')
  })
})

describe('the rank modulo a prime', () => {
  it('is that of a product of random matrices', () => {
    const entry = fc.integer({ min: 0, max: PRIME - 1 })
    const matrix = (rows: number, columns: number) =>
      fc.array(fc.array(entry, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows })
    fc.assert(
      fc.property(
        fc
          .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 }))
          .chain(([rows, inner, columns]) => fc.tuple(matrix(rows, inner), matrix(inner, columns))),
        ([a, b]) => {
          const product = a.map(row =>
            Float64Array.from(b[0], (_, j) =>
              Number(row.reduce((sum, value, i) => (sum + BigInt(value) * BigInt(b[i][j])) % BigInt(PRIME), 0n)),
            ),
          )
          const own = (rows: number[][]) => modularRank(rows.map(row => Float64Array.from(row)))
          expect(modularRank(product)).toBeLessThanOrEqual(Math.min(own(a), own(b)))
          expect(own(a.map(row => row.map(value => (value * 2) % PRIME)))).toBe(own(a))
        },
      ),
    )
    expect(modularRank([Float64Array.of(1, 2), Float64Array.of(2, 4)])).toBe(1)
    expect(modularRank([Float64Array.of(0, 0)])).toBe(0)
  })
})
