import { describe, expect, it } from 'vitest'
import { modelFromJson, modelToJson } from '../../file/model-json.ts'
import { modelFromNpz, modelToNpz } from '../../file/model-npz.ts'
import { updateModel } from '../../fit/update/update.ts'
import { Mode } from '../../tensor/mode.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { Model } from '../model.ts'
import { reviveModel } from '../revive.ts'
import { explainRow } from '../surprise.ts'
import { withTotal } from '../with-total.ts'
import { LogitStructure, membership } from './logit.ts'

describe('the prior of a row', () => {
  const shares = Float64Array.of(0.5, 0.3, 0.2)
  const of = (...rows: number[][]) => [...membership(rows, rows[0].length - 1, shares, new Float64Array(3))]

  it('follows from its predictors', () => {
    const [first, second, third] = of([7, 0], [7, Math.log(2)], [7, Math.log(5)])
    expect(first).toBeCloseTo(1 / 8, 14)
    expect(second).toBeCloseTo(2 / 8, 14)
    expect(third).toBeCloseTo(5 / 8, 14)
  })

  it('does not depend on a constant, however large', () => {
    const [first, second, third] = of([1000], [1000 + Math.log(3)], [0])
    expect([first, second, third].map(p => p.toFixed(12))).toEqual([
      '0.250000000000',
      '0.750000000000',
      '0.000000000000',
    ])
  })

  it('is the shares of the classes if a covariate is missing, or a predictor has no bound', () => {
    expect(of([0], [Number.NaN], [1])).toEqual([0.5, 0.3, 0.2])
    expect(of([0], [Number.POSITIVE_INFINITY], [1])).toEqual([0.5, 0.3, 0.2])
    const into = new Float64Array(3)
    expect(membership([[Number.NaN], [0], [0]], 0, shares, into)).toBe(into)
    expect(membership([[0], [0], [0]], 0, shares, into)).toBe(into)
  })
})

const structure = new LogitStructure({
  reference: 1,
  terms: [
    { name: 'intercept', factors: [] },
    { name: 'age', factors: [{ covariate: 'age' }] },
    { name: 'town × age', factors: [{ covariate: 'home', label: 'town' }, { covariate: 'age' }] },
  ],
  coefficients: [
    [0, 0, 0],
    [-1, 0.05, 0.1],
  ],
  given: [
    { name: 'age', labels: [20, 30, 40], numeric: true },
    { name: 'home', labels: ['town', 'country'], numeric: false },
  ],
})
const components = {
  rank: 2,
  sizes: Float64Array.of(60, 40),
  factors: [Float64Array.of(0.9, 0.2, 0.1, 0.8), Float64Array.of(0.7, 0.1, 0.3, 0.9)],
}
const modes = [new Mode('fever', ['no', 'yes']), new Mode('test', ['negative', 'positive'])]
const model = new Model(modes, components, undefined, structure)

