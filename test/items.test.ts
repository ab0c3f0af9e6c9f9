import { readFileSync } from 'node:fs'
import {
  bivariateResiduals,
  bootstrap,
  count,
  evaluate,
  type FitResult,
  fit,
  type Item,
  type Items,
  type Model,
  normal,
  ordinal,
  standardErrors,
  type Tensor,
  tensorFromRows,
  testRanks,
} from '@polyad/core'
import { modelFromJson, modelFromNpz, modelToJson, modelToNpz } from '@polyad/core/file'
import { reviveModel } from '@polyad/core/model'
import { classMarks } from '@polyad/core/stats'
import { describe, expect, it } from 'vitest'

/**
 * Fits of variables that are numbers, scales and counts against an EM in NumPy, started 200 times, whose formulas share nothing with ours; it agrees with
 * scikit-learn, mclust, StepMix and flexmix. Standard errors are from second differences of its log-likelihood.
 */

interface Expected {
  readonly data: string
  readonly K: number
  readonly logLikelihood: number
  readonly logDensity: number
  readonly parameters: number
  readonly sizes: readonly number[]
  readonly variances: 'free' | 'equal'
  readonly items: readonly ExpectedItem[]
  readonly errors: Readonly<Record<string, readonly number[]>>
}

interface ExpectedItem {
  readonly name: string
  readonly kind: string
  readonly step?: number
  readonly scores?: readonly number[]
  readonly means?: readonly number[]
  readonly sds?: readonly number[]
  readonly rates?: readonly number[]
  /** Of negative binomials: 1 / dispersion. */
  readonly sizes?: readonly number[]
  /** Of ordinal ones: the slopes, that of the first class being zero. */
  readonly b?: readonly number[]
}

const folder = new URL('data/items/', import.meta.url)
const textOf = (name: string): string =>
  readFileSync(
    name === 'iris.csv' ? new URL('../packages/polyad/data/iris.csv', import.meta.url) : new URL(name, folder),
    'utf8',
  )
const expected: Readonly<Record<string, Expected>> = JSON.parse(textOf('oracles.json'))

const tensorOf = ({ data, items }: Pick<Expected, 'data' | 'items'>): Tensor => {
  const [head, ...lines] = textOf(data)
    .trim()
    .split('\n')
    .map(line => line.replaceAll('"', '').split(','))
  const value = (text: string | undefined) =>
    text === undefined || text === '' || text === 'NA' ? undefined : Number.isNaN(Number(text)) ? text : Number(text)
  return tensorFromRows(
    lines.map(line => Object.fromEntries(items.map(({ name }) => [name, value(line[head.indexOf(name)])]))),
  )
}

const itemOf = ({ kind, step, scores }: ExpectedItem, variances: 'free' | 'equal'): Item | undefined => {
  if (kind === 'normal') return normal({ step: step!, variances })
  if (kind === 'ordinal') return ordinal({ scores: scores! })
  if (kind === 'poisson') return count()
  return kind === 'nb' ? count({ distribution: 'negative-binomial' }) : undefined
}

const itemsOf = ({ items, variances }: Expected): Items =>
  Object.fromEntries(
    items.flatMap(each => {
      const item = itemOf(each, variances)
      return item === undefined ? [] : [[each.name, item]]
    }),
  )

const fitted = (name: string): Promise<{ readonly tensor: Tensor; readonly result: FitResult }> => {
  const tensor = tensorOf(expected[name])
  return fit(tensor, { rank: expected[name].K, items: itemsOf(expected[name]), starts: 6, threads: 1 }).then(
    result => ({
      tensor,
      result,
    }),
  )
}

/** The parameters of a name, by class. */
const valuesOf = (model: Model, mode: string, name: string): number[] =>
  model.itemParameters(mode).flatMap(each => (each.name === name ? [each.value] : []))

