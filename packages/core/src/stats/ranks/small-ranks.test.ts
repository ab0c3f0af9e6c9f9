import { describe, expect, it } from 'vitest'
import { acm } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { EngineError } from '../../errors.ts'
import { fit } from '../../fit/fit.ts'
import { buildTensor } from '../../tensor/build.ts'
import { tensorFromArray } from '../../tensor/dense.ts'
import { wilsonInterval } from '../resampling/monte-carlo.ts'
import { type ChooseRankOptions, chooseRank } from './choose-rank.ts'
import { crossValidate } from './cross-validation.ts'
import { testRanks } from './test-ranks.ts'

/** A session with something else in place of some of its members. */
const sessionWith = (session: Session, other: Partial<Session>): Session =>
  new Proxy(session, {
    get: (target, name) => {
      if (name in other) return other[name as keyof Session]
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

const short = { folds: 0, starts: 2 } as const
const quick = { ...short, threads: 1 } as const

describe('chooseRank of a small table', () => {
  it('fits every rank from the first to the last, with its evaluation', async () => {
    const { fits, stopped, warnings, recommended } = await chooseRank(acm, { ...quick, from: 2, to: 3 })
    expect(fits.map(({ rank, heldOut, test }) => [rank, heldOut, test])).toEqual([
      [2, undefined, undefined],
      [3, undefined, undefined],
    ])
    expect([stopped, warnings, recommended]).toEqual([false, [], 2])
    const { model, logLikelihood } = await fit(acm, { rank: 2, starts: 2, threads: 1 })
    expect(fits[0].result.logLikelihood).toBe(logLikelihood)
    expect(fits[0].logLikelihood).toBeCloseTo(logLikelihood, 8)
    expect(fits[0].result.model.shares).toEqual(model.shares)
    expect(fits[0]).toMatchObject({ parameters: 7, degreesOfFreedom: 0 })
  })

  it('has the notes of a session once', async () => {
    const session = await referenceEngine.open(acm)
    const noted = sessionWith(session, { notes: ['one thread, because it is slow'] })
    const { warnings } = await chooseRank(noted, { ...short, to: 2 })
    expect(warnings).toEqual(['one thread, because it is slow'])
    await session.close()
  })

  it('says which figures could not be computed, and judges by the others', async () => {
    const session = await referenceEngine.open(acm)
    const measure = () => Promise.reject(new Error('out of order'))
    const { warnings, fits, recommended } = await chooseRank(sessionWith(session, { measure }), { ...short, to: 2 })
    expect(warnings).toEqual([
      'goodness of fit and criteria of rank 1 could not be computed: out of order',
      'goodness of fit and criteria of rank 2 could not be computed: out of order',
    ])
    expect(fits.map(({ bic, parameters }) => [bic, parameters])).toEqual([
      [Number.NaN, 3],
      [Number.NaN, 7],
    ])
    expect(recommended).toBeUndefined()
    // One observation cannot be left out and predicted.
    const alone = await chooseRank(
      tensorFromArray([
        [1, 0],
        [0, 0],
      ]),
      { to: 1, by: 'heldOut', threads: 1 },
    )
    expect(alone.fits[0].heldOut).toBeUndefined()
    await session.close()
  })

  it('hands over the ranks before an engine failed', async () => {
    const session = await referenceEngine.open(acm)
    let left = 60
    const pass: Session['pass'] = (...given) =>
      left-- > 0 ? session.pass(...given) : Promise.reject(new EngineError('the lights went out'))
    const failed = await chooseRank(sessionWith(session, { pass }), { ...short, to: 3 }).catch(error => error)
    expect(failed).toBeInstanceOf(EngineError)
    expect(failed.message).toContain('the lights went out')
    const { partial } = failed as EngineError & { partial: Awaited<ReturnType<typeof chooseRank>> }
    expect(partial.stopped).toBe(true)
    expect(partial.fits.length).toBeGreaterThan(0)
    expect(partial.fits.length).toBeLessThan(3)
    left = 0
    const at = await chooseRank(sessionWith(session, { pass }), { ...short, from: 2, to: 3 }).catch(error => error)
    expect(at).toBeInstanceOf(EngineError)
    expect(at.partial?.fits).toBeUndefined()
    await session.close()
  })

  it('tests every rank against the next with few replicates, each of which is told', async () => {
    const told: unknown[] = []
    const { fits } = await chooseRank(acm, {
      ...quick,
      to: 2,
      replicates: 2,
      onReplicate: progress => void told.push(progress),
    })
    expect(fits[0].test).toMatchObject({ rank: 1, against: 2, replicates: 2, pValue: 1 / 3, reason: 'all' })
    expect(fits[1].test).toBeUndefined()
    expect(told).toEqual([
      { done: 1, replicates: 2 },
      { done: 2, replicates: 2 },
    ])
  })

  it('asks for whole numbers if replicates are drawn, and not else', async () => {
    const halves = buildTensor(
      acm.modes,
      acm.indices,
      acm.values.map(y => y / 2),
    )
    const message = 'replicates are drawn observation by observation: values must be whole numbers (cell 1 has 455.5)'
    await expect(chooseRank(halves, { ...quick, replicates: 2 })).rejects.toThrow(message)
    expect((await chooseRank(halves, { ...quick, to: 1 })).fits).toHaveLength(1)
  })

  it.each<[object, string]>([
    [{ replicates: 1.5 }, 'replicates must be 0 or a whole number from 1 to 1000000 (got 1.5)'],
    [{ folds: 101 }, 'folds must be 0 or a whole number from 2 to 100 (got 101)'],
    [
      { rowWeights: 3 },
      'rowWeights must be an object of cells, weights and counts, three lists of numbers of one length (got 3)',
    ],
    [{ to: 0 }, 'to must be a whole number ≥ 1 (got 0)'],
    [{ from: 4 }, 'to must be a whole number ≥ 4 (got 3)'],
    [{ by: 'heldOut', folds: 0 }, "folds must be 2 or more with by 'heldOut' (got 0)"],
    [{ rank: 2 }, 'chooseRank has no option "rank"'],
    [{ constraints: {} }, 'chooseRank has no option "constraints"'],
    [{ init: {} }, 'chooseRank has no option "init"'],
  ])('refuses %j', async (options, message) => {
    await expect(chooseRank(acm, { to: 3, ...options } as ChooseRankOptions)).rejects.toThrow(message)
  })
})

describe('testRanks of a small table', () => {
  const options = { starts: 2, replicateStarts: 1, threads: 1 } as const

  it('counts the replicates whose ratio is as large', async () => {
    const told: number[] = []
    const found = await testRanks(acm, {
      ...options,
      rank: 1,
      replicates: 3,
      onReplicate: ({ done, replicates }) => void told.push(10 * done + replicates),
    })
    const [one, two] = found.fits
    expect([one.model.rank, two.model.rank, found.rank, found.against]).toEqual([1, 2, 1, 2])
    expect(found.statistic).toBe(2 * (two.logLikelihood - one.logLikelihood))
    // The drugs go together: no replicate of independence comes near.
    expect(found).toMatchObject({ pValue: 1 / 4, replicates: 3, converged: 3, reason: 'all', stopped: false })
    expect(found.interval).toEqual(wilsonInterval(0, 3))
    expect(told).toEqual([13, 23, 33])
    // Four parameters more, of 2276 observations.
    const { loMendellRubin } = found
    expect(loMendellRubin.degreesOfFreedom).toBe(4)
    expect(loMendellRubin.statistic).toBeCloseTo(found.statistic / (1 + 1 / (4 * Math.log(2276))), 8)
  })

  it('ends when the answer is clear, with at least 48 replicates, unless all are wanted', async () => {
    const even = tensorFromArray([
      [9, 9],
      [9, 9],
    ])
    const found = await testRanks(even, { ...options, rank: 1, replicates: 60 })
    expect(found).toMatchObject({ statistic: 0, pValue: 1, replicates: 48, reason: 'clear', stopped: false })
    expect(await testRanks(even, { ...options, rank: 1, replicates: 49, all: true })).toMatchObject({
      replicates: 49,
      reason: 'all',
    })
    expect(found.loMendellRubin).toMatchObject({ statistic: 0, degreesOfFreedom: 1 })
    // A table of two cells has nothing that a second class could add.
    const pair = await testRanks(tensorFromArray([4, 5]), { ...options, rank: 1, replicates: 2 })
    expect(pair.loMendellRubin).toEqual({ statistic: pair.statistic, degreesOfFreedom: 0, pValue: undefined })
  })

  it('draws other answers of weighted rows, which keep their weights', async () => {
    // All of the association is that of two rows that weigh 40 each: it comes about by chance, as it would not of a hundred rows.
    const even = tensorFromArray([
      [40, 10],
      [10, 40],
    ])
    const rowWeights = {
      cells: Int32Array.of(0, 1, 2, 3),
      weights: Float64Array.of(40, 1, 1, 40),
      counts: Float64Array.of(1, 10, 10, 1),
    }
    const given = { ...options, rank: 1, replicates: 19 }
    expect((await testRanks(even, given)).pValue).toBe(0.05)
    const found = await testRanks(even, { ...given, rowWeights })
    expect(found.pValue).toBeGreaterThan(0.1)
    const [{ test }] = (await chooseRank(even, { ...quick, to: 2, replicates: 19, rowWeights })).fits
    expect(test!.pValue).toBeGreaterThan(0.1)
  })

  it.each<[object, string]>([
    [{ rank: 2, against: 2 }, 'against must be a whole number from 3 to 8 (got 2)'],
    [{ rank: 2, against: 9 }, 'against must be a whole number from 3 to 8 (got 9)'],
    [{ rank: 1, against: 1 }, 'against must be a whole number ≥ 2 (got 1)'],
    [{ rank: 1, replicateStarts: 0 }, 'replicateStarts must be a whole number from 1 to 10000 (got 0)'],
    [{ rank: 1, all: 1 }, 'all must be true or false (got 1)'],
    [
      { rank: 1, rowWeights: 1 },
      'rowWeights must be an object of cells, weights and counts, three lists of numbers of one length (got 1)',
    ],
    [
      { rank: 1, rowWeights: { cells: Int32Array.of(0), weights: Float64Array.of(1) } },
      'rowWeights must be an object of cells, weights and counts, three lists of numbers of one length (got an object)',
    ],
    [
      {
        rank: 1,
        rowWeights: { cells: Int32Array.of(0, 99), weights: Float64Array.of(1, 1), counts: Float64Array.of(1, 1) },
      },
      'rowWeights must be in cells 0 to 7 of the data (got cell 99)',
    ],
    [
      { rank: 1, rowWeights: { cells: Int32Array.of(0), weights: Float64Array.of(1), counts: Float64Array.of(0.5) } },
      'rowWeights must have whole numbers of rows (got 0.5)',
    ],
    [{ rank: 1, onReplicate: 1 }, 'onReplicate must be a function (got 1)'],
  ])('refuses %j', async (given, message) => {
    await expect(testRanks(acm, given as never)).rejects.toThrow(message)
  })

  it('refuses what is not counted, and a signal that has fired', async () => {
    const halves = buildTensor(
      acm.modes,
      acm.indices,
      acm.values.map(y => y / 2),
    )
    await expect(testRanks(halves, { ...options, rank: 1 })).rejects.toThrow(
      'values must be whole numbers (cell 1 has 455.5)',
    )
    const controller = new AbortController()
    const onProgress = () => controller.abort()
    const stopped = testRanks(acm, { ...options, rank: 2, signal: controller.signal, onProgress })
    await expect(stopped).rejects.toThrow('stopped before the first replicate was fitted')
  })
})

describe('cross-validation of a small table', () => {
  it('tells the class from the rest of the row, and how often that is right', () => {
    // x goes with up and y with down, ten times as often as not.
    const table = tensorFromArray(
      [
        [40, 4],
        [4, 40],
      ],
      {
        modes: [
          { name: 'a', labels: ['x', 'y'] },
          { name: 'kind', labels: ['up', 'down'] },
        ],
      },
    )
    const { accuracy, table: found } = crossValidate(table, { class: 'kind' }, { folds: 4 })
    expect(accuracy).toBe(80 / 88)
    expect([...found].map(([kind, own]) => [kind, [...own].sort()])).toEqual([
      [
        'down',
        [
          ['down', 40],
          ['up', 4],
        ],
      ],
      [
        'up',
        [
          ['down', 4],
          ['up', 40],
        ],
      ],
    ])
    expect(() => crossValidate(table, { class: 'kind' }, { folds: 1001 })).toThrow(
      'folds must be a whole number from 2 to 1000 (got 1001)',
    )
    expect(() => crossValidate(table, { class: 'kind' }, { seed: -1 })).toThrow(
      'seed must be a whole number ≥ 0 (got -1)',
    )
  })
})
