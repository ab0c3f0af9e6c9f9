import { describe, expect, it } from 'vitest'
import { threeStepRows } from '../../../../../test/three-step-rows.ts'
import { fit } from '../../fit/fit.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { drawTimes } from '../resampling/resample-units.ts'
import { bootstrapDistal } from './bootstrap-distal.ts'
import { bootstrapRegress } from './bootstrap-regress.ts'
import { distalOutcome } from './distal.ts'
import { regressClasses } from './regress.ts'

const rows = threeStepRows.slice(0, 300)
const MODES = ['q1', 'q2', 'q3', 'q4']

describe('replicates of all three steps', async () => {
  const tensor = tensorFromRows(
    rows.map(({ answers, x, cluster, stratum }) => [...answers, x, cluster, stratum]),
    { modes: [...MODES, 'x', 'cluster', 'stratum'] },
  )
  const data = withoutModes(tensor, ['cluster', 'stratum'])
  const { model } = await fit(withoutModes(data, ['x']), { rank: 2, starts: 4, tolerance: 1e-13 })
  const answers = model.modes.map((mode, n) =>
    rows.map(({ answers: own }) => (own[n] === null ? -1 : mode.indexOf(own[n])!)),
  )
  const outcome = rows.map(({ y }) => y)
  const running = { replicates: 100, threads: 1 } as const
  /** With this many replicates a standard error is within 30% of its own expectation. */
  const near = (found: number | undefined, expected: number | undefined) =>
    expect(Math.abs(found! / expected! - 1)).toBeLessThan(0.3)

  it('vary as the standard errors say, of coefficients and of means', async () => {
    const options = { covariates: ['x'], method: 'bch' } as const
    const { coefficients } = regressClasses(data, model, options).covariates
    const found = await bootstrapRegress(data, model, { ...options, ...running })
    expect(found).toMatchObject({ replicates: 100, failed: 0, stopped: false, seed: 1 })
    expect(found.coefficients.map(({ class: k, term, finite }) => [k, term, finite])).toEqual([
      [2, 'intercept', 100],
      [2, 'x', 100],
    ])
    found.coefficients.forEach(({ standardError, interval }, i) => {
      near(standardError, coefficients[i].standardError)
      expect(interval![0]).toBeLessThan(coefficients[i].estimate)
      expect(interval![1]).toBeGreaterThan(coefficients[i].estimate)
    })
    const { classes } = distalOutcome({ model, answers, outcome })
    const both = await bootstrapDistal({ model, answers, outcome }, running)
    both.classes.forEach(({ mean }, t) => {
      near(mean!.standardError, classes[t].mean!.standardError)
    })
  })

  it('have no standard error of what is infinite in the data, or in most replicates', async () => {
    // One label occurs in one row alone: nobody else has it, so that its coefficient runs away.
    const seldom = tensorFromRows(
      rows.map(({ answers: own }, i) => [...own, i === 0 ? 'rare' : i % 2 === 0 ? 'a' : 'b']),
      { modes: [...MODES, 'g'] },
    )
    const options = { covariates: ['g'], referenceCategories: { g: 'a' } } as const
    const { coefficients } = regressClasses(seldom, model, options).covariates
    const found = await bootstrapRegress(seldom, model, { ...options, replicates: 20, threads: 1 })
    const at = (term: string) => coefficients.findIndex(each => each.term === term)
    expect(coefficients[at('g = rare')].limit).not.toBe('finite')
    expect(found.coefficients[at('g = rare')]).toMatchObject({ standardError: undefined, interval: undefined })
    expect(found.coefficients[at('g = b')].standardError).toBeGreaterThan(0)
    expect(found.coefficients[at('g = b')].finite).toBe(20)
  })

  it('draw whole clusters within strata', async () => {
    const design = { cluster: 'cluster', stratum: 'stratum' }
    const options = { covariates: ['x'], design }
    const { coefficients } = regressClasses(tensor, model, options).covariates
    const found = await bootstrapRegress(tensor, model, { ...options, ...running })
    found.coefficients.forEach(({ standardError }, i) => {
      near(standardError, coefficients[i].standardError)
    })
  })

  it('are the same whether equal rows are counted or repeated, on any number of threads', async () => {
    const given = { model, answers, outcome }
    const one = await bootstrapDistal(given, { ...running, replicates: 20 })
    expect(await bootstrapDistal(given, { ...running, replicates: 20, threads: 2 })).toEqual(one)
    const twice = await bootstrapDistal({ ...given, counts: outcome.map(() => 2) }, { ...running, replicates: 20 })
    const repeated = outcome.flatMap((_, i) => [i, i])
    const listed = {
      model,
      answers: answers.map(column => repeated.map(i => column[i])),
      outcome: repeated.map(i => outcome[i]),
    }
    const long = await bootstrapDistal(listed, { ...running, replicates: 20 })
    long.classes.forEach(({ mean }, t) => {
      expect(mean!.standardError).toBeCloseTo(twice.classes[t].mean!.standardError!, 8)
    })
  })

  it('count as many observations as there are', () => {
    const counts = [3, 0, 5, 2]
    const times = drawTimes({ counts })(1, 0)
    expect(times.reduce((a, b) => a + b)).toBeCloseTo(10, 10)
    expect(times[1]).toBe(0)
    // One of two clusters of each stratum is drawn, and counts twice.
    const drawn = drawTimes({ counts, clusters: [1, 2, 1, 2], strata: ['a', 'a', 'b', 'b'] })(1, 0)
    expect([
      [6, 0],
      [0, 0],
    ]).toContainEqual([drawn[0], drawn[1]])
    expect([
      [10, 0],
      [0, 4],
    ]).toContainEqual([drawn[2], drawn[3]])
  })

  it('need a model and two replicates', async () => {
    await expect(bootstrapDistal({ posteriors: [1], classes: 1, outcome: [1] })).rejects.toThrow(
      'give the model and the answers of every row',
    )
    await expect(bootstrapRegress(data, model, { covariates: ['x'], replicates: 1 })).rejects.toThrow(
      'replicates must be 2 or more (got 1)',
    )
  })
})
