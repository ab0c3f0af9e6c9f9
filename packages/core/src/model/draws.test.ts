import { describe, expect, it } from 'vitest'
import { drawer } from '../numeric/drawer.ts'
import { random } from '../numeric/philox.ts'
import { tensorFromColumns } from '../tensor/coordinates.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { drawTensor, drawValues, drawWeighted } from './draws.ts'
import type { Parameters } from './parameters.ts'
import { posteriorInto } from './posterior.ts'

/** A group, and two items that depend on the class. */
const parameters: Parameters = {
  rank: 2,
  shares: Float64Array.of(0.25, 0.75),
  factors: [
    Float64Array.of(0.9, 0.2, 0.1, 0.8),
    Float64Array.of(0.8, 0.3, 0.2, 0.7),
    Float64Array.of(0.1, 0.6, 0.2, 0.3, 0.7, 0.1),
  ],
}
const p = (n: number, label: number, k: number) => parameters.factors[n][label * 2 + k]

const rowsOf = ({ cells, indices, values }: Tensor) =>
  Array.from({ length: cells }, (_, cell) => ({ row: indices.map(column => column[cell]), y: values[cell] }))

/** Which modes each observation lacks, and how many do so. */
const gaps = (tensor: Tensor) => {
  const found = new Map<string, number>()
  for (const { row, y } of rowsOf(tensor)) {
    const key = row.map(index => (index < 0 ? '-' : 'x')).join('')
    found.set(key, (found.get(key) ?? 0) + y)
  }
  return found
}

/** The part of all for which something holds. */
const part = (tensor: Tensor, holds: (row: number[]) => boolean) =>
  rowsOf(tensor).reduce((sum, { row, y }) => (holds(row) ? sum + y : sum), 0) / tensor.total

const tensor = tensorFromColumns(
  [
    [0, 1, -1, 1, 0],
    [0, 1, 1, -1, 1],
    [2, -1, 0, 1, -1],
  ],
  [6000, 5000, 4000, 3000, 2000],
  { shape: [2, 2, 3] },
)

describe('draws of a table', () => {
  it('lack what the observations lack, and follow the model in the rest', () => {
    const drawn = drawTensor(tensor, parameters, random(3, 'data'))
    expect([drawn.total, drawn.shape]).toEqual([tensor.total, tensor.shape])
    expect(gaps(drawn)).toEqual(gaps(tensor))
    // Of the 6,000 that have everything, each combination in its turn.
    for (const g of [0, 1]) {
      for (const a of [0, 1]) {
        for (const b of [0, 1, 2]) {
          const share = [0, 1].reduce((sum, k) => sum + parameters.shares[k] * p(0, g, k) * p(1, a, k) * p(2, b, k), 0)
          const seen = (part(drawn, row => row.join() === [g, a, b].join()) * drawn.total) / 6000
          expect(Math.abs(seen - share)).toBeLessThan(4.5 * Math.sqrt((share * (1 - share)) / 6000))
        }
      }
    }
  })

  it('keep a mode that is given, by which classes are drawn', () => {
    const drawn = drawTensor(tensor, parameters, random(4, 'data'), [0])
    expect(gaps(drawn)).toEqual(gaps(tensor))
    expect([...drawn.marginals[0]]).toEqual([...tensor.marginals[0]])
    // Where the group is missing, the shares alone decide: 4,000 that lack it.
    for (const [g, count] of [
      [0, 8000],
      [1, 8000 - 3000],
      [-1, 4000],
    ]) {
      const joint = [0, 1].map(k => parameters.shares[k] * (g < 0 ? 1 : p(0, g, k)))
      const share = (joint[0] * p(1, 0, 0) + joint[1] * p(1, 0, 1)) / (joint[0] + joint[1])
      const seen = (part(drawn, row => row[0] === g && row[1] === 0) * drawn.total) / count
      expect(Math.abs(seen - share)).toBeLessThan(4.5 * Math.sqrt((share * (1 - share)) / count))
    }
  })

  it('with weights keep the weight of every row, and draw its class by its own answers', () => {
    const weights = {
      cells: Int32Array.of(0, 0, 3),
      weights: Float64Array.of(0.5, 2, 1.25),
      counts: Float64Array.of(3000, 1000, 4000),
    }
    const drawn = drawWeighted(tensor, parameters, weights, random(5, 'data'))
    const full = rowsOf(tensor)[0].row.every(index => index >= 0)
    expect(drawn.total).toBeCloseTo(0.5 * 3000 + 2 * 1000 + 1.25 * 4000, 9)
    const lacking = (cell: number) => tensor.indices.map(column => (column[cell] < 0 ? '-' : 'x')).join('')
    expect([...gaps(drawn).keys()].sort()).toEqual([...new Set([lacking(0), lacking(3)])].sort())
    // P[first item is 0 | the posterior of the row's cell], among the weights of that cell.
    const posterior = new Float64Array(2)
    posteriorInto(parameters, tensor.indices, full ? 0 : 3, posterior)
    const mode = full ? 1 : [0, 1, 2].find(n => tensor.indices[n][3] >= 0)!
    const cell = full ? 0 : 3
    const own = rowsOf(drawn).filter(({ row }) => row.map(index => (index < 0 ? '-' : 'x')).join('') === lacking(cell))
    const weight = own.reduce((sum, { y }) => sum + y, 0)
    const seen = own.reduce((sum, { row, y }) => (row[mode] === 0 ? sum + y : sum), 0) / weight
    const share = posterior[0] * p(mode, 0, 0) + posterior[1] * p(mode, 0, 1)
    expect(Math.abs(seen - share)).toBeLessThan(0.04)
  })

  it('with weights of what is impossible use the shares', () => {
    const strict = { ...parameters, factors: [Float64Array.of(1, 1, 0, 0), ...parameters.factors.slice(1)] }
    const other = tensorFromColumns([[1], [0], [0]], [1], { shape: [2, 2, 3] })
    const weights = { cells: Int32Array.of(0), weights: Float64Array.of(1), counts: Float64Array.of(8000) }
    const drawn = drawWeighted(other, strict, weights, random(6, 'data'))
    expect(drawn.total).toBe(8000)
    const share = 0.25 * 0.8 + 0.75 * 0.3
    expect(Math.abs(part(drawn, row => row[1] === 0) - share)).toBeLessThan(0.025)
  })

  it('from among the observations themselves are as many, each in its proportion', () => {
    const drawn = drawValues(tensor, random(7, 'data'))
    expect(drawn.reduce((sum, count) => sum + count, 0)).toBe(tensor.total)
    tensor.values.forEach((value, cell) => {
      const share = value / tensor.total
      expect(Math.abs(drawn[cell] - value)).toBeLessThan(4.5 * Math.sqrt(tensor.total * share * (1 - share)))
    })
    expect(drawn).not.toEqual(tensor.values)
  })
})

describe('a position drawn in proportion', () => {
  it('is where the number falls among the sums', () => {
    const draw = drawer(Float64Array.of(1, 0, 2, 1, 0))
    expect([0, 0.1, 0.2499, 0.25, 0.5, 0.7499, 0.75, 0.9999].map(draw)).toEqual([0, 0, 0, 2, 2, 2, 3, 3])
    // Not even rounding reaches what has no size.
    expect(draw(1)).toBe(3)
    expect(drawer(Float64Array.of(0, 0, 5))(0)).toBe(2)
  })
})
