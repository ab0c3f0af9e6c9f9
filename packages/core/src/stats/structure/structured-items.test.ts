import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fit } from '../../fit/fit.ts'
import { count, type Items, normal, ordinal } from '../../model/items/choices.ts'
import type { Label } from '../../tensor/mode.ts'
import { selectCells } from '../../tensor/reshape.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { bivariateResiduals } from '../fit-statistics/residuals.ts'
import { bootstrap } from '../resampling/bootstrap.ts'
import { fitStructured, type StructuredFitOptions } from './structured.ts'

const [head, ...lines] = readFileSync(new URL('../../../../../test/data/items/mixed.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => line.split(','))
const cellValue = (text: string) => (text === '' ? undefined : Number.isNaN(Number(text)) ? text : Number(text))
type Person = Readonly<Record<string, Label | undefined>>
/** 594 people: five items, some of them missing, and three columns that may say more of them. */
const people: Person[] = lines
  .map(line => Object.fromEntries(head.map((name, i) => [name, cellValue(line[i])])))
  .filter(row => ['region', 'owner', 'q3'].every(name => row[name] !== undefined))

const items: Items = {
  height: normal({ step: 0.5 }),
  score: normal({ step: 0.1 }),
  calls: count(),
  q1: ordinal(),
}
const tensorOf = (...names: readonly string[]) =>
  tensorFromRows(
    people.map(row => Object.fromEntries([...Object.keys(items), ...names].map(name => [name, row[name]]))),
  )
const exact = { rank: 2, starts: 4, stationarity: 1e-9, tolerance: 1e-13, minGain: 0, items, threads: 1 }
const fitted = (names: readonly string[], options: Omit<StructuredFitOptions, 'rank'>) =>
  fitStructured(tensorOf(...names), { ...exact, kind: 'observed', ...options })

interface Case {
  readonly names: readonly string[]
  readonly options: Omit<StructuredFitOptions, 'rank'>
  readonly logLikelihood: number
  readonly parameters: number
  readonly coefficients: readonly number[]
  readonly coefficientErrors: readonly number[]
  /** By variable and name: for each class the parameter and its standard error. */
  readonly estimates: Readonly<Record<string, readonly (readonly [value: number, error: number])[]>>
}

/**
 * Maximum likelihood by numpy and scipy: for every row the logarithms of its classes' logit, of normal probabilities of intervals, of Poisson
 * probabilities and of adjacent-category logits are written down, and the parameters found by BFGS from twelve random starts and Newton's method. The
 * standard errors are from second differences of the log-likelihood.
 */
const cases: readonly Case[] = [
  {
    names: ['region', 'q3'],
    options: { covariates: ['region', 'q3'] },
    logLikelihood: -5977.408655,
    parameters: 19,
    coefficients: [1.274793, 1.491267, 1.001349, -0.95331],
    coefficientErrors: [0.391333, 0.308888, 0.325443, 0.118028],
    estimates: {
      'height mean': [
        [169.960424, 0.49047],
        [172.344303, 0.403762],
      ],
      'height sd': [
        [Math.exp(2.210638), 0.037981 * Math.exp(2.210638)],
        [Math.exp(1.523649), 0.063406 * Math.exp(1.523649)],
      ],
      'score mean': [
        [4.738785, 0.045534],
        [6.530722, 0.1014],
      ],
      'calls rate': [
        [Math.exp(-0.028092), 0.062897 * Math.exp(-0.028092)],
        [Math.exp(1.243642), 0.048479 * Math.exp(1.243642)],
      ],
      'q1 slope': [
        [0, 0],
        [0.371391, 0.080608],
      ],
    },
  },
  {
    names: ['owner'],
    options: { groups: 'owner', free: [{ mode: 'height' }, { mode: 'q1' }] },
    logLikelihood: -5953.183174,
    parameters: 26,
    coefficients: [-0.803554, 0.582714],
    coefficientErrors: [0.180696, 0.21237],
    estimates: {
      'height (owner = no) mean': [
        [165.908331, 0.526242],
        [173.058181, 0.762459],
      ],
      'height (owner = yes) mean': [
        [174.957192, 0.942123],
        [172.243496, 0.553503],
      ],
      'height (owner = yes) sd': [
        [Math.exp(2.336821), 0.06312 * Math.exp(2.336821)],
        [Math.exp(1.574816), 0.089813 * Math.exp(1.574816)],
      ],
      'score sd': [
        [Math.exp(-0.233126), 0.044214 * Math.exp(-0.233126)],
        [Math.exp(0.110258), 0.059294 * Math.exp(0.110258)],
      ],
      'q1 (owner = no) slope': [
        [0, 0],
        [0.920329, 0.161847],
      ],
      'q1 (owner = yes) slope': [
        [0, 0],
        [-0.054294, 0.119584],
      ],
    },
  },
]

describe('numbers, scales and counts in models in which something decides the classes', () => {
  it.each(cases)('have the maximum likelihood of scipy: $options', async each => {
    const { result, explained } = await fitted(each.names, each.options)
    const { model } = result
    expect(result.logLikelihood).toBeCloseTo(each.logLikelihood, 5)
    expect(explained!.evaluation.parameters).toBe(each.parameters)
    expect(explained!.evaluation.identification.rank).toBe(each.parameters)
    explained!.covariates.coefficients.forEach(({ estimate, standardError }, i) => {
      expect(estimate).toBeCloseTo(each.coefficients[i], 5)
      expect(standardError! / each.coefficientErrors[i]).toBeCloseTo(1, 4)
    })
    for (const [key, wanted] of Object.entries(each.estimates)) {
      const [, mode, name] = /^(.+) (\w+)$/.exec(key)!
      const n = model.modes.findIndex(other => other.name === mode)
      const own = explained!.standardErrors.items![n]!.filter(parameter => parameter.name === name)
      wanted.forEach(([value, error], k) => {
        expect(own[k].value).toBeCloseTo(value, 4)
        if (error > 0) expect(own[k].error! / error).toBeCloseTo(1, 3)
      })
    }
  })

  it('are free in every group if the groups are fitted by themselves', async () => {
    const tensor = tensorOf('owner')
    const own = tensor.modes.findIndex(({ name }) => name === 'owner')
    const apart = []
    for (const label of [0, 1]) {
      const part = selectCells(tensor, cell => tensor.indices[own][cell] === label)
      const rows = tensorFromRows(
        people
          .filter(row => row.owner === tensor.modes[own].labels![label])
          .map(row => Object.fromEntries(Object.keys(items).map(name => [name, row[name]]))),
      )
      expect(rows.total).toBe(part.total)
      apart.push((await fit(rows, { ...exact, items })).logLikelihood)
    }
    const { groups } = await fitted(['owner'], { groups: 'owner' })
    const free = groups!.models.find(({ name }) => name === 'free')!
    expect(free.logLikelihood).toBeCloseTo(apart[0] + apart[1], 5)
    expect(free.parameters).toBe(32)
  })

  it('take part in direct effects, as in groups of which they are free', async () => {
    const direct = await fitted(['owner'], {
      covariates: ['owner'],
      direct: ['height', 'q1'].map(mode => ({ covariate: 'owner', mode })),
    })
    expect(direct.result.logLikelihood).toBeCloseTo(cases[1].logLikelihood, 5)
  })

  it('can be known classes, which decide the classes of some rows', async () => {
    const rows = people.map(
      (row, i): Person => ({
        ...row,
        expert: i % 3 === 0 ? (row.region === 'north' ? 'a' : 'b') : undefined,
      }),
    )
    const tensor = tensorFromRows(
      rows.map(row => Object.fromEntries([...Object.keys(items), 'expert'].map(name => [name, row[name]]))),
    )
    const { result, explained } = await fitStructured(tensor, { ...exact, known: 'expert' })
    // Written down anew: a row whose class is known has that class alone.
    const { model } = result
    const shares = model.parameters.shares
    const sum = rows.reduce((all, row) => {
      const answers = Object.fromEntries(Object.keys(items).map(name => [name, row[name]]))
      const { expert } = row
      if (expert === undefined) return all + Math.log(model.probability(answers))
      const k = model.classNames!.indexOf(String(expert))
      const joint = model.posterior(answers).probabilities[k] * model.probability(answers)
      return all + Math.log(joint)
    }, 0)
    expect(result.logLikelihood).toBeCloseTo(sum, 6)
    expect(explained!.evaluation.parameters).toBe(16)
    expect(shares[0] + shares[1]).toBeCloseTo(1, 12)
  })

  it('have residuals of pairs and a bootstrap', async () => {
    const { result, explained } = await fitted(['region'], { covariates: ['region'] })
    const pairs = bivariateResiduals(explained!.data, result.model)
    expect(pairs.map(({ modes }) => modes.join(' ')).sort()).toEqual(
      ['height score', 'calls height', 'height q1', 'calls score', 'q1 score', 'calls q1']
        .map(text =>
          Object.keys(items)
            .filter(name => text.split(' ').includes(name))
            .join(' '),
        )
        .sort(),
    )
    const drawn = await bootstrap(explained!.data, result.model, { replicates: 20, threads: 1, starts: 0 })
    const mean = drawn.items![0]!.find(({ name }) => name === 'mean')!
    const error = explained!.standardErrors.items![0]!.find(({ name }) => name === 'mean')!
    expect(mean.standardError / error.error!).toBeGreaterThan(0.6)
    expect(mean.standardError / error.error!).toBeLessThan(1.6)
  })

  it('cannot differ in one class alone', async () => {
    await expect(fitted(['owner'], { groups: 'owner', free: [{ mode: 'height', class: 1 }] })).rejects.toThrow(
      'cannot name a class of "height"',
    )
  })
})
