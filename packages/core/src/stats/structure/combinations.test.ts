import { describe, expect, it } from 'vitest'
import { type Combination, checkCombination } from './combinations.ts'

describe('what parts of a model can be together', () => {
  it.each([
    [
      { smoothing: 1, covariates: ['x'] },
      'smoothing cannot be combined with covariates: smoothed models have no likelihood to compare',
    ],
    [
      { smoothing: 1, groups: 'g' },
      'smoothing cannot be combined with groups: smoothed models have no likelihood to compare',
    ],
    [
      { smoothing: 1, known: 'k' },
      'smoothing cannot be combined with known: smoothed models have no likelihood to compare',
    ],
    [
      { algorithm: 'em', covariates: ['x'] },
      'algorithm cannot be em with covariates, whose coefficients it does not fit',
    ],
    [{ algorithm: 'em', groups: 'g' }, 'algorithm cannot be em with groups, whose coefficients it does not fit'],
    [{ algorithm: 'em', known: 'k' }, 'algorithm cannot be em with known, whose coefficients it does not fit'],
    [{ categories: ['x'] }, 'categories needs covariates'],
    [{ categories: ['x'], groups: 'g' }, 'categories needs covariates'],
    [{ referenceCategories: {} }, 'referenceCategories needs covariates'],
    [{ reference: 1 }, 'reference needs covariates'],
    [{ per: {} }, 'per needs covariates'],
    [{ per: {}, groups: 'g' }, 'per needs covariates'],
    [{ standardize: true }, 'standardize needs covariates'],
    [{ free: ['a'] }, 'free needs groups: it names variables whose probabilities may differ between them'],
    [{ direct: ['a'] }, 'direct needs covariates: it names effects that they have on variables'],
    [{ rank: 1, covariates: ['x'] }, 'rank must be 2 or more with covariates, which predict the class of a row'],
    [{ rank: 1, known: 'k' }, 'rank must be 2 or more with known'],
    [{ rank: 1, groups: 'g', free: ['a'] }, 'rank must be 2 or more with free'],
  ] as [Combination, string][])('%j is refused', (given, message) => {
    expect(() => checkCombination(given)).toThrow(message)
  })

  it.each([
    {},
    { rank: 1 },
    { rank: 1, groups: 'g' },
    { rank: 2, covariates: ['x'], known: 'k', groups: 'g', free: ['a'], direct: ['b'] },
    { smoothing: 1 },
    { smoothing: undefined, covariates: ['x'] },
    { algorithm: 'em' },
    { algorithm: 'accelerated', covariates: ['x'] },
    { reference: 1, groups: 'g' },
    { referenceCategories: {}, known: 'k' },
    { categories: ['x'], referenceCategories: {}, reference: 1, per: {}, standardize: true, covariates: ['x'] },
    { standardize: false },
    { direct: ['a'], groups: 'g' },
  ] as Combination[])('%j is taken', given => {
    expect(() => checkCombination(given)).not.toThrow()
  })
})
