import { describe, expect, it } from 'vitest'
import { covariateData } from '../../fit/covariates/design.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { identifyStructured } from './identification.ts'

/** A covariate of some values, as numbers or as categories. */
const designOf = (count: number, categories: boolean) => {
  const rows = Array.from({ length: 4 * count }, (_, i) => ({ a: i % 2, b: (i >> 1) % 2, x: 1e6 + (i % count) }))
  return covariateData(tensorFromRows(rows), { covariates: ['x'], ...(categories && { categories: ['x'] }) }).design
}

/**
 * The ranks are of the whole Jacobian of P[answers | z], by complex steps at random parameters and singular values (numpy); cells are
 * those of one table for each value of the covariate, less 1 each.
 */
describe('identification with covariates', () => {
  it.each([
    { shape: [2, 2], rank: 2, values: 2, categories: true, parameters: 6, dimension: 6, cells: 6 },
    { shape: [2, 2], rank: 3, values: 2, categories: true, parameters: 10, dimension: 6, cells: 6 },
    { shape: [2, 2], rank: 3, values: 4, categories: false, parameters: 10, dimension: 10, cells: 12 },
    { shape: [3, 3], rank: 2, values: 5, categories: false, parameters: 10, dimension: 10, cells: 40 },
    { shape: [3, 3], rank: 3, values: 2, categories: true, parameters: 16, dimension: 16, cells: 16 },
    { shape: [2, 2, 2, 2], rank: 3, values: 2, categories: true, parameters: 16, dimension: 16, cells: 30 },
    { shape: [2, 2, 2], rank: 3, values: 2, categories: false, parameters: 13, dimension: 12, cells: 14 },
    { shape: [2, 2, 2], rank: 4, values: 3, categories: true, parameters: 21, dimension: 21, cells: 21 },
    { shape: [4, 2], rank: 3, values: 6, categories: false, parameters: 16, dimension: 16, cells: 42 },
    { shape: [2, 2], rank: 2, values: 9, categories: false, parameters: 6, dimension: 6, cells: 27 },
    { shape: [2, 2, 2, 2, 2], rank: 2, values: 3, categories: true, parameters: 13, dimension: 13, cells: 93 },
  ])('is that of the Jacobian: $shape, $rank classes, $values values', each => {
    expect(
      identifyStructured(each.shape, each.rank, { explained: designOf(each.values, each.categories) }),
    ).toMatchObject({
      parameters: each.parameters,
      rank: each.dimension,
      degreesOfFreedom: each.cells - each.dimension,
      verdict: each.dimension === each.parameters ? 'identified' : 'not identified',
    })
  })
})
