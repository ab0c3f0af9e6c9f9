import { describe, expect, it } from 'vitest'
import { surveyRows } from '../../../../../test/structured-survey.ts'
import { modelFromJson, modelToJson } from '../../file/model-json.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { standardErrors } from '../errors/standard-errors.ts'
import { evaluate } from '../fit-statistics/evaluate.ts'
import { bivariateResiduals, residuals } from '../fit-statistics/residuals.ts'
import { bootstrap } from '../resampling/bootstrap.ts'
import { fitStructured } from '../structure/structured.ts'
import { placeData } from './placed-model.ts'

const rows = surveyRows()
const names = ['a', 'b', 'c', 'd', 'x', 'country'] as const
const tensor = tensorFromRows(rows.map(row => Object.fromEntries(names.map(name => [name, row[name]]))))
const exact = { rank: 2, starts: 4, stationarity: 1e-9, tolerance: 1e-13, minGain: 0 }
const { explained } = await fitStructured(tensor, {
  ...exact,
  covariates: ['x'],
  groups: 'country',
  free: [{ mode: 'c' }],
  reference: 2,
  kind: 'observed',
})
/** As another program has it: read from a file. */
const model = modelFromJson(JSON.stringify(modelToJson(explained!.model)))

describe('a model with covariates, groups and free variables, as it is in a file', () => {
  it('is evaluated on data with the columns that it needs, as it was when it was fitted', async () => {
    const { evaluation } = explained!
    const found = await evaluate(tensor, model)
    expect(found.logLikelihood).toBeCloseTo(evaluation.logLikelihood, 9)
    expect(found.bic).toBeCloseTo(evaluation.bic, 8)
    expect(found.relativeEntropy).toBeCloseTo(evaluation.relativeEntropy!, 9)
    expect(found).toMatchObject({ parameters: evaluation.parameters, gSquared: undefined })
    // By the probability of every row, one after the other.
    const byRows = rows.reduce((sum, row) => sum + model.posterior(row, { strict: true }).logLikelihood, 0)
    expect(byRows).toBeCloseTo(found.logLikelihood, 8)
  })

  it('has the standard errors and coefficients that it had', async () => {
    const found = await standardErrors(tensor, model, { kind: 'observed' })
    const { covariates, standardErrors: own } = explained!
    expect(found.free).toBe(own.free)
    for (const [k, error] of found.shares!.entries()) expect(error).toBeCloseTo(own.shares![k]!, 9)
    expect(found.covariates!.reference).toBe(2)
    found.covariates!.coefficients.forEach(({ class: k, term, estimate, standardError }, i) => {
      const before = covariates.coefficients[i]
      expect([k, term]).toEqual([before.class, before.term])
      expect(estimate).toBeCloseTo(before.estimate, 9)
      expect(standardError).toBeCloseTo(before.standardError!, 8)
    })
  })

  it('has the residuals and replicates that it had', async () => {
    const own = bivariateResiduals(explained!.data, explained!.model)
    bivariateResiduals(tensor, model).forEach(({ modes, residual }, i) => {
      expect(modes).toEqual(own[i].modes)
      expect(residual).toBeCloseTo(own[i].residual, 8)
    })
    expect(residuals(tensor, model, { limit: 1 })[0].labels).toEqual(
      residuals(explained!.data, explained!.model, { limit: 1 })[0].labels,
    )
    const drawn = await bootstrap(tensor, model, { replicates: 6, starts: 0, threads: 1, confidence: 0.5 })
    const before = await bootstrap(explained!.data, explained!.model, {
      replicates: 6,
      starts: 0,
      threads: 1,
      confidence: 0.5,
    })
    drawn.coefficients!.forEach(({ term, standardError }, i) => {
      expect(term).toBe(before.coefficients![i].term)
      expect(standardError).toBeCloseTo(before.coefficients![i].standardError, 4)
    })
  })

  it('takes the part of a variable that a row is of, and says so of labels that it has never seen', () => {
    const { country, ...rest } = rows[0]
    const own = model.modes.findIndex(({ name }) => name === `c (country = ${country})`)
    const literal = { ...rest, country, c: undefined, [model.modes[own].name]: rest.c }
    expect(model.posterior({ ...rest, country })).toEqual(model.posterior(literal))
    expect(model.posterior({ ...rest, country, c: 'never' }).unseen).toEqual(['c'])
    expect(() => model.posterior({ ...rest, country, c: 'never' }, { strict: true })).toThrow(
      '"c" must be a label of the model',
    )
  })

  it('refuses data without its columns, with others, and with categories that it has never seen', async () => {
    const with_ = (more: object, count = rows.length) =>
      tensorFromRows(
        rows.slice(0, count).map(row => ({ ...Object.fromEntries(names.map(name => [name, row[name]])), ...more })),
      )
    await expect(evaluate(with_({ e: 1 }), model)).rejects.toThrow(
      'the data must have the modes of the model and its covariates: only the data has "e"',
    )
    const lacking = tensorFromRows(rows.map(({ a, b, c, d, x }) => ({ a, b, c, d, x })))
    await expect(evaluate(lacking, model)).rejects.toThrow('the data lacks "country"')
    await expect(evaluate(with_({ country: 'nowhere' }), model)).rejects.toThrow(
      'the data has "nowhere" in covariate "country", a category that the model has never seen',
    )
    await expect(evaluate(with_({ x: 'many' }), model)).rejects.toThrow(
      'covariate "x" enters the model as a number, and the data has "many"',
    )
    await expect(evaluate(with_({ a: 'other' }), model)).rejects.toThrow(
      'the data has "other" in "a", a label that the model has never seen',
    )
  })

  it('can be placed on part of the data: other rows, other means of numbers', async () => {
    const half = tensorFromRows(rows.slice(0, 150).map(row => Object.fromEntries(names.map(name => [name, row[name]]))))
    const { logLikelihood } = await evaluate(half, model)
    const byRows = rows.slice(0, 150).reduce((sum, row) => sum + model.posterior(row).logLikelihood, 0)
    expect(logLikelihood).toBeCloseTo(byRows, 8)
    expect(placeData(half, model).design.covariates.map(({ numeric }) => numeric)).toContain(true)
  })
})

