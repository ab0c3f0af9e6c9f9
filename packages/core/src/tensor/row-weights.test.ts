import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../test/refusal.ts'
import { random } from '../numeric/philox.ts'
import { tensorFromColumns } from './coordinates.ts'
import { selectCells, withoutModes } from './reshape.ts'
import { rowsOfCells, rowsWithin, scaleWeights, weighRows } from './row-weights.ts'

const of = (...values: number[]) => Float64Array.from(values)

describe('sampling weights', () => {
  it('are divided by their mean over the rows that weigh something', () => {
    expect(scaleWeights(of(1, 3, 0), of(3, 1, 5))).toEqual({
      weights: of(2 / 3, 2, 0).map(near),
      scale: 4 / 6,
      population: 6,
    })
    expect(scaleWeights(of(0, 0), of(1, 1))).toEqual({ weights: of(0, 0), scale: 1, population: 0 })
  })

  it('are what they are to 12 digits, never zero, and sum to the rows exactly as far as numbers tell', () => {
    const { uniform } = random(5, 'data')
    const raw = Float64Array.from({ length: 1000 }, (_, i) => (i === 0 ? 1e-200 : Math.exp(6 * uniform() - 3)))
    const counts = raw.map((_, i) => 1 + (i % 4))
    const { weights, scale } = scaleWeights(raw, counts)
    const rows = counts.reduce((sum, count) => sum + count)
    expect(weights[0]).toBeGreaterThan(0)
    raw.forEach((weight, i) => void expect(Math.abs(weights[i] - weight * scale)).toBeLessThan(2e-12))
    expect(weights.reduce((sum, weight, i) => sum + weight * counts[i], 0)).toBeCloseTo(rows, 8)
  })

  it('have the same sums however rows are grouped and ordered, to the last bit', () => {
    const { uniform } = random(9, 'data')
    const raw = Float64Array.from({ length: 400 }, () => Math.exp(4 * uniform()))
    const { weights } = scaleWeights(
      raw,
      raw.map(() => 1),
    )
    const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
    const all = [...weights]
    const whole = sum(all)
    expect(sum(all.toReversed())).toBe(whole)
    expect(sum(all.toSorted((a, b) => b - a))).toBe(whole)
    for (const parts of [2, 7, 31])
      expect(sum(Array.from({ length: parts }, (_, part) => sum(all.filter((_, i) => i % parts === part))))).toBe(whole)
  })

  it('are refused if they cannot be scaled', async () => {
    expect(await refusal(() => scaleWeights(of(1e-320), of(1)))).toBe(
      `DataError: the weights sum to ${1e-320}, which cannot be scaled: multiply them all by a constant`,
    )
    expect(await refusal(() => scaleWeights(of(1e308), of(2)))).toBe(
      'DataError: the weights sum to Infinity, which cannot be scaled: divide them all by a constant',
    )
  })
})

/** As the rounding of weights leaves it. */
const near = (value: number): number => Math.round(value * 2 ** 49) / 2 ** 49

describe('rows with weights of which some are left out', () => {
  // Weights 1, 1 and 4 in the first cell, 2 in the second, 5 in the third.
  const rows = { cells: Int32Array.of(0, 0, 1, 2), weights: of(1, 4, 2, 5), counts: of(2, 1, 1, 1) }
  const tensor = tensorFromColumns(
    [
      [0, 0, 1],
      [0, 1, -1],
    ],
    [3, 1, 1],
  )

  it('weigh as if the others had never been there', () => {
    const all = weighRows(tensor, rows)
    expect([all.tensor.total, all.population, all.scale]).toEqual([5, 13, 5 / 13])
    expect([...rowsOfCells(tensor, rows)]).toEqual([3, 1, 1])
    const some = selectCells(all.tensor, cell => all.tensor.indices[1][cell] >= 0)
    const left = weighRows(some, rowsWithin(all.rowWeights, Int32Array.of(0, 1, -1)))
    // Four rows, whose weights average 2.
    expect([...left.tensor.values]).toEqual([3, 1])
    expect([...left.squares.values]).toEqual([2 * 0.25 + 4, 1])
    expect(left.rowWeights).toEqual({
      cells: Int32Array.of(0, 0, 1),
      weights: of(0.5, 2, 1),
      counts: of(2, 1, 1),
      raw: of(1, 4, 2),
    })
    expect([left.population, left.scale]).toEqual([8, 0.5])
  })

  it('are counted as rows without weights too', () => {
    expect(rowsOfCells(tensor)).toBe(tensor.values)
    expect(withoutModes(tensor, ['mode2']).cells).toBe(2)
  })
})
