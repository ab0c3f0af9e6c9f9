import { describe, expect, it } from 'vitest'
import { acm } from '../../../../../test/tables.ts'
import type { Session } from '../../engine/engine.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { principalComponent } from '../../fit/closed-form/principal-component.ts'
import { fit } from '../../fit/fit.ts'
import { TaskRunner } from '../../fit/running/task-runner.ts'
import type { Replicate } from '../../fit/search/replicate.ts'
import { Model } from '../../model/model.ts'
import { buildTensor } from '../../tensor/build.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { bivariateResiduals } from '../fit-statistics/residuals.ts'
import { bootstrap } from './bootstrap.ts'
import { quantile } from './monte-carlo.ts'
import { checkCounts, checkReplicates, drawReplicates, refitOf, replicateStopping } from './replicates.ts'
import { replicatesForIntervals, spreadOver } from './spreads.ts'

describe('the spread of a number over replicates', () => {
  it('is its standard deviation, and the interval between its percentiles', () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]
    const mean = 3.9
    const deviation = Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 9)
    const { standardError, interval } = spreadOver(10, 0.8)(r => values[r])
    expect(standardError).toBeCloseTo(deviation, 12)
    // A tenth of 11 is the 1.1th of them in order, nine tenths the 9.9th.
    expect(interval).toEqual([expect.closeTo(1, 12), expect.closeTo(6 + 0.9 * 3, 12)])
    expect(interval![1]).toBe(quantile([1, 1, 2, 3, 3, 4, 5, 5, 6, 9], 0.9))
    expect(spreadOver(8, 0.8)(r => values[r]).interval).toBeUndefined()
    expect(spreadOver(1, 0.8)(r => values[r])).toEqual({ standardError: Number.NaN, interval: undefined })
  })

  it('has an interval from as many replicates on as leave the tails outside', () => {
    expect([0.5, 0.8, 0.9, 0.95, 0.99].map(replicatesForIntervals)).toEqual([3, 9, 19, 39, 199])
    expect(replicatesForIntervals(0.7)).toBe(6)
  })
})

