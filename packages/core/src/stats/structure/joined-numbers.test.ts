import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { modelFromJson, modelToJson } from '../../file/model-json.ts'
import { updateModel } from '../../fit/update/update.ts'
import { imputeRows } from '../../model/impute.ts'
import { categorical, count, type Items, normal, ordinal } from '../../model/items/choices.ts'
import { surprisingRows } from '../../model/surprise.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { standardErrors } from '../errors/standard-errors.ts'
import { evaluate } from '../fit-statistics/evaluate.ts'
import { bivariateResiduals } from '../fit-statistics/residuals.ts'
import { bootstrap } from '../resampling/bootstrap.ts'
import { fitStructured, type StructuredFitOptions } from './structured.ts'

const [head, ...lines] = readFileSync(new URL('../../../../polyad/data/iris.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => line.split(','))
const flowers = lines.map(line =>
  Object.fromEntries(head.map((name, i) => [name, name === 'species' ? line[i] : Number(line[i])])),
)
const all = head.filter(name => name !== 'species')
const lengths = ['sepal_length', 'petal_length']

type Flower = Readonly<Record<string, unknown>>

const fitted = (
  names: readonly string[],
  {
    rows = flowers,
    variances = 'free',
    others = [],
    ...options
  }: Partial<StructuredFitOptions> & {
    rows?: readonly Flower[]
    variances?: 'free' | 'equal'
    others?: readonly string[]
  } = {},
) =>
  fitStructured(
    tensorFromRows(rows.map(row => Object.fromEntries([...names, ...others].map(name => [name, row[name]])))),
    {
      rank: 2,
      starts: 3,
      threads: 1,
      stationarity: 1e-8,
      tolerance: 1e-12,
      join: [names],
      items: Object.fromEntries(names.map(name => [name, normal({ step: 0.1, variances })])),
      ...options,
    },
  )

describe('joined numbers', () => {
  // R 4.2, mclust 6.0.0: Mclust(iris[, columns], G = 2, modelNames = …, control = emControl(tol = c(1e-14, 1e-14), itmax = c(1e5, 1e5))).
  it.each([
    [lengths, 'equal', -309.04924275, 8, [0.66603731, 0.33396269]],
    [lengths, 'free', -259.3437859, 11, [0.66674489, 0.33325511]],
    [all, 'equal', -296.447575, 19, [0.6667, 0.3333]],
    [all, 'free', -214.354704, 29, [0.6667, 0.3333]],
  ] as const)('of %s with %s covariances are what mclust finds', async (names, variances, logDensity, df, sizes) => {
    const { result, tensor, join } = await fitted(names, { variances, starts: 8 })
    const evaluation = await evaluate(tensor, result.model)
    expect(evaluation.logDensity).toBeCloseTo(logDensity, 5)
    expect([evaluation.parameters, evaluation.identification.rank]).toEqual([df, df])
    expect(result.model.shares).toEqual(sizes.map(size => expect.closeTo(size, 4)))
    expect([evaluation.gSquared, evaluation.divergence]).toEqual([undefined, undefined])
    const pairs = (names.length * (names.length - 1)) / 2
    expect(join!.test.degreesOfFreedom).toBe(variances === 'free' ? 2 * pairs : pairs)
    expect(join!.models[1].logLikelihood).toBe(result.logLikelihood)
    expect(join!.test.statistic).toBeGreaterThan(20)
  })

  // numpy and scipy: the log-likelihood written down by multivariate_normal.logpdf, its maximum by BFGS, the inverse of its Hessian by differences, and the delta method.
  it('have the standard errors of their means, standard deviations and correlations', async () => {
    const { result, tensor } = await fitted(lengths)
    expect(result.logLikelihood).toBeCloseTo(-950.1193138, 6)
    const { items, shares } = await standardErrors(tensor, result.model, { kind: 'observed' })
    expect(shares![0]! / 0.03849463).toBeCloseTo(1, 5)
    const found = items![0]!
    expect(found.map(({ name, of, class: k }) => `${name} ${of!.join()} ${k}`)).toEqual([
      ...[0, 1].flatMap(k => lengths.map(name => `mean ${name} ${k}`)),
      ...[0, 1].flatMap(k => [...lengths.map(name => `sd ${name} ${k}`), `correlation ${lengths.join()} ${k}`]),
    ])
    const values = [6.2618303, 4.90564452, 5.00604457, 1.46190268]
    const spreads = [0.65902838, 0.82154098, 0.82983826, 0.34777552, 0.1693704, 0.27245853]
    expect(found.map(({ value }) => value)).toEqual([...values, ...spreads].map(each => expect.closeTo(each, 5)))
    const errors = [0.06598111, 0.08226642, 0.04936016, 0.02431889]
    const ofSpreads = [0.04670817, 0.05843588, 0.03129836, 0.03502247, 0.01746105, 0.13356985]
    expect(found.map(({ error }, i) => error! / [...errors, ...ofSpreads][i])).toEqual(
      found.map(() => expect.closeTo(1, 4)),
    )
    // The interval of a correlation is symmetrical on the scale of Fisher's z.
    const { value, error, interval } = found[9]
    const half = (1.959964 * error!) / (1 - value ** 2)
    expect(interval).toEqual(
      [Math.tanh(Math.atanh(value) - half), Math.tanh(Math.atanh(value) + half)].map(each => expect.closeTo(each, 5)),
    )
  })

  it('use what is known of rows that lack some of them', async () => {
    const rows = flowers.map((row, i) => ({
      sepal_length: i % 7 === 3 ? undefined : row.sepal_length,
      petal_length: i % 11 === 5 ? undefined : row.petal_length,
    }))
    const { result, tensor, join } = await fitted(lengths, { rows })
    expect([tensor.total, join!.partial]).toEqual([150, 0])
    expect(result.logLikelihood).toBeCloseTo(-849.995124205, 6)
    expect((await evaluate(tensor, result.model)).logDensity).toBeCloseTo(-239.810074561, 6)
    const { items } = await standardErrors(tensor, result.model, { kind: 'observed' })
    const values = [6.28030308, 4.91323037, 5.01658779, 1.4664607]
    const spreads = [0.64565655, 0.80035721, 0.81355789, 0.34016254, 0.17111312, 0.31229417]
    expect(items![0]!.map(({ value }) => value)).toEqual([...values, ...spreads].map(each => expect.closeTo(each, 5)))
    const errors = [0.06793192, 0.0827385, 0.05225251, 0.02582361]
    const ofSpreads = [0.04895749, 0.05856056, 0.03723952, 0.03740615, 0.01849589, 0.14407907]
    expect(items![0]!.map(({ error }, i) => error! / [...errors, ...ofSpreads][i])).toEqual(
      items![0]!.map(() => expect.closeTo(1, 4)),
    )
    const replicates = await bootstrap(tensor, result.model, { replicates: 5, threads: 1, starts: 0 })
    expect(replicates.items![0]!.every(({ standardError }) => standardError > 0)).toBe(true)
  })

  it('can be explained by a covariate', async () => {
    const { explained } = await fitted(lengths, {
      others: ['sepal_width'],
      covariates: ['sepal_width'],
      kind: 'observed',
    })
    expect(explained!.logLikelihood).toBeCloseTo(-916.563163642, 6)
    expect(explained!.covariates.coefficients.map(({ estimate }) => estimate)).toEqual(
      [-15.71989469, 4.7898637].map(each => expect.closeTo(each, 3)),
    )
    explained!.covariates.coefficients.forEach(({ standardError }, i) => {
      expect(standardError! / [2.62286877, 0.82490269][i]).toBeCloseTo(1, 3)
    })
    const values = [6.26192565, 4.90584799, 0.65895424, 0.82121415, 0.82981569]
    const others = [5.00603025, 1.46197941, 0.34774938, 0.16944981, 0.27206628]
    const errors = [0.06596612, 0.08220046, 0.04669702, 0.05828981, 0.03130142]
    const ofOthers = [0.04935322, 0.02431526, 0.0350172, 0.01744542, 0.13352289]
    explained!.standardErrors.items![0]!.forEach(({ value, error, name, class: k, of }) => {
      const place =
        5 * k! + { mean: 0, sd: 2, correlation: 4 }[name]! + (name === 'correlation' ? 0 : lengths.indexOf(of![0]))
      expect(value).toBeCloseTo([...values, ...others][place], 4)
      expect(error! / [...errors, ...ofOthers][place]).toBeCloseTo(1, 3)
    })
  })
})

describe('a model of joined numbers', () => {
  const ready = fitted(lengths, { others: ['species'] })

  it('has the posterior of numbers that nobody has, and of some of them', async () => {
    const { model } = (await ready).result
    const name = 'sepal_length / petal_length'
    const joint = model.posterior({ [name]: '5.04 / 1.43' })
    expect(joint.unseen).toEqual([])
    expect(joint.probability).toBeGreaterThan(0.99)
    expect(model.posterior({ sepal_length: 5.04, petal_length: '1.43' })).toEqual(joint)
    expect(model.posterior({ petal_length: 1.43 })).toEqual(model.posterior({ [name]: 'NA / 1.43' }))
    expect(model.posterior({ petal_length: 'long', sepal_length: 5, species: 'setosa' }).unseen).toEqual([name])
    const [first] = surprisingRows(model, [
      { sepal_length: 5, petal_length: 1.4 },
      { sepal_length: 4, petal_length: 6 },
    ])
    expect(first.row).toBe(1)
  })

  it('is read back from its file, and draws rows on the grid', async () => {
    const { model } = (await ready).result
    const again = modelFromJson(modelToJson(model))
    expect(again.itemParameters(0)).toEqual(model.itemParameters(0))
    const { rows, classes } = again.sample(400, { seed: 2 })
    const drawn = rows.map(row => String(row[0]).split(' / ').map(Number))
    for (const value of drawn.flat()) expect(value).toBe(Number(value.toFixed(1)))
    const own = drawn.filter((_, i) => classes[i] === 0)
    const mean = own.reduce((sum, [, length]) => sum + length, 0) / own.length
    expect(mean).toBeCloseTo(model.itemParameters(0)[1].value, 0)
  })

  it('is brought up to date as by a fit to all rows, if there is one class', async () => {
    const halves = [flowers.slice(0, 70), flowers.slice(70)].map(rows =>
      rows.map(row => Object.fromEntries(lengths.map(name => [name, row[name]]))),
    )
    const [first, second, both] = await Promise.all(
      [...halves, halves.flat()].map(rows => fitted(lengths, { rows, rank: 1 })),
    )
    const { model } = await updateModel(first.result.model, second.tensor, { threads: 1 })
    expect(model.itemParameters(0).map(({ value }) => value)).toEqual(
      both.result.model.itemParameters(0).map(({ value }) => expect.closeTo(value, 6)),
    )
    expect(() => imputeRows(model, [{}])).toThrow('missing values cannot be filled in by a model with joined modes')
  })

  it('is compared with categories by residuals', async () => {
    const { result, tensor } = await ready
    const [pair] = bivariateResiduals(tensor, result.model)
    expect([pair.modes, pair.degreesOfFreedom]).toEqual([['sepal_length / petal_length', 'species'], 4])
    expect(pair.chiSquared).toBeGreaterThan(10)
  })
})

describe('numbers that cannot be joined', () => {
  const rows = flowers.slice(0, 40).map((row, i) => ({ ...row, visits: i % 5, one: 3 }))
  const joining = (names: readonly string[], items: Items) => () =>
    fitStructured(tensorFromRows(rows.map(row => Object.fromEntries(names.map(name => [name, row[name as 'one']])))), {
      rank: 2,
      join: [names],
      items,
    })

  it.each([
    [
      ['sepal_length', 'species'],
      { sepal_length: normal() },
      'join has "sepal_length", which is continuous, and "species", which is categorical: join variables of one kind',
    ],
    [
      ['sepal_length', 'visits'],
      { sepal_length: normal(), visits: count() },
      'join cannot have "visits", which is a count: categorical variables can be joined, and continuous ones',
    ],
    [
      ['sepal_length', 'visits'],
      { sepal_length: categorical(), visits: ordinal() },
      'join cannot have "visits", which is ordinal',
    ],
    [
      ['sepal_length', 'petal_length'],
      { sepal_length: normal({ variances: 'equal' }), petal_length: normal() },
      'join needs variables with the same variances option: "sepal_length" has equal variances, and "petal_length" free ones',
    ],
    [['sepal_length', 'one'], { sepal_length: normal(), one: normal() }, '"one" has one value only'],
  ] as const)('%s', async (names, items, message) => {
    await expect(joining(names, items as Items)()).rejects.toThrow(message)
  })
})
