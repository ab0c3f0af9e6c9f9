import { fitStructured, tensorFromRows } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { jobSatisfaction, nyts, nytsRows, psidWomen } from '../linked-tables.ts'

/** Larger published examples, besides those of `test/linked-published.test.ts`. */

describe('satisfaction with a job in seven waves, as the introduction to LMest prints it', () => {
  const data = jobSatisfaction()
  const chain = { person: 'id', time: 'wave', transitions: 'same', starts: 6, threads: 1 } as const

  it.each([
    [2, -13_921.09, 11, 27_924.12],
    [3, -13_557.2, 20, 27_263.39],
    [4, -13_392.93, 31, 27_016.78],
  ])('%d classes', async (rank, logLikelihood, parameters, bic) => {
    const { linked, result } = await fitStructured(data, { ...chain, rank })
    expect(result.logLikelihood).toBeCloseTo(logLikelihood, 1)
    expect(linked!.evaluation.parameters).toBe(parameters)
    expect(linked!.evaluation.bic).toBeCloseTo(bic, 0)
    if (rank !== 4) return
    // Printed: the initial sizes, and the probabilities of staying.
    const { initial, transitions } = linked!.standardErrors!.chain!
    const printed = [
      [0.44, 0.9219],
      [0.202, 0.8728],
      [0.1863, 0.7646],
      [0.1717, 0.8809],
    ]
    const found = initial.map(({ value }, k) => [value, transitions[0][k][k].value]).sort((a, b) => b[0] - a[0])
    printed.forEach(([size, stays], k) => {
      expect(found[k][0]).toBeCloseTo(size, 2)
      expect(found[k][1]).toBeCloseTo(stays, 2)
    })
  })
})

describe('why women work, as the introduction to LMest prints it', () => {
  it('coefficients of the initial class and of the transitions, with their standard errors', async () => {
    const names = ['race', 'age', 'age2', 'education', 'child1', 'child2', 'child3', 'child4', 'income']
    const { linked, result } = await fitStructured(tensorFromRows(psidWomen()), {
      ...{ rank: 2, person: 'id', time: 'wave', transitions: 'same', starts: 1, kind: 'observed' },
      ...{ covariates: names, transitionCovariates: names },
    })
    expect(result.logLikelihood).toBeCloseTo(-6782.13, 1)
    // Printed, from the class without work to the one with: the first class of the fit works.
    const initial = [
      [-1.4473, 0.617],
      [0.0783, 0.1625],
      [-0.0952, 0.0678],
      [-0.5027, 0.2916],
      [0.217, 0.0376],
      [-0.8882, 0.1171],
      [-0.5797, 0.1116],
      [0.1647, 0.7246],
      [0.1014, 0.1638],
      [-0.0189, 0.0044],
    ]
    const enters = [
      [-3.5582, 0.7166],
      [-0.1057, 0.192],
      [0.0298, 0.0728],
      [0.2579, 0.3135],
      [0.1658, 0.0407],
      [-0.1673, 0.1373],
      [-0.2238, 0.125],
      [0.0874, 0.0751],
      [-0.0671, 0.1392],
      [-0.0113, 0.0033],
    ]
    const leaves = [
      [-3.7495, 0.7512],
      [-0.4382, 0.2026],
      [-0.0497, 0.0777],
      [0.2224, 0.3174],
      [-0.0061, 0.0421],
      [-0.2244, 0.178],
      [0.1116, 0.1444],
      [-0.0968, 0.0996],
      [0.1715, 0.1326],
      [0.0088, 0.0028],
    ]
    const [first, moves] = linked!.standardErrors!.effects!.map(({ coefficients }) => coefficients)
    const compared = [
      [first, initial, -1],
      [moves.filter(({ from }) => from === 2), enters, 1],
      [moves.filter(({ from }) => from === 1), leaves, 1],
    ] as const
    for (const [found, printed, sign] of compared)
      printed.forEach(([estimate, error], i) => {
        // LMest had stopped a little before the maximum.
        expect(Math.abs(found[i].estimate - sign * estimate), found[i].term).toBeLessThan(0.01 * error)
        expect(Math.abs(found[i].error! - error), found[i].term).toBeLessThan(0.002 * error + 5e-5)
      })
  })
})

describe('pupils within schools, as the introduction to glca prints them', () => {
  const nested = { rank: 3, within: 'school', starts: 12 } as const

  it('four classes of schools: the maximum is a little above the one that is printed', async () => {
    const { linked, result } = await fitStructured(nyts(), { ...nested, groupClasses: 4, starts: 'auto', seed: 2 })
    expect(result.logLikelihood).toBeCloseTo(-1938.2313, 3)
    expect(linked!.evaluation.parameters).toBe(26)
    expect(linked!.evaluation.bic).toBeCloseTo(4070.51, 0)
  })

  it('sex, and the level of the school, with two and three classes of schools', async () => {
    const data = tensorFromRows(nytsRows())
    const explained = { ...nested, covariates: ['sex', 'level'] } as const
    const three = await fitStructured(data, { ...explained, groupClasses: 3 })
    expect(three.result.logLikelihood).toBeCloseTo(-1916.3, 1)
    expect(three.linked!.evaluation.parameters).toBe(27)
    const { linked, result } = await fitStructured(data, { ...explained, groupClasses: 2 })
    expect(result.logLikelihood).toBeCloseTo(-1919.937, 2)
    expect(linked!.evaluation.bic).toBeCloseTo(4018.87, 1)
    const slopes = linked!.standardErrors!.effects![0].coefficients.filter(({ term }) => term !== 'intercept')
    const of = (name: string) =>
      slopes.filter(({ term }) => term.includes(name)).map(({ estimate }) => Math.abs(estimate))
    ;[0.1159, 0.6307].forEach((slope, i) => void expect(of('sex')[i]).toBeCloseTo(slope, 3))
    ;[1.9522, 2.5656].forEach((slope, i) => void expect(of('level')[i]).toBeCloseTo(slope, 3))
  })
})
