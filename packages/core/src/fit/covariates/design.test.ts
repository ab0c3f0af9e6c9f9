import { describe, expect, it } from 'vitest'
import { tensorFromRows } from '../../tensor/rows.ts'
import { covariateData } from './design.ts'

const rowsWith = (count: number, x: (i: number) => string | number) =>
  tensorFromRows(Array.from({ length: 2 * count }, (_, i) => ({ a: i % 2, b: (i >> 1) % 2, x: x(i % count) })))

describe('the design of covariates', () => {
  it.each([
    ['a decimal comma', (i: number) => `${i},5`, /"x" has 60 categories, and at most 50 .* look like numbers with a decimal comma \("0,5"\)/], // biome-ignore format: a table
    ['words', (i: number) => `town ${i}`, /"x" has 60 categories, and at most 50 .* merge rare categories, or cut it into bins/], // biome-ignore format: a table
  ])('has no covariate of hundreds of categories: %s', (_, x, message) => {
    expect(() => covariateData(rowsWith(60, x), { covariates: ['x'] })).toThrow(message)
    expect(covariateData(rowsWith(50, x), { covariates: ['x'] }).design.terms).toHaveLength(50)
  })

  it('has any number of numbers, but not as categories', () => {
    const numbers = rowsWith(500, Number)
    expect(covariateData(numbers, { covariates: ['x'] }).design.terms).toHaveLength(2)
    const asked = () => covariateData(numbers, { covariates: ['x'], categories: ['x'] })
    expect(asked).toThrow(/"x" has 500 categories, .* let it enter as a number, or cut it into bins/)
  })

  it('has no more terms than can be fitted', () => {
    const rows = Array.from({ length: 4000 }, (_, i) => [i % 2, i % 3, `${i % 40}`, `${(i * 7) % 41}`])
    const asked = () => covariateData(tensorFromRows(rows), { covariates: ['mode3*mode4'] })
    expect(asked).toThrow(/covariates make 1640 terms, and at most 200 can be fitted/)
  })

  it('is in units of its own: mean 0 and standard deviation 1, by the counts', () => {
    const rows = [
      { a: 'no', b: 'no', n: 1e6, x: 5e9 },
      { a: 'yes', b: 'no', n: 2e6, x: 5e9 + 3 },
      { a: 'yes', b: 'yes', n: 1e6, x: 5e9 + 6 },
    ]
    const { design } = covariateData(tensorFromRows(rows, { count: 'n' }), { covariates: ['x'] })
    // The mean is 5e9 + 3, the variance (9 + 0 + 9)/4 · 1e6/1e6 = 4.5.
    const values = [...design.values].filter((_, i) => i % 2 === 1).sort((a, b) => a - b)
    expect(values[0]).toBeCloseTo(-3 / Math.sqrt(4.5), 12)
    expect(values[1]).toBeCloseTo(0, 12)
    expect(values[2]).toBeCloseTo(3 / Math.sqrt(4.5), 12)
  })

  it('compares categories with the first of them, or with the one that is named', () => {
    const rows = rowsWith(3, i => ['Democrat', 'Independent', 'Republican'][i])
    const termsWith = (options: object) =>
      covariateData(rows, { covariates: ['x'], ...options }).design.terms.map(({ name }) => name)
    expect(termsWith({})).toEqual(['intercept', 'x = Independent', 'x = Republican'])
    expect(termsWith({ referenceCategories: { x: 'Independent' } })).toEqual([
      'intercept',
      'x = Democrat',
      'x = Republican',
    ])
    expect(() => termsWith({ referenceCategories: { x: 'Green' } })).toThrow(
      /has "Green", which is no category of "x": "Democrat", "Independent", "Republican"/,
    )
    expect(() => termsWith({ referenceCategories: { y: 'Green' } })).toThrow(/has "y", which is not a covariate/)
    const numbers = rowsWith(3, Number)
    const refused = () => covariateData(numbers, { covariates: ['x'], referenceCategories: { x: 1 } })
    expect(refused).toThrow(/enters as a number and has no reference category: name it in categories 'x'/)
    const taken = { covariates: ['x'], categories: ['x'], referenceCategories: { x: '1' } }
    expect(covariateData(numbers, taken).design.terms.map(({ name }) => name)).toEqual(['intercept', 'x = 0', 'x = 2'])
  })
})
