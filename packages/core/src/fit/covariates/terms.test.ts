import { describe, expect, it } from 'vitest'
import { Mode } from '../../tensor/mode.ts'
import { type DesignCovariate, standardOf, termsOf, termValues, unstandardize, usedTerms } from './terms.ts'

const covariate = (mode: Mode, numeric: boolean, indices: readonly number[], more = {}): DesignCovariate => ({
  mode,
  numeric,
  reference: 0,
  indices: Int32Array.from(indices),
  center: 0,
  scale: 1,
  ...more,
})
const age = covariate(new Mode('age', [20, 40, 70]), true, [0, 1, 2, 0, 1, 2], { center: 40, scale: 10 })
const party = covariate(new Mode('party', ['red', 'blue', 'green']), false, [0, 0, 0, 1, 2, 2], { reference: 1 })
const sex = covariate(new Mode('sex', ['f', 'm']), false, [0, 1, 0, 1, 0, 1])
const names = (products: readonly (readonly string[])[]) => termsOf([age, party, sex], products).map(({ name }) => name)

describe('the terms of a predictor', () => {
  it('are the intercept, those of every covariate, and the products of those that interact', () => {
    expect(names([])).toEqual(['intercept'])
    expect(names([['sex'], ['age']])).toEqual(['intercept', 'sex = m', 'age'])
    expect(names([['party', 'age']])).toEqual([
      ...['intercept', 'party = red', 'party = green', 'age', 'age × party = red', 'age × party = green'],
    ])
    const all = names([['sex', 'party', 'age'], ['age']])
    expect(all.slice(5)).toEqual([
      ...['party = red × sex = m', 'party = green × sex = m', 'age × sex = m'],
      ...['age × party = red', 'age × party = green'],
      ...['age × party = red × sex = m', 'age × party = green × sex = m'],
    ])
  })

  it('are products of standardized numbers, and of 1 where a label is had', () => {
    const terms = termsOf([age, party], [['age', 'party']])
    expect(terms.map(({ name }) => name)[2]).toBe('party = red')
    const values = termValues(terms, [age, party], 6)
    expect(Array.from({ length: 6 }, (_, z) => [...values.subarray(z * 6, z * 6 + 6)].map(each => each + 0))).toEqual([
      [1, -2, 1, 0, -2, 0],
      [1, 0, 1, 0, 0, 0],
      [1, 3, 1, 0, 3, 0],
      [1, -2, 0, 0, 0, 0],
      [1, 0, 0, 1, 0, 0],
      [1, 3, 0, 1, 0, 3],
    ])
    expect(usedTerms(values, 6, 0)).toEqual([0, 1, 2, 4])
    expect(usedTerms(values, 6, 4)).toEqual([0, 3])
  })

  it('have the same predictor in the units of the data', () => {
    const year = covariate(new Mode('year', [1990, 2010]), true, [0, 1, 1, 0, 1, 0], { center: 2000, scale: 5 })
    const covariates = [age, year, party]
    const terms = termsOf(covariates, [['age', 'year', 'party']])
    const standardized = termValues(terms, covariates, 6)
    const plain = termValues(
      terms,
      covariates.map(each => ({ ...each, center: 0, scale: 1 })),
      6,
    )
    const matrix = unstandardize(terms, covariates)
    const width = terms.length
    const coefficients = terms.map((_, p) => 1 + 0.3 * p)
    const own = terms.map((_, p) => coefficients.reduce((sum, value, q) => sum + matrix[p * width + q] * value, 0))
    for (let z = 0; z < 6; z++) {
      const predictor = (values: Float64Array, of: readonly number[]) =>
        of.reduce((sum, value, p) => sum + value * values[z * width + p], 0)
      expect(predictor(plain, own)).toBeCloseTo(predictor(standardized, coefficients), 9)
    }
  })
})

describe('the units of a number', () => {
  const standard = (labels: readonly number[], counts: readonly number[]) =>
    standardOf(
      new Mode('x', [...labels]),
      Int32Array.from(labels, (_, i) => i),
      Float64Array.from(counts),
    )

  it('are its mean and standard deviation by the counts', () => {
    const { center, scale } = standard([1, 2, 4], [1, 2, 1])
    expect(center).toBe(2.25)
    expect(scale).toBeCloseTo(Math.sqrt((1.5625 + 2 * 0.0625 + 3.0625) / 4), 14)
    expect(standard([-4, 2, 4], [2, 1, 1]).center).toBe(-0.5)
  })

  it('are right for numbers that are huge, tiny, far from zero or all alike', () => {
    const [huge, tiny] = [standard([1e200, 3e200], [1, 1]), standard([1e-200, 3e-200], [1, 1])]
    expect(huge.scale / 1e200).toBeCloseTo(1, 12)
    expect(tiny.scale / 1e-200).toBeCloseTo(1, 12)
    expect(standard([1e15 + 1, 1e15 + 3], [1, 1])).toEqual({ center: 1e15 + 2, scale: 1 })
    expect(standard([5], [3])).toEqual({ center: 5, scale: 1 })
    expect(standard([5, 6], [3, 0])).toMatchObject({ center: 5, scale: 0 })
  })
})
