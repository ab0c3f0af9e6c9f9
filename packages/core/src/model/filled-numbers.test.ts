import { describe, expect, it } from 'vitest'
import { Mode } from '../tensor/mode.ts'
import { filledNumbers, numberFiller } from './filled-numbers.ts'
import { imputeRows } from './impute.ts'
import { fittedItem } from './items/fitted-item.ts'
import { Model } from './model.ts'

const items = [
  fittedItem({ kind: 'normal', step: 0.5, variances: 'free' }, Float64Array.of(10, 20, 1, 3)),
  fittedItem({ kind: 'count', distribution: 'poisson' }, Float64Array.of(2, 9)),
  undefined,
]
const labels = [
  [9.5, 10, 21.5],
  [0, 3, 12],
  ['no', 'yes'],
]
const model = new Model(
  ['height', 'visits', 'vote'].map((name, n) => new Mode(name, labels[n])),
  {
    rank: 2,
    sizes: Float64Array.of(60, 40),
    factors: labels.map((own, n) => {
      const table = new Float64Array(own.length * 2)
      if (n === 2) table.set([0.2, 0.9, 0.8, 0.1])
      else items[n]!.over(own, 2).table(items[n]!.theta, table)
      return table
    }),
  },
  undefined,
  undefined,
  items,
)

describe('missing numbers', () => {
  it('are drawn on their grid, by the class of the row', () => {
    const draws = 4000
    const { draws: drawn, imputed } = imputeRows(model, [{ height: null, visits: null, vote: 'yes' }], { draws })
    expect(imputed).toEqual([['height', 'visits']])
    const { probabilities } = model.posterior({ vote: 'yes' })
    const heights = drawn.map(([[height]]) => Number(height))
    const visits = drawn.map(([[, own]]) => Number(own))
    expect(heights.every(height => Number.isInteger(2 * height))).toBe(true)
    expect(visits.every(own => Number.isInteger(own) && own >= 0)).toBe(true)
    // Values that the data never had are drawn, too.
    expect(new Set(heights).size).toBeGreaterThan(20)
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / draws
    const [a, b] = probabilities
    expect(Math.abs(mean(heights) - (10 * a + 20 * b))).toBeLessThan(0.25)
    expect(Math.abs(mean(visits) - (2 * a + 9 * b))).toBeLessThan(0.2)
    // Both are of one class.
    const product = heights.reduce((sum, height, i) => sum + height * visits[i], 0) / draws
    expect(Math.abs(product - (20 * a + 180 * b))).toBeLessThan(4)
  })

  it('have the mean of their classes as the best value, at a place of the grid', () => {
    const filler = numberFiller(filledNumbers(model), 2)
    expect([0, 1, 2].map(filler.isNumber)).toEqual([true, true, false])
    expect(filler.expected(0, Float64Array.of(0.33, 0.67))).toBe(16.5)
    expect(filler.expected(1, Float64Array.of(0.33, 0.67))).toBe(7)
  })

  it('know numbers that the model never saw, and leave them as they are', () => {
    const { draws } = imputeRows(model, [{ height: 19.37, visits: null, vote: null }], { draws: 300 })
    expect(draws.every(([[height]]) => height === 19.37)).toBe(true)
    const visits = draws.map(([[, own]]) => Number(own))
    expect(visits.reduce((sum, own) => sum + own, 0) / 300).toBeGreaterThan(8)
  })
})
