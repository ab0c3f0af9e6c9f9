import { describe, expect, it } from 'vitest'
import { OptionError } from '../../errors.ts'
import { fit } from '../../fit/fit.ts'
import { random } from '../../numeric/philox.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { standardErrors } from '../errors/standard-errors.ts'
import { evaluate } from '../fit-statistics/evaluate.ts'
import { fitCovariates } from './deprecated.ts'
import { fitStructured } from './structured.ts'

/** Answers of two classes whose odds depend on x and on the region: a known truth. */
const survey = (rows: number, seed = 1): Tensor => {
  const { uniform, below } = random(seed, 'data')
  const yes = [
    [0.9, 0.85, 0.8, 0.75, 0.9],
    [0.2, 0.15, 0.3, 0.1, 0.25],
  ]
  return tensorFromRows(
    Array.from({ length: rows }, () => {
      const [x, region] = [below(9) / 2, ['east', 'south', 'west'][below(3)]]
      const odds = Math.exp(-1 + 0.7 * x - (region === 'south' ? 0.8 : 0))
      const k = uniform() < odds / (1 + odds) ? 1 : 0
      const answers = yes[k].map(p => (uniform() < 0.05 ? undefined : uniform() < p ? 'yes' : 'no'))
      return [...answers, x, region]
    }),
    { modes: ['a', 'b', 'c', 'd', 'e', 'x', 'region'] },
  )
}

/** EM as the formula says it, row by row, with gradient steps for the logit: slow, and nothing in common with the descent. */
const naive = (tensor: Tensor, items: number, xs: (cell: number) => number[], rank: number, rounds: number) => {
  const { cells, indices, values, shape } = tensor
  const { uniform } = random(5, 'data')
  const width = xs(0).length
  const beta = Array.from({ length: rank }, () => new Float64Array(width))
  let theta = Array.from({ length: rank }, () =>
    Array.from({ length: items }, (_, n) => {
      const column = Array.from({ length: shape[n] }, () => 0.2 + uniform())
      const sum = column.reduce((a, b) => a + b, 0)
      return column.map(p => p / sum)
    }),
  )
  let logLikelihood = 0
  for (let round = 0; round < rounds; round++) {
    logLikelihood = 0
    const next = theta.map(own => own.map(column => column.map(() => 1e-300)))
    const slope = beta.map(() => new Float64Array(width))
    for (let cell = 0; cell < cells; cell++) {
      const x = xs(cell)
      const odds = beta.map(own => Math.exp(own.reduce((sum, b, p) => sum + b * x[p], 0)))
      const all = odds.reduce((a, b) => a + b, 0)
      const w = odds.map((o, k) => {
        let product = o / all
        for (let n = 0; n < items; n++) if (indices[n][cell] >= 0) product *= theta[k][n][indices[n][cell]]
        return product
      })
      const p = w.reduce((a, b) => a + b, 0)
      logLikelihood += values[cell] * Math.log(p)
      w.forEach((part, k) => {
        const posterior = (values[cell] * part) / p
        for (let n = 0; n < items; n++) if (indices[n][cell] >= 0) next[k][n][indices[n][cell]] += posterior
        const excess = posterior - (values[cell] * odds[k]) / all
        for (let j = 0; j < width && k > 0; j++) slope[k][j] += x[j] * excess
      })
    }
    theta = next.map(own => own.map(column => column.map(n => n / column.reduce((a, b) => a + b, 0))))
    for (const [k, own] of beta.entries()) for (let j = 0; j < width; j++) own[j] += slope[k][j] / tensor.total / 2
  }
  return { logLikelihood, beta }
}

