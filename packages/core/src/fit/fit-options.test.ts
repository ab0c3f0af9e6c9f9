import { describe, expect, it } from 'vitest'
import { carcinoma, gss82 } from '../../../../test/tables.ts'
import { DataError } from '../errors.ts'
import { Model } from '../model/model.ts'
import { tensorFromArray } from '../tensor/dense.ts'
import { usefulPairs, usualPairs } from './descent/history.ts'
import { gainToCome, isNegligible, isSettled, sizeOf, stoppingOptions, unitOf } from './descent/stopping.ts'
import { checkFitOptions, type FitOptions, fitOptionsOf, usualPasses } from './fit-options.ts'
import { fitParts } from './fit-parts.ts'
import { fitBytes, memoryOfFit, planMemory } from './memory-plan.ts'

const data = { cells: 100, shape: [4, 5] } as never

describe('the options of a fit, checked', () => {
  it('have their defaults', () => {
    const { task, starts, limits, ...rest } = checkFitOptions(carcinoma, { rank: 2 })
    expect(task).toMatchObject({ rank: 2, seed: 1, algorithm: 'accelerated' })
    expect(task).not.toHaveProperty('constraints')
    expect(task).not.toHaveProperty('single')
    expect(task).not.toHaveProperty('pairs')
    expect([starts, limits]).toEqual(['auto', { maxStarts: 10_000, maxPasses: 100_000 }])
    // Of larger data a search may end once enough was spent, unless its limit is given or every pass counts.
    const limitsOf = (cells: number, given = {}) =>
      checkFitOptions(
        {
          modes: carcinoma.modes,
          marginals: carcinoma.marginals,
          shape: carcinoma.shape,
          total: carcinoma.total,
          cells,
        } as never,
        { rank: 2, ...given },
      ).limits
    expect(limitsOf(20_000)).toEqual({ maxStarts: 10_000, maxPasses: 100_000, enough: 53_571 })
    expect(limitsOf(20_000, { maxPasses: 90_000 })).toEqual({ maxStarts: 10_000, maxPasses: 90_000 })
    expect(limitsOf(20_000, { starts: 3 }).enough).toBeUndefined()
    expect(limitsOf(2_000_000).enough).toBeUndefined()
    expect(rest).toStrictEqual({})
  })

  it('are what was asked for', () => {
    const { model } = {
      model: new Model(carcinoma.modes, {
        rank: 1,
        sizes: Float64Array.of(118),
        factors: carcinoma.shape.map(() => Float64Array.of(0.5, 0.5)),
      }),
    }
    const options = {
      rank: 1,
      seed: 7,
      starts: 3,
      init: model,
      memory: 1e9,
      maxPasses: 9,
      maxStarts: 4,
      algorithm: 'em',
      precision: 'single',
      pseudoCounts: 0.5,
    } as const
    const given = checkFitOptions(carcinoma, options)
    expect(given).toMatchObject({
      starts: 3,
      limits: { maxStarts: 4, maxPasses: 9 },
      task: { seed: 7, algorithm: 'em', single: true },
    })
    const { plan, init } = fitParts(carcinoma, options, given)
    expect(plan?.pairs).toBeGreaterThan(0)
    expect(init?.parameters).toEqual(model.parameters)
    expect(given.task.steps.map(({ added }) => added)).toEqual(carcinoma.shape.map(() => 0.5))
    expect(checkFitOptions(carcinoma, { rank: 2, precision: 'double' }).task).not.toHaveProperty('single')
  })

  it('refuse a rank that the data cannot support', () => {
    const partsOf = (options: FitOptions) => fitParts(carcinoma, options, checkFitOptions(carcinoma, options))
    const { cells } = carcinoma
    expect(() => checkFitOptions(carcinoma, { rank: cells })).not.toThrow()
    expect(() => checkFitOptions(carcinoma, { rank: cells + 1 })).toThrow(
      `rank must be at most ${cells}, the number of distinct cells: each is then a class of its own (got ${cells + 1})`,
    )
    const wide = { ...gss82, cells: 1e9, shape: [2 ** 20, 2 ** 20 - 1] }
    expect(() => checkFitOptions(wide, { rank: 65 })).toThrow(
      'rank must be at most 64 with 2097151 labels, or memory runs out (got 65)',
    )
    const init = new Model(carcinoma.modes, {
      rank: 1,
      sizes: Float64Array.of(1),
      factors: carcinoma.shape.map(() => Float64Array.of(0.5, 0.5)),
    })
    expect(() => partsOf({ rank: 2, init })).toThrow('init must have 2 classes, as many as are asked for (got 1)')
    const two = new Model(carcinoma.modes, {
      rank: 2,
      sizes: Float64Array.of(1, 1),
      factors: carcinoma.shape.map(() => new Float64Array(4).fill(0.5)),
    })
    expect(() => partsOf({ rank: 1, init: two })).toThrow('init must have 1 class, as many as are asked for (got 2)')
  })

  it('refuse data with next to nothing of a label', () => {
    const tensor = tensorFromArray([
      [1e10, 1],
      [1e-300, 1e-300],
    ])
    expect(() => checkFitOptions(tensor, { rank: 1 })).toThrow(DataError)
    expect(() => checkFitOptions(tensor, { rank: 1 })).toThrow(
      /^the values of "1" in "mode1" sum to 2e-300, of 1000000000\d in all: too little for a probability above zero\. Leave them out$/,
    )
    expect(() =>
      checkFitOptions(
        tensorFromArray([
          [1, 1],
          [0, 0],
        ]),
        { rank: 1 },
      ),
    ).not.toThrow()
  })

  it('allow as many passes as ten seconds have room for', () => {
    expect(usualPasses(data, 3, 5)).toBe(Number.MAX_SAFE_INTEGER)
    expect(usualPasses(data, 3, 'auto')).toBe(100_000)
    expect(usualPasses({ ...(data as object), cells: 1e6 } as never, 30, 'auto')).toBe(1000)
    expect(usualPasses({ ...(data as object), cells: 1e9 } as never, 30, 'auto')).toBe(200)
    expect(usualPasses(data, 3, 'auto', { work: 12_345, least: 3, most: 50 })).toBe(20)
    expect(Object.keys(fitOptionsOf('rank', 'seed'))).toEqual(['rank', 'seed'])
  })

  it('begin in single precision if passes are dear', () => {
    const { modes, shape, total, missing, marginals, constants } = carcinoma
    const dear = { modes, shape, total, missing, marginals, constants, cells: 4e6 }
    expect(checkFitOptions(dear, { rank: 2 }).task.single).toBe(true)
    expect(checkFitOptions(dear, { rank: 2, precision: 'double' }).task).not.toHaveProperty('single')
  })
})

