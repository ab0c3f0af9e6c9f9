import { describe, expect, it } from 'vitest'
import { acm, carcinoma, gss82, values } from '../../../../../test/tables.ts'
import { chooseRank } from './choose-rank.ts'
import { testRanks } from './test-ranks.ts'

describe('testRanks', () => {
  it('has the statistic of the published log-likelihoods, and the same bits on one thread and on two', async () => {
    const options = { rank: 3, replicates: 20, replicateStarts: 4, all: true }
    const [one, two] = await Promise.all([1, 2].map(threads => testRanks(gss82, { ...options, threads })))
    expect(one.statistic).toBeCloseTo(2 * (2754.545405 - 2746.620807), 4)
    const { fits: _, ...test } = one
    expect(two).toMatchObject(test)
    expect(one).toMatchObject({ rank: 3, against: 4, replicates: 20, reason: 'all', converged: 20 })
  })

  it('finds that two classes are too few for carcinoma, and three are enough', async () => {
    const few = await testRanks(carcinoma, { rank: 2, replicates: 49, replicateStarts: 9, threads: 1 })
    expect(few.pValue).toBe(0.02)
    const enough = await testRanks(carcinoma, { rank: 3, replicates: 49, threads: 1 })
    expect(enough.pValue).toBeGreaterThan(0.05)
  })

  it('ends early where the answer is clear, and not where all are wanted', async () => {
    const options = { rank: 2, replicates: 120, replicateStarts: 3, threads: 1 }
    const clear = await testRanks(values, options)
    expect(clear).toMatchObject({ reason: 'clear', replicates: 50 })
    expect(clear.interval[0]).toBeGreaterThan(0.05)
    const all = await testRanks(values, { ...options, replicates: 60, all: true })
    expect(all).toMatchObject({ reason: 'all', replicates: 60 })
  })

  it('has nothing to test where the smaller model reproduces the data', async () => {
    const { statistic, pValue, loMendellRubin } = await testRanks(acm, {
      rank: 2,
      replicates: 20,
      replicateStarts: 3,
      threads: 1,
    })
    expect(statistic).toBeLessThan(1e-6)
    expect(pValue).toBe(1)
    expect(loMendellRubin).toMatchObject({ degreesOfFreedom: 0, pValue: undefined })
  })

  it('gives Lo, Mendell and Rubin beside it: the ratio, less for small samples', async () => {
    const { statistic, loMendellRubin } = await testRanks(carcinoma, { rank: 2, replicates: 1, threads: 1 })
    expect(statistic).toBeCloseTo(2 * (317.256837 - 293.704979), 4)
    expect(loMendellRubin.degreesOfFreedom).toBe(8)
    expect(loMendellRubin.statistic).toBeCloseTo(statistic / (1 + 1 / (8 * Math.log(118))), 9)
    expect(loMendellRubin.pValue).toBeLessThan(1e-5)
  })

  it('keeps what there is when it is stopped', async () => {
    const controller = new AbortController()
    const found = await testRanks(gss82, {
      rank: 3,
      replicates: 100_000,
      all: true,
      signal: controller.signal,
      threads: 1,
      onReplicate: ({ done }) => {
        if (done === 5) controller.abort()
      },
    })
    expect(found).toMatchObject({ reason: 'stopped', replicates: 5 })
  })

  it.each([
    ['a larger rank that is not', { rank: 3, against: 3 }, 'against must be a whole number from 4'],
    ['no replicates', { rank: 1, replicates: 0 }, 'replicates must be a whole number'],
    ['a level of 5', { rank: 1, level: 5 }, 'level must be a number between 0 and 1'],
    ['a first model', { rank: 1, init: {} }, 'testRanks has no option "init"'],
  ])('refuses %s', async (_, options, message) => {
    await expect(testRanks(gss82, options as never)).rejects.toThrow(message)
  })
})

it('chooseRank tests every rank against the next', async () => {
  const { fits } = await chooseRank(carcinoma, { from: 1, to: 3, folds: 0, replicates: 39, threads: 1 })
  expect(fits.map(({ test }) => test?.against)).toEqual([2, 3, undefined])
  expect(fits[0].test).toMatchObject({ rank: 1, pValue: 1 / 40, replicates: 39 })
  await expect(chooseRank(carcinoma, { replicates: -1 })).rejects.toThrow('replicates must be')
})
