import { describe, expect, it } from 'vitest'
import { acm, carcinoma, gss82, values } from '../../../../../test/tables.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { fit } from '../../fit/fit.ts'
import { TaskRunner } from '../../fit/running/task-runner.ts'
import { refitOf } from '../resampling/replicates.ts'
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

  it('is decided by searches that end early as by those that go to their end', async () => {
    const session = await wasmEngine({ threads: 1 }).open(carcinoma)
    const runner = await TaskRunner.of(session)
    const fits = await Promise.all([2, 3].map(rank => fit(session, { rank, starts: 5 })))
    const [smaller, larger] = fits.map(({ model }, i) => refitOf(runner, model, 4 + 8 * i, {}))
    const drawn = (decisive?: number) =>
      runner.replicate(
        Array.from({ length: 12 }, (_, number) => ({
          number,
          seed: 1,
          from: fits[0].model.parameters,
          fits: [smaller, larger],
          misfit: false,
          ...(decisive !== undefined && { decisive }),
        })),
        {},
      )
    const ratios = (results: Awaited<ReturnType<typeof drawn>>) =>
      results.map(({ fits: [zero, one] }) => 2 * (one.logLikelihood - zero.logLikelihood))
    const whole = ratios(await drawn())
    const sorted = [...whole].sort((a, b) => a - b)
    // Next to a replicate, between two, and far from all of them.
    for (const statistic of [sorted[0] / 2, sorted[3], (sorted[5] + sorted[6]) / 2, sorted[11] + 0.1, sorted[11] + 200])
      expect(ratios(await drawn(statistic)).map(each => each >= statistic - 1e-6)).toEqual(
        whole.map(each => each >= statistic - 1e-6),
      )
    await runner.close()
    await session.close()
  })

  it('ends early where the answer is clear, and not where all are wanted', async () => {
    const options = { rank: 2, replicates: 120, replicateStarts: 3, threads: 1 }
    const clear = await testRanks(values, options)
    expect(clear).toMatchObject({ reason: 'clear', replicates: 48 })
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
    const { statistic, loMendellRubin, observationsPerParameter, warnings } = await testRanks(carcinoma, {
      rank: 2,
      replicates: 1,
      threads: 1,
    })
    expect(statistic).toBeCloseTo(2 * (317.256837 - 293.704979), 4)
    expect(loMendellRubin.degreesOfFreedom).toBe(8)
    expect(loMendellRubin.statistic).toBeCloseTo(statistic / (1 + 1 / (8 * Math.log(118))), 9)
    // 15 + 8 parameters of three classes.
    expect(observationsPerParameter).toBeCloseTo(118 / 23, 12)
    expect(warnings).toEqual([])
    const larger = await testRanks(carcinoma, { rank: 3, replicates: 1, threads: 1 })
    expect(larger.warnings.join()).toMatch(/^3 against 4 classes: with 3\.8 observations per parameter, .*too often/)
    // χ² is not its distribution: of 8 degrees of freedom it would give p below 1e-5.
    expect(loMendellRubin.pValue).toBeUndefined()
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