describe('when a run stops', () => {
  it('is by defaults that go with the engine and the size of the data', () => {
    expect(stoppingOptions({}, data, 2, 1e-15)).toEqual({
      tolerance: 1e-12,
      stationarity: 1e-6,
      minGain: 0,
      maxPasses: 100_000,
    })
    expect(stoppingOptions({}, data, 2, 1e-7)).toEqual({
      tolerance: expect.closeTo(1e-6, 15),
      stationarity: expect.closeTo(1e-4, 15),
      minGain: 0,
      maxPasses: 100_000,
    })
    const large = { cells: 1e7, shape: [1, 1, 1] } as never
    expect([stoppingOptions({}, large, 1, 0).minGain, stoppingOptions({}, large, 2, 0).minGain]).toEqual([0, 1e-6])
    expect(stoppingOptions({ tolerance: 0, stationarity: 0.5, minGain: 2 }, data, 2, 1)).toMatchObject({
      tolerance: 0,
      stationarity: 0.5,
      minGain: 2,
    })
    for (const name of ['tolerance', 'stationarity', 'minGain'])
      expect(() => stoppingOptions({ [name]: -1 }, data, 2, 0)).toThrow(`${name} must be a number ≥ 0 (got -1)`)
  })

  it('is by the size of the loss, or a unit', () => {
    expect([unitOf(0.25), unitOf(7)]).toEqual([0.25, 1])
    expect([sizeOf(-9, 1), sizeOf(0.5, 1), sizeOf(0.5, 0.25)]).toEqual([9, 1, 0.5])
    const stopping = stoppingOptions({ tolerance: 0.25, minGain: 0.125 }, data, 2, 0)
    expect([isSettled(10, 8, 1, stopping), isSettled(6, 8, 1, stopping), isSettled(10.5, 8, 1, stopping)]).toEqual([
      true,
      true,
      false,
    ])
    expect([1, 1.1, undefined].map(gain => isNegligible(gain, 8, 1, stopping))).toEqual([true, false, false])
    expect([0.01, 0.011].map(gain => isNegligible(gain, 0, 0.01, stopping))).toEqual([true, false])
    expect(isNegligible(0, 8, 1, { ...stopping, minGain: 0 })).toBe(false)
  })

  it('is by what is left of a fall that shrinks from span to span', () => {
    // 2·now²/(before − now) of whole spans of twenty, and of halves of the last: the larger counts.
    const trace = Array.from({ length: 41 }, (_, i) => 1000 * 0.9 ** i)
    const left = (span: number) => {
      const [before, now] = [trace[40 - 2 * span] - trace[40 - span], trace[40 - span] - trace[40]]
      return (2 * now * now) / (before - now)
    }
    expect(gainToCome(trace)).toBeCloseTo(Math.max(left(20), left(10)), 9)
    expect(gainToCome(trace.slice(1))).toBeUndefined()
    // Of longer runs a fifth: of 150 steps thirty.
    const long = Array.from({ length: 151 }, (_, i) => 1000 * 0.98 ** i)
    const last = (span: number) => {
      const [before, now] = [long[150 - 2 * span] - long[150 - span], long[150 - span] - long[150]]
      return (2 * now * now) / (before - now)
    }
    expect(gainToCome(long)).toBeCloseTo(Math.max(last(30), last(15)), 9)
    const flat = trace.map((value, i) => (i > 20 ? trace[20] : value))
    expect(gainToCome(flat)).toBe(0)
  })
})