describe('variables of every kind have the log-likelihood, parameters and standard errors of an EM in NumPy', () => {
  it.each(Object.keys(expected))('%s', async name => {
    const wanted = expected[name]
    const { tensor, result } = await fitted(name)
    const { model } = result
    const known = await evaluate(tensor, model)
    expect(Math.abs(result.logLikelihood / wanted.logLikelihood - 1)).toBeLessThan(1e-10)
    expect(known.logDensity ?? known.logLikelihood).toBeCloseTo(wanted.logDensity, 6)
    expect([known.parameters, known.identification.rank]).toEqual([wanted.parameters, wanted.parameters])
    model.shares.forEach((share, k) => void expect(share).toBeCloseTo(wanted.sizes[k], 6))
    const close = (own: readonly number[], others: readonly number[], digits = 1e-5) => {
      expect(own.length).toBe(others.length)
      own.forEach(
        (each, k) => void expect(Math.abs(each - others[k])).toBeLessThan(digits * Math.max(1, Math.abs(others[k]))),
      )
    }
    for (const item of wanted.items) {
      if (item.means) close(valuesOf(model, item.name, 'mean'), item.means)
      if (item.sds)
        close(valuesOf(model, item.name, 'sd'), wanted.variances === 'free' ? item.sds : item.sds.slice(0, 1))
      if (item.rates) close(valuesOf(model, item.name, 'rate'), item.rates)
      if (item.sizes)
        close(
          valuesOf(model, item.name, 'dispersion'),
          item.sizes.map(size => 1 / size),
        )
      if (item.b) close(valuesOf(model, item.name, 'slope'), item.b)
    }
    const errors = await standardErrors(tensor, model, { kind: 'observed' })
    expect(errors.reason).toBeUndefined()
    for (const [key, values] of Object.entries(wanted.errors)) {
      const [mode, name] = key.split('.')
      const own =
        key === 'sizes'
          ? errors.shares!
          : errors.items![model.modes.findIndex(each => each.name === mode)]!.flatMap(each =>
              `${each.name}s` === name ? [each.error] : [],
            )
      own.forEach((error, k) => void expect(Math.abs(error! / values[k] - 1)).toBeLessThan(1e-5))
    }
  })
})