describe('fitCovariates', () => {
  const data = survey(4000)

  it('recovers coefficients within their errors, and explains no answer', async () => {
    const { covariates, model, evaluation, converged } = await fitCovariates(data, {
      rank: 2,
      covariates: ['x', 'region'],
      starts: 2,
    })
    expect(model.modes.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(covariates.terms.map(({ name }) => name)).toEqual(['intercept', 'x', 'region = south', 'region = west'])
    // One class is "no" to everything, whichever is larger.
    const sign = model.profile('a', 1)[1] < 0.5 ? 1 : -1
    const truth = [-1, 0.7, -0.8, 0].map(value => sign * value)
    covariates.coefficients.forEach(({ estimate, standardError }, i) => {
      expect(Math.abs(estimate - truth[i])).toBeLessThan(3.5 * (standardError as number))
      expect(standardError).toBeGreaterThan(0.01)
    })
    expect(converged).toBe(true)
    expect(evaluation.parameters).toBe(2 * 5 + 4)
    expect(evaluation.gSquared).toBeUndefined()
  })

  it('has no term of a category that no observation has', async () => {
    const rows = Array.from({ length: 120 }, (_, i) => ({
      a: (i * 7) % 3 > 0 ? 1 : 0,
      b: (i * 5) % 4 > 1 ? 1 : 0,
      c: i % 2,
      d: (i >> 1) % 2,
      region: ['east', 'west'][(i >> 2) % 2],
      n: 1,
    }))
    const options = { rank: 2, covariates: ['region'], starts: 2 } as const
    const never = { a: 0, b: 0, c: 0, d: 0, region: 'nowhere', n: 0 }
    const plain = await fitCovariates(tensorFromRows(rows, { count: 'n' }), options)
    const more = await fitCovariates(tensorFromRows([...rows, never], { count: 'n' }), options)
    expect(more.covariates.terms.map(({ name }) => name)).toEqual(['intercept', 'region = west'])
    expect(more.logLikelihood).toBe(plain.logLikelihood)
  })

  it('agrees with plain EM, row by row', async () => {
    const small = withoutModes(survey(300, 3), ['region'])
    const xs = (cell: number) => [1, Number(small.modes[5].label(small.indices[5][cell]))]
    const slow = naive(small, 5, xs, 2, 4000)
    const fast = await fitCovariates(small, { rank: 2, covariates: ['x'] })
    expect(fast.logLikelihood).toBeCloseTo(slow.logLikelihood, 5)
    const [, slope] = fast.covariates.coefficients
    expect(Math.abs(slope.estimate)).toBeCloseTo(Math.abs(slow.beta[1][1]), 3)
  })

  it('is the model of known groups where the covariate is a category', async () => {
    const regions = withoutModes(data, ['x'])
    const found = await fitCovariates(regions, { rank: 2, covariates: ['region'], starts: 2 })
    const { groups } = await fitStructured(regions, { rank: 2, groups: 'region', starts: 2 })
    expect(groups!.models[1].logLikelihood).toBeCloseTo(found.logLikelihood, 8)
    // The table with the region in it, less how frequent the regions are, which takes a parameter less for each but one.
    const { model, logLikelihood } = await fit(regions, { rank: 2 })
    const n = regions.modes.findIndex(({ name }) => name === 'region')
    const totals = regions.marginals[n]
    const ofGroups = totals.reduce((sum, y) => sum + y * Math.log(y / regions.total), 0)
    const { parameters } = await evaluate(regions, model)
    expect(found.logLikelihood).toBeCloseTo(logLikelihood - ofGroups, 5)
    expect(found.evaluation.parameters).toBe(parameters - (totals.length - 1))
    expect(found.evaluation.bic).toBeCloseTo(groups!.models[1].bic, 6)
    found.covariates.curves[0].points.forEach(({ probabilities }, g) => {
      const joint = model.shares.map((share, k) => share * model.profile('region', k)[g])
      probabilities.forEach((p, k) => {
        expect(p).toBeCloseTo(joint[k] / joint.reduce((x, y) => x + y), 4)
      })
    })
  })

  it('has the standard errors of the answers too, those of a table with the groups in it', async () => {
    const regions = withoutModes(data, ['x'])
    const { model: joint } = await fit(regions, { rank: 2 })
    const groups = await standardErrors(regions, joint, { kind: 'empirical' })
    const { standardErrors: own, model } = await fitCovariates(regions, {
      rank: 2,
      covariates: ['region'],
      confidence: 0.9,
      starts: 2,
    })
    expect(own).toMatchObject({ kind: 'empirical', confidence: 0.9, reason: undefined, free: 2 * 5 + 3 })
    own.factors!.forEach((classes, n) => {
      classes.forEach((labels, k) => {
        labels.forEach((error, j) => {
          expect(error! / groups.factors![n][k][j]!).toBeCloseTo(1, 2)
          const [low, high] = own.intervals!.factors[n][k][j]!
          expect(low).toBeLessThan(model.profile(n, k)[j])
          expect(high).toBeGreaterThan(model.profile(n, k)[j])
        })
      })
    })
    // Two shares that sum to 1 vary together.
    const size = Math.sqrt(own.covariance!.length)
    expect(own.covariance![1]).toBeCloseTo(-own.covariance![0], 10)
    expect(own.covariance![size + 1]).toBeCloseTo(own.covariance![0], 10)
  })

  it('has the errors of plain shares where the covariate explains nothing', async () => {
    const { uniform } = random(3, 'data')
    const noise = tensorFromRows(
      Array.from({ length: 3000 }, () => {
        const k = uniform() < 0.6 ? 0 : 1
        return [
          ...[0.9, 0.85, 0.8, 0.75].map(p => (uniform() < (k === 0 ? p : 1 - p) ? 'yes' : 'no')),
          Math.floor(uniform() * 4),
        ]
      }),
      { modes: ['a', 'b', 'c', 'd', 'x'] },
    )
    const { standardErrors: own, plain, items } = await fitCovariates(noise, { rank: 2, covariates: ['x'], starts: 2 })
    const { shares } = await standardErrors(items, plain.model, { kind: 'empirical' })
    own.shares!.forEach((error, k) => {
      expect(error! / shares![k]!).toBeCloseTo(1, 1)
    })
  })

  it('changes signs with the reference, and errors with the number of observations alone', async () => {
    const options = { rank: 2, covariates: ['x'], starts: 1 } as const
    const first = await fitCovariates(data, options)
    const second = await fitCovariates(data, { ...options, reference: 2 })
    const doubled = await fitCovariates(times(data, 4), options)
    first.covariates.coefficients.forEach(({ estimate, standardError }, i) => {
      expect(second.covariates.coefficients[i]).toMatchObject({ class: 1 })
      expect(second.covariates.coefficients[i].estimate).toBeCloseTo(-estimate, 10)
      expect(second.covariates.coefficients[i].standardError).toBeCloseTo(standardError as number, 8)
      expect(doubled.covariates.coefficients[i].estimate).toBeCloseTo(estimate, 5)
      expect(doubled.covariates.coefficients[i].standardError).toBeCloseTo((standardError as number) / 2, 5)
    })
  })

  it('tests every covariate, whichever class is the reference', async () => {
    const options = { rank: 3, covariates: ['x', 'region'], starts: 1 } as const
    const [first, second] = [
      await fitCovariates(data, options),
      await fitCovariates(data, { ...options, reference: 3 }),
    ]
    first.covariates.tests.forEach(({ covariate, test }, c) => {
      expect([covariate, test?.degreesOfFreedom]).toEqual(
        [
          ['x', 2],
          ['region', 4],
        ][c],
      )
      expect(second.covariates.tests[c].test?.statistic).toBeCloseTo(test?.statistic as number, 6)
    })
    // One term of one class is tested by its own z.
    const two = await fitCovariates(data, { ...options, rank: 2 })
    const [x, region] = two.covariates.tests
    expect(x.test?.statistic).toBeCloseTo((two.covariates.coefficients[1].z as number) ** 2, 8)
    expect(x.test?.pValue).toBeLessThan(1e-6)
    expect(region.test?.degreesOfFreedom).toBe(2)
  })

  it('multiplies covariates out, and takes numbers for categories where asked', async () => {
    const { covariates } = await fitCovariates(survey(500), {
      rank: 2,
      covariates: ['x*region'],
      categories: ['x'],
      starts: 1,
    })
    expect(covariates.terms).toHaveLength(9 * 3)
    expect(covariates.curves.map(({ covariate, numeric }) => [covariate, numeric])).toEqual([
      ['x', false],
      ['region', false],
    ])
    expect(covariates.terms.at(-1)?.name).toBe('x = 4 × region = west')
  })

  it('gives no error to a coefficient that runs off to infinity', async () => {
    const { uniform, below } = random(4, 'data')
    const rows = Array.from({ length: 400 }, () => {
      const x = below(10)
      const item = () => (uniform() < (x < 5 ? 0.9 : 0.1) ? 'yes' : 'no')
      return { a: item(), b: item(), c: item(), d: item(), x }
    })
    const { covariates, converged } = await fitCovariates(tensorFromRows(rows), {
      rank: 2,
      covariates: ['x'],
      starts: 2,
    })
    expect(converged).toBe(true)
    for (const { standardError, interval } of covariates.coefficients)
      expect([standardError, interval]).toEqual([undefined, undefined])
    expect(covariates.tests).toEqual([{ covariate: 'x', test: undefined, untested: 1 }])
  })

  it('searches as plain fits are searched for, with the same bits on any number of threads', async () => {
    const options = { rank: 3, covariates: ['x'], seed: 2, maxPasses: 60_000 } as const
    const small = withoutModes(survey(150, 3), ['region', 'e'])
    const [one, two] = [
      await fitCovariates(small, { ...options, threads: 1 }),
      await fitCovariates(small, { ...options, threads: 2 }),
    ]
    expect(one.attempts[0].origin).toBe('given')
    expect(one.attempts.some(({ origin }) => origin === 'recombined')).toBe(true)
    expect(one.verdict.text).toMatch(/recombination/)
    expect([two.loss, ...two.covariates.coefficients.map(({ estimate }) => estimate)]).toEqual([
      one.loss,
      ...one.covariates.coefficients.map(({ estimate }) => estimate),
    ])
    expect(one.loss).toBeLessThanOrEqual(Math.min(...one.attempts.map(({ loss }) => loss)))
    expect(one.totalPasses).toBeLessThan(61_000)
  })

  it('ends at the next pass when it is told to, with the best so far and its errors', async () => {
    const controller = new AbortController()
    const found = await fitCovariates(data, {
      rank: 4,
      covariates: ['x*region'],
      signal: controller.signal,
      // What the search without covariates has left: it has ended.
      onProgress: ({ maxPasses }) => maxPasses < 5000 && controller.abort(),
      maxPasses: 5000,
    })
    expect(found.verdict.advice.join()).toMatch(/stopped|cut short/)
    expect(found.model.rank).toBe(4)
    expect(found.covariates.coefficients).toHaveLength(3 * 6)
  })

  it('leaves out rows without a covariate, and says so', async () => {
    const rows = [
      { a: 'yes', b: 'yes', c: 'no', x: 1 },
      { a: 'no', b: 'no', c: 'no', x: 2 },
      { a: 'yes', b: 'yes', c: 'yes', x: 2 },
      { a: 'yes', b: 'yes', c: 'yes', x: undefined },
    ]
    const { covariates, items } = await fitCovariates(tensorFromRows(rows), { rank: 2, covariates: ['x'], starts: 1 })
    expect([covariates.dropped, items.total]).toEqual([1, 3])
  })

  it.each([
    [{ covariates: ['y'] }, /covariates names no mode of the data: "y"; the modes are a, b/],
    [{ covariates: [] }, /covariates must name at least one mode/],
    [{ covariates: ['x*x'] }, /must not multiply a mode by itself/],
    [{ covariates: ['x'], rank: 1 }, /rank must be 2 or more with covariates/],
    [{ covariates: ['x', 'region', 'x'] }, /covariates has "x" twice/],
    [{ covariates: ['x*region', 'region*x'] }, /covariates has "region\*x" twice/],
    [{ covariates: ['x'], reference: 3 }, /reference must be a whole number from 1 to 2/],
    [{ covariates: ['x'], categories: ['region'] }, /categories has "region", which is not a covariate/],
    [{ covariates: ['x', 'a', 'b', 'c', 'd', 'region'] }, /must leave at least two modes/],
    [{ covariates: ['x'], smoothing: 1 }, /has no option "smoothing"/],
  ])('refuses %o', async (options, message) => {
    const asked = fitCovariates(data, { rank: 2, ...options } as never)
    await expect(asked).rejects.toThrow(OptionError)
    await expect(fitCovariates(data, { rank: 2, ...options } as never)).rejects.toThrow(message)
  })

  it('refuses covariates of which one determines another', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({ a: i % 2, b: (i >> 1) % 2, x: i, twice: 2 * i }))
    const asked = fitCovariates(tensorFromRows(rows), { rank: 2, covariates: ['x', 'twice'] })
    await expect(asked).rejects.toThrow(/"twice" follows from intercept, x/)
  })
})

const times = (tensor: Tensor, factor: number): Tensor =>
  tensorFromRows(
    Array.from({ length: tensor.cells }, (_, cell) => ({
      ...Object.fromEntries(tensor.modes.map(({ name, labels }, n) => [name, labels?.[tensor.indices[n][cell]]])),
      n: tensor.values[cell] * factor,
    })),
    { count: 'n' },
  )