describe('the memory of a fit', () => {
  it('is as many steps of history as help', () => {
    expect([usefulPairs(1e9, 100), usefulPairs(1000, 400), usefulPairs(1, 100)]).toEqual([20, 10, 6])
    expect([usefulPairs(1e9, 20_000), usefulPairs(4e6, 20_001), usefulPairs(1e6, 1e6)]).toEqual([20, 10, 3])
    expect(usualPairs(1000, 400)).toBe(10)
    expect(usualPairs(1e9, 1e12)).toBeGreaterThanOrEqual(1)
  })

  it('is counted in models', () => {
    const shape = { shape: [500, 499] }
    const model = 8 * 2 * 1000
    const asked = { rank: 2, starts: 'auto', accelerated: true, single: false } as const
    const plan = { pairs: 6, kept: 8, wide: true }
    // A run of 5 + 3 + 2·6 arrays, a pass of 4 for each class, 5 + 4 + 8 models, and two wide ones.
    expect(fitBytes(shape, asked, plan)).toBe(model * (20 + 10 + 17 + 5))
    expect(fitBytes(shape, asked, { ...plan, wide: false })).toBe(model * (20 + 8 + 17 + 4))
    expect(fitBytes(shape, asked, { ...plan, pairs: 1 })).toBe(model * (12.5 + 10 + 17 + 5))
    expect(fitBytes(shape, asked, { ...plan, kept: 2 })).toBe(model * (20 + 10 + 9 + 5))
    expect(fitBytes(shape, { ...asked, accelerated: false }, plan)).toBe(model * (12.5 + 10 + 17 + 5))
    expect(fitBytes(shape, { ...asked, single: true }, plan)).toBe(model * (20 + 4 + 5))
    expect(fitBytes(shape, { ...asked, starts: 3 }, plan)).toBe(model * (20 + 4 + (5 + 3 + 1)))
    expect(fitBytes(shape, { ...asked, starts: 99 }, { ...plan, kept: 16 })).toBe(model * (20 + 4 + (5 + 16 + 1)))
  })

  it('is never refused below 64 MB, and in megabytes or gigabytes above', () => {
    const asked = { rank: 2, starts: 'auto', accelerated: true, single: false } as const
    const small = { shape: [500, 499], cells: 1000 }
    expect(planMemory(small, asked, 0)).toMatchObject({ kept: 8, wide: true })
    const least = (labels: number) => memoryOfFit({ shape: [labels - 1], cells: 1e6 }, { rank: 2 }).least
    const refusal = (labels: number) => () => planMemory({ shape: [labels - 1], cells: 1e6 }, asked, 1)
    expect(refusal(4e5)).toThrow(
      `memory must be at least ${least(4e5)} (${Math.ceil(least(4e5) / 1e6)} MB), or use fewer classes (got 1)`,
    )
    expect(refusal(4e6)).toThrow(`(${(least(4e6) / 1e9).toFixed(1)} GB)`)
    expect(refusal(4e7)).toThrow(`(${(least(4e7) / 1e9).toFixed(0)} GB)`)
    const { usual } = memoryOfFit({ shape: [4e5 - 1], cells: 1e6 }, { rank: 2 })
    expect(planMemory({ shape: [4e5 - 1], cells: 1e6 }, asked, usual - 1).note).toBe(
      'the memory limit leaves room for 7 of 8 models in the search: the search may take longer or find less',
    )
  })
})