describe('a model of mixed variables', () => {
  const mixed = fitted('mixed-K3')

  it('is the same after .json, .npz and a structured clone', async () => {
    const { model } = (await mixed).result
    const row = { height: 171.25, score: 5.05, visits: 40, q1: 3, region: 'north' }
    for (const copy of [
      modelFromJson(JSON.stringify(modelToJson(model))),
      modelFromNpz(modelToNpz(model)).model,
      reviveModel(structuredClone(model)),
    ]) {
      expect(copy.items).toEqual(model.items)
      expect(copy.posterior(row)).toEqual(model.posterior(row))
    }
  })

  it('has a probability for every number, also for those that it was not fitted to', async () => {
    const { model } = (await mixed).result
    const { unseen, probabilities } = model.posterior({ height: 171.25, visits: 1000 })
    expect(unseen).toEqual([])
    expect(probabilities.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 12)
    expect(model.posterior({ height: 'tall' }).unseen).toEqual(['height'])
    // By hand, of the mean and standard deviation of each class.
    const [means, sds] = ['mean', 'sd'].map(name => valuesOf(model, 'height', name))
    const densities = means.map(
      (mean, k) => (model.shares[k] * Math.exp(-(((171.25 - mean) / sds[k]) ** 2) / 2)) / sds[k],
    )
    const total = densities.reduce((sum, each) => sum + each, 0)
    model
      .posterior({ height: 171.25 })
      .probabilities.forEach((each, k) => void expect(each).toBeCloseTo(densities[k] / total, 3))
  })

  it('draws rows whose moments are those of its classes', async () => {
    const { model } = (await mixed).result
    const { rows, classes } = model.sample(20_000, { seed: 3 })
    const n = model.modes.findIndex(({ name }) => name === 'height')
    valuesOf(model, 'height', 'mean').forEach((mean, k) => {
      const own = rows.flatMap((row, i) => (classes[i] === k ? [Number(row[n])] : []))
      const average = own.reduce((sum, each) => sum + each, 0) / own.length
      const sd = valuesOf(model, 'height', 'sd')[k]
      expect(Math.abs(average - mean)).toBeLessThan((4 * sd) / Math.sqrt(own.length))
      expect(own.every(value => Number.isInteger(value * 2))).toBe(true)
    })
  })

  it('has the same bits on one thread and on two', async () => {
    const { tensor, result } = await mixed
    const again = await fit(tensor, { rank: 3, items: itemsOf(expected['mixed-K3']), starts: 6, threads: 2 })
    expect(again.logLikelihood).toBe(result.logLikelihood)
    expect(again.model.items).toEqual(result.model.items)
  })

  it('can be bootstrapped and tested', async () => {
    const tensor = tensorOf(expected['normal-faithful-K2-free'])
    const items = itemsOf(expected['normal-faithful-K2-free'])
    const { model } = await fit(tensor, { rank: 2, items, threads: 1 })
    const errors = await standardErrors(tensor, model)
    for (const kind of ['parametric', 'nonparametric'] as const) {
      const mean = (of: Model) => valuesOf(of, 'waiting', 'mean')[0]
      const found = await bootstrap(tensor, model, {
        replicates: 40,
        starts: 0,
        kind,
        threads: 1,
        statistic: mean,
      })
      expect(found.converged).toBe(40)
      expect(found.gSquared).toBeUndefined()
      const n = tensor.modes.findIndex(({ name }) => name === 'waiting')
      const own = found.items![n]![0]
      expect(own).toMatchObject({ name: 'mean', class: 0 })
      expect(own.standardError).toBe(found.statistic!.standardError)
      const ratio = own.standardError / errors.items![n]![0].error!
      expect(ratio).toBeGreaterThan(0.6)
      expect(ratio).toBeLessThan(1.6)
    }
    const { pValue } = await testRanks(tensor, {
      rank: 1,
      items,
      replicates: 19,
      replicateStarts: 2,
      all: true,
      threads: 1,
    })
    expect(pValue).toBe(0.05)
  })

  it('describes a class by a range of a number, with the probability of all values in it', async () => {
    const { model } = (await mixed).result
    const ranges = model.shares.flatMap((_, k) => classMarks(model, k, 20).map(mark => ({ ...mark, k })))
    const heights = ranges.filter(({ mode }) => mode === 'height')
    expect(heights.length).toBeGreaterThan(0)
    const drawn = model.sample(40_000, { seed: 5 })
    const n = model.modes.findIndex(({ name }) => name === 'height')
    for (const { label, probability, overall, k } of heights) {
      const [low, high] = label.split(' … ').map(Number)
      const within = drawn.rows.map(row => Number(row[n]) >= low && Number(row[n]) <= high)
      const own = within.filter((_, i) => drawn.classes[i] === k)
      expect(probability).toBeCloseTo(own.filter(is => is).length / own.length, 1)
      expect(overall).toBeCloseTo(within.filter(is => is).length / within.length, 1)
    }
  })

  it('says what is left within classes: the correlation of two numbers', async () => {
    const { tensor, result } = await fitted('iris-normal-free-K3')
    const [worst] = bivariateResiduals(tensor, result.model)
    expect(worst.modes).toEqual(['sepal_length', 'petal_length'])
    // The mean of the products of standardized deviations, each class by its posteriors.
    const [a, b] = worst.modes.map(name => tensor.modes.findIndex(mode => mode.name === name))
    const of = (name: string, of: 'mean' | 'sd') => valuesOf(result.model, name, of)
    let sum = 0
    for (let cell = 0; cell < tensor.cells; cell++) {
      const row = tensor.modes.map((mode, n) => mode.label(tensor.indices[n][cell]))
      const { probabilities } = result.model.posterior(row)
      const z = (n: number, k: number) =>
        (Number(row[n]) - of(tensor.modes[n].name, 'mean')[k]) / of(tensor.modes[n].name, 'sd')[k]
      probabilities.forEach((p, k) => {
        sum += tensor.values[cell] * p * z(a, k) * z(b, k)
      })
    }
    expect(worst.correlation).toBeCloseTo(sum / tensor.total, 10)
    expect(worst.chiSquared).toBeCloseTo(tensor.total * (sum / tensor.total) ** 2, 8)
  })
})

describe('what cannot be a number', () => {
  const data = tensorFromRows([
    { a: 1.5, b: 'x' },
    { a: 2.5, b: 'y' },
    { a: 4, b: 'x' },
  ])
  it.each<[string, Items, string]>([
    ['text', { b: normal() }, '"b" is continuous, but has the value "x", which is not a number'],
    ['fractions as counts', { a: count() }, '"a" is a count, but has the value 1.5: counts are whole numbers ≥ 0'],
    [
      'a step beyond the range',
      { a: normal({ step: 9 }) },
      'the step of "a" must not be larger than the range of its values, 2.5 (got 9)',
    ],
    ['no such variable', { c: normal() }, 'items'],
    [
      'scores of another number',
      { b: ordinal({ scores: [1, 2, 3] }) },
      '"b" must have a score for each of its 2 categories (got 3 scores)',
    ],
  ])('%s', async (_, items, message) => {
    await expect(fit(data, { rank: 1, items })).rejects.toThrow(message)
  })

  it('is not given free probabilities', async () => {
    const items = { a: normal({ step: 0.5 }) }
    await expect(fit(data, { rank: 1, items, pseudoCounts: { a: 1 } })).rejects.toThrow('pseudoCounts')
    await expect(
      fit(data, { rank: 1, items, constraints: { zero: [{ mode: 'a', class: 1, label: 4 }] } }),
    ).rejects.toThrow('constraints')
  })
})
