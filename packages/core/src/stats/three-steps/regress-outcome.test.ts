import { describe, expect, it } from 'vitest'
import { threeStepRows as rows } from '../../../../../test/three-step-rows.ts'
import { fit } from '../../fit/fit.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import type { DistalEstimate } from './distal.ts'
import { regressOutcome } from './regress-outcome.ts'

const MEAN = rows.reduce((sum, { w }) => sum + w, 0) / rows.length
const known = (i: number) => i % 13 !== 0
/** In the order of the labels: digits come before letters. */
const LABELS: Record<string, string> = { low: '0 low', middle: '1 middle', high: '2 high' }
const tensorOf = (weight: (w: number) => number) =>
  tensorFromRows(
    rows.map(({ answers, x, g, y, category }, i) => [
      ...answers,
      x,
      g,
      known(i) ? y : null,
      known(i) ? LABELS[category] : null,
    ]),
    { modes: ['q1', 'q2', 'q3', 'q4', 'x', 'g', 'y', 'category'], weights: rows.map(({ w }) => weight(w / MEAN)) },
  )

/**
 * By numpy and scipy: the equations of all three steps solved by root finding, and their infinitesimal jackknife, in which the weight of every
 * row is moved and everything but the assignments estimated anew. Adjusted means are at the mean of the covariates, adjusted probabilities are averages over
 * all rows.
 */
const EXPECTED = {
  number: {
    adjusted: [1.12725803, 3.07542877],
    errors: [0.11822187, 0.12644374],
    effects: [0.50479055, 0.15290749, -0.1716699],
    ofEffects: [0.04799328, 0.14189516, 0.14197616],
    classes: 131.11642006,
    g: 4.02907394,
  },
  category: {
    adjusted: [0.61801165, 0.27705897, 0.10492938, 0.08835936, 0.41498405, 0.49665659],
    effects: [0.70368957, 0.28916558, -0.28958515, 1.46566863, 0.69318768, -0.43330788],
    errors: [0.03766905, 0.03549838, 0.03841585, 0.04769975, 0.04191455, 0.03819369],
    ofEffects: [0.14422134, 0.3994671, 0.35598636, 0.21999253, 0.53883114, 0.51959919],
    classes: 30.91333536,
  },
}

describe('an outcome by class, adjusted for covariates', async () => {
  const tensor = tensorOf(w => w)
  const answers = withoutModes(tensor, ['x', 'g', 'y', 'category'])
  const { model } = await fit(answers, { rank: 2, starts: 4, tolerance: 1e-14, stationarity: 1e-9 })
  const close = (found: readonly (number | undefined)[], expected: readonly number[], digits: number) => {
    expect(found).toHaveLength(expected.length)
    found.forEach((value, i) => {
      expect(value! / expected[i]).toBeCloseTo(1, digits)
    })
  }

  it.each(['number', 'category'] as const)('has the estimates and errors of another program: %s', kind => {
    const [outcome, other] = kind === 'number' ? ['y', 'category'] : ['category', 'y']
    // The other outcome is neither an answer nor a covariate.
    const data = {
      tensor: withoutModes(tensor, [other]),
      squares: withoutModes(
        tensorOf(w => w * w),
        [other],
      ).values,
    }
    const found = regressOutcome(data.tensor, model, { outcome, covariates: ['x', 'g'], squares: data.squares })
    const expected = EXPECTED[kind]
    expect(found).toMatchObject({ kind, method: 'bch', measurement: 'estimated here' })
    const list = found.classes.flatMap(({ mean, probabilities }): readonly DistalEstimate[] =>
      mean === undefined ? [...probabilities!] : [mean],
    )
    close(
      list.map(({ estimate }) => estimate),
      expected.adjusted,
      5,
    )
    close(
      list.map(({ standardError }) => standardError),
      expected.errors,
      4,
    )
    const { coefficients, tests, names, referenceCategories } = found.adjusted
    expect(names).toEqual(['x', 'g'])
    expect(referenceCategories).toEqual({ g: 'a' })
    expect(coefficients.slice(0, 3).map(({ term }) => term)).toEqual(['x', 'g = b', 'g = c'])
    close(
      coefficients.map(({ estimate }) => estimate),
      expected.effects,
      4,
    )
    close(
      coefficients.map(({ standardError }) => standardError),
      expected.ofEffects,
      4,
    )
    expect(found.overall!.statistic / expected.classes).toBeCloseTo(1, 3)
    expect(found.pairs[0].test).toEqual(found.overall)
    if ('g' in expected) expect(tests[1].test!.statistic / expected.g).toBeCloseTo(1, 3)
  })

  it('does not depend on the units of the outcome or of a covariate', () => {
    const scaled = tensorFromRows(
      rows.map(({ answers: own, x, y }) => [...own, x === null ? null : 1e6 + 1e4 * x, 1e9 * y]),
      { modes: ['q1', 'q2', 'q3', 'q4', 'x', 'y'] },
    )
    const plain = tensorFromRows(
      rows.map(({ answers: own, x, y }) => [...own, x, y]),
      { modes: ['q1', 'q2', 'q3', 'q4', 'x', 'y'] },
    )
    const [one, other] = [plain, scaled].map(each => regressOutcome(each, model, { outcome: 'y', covariates: ['x'] }))
    one.classes.forEach(({ mean }, k) => {
      expect(other.classes[k].mean!.estimate / mean!.estimate / 1e9).toBeCloseTo(1, 7)
      expect(other.classes[k].mean!.standardError! / mean!.standardError! / 1e9).toBeCloseTo(1, 7)
    })
    const [slope, steep] = [one, other].map(({ adjusted }) => adjusted.coefficients[0])
    expect(steep.estimate / slope.estimate / 1e5).toBeCloseTo(1, 7)
    expect(steep.pValue).toBeCloseTo(slope.pValue, 9)
  })

  it('is refused where it cannot be estimated', () => {
    const refused = (outcome: string, covariates: string[]) =>
      expect(() => regressOutcome(withoutModes(tensor, ['category']), model, { outcome, covariates }))
    refused('q1', ['x']).toThrow(/outcome must not be a mode of the model/)
    refused('z', ['x']).toThrow(/there is no mode "z"/)
    refused('y', ['z']).toThrow(/covariates names no mode of the data: "z"/)
    const lone = tensorFromRows(
      rows.map(({ answers, category }, i) => [
        ...answers,
        i === 7 ? 'island' : i % 2 ? 'north' : 'south',
        LABELS[category],
      ]),
      { modes: ['q1', 'q2', 'q3', 'q4', 'town', 'kind'] },
    )
    expect(() => regressOutcome(lone, model, { outcome: 'kind', covariates: ['town'] })).toThrow(
      'town = island has only 1 observation: merge it with another category',
    )
  })
})
