import { describe, expect, it } from 'vitest'
import { fit } from '../../fit/fit.ts'
import { normal } from '../../model/items/choices.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { bootstrapDistal } from './bootstrap-distal.ts'
import { bootstrapRegress } from './bootstrap-regress.ts'
import { distalOutcome } from './distal.ts'
import { regressClasses } from './regress.ts'

/** 400 rows of two classes that depend on x: two numbers to 0.1, of which one is missing at times, and a yes or no. */
const rows = (() => {
  // Park and Miller's generator: another program can draw the same data.
  let state = 777
  const uniform = () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
  const bell = () => uniform() + uniform() + uniform() + uniform() - 2
  return Array.from({ length: 400 }, () => {
    const x = Math.floor(5 * uniform())
    const k = uniform() < 1 / (1 + Math.exp(1 - 0.6 * x)) ? 1 : 0
    const a = Math.round((10 + 3 * k + 2 * bell()) * 10) / 10
    const b = Math.round((5 - 2 * k + (k === 1 ? 1.5 : 2.5) * bell()) * 10) / 10
    const c = uniform() < (k === 1 ? 0.8 : 0.3) ? 'yes' : 'no'
    const missing = uniform() < 0.08
    return { x, a, b: missing ? null : b, c, y: 2 * k + 0.5 * x + 2 * bell() }
  })
})()

/**
 * By numpy and scipy: probabilities of intervals from scipy's normal distribution, the optimum by BFGS and Newton steps, and an infinitesimal jackknife
 * of all three steps (the weight of every row is moved up and down) for the errors. StepMix 3.0 has the means 0.926222 and 3.192018 (BCH) with Gaussian
 * densities in place of intervals.
 */
const EXPECTED = {
  logLikelihood: -3357.6210843358394,
  bch: { means: [0.92622155, 3.192017], errors: [0.12854662, 0.10438471] },
  ml: { coefficients: [-0.70343383, 0.46742759], errors: [0.21780743, 0.08974785] },
}

describe('three steps with variables that are numbers', async () => {
  const data = tensorFromRows(
    rows.map(({ y: _, ...row }) => row),
    { modes: ['x', 'a', 'b', 'c'] },
  )
  const items = { a: normal({ step: 0.1 }), b: normal({ step: 0.1 }) }
  const found = await fit(withoutModes(data, ['x']), {
    rank: 2,
    starts: 4,
    items,
    tolerance: 1e-14,
    stationarity: 1e-9,
  })
  // The classes in the order of the other program.
  const means = found.model.itemParameters('a').map(({ value }) => value)
  const order = means[0] < means[1] ? [0, 1] : [1, 0]
  const { model } = found
  const answers = model.modes.map(mode =>
    rows.map(row => {
      const value = row[mode.name as 'a' | 'b' | 'c']
      return value === null ? -1 : mode.indexOf(value)!
    }),
  )
  const outcome = rows.map(({ y }) => y)
  const regressed = { covariates: ['x'], reference: order[0] + 1 }

  it('have the means, coefficients and errors of another program', () => {
    expect(found.logLikelihood).toBeCloseTo(EXPECTED.logLikelihood, 5)
    const { classes, measurement } = distalOutcome({ model, answers, outcome }, { method: 'bch' })
    expect(measurement).toBe('estimated here')
    order.forEach((k, i) => {
      expect(classes[k].mean!.estimate).toBeCloseTo(EXPECTED.bch.means[i], 5)
      expect(classes[k].mean!.standardError! / EXPECTED.bch.errors[i]).toBeCloseTo(1, 4)
    })
    const { covariates, ...steps } = regressClasses(data, model, regressed)
    expect(steps.measurement).toBe('estimated here')
    covariates.coefficients.forEach(({ estimate, standardError }, i) => {
      expect(estimate).toBeCloseTo(EXPECTED.ml.coefficients[i], 5)
      expect(standardError! / EXPECTED.ml.errors[i]).toBeCloseTo(1, 4)
    })
  })

  it('have bootstrap errors as large as those of the formulas', async () => {
    const running = { replicates: 40, threads: 1 } as const
    const near = (value: number | undefined, expected: number) =>
      expect(Math.abs(value! / expected - 1)).toBeLessThan(0.35)
    const { classes, failed } = await bootstrapDistal({ model, answers, outcome }, { method: 'bch', ...running })
    expect(failed).toBe(0)
    order.forEach((k, i) => {
      near(classes[k].mean!.standardError, EXPECTED.bch.errors[i])
    })
    const { coefficients } = await bootstrapRegress(data, model, { ...regressed, ...running })
    coefficients.forEach(({ standardError }, i) => {
      near(standardError, EXPECTED.ml.errors[i])
    })
  })
})