describe('replicates', () => {
  /** A runner that hands back what it was asked for. */
  const asked = () => {
    const batches: Replicate[][] = []
    const replicate = async (tasks: Replicate[], { onResult }: { onResult: () => void }) => {
      batches.push(tasks)
      return tasks.map(task => {
        onResult()
        return task
      })
    }
    return { runner: { replicate } as unknown as TaskRunner, batches }
  }
  const one = { seed: 7, fits: [], misfit: false }

  it('are numbered from 0 and handed out by sixteen', async () => {
    const { runner, batches } = asked()
    const told: number[] = []
    const results = await drawReplicates(runner, one, {
      replicates: 37,
      onReplicate: ({ done, replicates }) => void told.push(100 * done + replicates),
    })
    expect(batches.map(batch => batch.length)).toEqual([16, 16, 5])
    expect(batches.flat().map(({ number }) => number)).toEqual(Array.from({ length: 37 }, (_, i) => i))
    expect(results).toHaveLength(37)
    expect(told).toEqual(Array.from({ length: 37 }, (_, i) => 100 * (i + 1) + 37))
    expect(batches[0][0]).toEqual({ ...one, number: 0 })
    const exact = asked()
    await drawReplicates(exact.runner, one, { replicates: 16 })
    expect(exact.batches).toHaveLength(1)
  })

  it('are drawn by number if they are not drawn with the fits', async () => {
    const { runner, batches } = asked()
    await drawReplicates(runner, one, { replicates: 2, draw: (seed, number) => Float64Array.of(seed, number) })
    expect(batches[0].map(({ values }) => [...values!])).toEqual([
      [7, 0],
      [7, 1],
    ])
  })

  it('end if enough is known after a batch, or if they are stopped', async () => {
    const { runner, batches } = asked()
    const seen: number[] = []
    const enough = (results: readonly unknown[]) => {
      seen.push(results.length)
      return results.length >= 32
    }
    expect(await drawReplicates(runner, one, { replicates: 100, enough })).toHaveLength(32)
    expect(seen).toEqual([16, 32])
    const controller = new AbortController()
    const told: number[] = []
    const onReplicate = ({ done }: { done: number }) => {
      told.push(done)
      if (done === 20) controller.abort()
    }
    batches.length = 0
    expect(await drawReplicates(runner, one, { replicates: 100, signal: controller.signal, onReplicate })).toHaveLength(
      32,
    )
    // What ends after the signal is not told.
    expect(told).toHaveLength(20)
    expect(await drawReplicates(runner, one, { replicates: 100, signal: AbortSignal.abort() })).toEqual([])
  })

  it('are fitted exactly, but not beyond the precision of the engine', async () => {
    const session = await referenceEngine.open(acm)
    const stopping = (precision: number) =>
      replicateStopping({ ...session, data: acm, traits: { ...session.traits, precision } } as Session, 2)
    expect(stopping(1e-15)).toMatchObject({ tolerance: 1e-10, stationarity: 1e-4, minGain: 0, maxPasses: 5000 })
    expect(stopping(1e-6)).toMatchObject({
      tolerance: expect.closeTo(1e-5, 12),
      stationarity: expect.closeTo(1e-3, 12),
    })
    const runner = await TaskRunner.of(session)
    const model = principalComponent(acm)
    expect(refitOf(runner, model, 3, {})).toMatchObject({ from: model.parameters, starts: 3, setting: { rank: 1 } })
    expect(() => refitOf(runner, model, 3, { smoothing: 'auto' })).toThrow(
      'smoothing must be a width for replicates: use the one that was chosen (got "auto")',
    )
    expect(refitOf(runner, model, 0, { pseudoCounts: 2 }).setting).not.toEqual(refitOf(runner, model, 0, {}).setting)
    await runner.close()
    await session.close()
  })

  it('are no more than memory has room for, of counts that can be drawn', () => {
    // 3·(1 + 9) numbers each, of 2²⁷.
    const most = Math.floor(2 ** 27 / 30)
    const message = `replicates must be at most ${most} with 30 parameters, or memory runs out (got ${most + 1})`
    expect(() => checkReplicates({ shape: [4, 5] }, 3, most)).not.toThrow()
    expect(() => checkReplicates({ shape: [4, 5] }, 3, most + 1)).toThrow(message)
    expect(() => checkReplicates({ shape: [2 ** 24 - 1] }, 1, 8)).not.toThrow()
    expect(() => checkReplicates({ shape: [2 ** 24 - 1] }, 1, 8, 2)).toThrow('with 16777217 parameters')
    const counted = (y: number) => tensorFromColumns([[0, 1]], [1, y])
    expect(() => checkCounts(counted(2 ** 26 - 1))).not.toThrow()
    expect(() => checkCounts(counted(2 ** 26))).toThrow(
      'replicates are drawn observation by observation: there may be up to 67108864 (got 67108865)',
    )
    expect(() => checkCounts({ shape: [2], total: 3 } as never)).toThrow(
      /^replicates need .*, which this session does not have$/,
    )
    expect(() => checkCounts(counted(1.5))).toThrow(expect.objectContaining({ place: { cell: 2 } }))
  })
})

