import { evaluate, fit, type Tensor, tensorFromArray } from '@polyad/core'
import { type Random, random } from '@polyad/core/numeric'
import { describe, expect, it } from 'vitest'

/**
 * Tests of fit keep their level: where the data comes from the very model that is fitted, G² with the degrees of freedom of the
 * Jacobian rejects it about as often as it says. With the count of parameters in place of the rank it was 12 to 55% of the time.
 */

const OBSERVATIONS = 5000
const TABLES = 600

/** A point well inside the simplex. */
const column = ({ uniform }: Random, size: number): number[] => {
  const raw = Array.from({ length: size }, () => 0.3 + uniform())
  const sum = raw.reduce((a, b) => a + b, 0)
  return raw.map(value => value / sum)
}

/** The cells' probabilities under a random model, the last mode varying fastest. */
const probabilities = (source: Random, shape: readonly number[], rank: number): number[] => {
  const shares = column(source, rank)
  const total = new Array<number>(shape.reduce((a, b) => a * b, 1)).fill(0)
  for (const share of shares) {
    // Classes differ clearly, or the optimum lies at the boundary.
    const factors = shape.map(size => column(source, size).map(p => p ** 3))
    const scaled = factors.map(factor => factor.map(p => p / factor.reduce((a, b) => a + b, 0)))
    const product = scaled.reduce((cells, factor) => cells.flatMap(cell => factor.map(p => cell * p)), [1])
    product.forEach((p, cell) => {
      total[cell] += share * p
    })
  }
  return total
}

const drawn = ({ uniform }: Random, shape: readonly number[], cells: readonly number[]): Tensor => {
  const counts = new Array<number>(cells.length).fill(0)
  for (let i = 0; i < OBSERVATIONS; i++) {
    let rest = uniform()
    const at = cells.findIndex(p => {
      rest -= p
      return rest < 0
    })
    counts[at < 0 ? cells.length - 1 : at]++
  }
  return tensorFromArray(counts, { shape })
}

describe('the level of the test of fit', () => {
  it.each([
    ['4×4, 2 classes', [4, 4], 2],
    ['5×5, 2 classes', [5, 5], 2],
    ['6×6, 3 classes', [6, 6], 3],
    ['2×2×2×2, 2 classes', [2, 2, 2, 2], 2],
    ['2×2×2×2, 3 classes', [2, 2, 2, 2], 3],
  ])('%s', async (_, shape, rank) => {
    const source = random(2027, 'data', shape.length * 10 + rank)
    let rejected = 0
    for (let table = 0; table < TABLES; table++) {
      const tensor = drawn(source, shape, probabilities(source, shape, rank))
      const { model } = await fit(tensor, { rank, starts: 6, threads: 1, tolerance: 1e-10, stationarity: 1e-4 })
      const { pValue } = await evaluate(tensor, model)
      if ((pValue as number) < 0.05) rejected++
    }
    expect(rejected / TABLES).toBeGreaterThanOrEqual(0.03)
    expect(rejected / TABLES).toBeLessThanOrEqual(0.07)
  })
})