describe('a model with covariates', () => {
  /** Bayes' rule by hand, from the odds of the second class. */
  const second = (logit: number, first: number, other: number) =>
    (Math.exp(logit) * other) / (first + Math.exp(logit) * other)

  it('has the posterior of a row by its covariates, whose values need not have been seen if they are numbers', () => {
    const row = { fever: 'yes', test: 'positive' }
    expect(model.posterior({ ...row, age: 30, home: 'country' }).probabilities[1]).toBeCloseTo(
      second(0.5, 0.03, 0.72),
      14,
    )
    expect(model.posterior({ ...row, age: 57, home: 'town' }).probabilities[1]).toBeCloseTo(
      second(7.55, 0.03, 0.72),
      14,
    )
    expect(model.posterior({ age: '30', home: 'country' })).toMatchObject({ lacking: [], unseen: [] })
    const prior = 1 / (1 + Math.exp(-0.5))
    expect(model.posterior({ age: 30, home: 'country' }).probabilities[1]).toBeCloseTo(prior, 14)
    const probability = (1 - prior) * 0.1 * 0.3 + prior * 0.8 * 0.9
    expect(model.probability({ ...row, age: 30, home: 'country' })).toBeCloseTo(probability, 14)
    expect(model.expected({ ...row, age: 30, home: 'country' })).toBeCloseTo(100 * probability, 12)
    expect(model.posterior({ ...row, age: 30, home: 'country' }).logLikelihood).toBeCloseTo(Math.log(probability), 14)
    expect(model.classify({ fever: 'no', test: 'negative', age: 400, home: 'town' })).toBe(1)
  })

  it('has the class sizes for a row that lacks a covariate, and says which', () => {
    const row = { fever: 'yes', test: 'positive' }
    const plain = new Model(modes, components).posterior(row)
    const { lacking, ...found } = model.posterior({ ...row, age: '' })
    expect(lacking).toEqual(['age', 'home'])
    expect({ ...found, lacking: [] }).toEqual(plain)
    const odd = model.posterior({ ...row, age: 'old', home: 'sea' })
    expect(odd.probabilities).toEqual(plain.probabilities)
    expect([odd.lacking, odd.unseen]).toEqual([
      ['age', 'home'],
      ['age', 'home'],
    ])
    expect(model.posterior(['yes', 'positive']).lacking).toEqual(['age', 'home'])
    expect(() => model.posterior({ age2: 5 })).toThrow('none of the modes')
  })

  it('explains a row by the same classes', () => {
    const row = { fever: 'yes', test: 'positive', age: 57, home: 'town' }
    const { class: best, probability } = model.posterior(row)
    expect(explainRow(model, row)).toMatchObject({ class: best, probability })
    // −log₂ P[row], as the surprise is defined.
    expect(explainRow(model, row).surprise).toBeCloseTo(-Math.log2(model.probability(row)), 10)
  })

  it('is not updated by rows without its covariates', async () => {
    const data = tensorFromRows([{ fever: 'yes', test: 'positive' }])
    await expect(updateModel(model, data)).rejects.toThrow('needs those of the new rows: use placeData(rows, model)')
  })

  it.each([
    ['.json', (it: Model) => modelFromJson(JSON.stringify(modelToJson(it)))],
    ['.npz', (it: Model) => modelFromNpz(modelToNpz(it)).model],
    ['a structured clone', (it: Model) => reviveModel(structuredClone(it))],
    ['another total', (it: Model) => withTotal(it, 7)],
  ])('is the same after %s', (_, copied) => {
    const copy = copied(model)
    expect(copy.structure).toBeInstanceOf(LogitStructure)
    expect(copy.structure).toEqual(structure)
    const row = { fever: 'yes', age: 33, home: 'town' }
    expect(copy.posterior(row)).toEqual(model.posterior(row))
  })

  it.each<[string, object]>([
    ['structure.kind must be one of shares, logit, chain, nested (got "tree")', { kind: 'tree' }],
    ['structure.given[0].labels must be a list (it is missing)', { given: [{ name: 'age', numeric: true }] }],
    ['structure.coefficients[1][0] must be a finite number (got null)', { coefficients: [[0], [null]] }],
    [
      'every class must have 3 coefficients, one per term (got 2)',
      {
        coefficients: [
          [0, 0],
          [1, 2],
        ],
      },
    ],
    ['a term has "age", which is not among the given columns', { given: [] }],
    ['structure must have coefficients for all 2 classes (got 1)', { coefficients: [[0, 0, 0]] }],
  ])('is rejected if a file is damaged: %s', (reason, change) => {
    const json = modelToJson(model)
    expect(() => modelFromJson({ ...json, structure: { ...json.structure, ...change } })).toThrow(
      `this is not a usable model file: ${reason}`,
    )
  })
})

it('rejects values that it has never seen if that is asked for', () => {
  const strict = (row: object) => () => model.posterior({ fever: 'yes', ...row }, { strict: true })
  expect(strict({ age: 'old', home: 'town' })).toThrow(
    '"age" must be a label of the model, such as 20, 30, 40 (got "old")',
  )
  expect(strict({ age: 3, home: 'sea' })).toThrow(
    '"home" must be a label of the model, such as "town", "country" (got "sea")',
  )
  expect(strict({ age: 3 })().lacking).toEqual(['home'])
})