describe('intervals of a model with covariates by refits', () => {
  /** Class 1 never says yes to a: its probability is 0, and the interval goes to where the log-likelihood has fallen by 1.92. */
  const drawn = Array.from({ length: 400 }, (_, i) => {
    const x = i % 4
    const first = (i * 7919) % 10 < 2 + 2 * x
    const says = (k: number, often: number) => ((i * (31 + 17 * k)) % 97) / 97 < often
    return {
      a: first && says(1, 0.6) ? 'yes' : 'no',
      b: says(2, first ? 0.8 : 0.2),
      c: says(3, first ? 0.7 : 0.1),
      d: says(4, first ? 0.9 : 0.3),
      x,
    }
  })
  const data = tensorFromRows(drawn.map(({ a, b, c, d, x }) => ({ a, b: String(b), c: String(c), d: String(d), x })))

  it('end where the likelihood of fits with the probability fixed has fallen as far', async () => {
    const found = await fitStructured(data, { ...exact, covariates: ['x'] })
    const { standardErrors: errors, model: own, logLikelihood } = found.explained!
    const [bound] = errors.boundary.filter(({ mode, label, value }) => mode === 'a' && label === 'yes' && value === 0)
    expect(bound.interval).toBeDefined()
    expect(errors.profile.computed).toBeGreaterThan(0)
    const [low, high] = bound.interval!
    expect(low).toBe(0)
    const held = async (probability: number) => {
      const constraints = { fixed: [{ mode: 'a', label: 'yes', class: bound.class + 1, probability }] }
      return (await fitStructured(data, { ...exact, covariates: ['x'], constraints, starts: 12 })).explained!
        .logLikelihood
    }
    expect(logLikelihood - (await held(high))).toBeCloseTo(1.9207, 1)
    expect(own.rank).toBe(2)
  })

  it('are not made if nobody wants them', async () => {
    const { explained: without } = await fitStructured(data, { ...exact, covariates: ['x'], profile: false })
    expect(without!.standardErrors.profile).toMatchObject({ computed: 0, reason: 'profiling is turned off' })
  })
})
