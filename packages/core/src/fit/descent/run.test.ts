import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tensorsWithStart } from '../../../../../test/arbitrary.ts'
import { acm, carcinoma, gss82 } from '../../../../../test/tables.ts'
import { referenceEngine } from '../../engine/reference.ts'
import type { Parameters } from '../../model/parameters.ts'
import { randomStart } from '../../model/random.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { tensorFromArray } from '../../tensor/dense.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { principalParameters } from '../closed-form/principal-component.ts'
import { mStepOf } from './m-step.ts'
import { type Run, run } from './run.ts'
import type { Algorithm, RunOptions } from './run-options.ts'

const runOn = async (tensor: Tensor, start: Parameters, options: Partial<RunOptions> = {}): Promise<Run> => {
  const session = await referenceEngine.open(tensor)
  return run(session, start, {
    stopping: { tolerance: 1e-12, stationarity: 1e-7, minGain: 0, maxPasses: 50_000 },
    algorithm: 'accelerated',
    steps: tensor.shape.map(() => mStepOf({ added: 0, width: 0 })),
    ...options,
  })
}

const median = (numbers: number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

describe('run', () => {
  it('never raises the loss by more than rounding, and stays inside the constraints', async () => {
    await fc.assert(
      fc.asyncProperty(tensorsWithStart({ modes: { min: 2, max: 5 } }), async ([tensor, { parameters }]) => {
        const { trace, parameters: end, stationarity, reason } = await runOn(tensor, parameters)
        for (let i = 1; i < trace.length; i++) {
          expect(trace[i]).toBeLessThanOrEqual(trace[i - 1] + 1e-12 * Math.max(1, Math.abs(trace[i - 1])))
        }
        expect(reason).toBe('stationary')
        expect(stationarity).toBeLessThanOrEqual(1e-7)
        end.factors.forEach(factor => {
          const sums = new Array<number>(end.rank).fill(0)
          factor.forEach((p, i) => {
            expect(p).toBeGreaterThanOrEqual(0)
            sums[i % end.rank] += p
          })
          for (const sum of sums) expect(sum).toBeCloseTo(1, 12)
        })
        expect(end.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
      }),
      { numRuns: 60 },
    )
  })

  it('does not creep along a ridge that bends downwards', async () => {
    // Nearly all mass in one cell without an answer: EM's steps change the loss by 5e-9, and every one is a little longer.
    const tensor = tensorFromColumns(
      [
        [-1, -1, 0, 0],
        [0, 0, -1, 1],
        [1, 3, 3, 4],
      ],
      [0.001, 20, 0.001, 0.001],
      { shape: [2, 2, 5] },
    )
    const start: Parameters = {
      rank: 2,
      shares: Float64Array.of(0.6910871870636114, 0.30891281293638867),
      factors: [
        Float64Array.of(0.23686151836137267, 0.9798506094001429, 0.7631384816386273, 0.020149390599857042),
        Float64Array.of(0.2935714468791168, 0.11485825288890851, 0.706428553120883, 0.8851417471110914),
        Float64Array.of(
          ...[0.012320974248707461, 0.013694375062669724, 0.009167695380560708, 0.013694407250267977],
          ...[0.035674583289796016, 0.9243478446866186, 0.026819200214821967, 0.013694375062669725],
          ...[0.9160175468661138, 0.03456899793777384],
        ),
      ],
    }
    const { reason, passes, loss } = await runOn(tensor, start)
    expect(reason).toBe('stationary')
    expect(passes).toBeLessThan(2000)
    // Plain EM comes to the same, in its time.
    const em = await runOn(tensor, start, {
      algorithm: 'em',
      stopping: { tolerance: 0, stationarity: 0, minGain: 0, maxPasses: 300_000 },
    })
    expect(loss).toBeLessThan(em.loss + 1e-6)
  })

  it('does not accept equal classes as an optimum, unless there is nothing to tell them apart', async () => {
    const marginals = (tensor: Tensor, rank: number): Parameters => ({
      rank,
      shares: new Float64Array(rank).fill(1 / rank),
      factors: principalParameters(tensor).factors.map(factor =>
        Float64Array.from([...factor].flatMap(p => new Array<number>(rank).fill(p))),
      ),
    })
    // Independence is 643.0099772118 nats above the table (Agresti's G² of 1286.01995442, halved), which two classes fit exactly.
    const start = marginals(acm, 2)
    const { loss: above } = await runOn(acm, start, { algorithm: 'em' })
    const { loss, trace, passes, reason } = await runOn(acm, start)
    expect(above - loss).toBeCloseTo(643.0099772118, 6)
    expect(reason).toBe('stationary')
    expect(trace.every((each, i) => i === 0 || each <= trace[i - 1] + 1e-8)).toBe(true)
    expect(passes).toBeGreaterThanOrEqual(trace.length)
    const flat = tensorFromArray([
      [2, 4],
      [3, 6],
    ])
    const same = await runOn(flat, marginals(flat, 3))
    expect(same.loss).toBeCloseTo((await runOn(flat, marginals(flat, 1))).loss, 10)
    expect(same.passes).toBeLessThan(100)
    // The limit of passes holds for both parts together.
    for (const maxPasses of [2, 3, 5, 9]) {
      const brief = await runOn(acm, start, {
        stopping: { tolerance: 1e-12, stationarity: 1e-7, minGain: 0, maxPasses },
      })
      expect(brief.passes).toBeLessThanOrEqual(maxPasses)
    }
  })

  it.each([
    ['carcinoma, 4 classes', carcinoma, 4, 120],
    ['survey attitudes, 3 classes', gss82, 3, 150],
    ['survey attitudes, 4 classes', gss82, 4, 400],
  ])('accelerated: %s converges within a few passes, in the median of 20 starts', async (_, tensor, rank, most) => {
    const stopping = { tolerance: 1e-10 / 3000, stationarity: 1e-6, minGain: 0, maxPasses: 10_000 }
    const passes: number[] = []
    for (let start = 0; start < 20; start++) {
      const end = await runOn(tensor, randomStart(tensor.shape, rank, 1, start), { stopping })
      expect(end.reason).toBe('stationary')
      passes.push(end.passes)
    }
    expect(median(passes)).toBeLessThanOrEqual(most)
  })

  it('accelerated and plain EM end at the same optima, from the same starts, mostly', async () => {
    let same = 0
    for (let start = 0; start < 12; start++) {
      const from = randomStart(gss82.shape, 3, 1, start)
      const ends = await Promise.all(
        (['em', 'accelerated'] as Algorithm[]).map(algorithm => runOn(gss82, from, { algorithm })),
      )
      if (Math.abs(ends[0].loss - ends[1].loss) < 1e-4) same++
      expect(ends[1].passes).toBeLessThan(ends[0].passes)
    }
    expect(same).toBeGreaterThanOrEqual(10)
  })

  it('lifts a zero that should not be one, where EM is stuck', async () => {
    // Two classes fit this table exactly, with nothing at zero; the start has a zero, and EM alone can never leave it.
    const good = await runOn(acm, randomStart(acm.shape, 2, 1, 0))
    const factors = good.parameters.factors.map(factor => factor.slice())
    factors[0].set([1, 0.5, 0, 0.5])
    const start = { ...good.parameters, factors }
    const session = await referenceEngine.open(acm)
    let [shares, tables] = [start.shares, start.factors as Float64Array[]]
    let stuck = 0
    for (let i = 0; i < 3000; i++) {
      const statistics = await session.pass({ rank: 2, shares, factors: tables })
      stuck = acm.total - acm.total * Math.log(acm.total) - statistics.logLikelihood
      shares = statistics.sizes.map(weight => weight / acm.total)
      tables = statistics.factors.map(table => table.map((value, j) => value / statistics.sizes[j % 2]))
    }
    expect(tables[0][2]).toBe(0)
    expect(stuck).toBeGreaterThan(good.loss + 0.1)
    for (const algorithm of ['em', 'accelerated'] as Algorithm[]) {
      const lifted = await runOn(acm, start, { algorithm })
      expect(lifted.loss).toBeCloseTo(good.loss, 5)
    }
  })

  it('abandons a run that will not reach its target, and stops at its limit of passes', async () => {
    const from = randomStart(gss82.shape, 2, 1, 0)
    const hopeless = await runOn(gss82, from, { target: -1e9 })
    expect(hopeless.reason).toBe('abandoned')
    expect(hopeless.passes).toBeLessThan(200)
    const short = await runOn(gss82, from, { stopping: { tolerance: 0, stationarity: 0, minGain: 0, maxPasses: 7 } })
    expect(short.reason).toBe('passes')
    expect(short.passes).toBe(7)
  })
})