describe('the bootstrap of a small table', async () => {
  const { model } = await fit(acm, { rank: 2, starts: 2, threads: 1 })
  const options = { starts: 0, threads: 1 } as const

  it.each(['parametric', 'nonparametric'] as const)('says how its parameters vary: %s', async kind => {
    const seen: Model[] = []
    const share = (of: Model) => {
      seen.push(of)
      return of.shares[0]
    }
    const told: number[] = []
    const found = await bootstrap(acm, model, {
      ...options,
      kind,
      replicates: 4,
      confidence: 0.5,
      statistic: share,
      onReplicate: ({ done }) => void told.push(done),
    })
    expect(found).toMatchObject({ kind, replicates: 4, converged: 4, stopped: false, confidence: 0.5 })
    expect([told, seen.length]).toEqual([[1, 2, 3, 4], 4])
    const spread = (of: (each: Model) => number) => spreadOver(4, 0.5)(r => of(seen[r]))
    expect(found.statistic).toEqual(found.shares[0])
    expect(found.shares[1]).toEqual(spread(each => each.shares[1]))
    expect(found.profiles.map(classes => classes.map(labels => labels.length))).toEqual(new Array(3).fill([2, 2]))
    expect(found.profiles[2][1][0]).toEqual(spread(each => each.profile(2, 1)[0]))
    expect(seen[0].total).toBe(model.total)
    // All draws differ.
    expect(new Set(seen.map(each => each.shares[0])).size).toBe(4)
    if (kind === 'nonparametric')
      expect(found).toMatchObject({ gSquared: undefined, chiSquared: undefined, cressieRead: undefined, pairs: [] })
    else {
      const pairs = bivariateResiduals(acm, model)
      expect(found.pairs.map(({ pValue: _, interval: __, ...pair }) => pair)).toEqual(pairs)
      for (const { pValue } of [found.gSquared!, found.chiSquared!, found.cressieRead!, ...found.pairs])
        expect([0.2, 0.4, 0.6, 0.8, 1]).toContain(pValue)
    }
    const other = await bootstrap(acm, model, { ...options, kind, replicates: 4, seed: 2 })
    expect(other.shares[0].standardError).not.toBe(found.shares[0].standardError)
    expect(other.statistic).toBeUndefined()
  })

  it('draws from the model, or from the observations', async () => {
    const data = tensorFromColumns(
      [
        [0, 0, 1, 1],
        [0, 1, 0, 1],
      ],
      [25, 25, 25, 25],
    )
    const other = new Model(data.modes, {
      rank: 1,
      sizes: Float64Array.of(100),
      factors: [Float64Array.of(0.1, 0.9), Float64Array.of(0.5, 0.5)],
    })
    for (const [kind, low, high] of [
      ['parametric', 0, 0.3],
      ['nonparametric', 0.3, 0.7],
    ] as const) {
      const { profiles, statistic } = await bootstrap(data, other, {
        ...options,
        kind,
        replicates: 3,
        confidence: 0.5,
        statistic: each => each.profile(0, 0)[0],
      })
      expect(profiles[0][0][0]).toEqual(statistic)
      expect(statistic!.interval![0]).toBeGreaterThan(low)
      expect(statistic!.interval![1]).toBeLessThan(high)
    }
  })

  it('draws clusters of any weight, and has no intervals if it draws from the model', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({
      a: i % 2,
      b: (i >> 1) % 3,
      c: (i * 7) % 5 > 2 ? 1 : 0,
      town: i % 6,
      n: 1 + (i % 7) / 10,
    }))
    const data = tensorFromRows(rows, { count: 'n' })
    const whole = tensorFromRows(
      rows.map(row => ({ ...row, n: 1 })),
      { count: 'n' },
    )
    const design = { cluster: 'town' }
    const one = principalComponent(
      tensorFromRows(
        rows.map(({ town: _, ...row }) => row),
        { count: 'n' },
      ),
    )
    const drawn = await bootstrap(data, one, { ...options, design, kind: 'nonparametric', replicates: 5 })
    expect(drawn.profiles[0][0][0].standardError).toBeGreaterThan(0)
    await expect(bootstrap(data, one, { ...options, design, replicates: 5 })).rejects.toThrow(
      'values must be whole numbers',
    )
    const tested = await bootstrap(whole, one, { ...options, design, replicates: 5, statistic: each => each.shares[0] })
    expect(tested.profiles[0][0][0]).toEqual({ standardError: Number.NaN, interval: undefined })
    expect(tested.statistic).toEqual({ standardError: Number.NaN, interval: undefined })
    expect(tested.gSquared!.pValue).toBeGreaterThan(0)
    const session = { data: { shape: [2], modes: [] }, pass: () => {} } as never
    await expect(bootstrap(session, one, { design })).rejects.toThrow(
      /^bootstrap needs .*, which this session does not have$/,
    )
    await expect(bootstrap(session, one)).rejects.toThrow(/^bootstrap needs/)
    await expect(bootstrap(whole, model, { design })).rejects.toThrow('the data without its design')
  })

  it('draws rows by their weights, and keeps them if it draws from the model', async () => {
    const weighted = buildTensor(
      acm.modes,
      acm.indices,
      acm.values.map(y => y / 8),
    )
    const rowWeights = {
      cells: Int32Array.from(acm.values.keys()),
      weights: acm.values.map(() => 0.5),
      counts: acm.values.map(y => Math.round(y / 4)),
    }
    const rows = await bootstrap(weighted, model, { ...options, rowWeights, kind: 'nonparametric', replicates: 3 })
    expect(rows.shares[0].standardError).toBeGreaterThan(0)
    const tested = await bootstrap(weighted, model, { ...options, rowWeights, replicates: 3 })
    expect(tested.shares[0].standardError).toBeNaN()
    expect(tested.pairs).toHaveLength(3)
    await expect(bootstrap(weighted, model, { ...options, replicates: 3 })).rejects.toThrow(
      'values must be whole numbers (cell 1 has 113.875)',
    )
  })

  it('keeps what there is when it is stopped, and says if that is nothing', async () => {
    const controller = new AbortController()
    const found = await bootstrap(acm, model, {
      ...options,
      replicates: 100,
      signal: controller.signal,
      onReplicate: ({ done }) => done === 3 && controller.abort(),
    })
    expect(found.stopped).toBe(true)
    expect(found.replicates).toBeLessThan(100)
    await expect(bootstrap(acm, model, { ...options, signal: AbortSignal.abort() })).rejects.toThrow(/stopped/)
  })
})
