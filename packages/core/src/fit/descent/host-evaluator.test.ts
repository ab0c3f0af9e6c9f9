import { describe, expect, it } from 'vitest'
import { values } from '../../../../../test/tables.ts'
import { referenceEngine } from '../../engine/reference.ts'
import { SweepPool } from '../../engine/sweeps/sweeps.ts'
import { AbortError, throwIfStopped } from '../../errors.ts'
import { lossOffset } from '../../model/loss.ts'
import { randomStart } from '../../model/random.ts'
import { constraintProjector } from './constraint-projector.ts'
import { HostEvaluator } from './host-evaluator.ts'
import { LogitBlock } from './logit-block.ts'
import { mStepOf } from './m-step.ts'
import type { RunOptions } from './run-options.ts'

const session = await referenceEngine.open(values)
const { precision } = session.traits
const stopping = { tolerance: 1e-12, stationarity: 1e-7, minGain: 0, maxPasses: 100 }
const terms = ['intercept', 'x'].map(name => ({ name, factors: [] }))
const explained = { terms, patterns: 2, values: Float64Array.of(1, -1, 1, 1), counts: values.marginals[3] }

const optionsOf = (shape: readonly number[], more: Partial<RunOptions>): RunOptions => ({
  stopping,
  algorithm: 'accelerated',
  steps: shape.map(() => mStepOf({ added: 0, width: 0 })),
  ...more,
})

const passesOf = (more: Partial<RunOptions> = {}, own = session) => {
  const shape = more.explained === undefined ? values.shape : values.shape.slice(0, 3)
  const options = optionsOf(shape, more)
  const blocks = more.explained === undefined ? [] : [new LogitBlock(more.explained, 3, 2, values.total)]
  return new HostEvaluator(own, new SweepPool().borrow(shape, 2, 3), options, blocks)
}

const startOf = (start: number, modes = 4) => randomStart(values.shape.slice(0, modes), 2, 1, start)

describe('passes with points in memory', () => {
  it('know the loss of a point, and where EM goes from it', async () => {
    const told: [number, number][] = []
    const passes = passesOf({ onPass: (pass, loss) => void told.push([pass, loss]) })
    const [point, next] = passes.points
    const start = startOf(0)
    passes.begin(point, start)
    await passes.evaluate(point)
    const { sizes, factors, logLikelihood } = await session.pass(start)
    expect(point.loss).toBe(lossOffset(values.total) - logLikelihood)
    expect(point.objective).toBe(point.loss)
    await passes.emStep(point, next)
    const expected = [...sizes]
      .map(size => size / values.total)
      .concat(factors.flatMap(table => [...table].map((sum, i) => sum / sizes[i % 2])))
    for (const [i, p] of expected.entries()) expect(next.values[i]).toBeCloseTo(p, 13)
    for (const [i, mass] of [...point.mass].entries()) expect(mass).toBeCloseTo(sizes[i % 2] / values.total, 13)
    expect(next.loss).toBeLessThan(point.loss)
    expect([passes.count, told]).toEqual([
      2,
      [
        [1, point.loss],
        [2, next.loss],
      ],
    ])
    // A copy: the arrays of a point are used again.
    const model = passes.model(next)
    expect(model.factors[0]).toEqual(next.parameters.factors[0])
    expect(model.factors[0]).not.toBe(next.parameters.factors[0])
    expect(model).not.toHaveProperty('coefficients')
  })

  it('have a loss that may seem to rise by ten times the precision, or once in single precision', () => {
    const of = (objective: number, more: Partial<RunOptions> = {}) => {
      const passes = passesOf(more)
      return passes.rounding({ ...passes.points[0], objective })
    }
    expect(of(-2000)).toBeCloseTo(2000 * 10 * precision, 20)
    expect(of(0.001)).toBeCloseTo(10 * precision, 25)
    expect(of(-2000, { rough: true })).toBeCloseTo(2000 * precision, 20)
  })

  it('add what a prior asks for to the objective, and share the mass of what is known', async () => {
    const steps = [
      mStepOf({ added: 0.5, width: 0 }),
      mStepOf({ added: 0, width: 0, fixed: [{ mode: 1, class: 1, label: 0, value: 0.4 }] }),
      ...[0, 0].map(() => mStepOf({ added: 0, width: 0 })),
    ]
    const passes = passesOf({ steps })
    const [point] = passes.points
    const start = startOf(0)
    passes.begin(point, start)
    await passes.evaluate(point)
    const penalty = [...start.factors[0]].reduce((sum, p) => sum - 0.5 * Math.log(p), 0)
    expect(point.objective - point.loss).toBeCloseTo(penalty, 10)
    const { sizes, factors } = await session.pass(start)
    // Half a count is added to both labels of the first mode.
    expect(point.mass[0]).toBeCloseTo((sizes[0] + 1) / values.total, 12)
    // Of the second class, label 0 has 0.4: the other has the rest, and the slope among free entries is by their mass.
    const free = factors[1][3] / sizes[1]
    expect(point.update[2 + 4 + 1]).toBe(0.4)
    expect(point.update[2 + 4 + 3]).toBeCloseTo(0.6, 14)
    expect(point.mass[3]).toBeCloseTo(((sizes[1] / values.total) * free) / 0.6, 12)
    expect(point.mass[2]).toBeCloseTo(sizes[0] / values.total, 12)
  })

  it('bring a point within its constraints first, and pool what equal columns gather', async () => {
    const projector = constraintProjector({
      named: false,
      fixed: [],
      tied: [[0, 1].map(k => ({ mode: 2, class: k, labels: [0, 1] }))],
    })
    const passes = passesOf({ projector })
    const [point] = passes.points
    const start = startOf(0)
    passes.begin(point, start)
    await passes.evaluate(point)
    const mean = (start.factors[2][0] + start.factors[2][1]) / 2
    expect([...point.parameters.factors[2]].slice(0, 2)).toEqual([mean, mean])
    const at = 2 + 4 + 4
    // Both columns gather together: their update is the distribution of the whole data, whatever the classes.
    const marginal = values.marginals[2][0] / values.total
    for (const k of [0, 1]) expect(point.update[at + k]).toBeCloseTo(marginal, 12)
  })

  it('are stopped by the signal, but for the first where the model is worth it', async () => {
    const watching = {
      ...session,
      pass: async (...[parameters, into, signal]: Parameters<typeof session.pass>) => {
        throwIfStopped(signal)
        return session.pass(parameters, into)
      },
    }
    const signal = AbortSignal.abort()
    const first = passesOf({ signal }, watching)
    first.begin(first.points[0], startOf(0))
    await expect(first.evaluate(first.points[0])).rejects.toThrow(AbortError)
    const whole = passesOf({ signal, whole: true }, watching)
    whole.begin(whole.points[0], startOf(0))
    await whole.evaluate(whole.points[0])
    expect(whole.count).toBe(1)
    await expect(whole.evaluate(whole.points[0])).rejects.toThrow(AbortError)
  })
})

describe('passes with a logit of membership', () => {
  it('have its table as the factor of its mode, whichever that is, and class sizes of their own', () => {
    for (const mode of [0, 2, 3]) {
      const [first] = new HostEvaluator(
        session,
        new SweepPool().borrow([2, 2, 2], 2, 3),
        optionsOf([2, 2, 2], { explained }),
        [new LogitBlock(explained, mode, 2, values.total)],
      ).points
      const { factors } = first.parameters
      expect(first.passed.factors).toHaveLength(4)
      expect(first.passed.factors[mode]).toBe(first.blocks[0].table)
      expect(first.passed.factors.filter((_, n) => n !== mode)).toEqual(factors)
      expect([...first.passed.shares]).toEqual([1, 1])
      expect(first.shares).toBe(first.blocks[0].shares)
    }
  })

  it('make no pass with coefficients beyond all bounds: the objective is infinite', async () => {
    const passes = passesOf({ explained })
    const [point] = passes.points
    passes.begin(point, startOf(0, 3))
    await passes.evaluate(point)
    expect([Number.isFinite(point.loss), passes.count]).toEqual([true, 1])
    const coefficients = Float64Array.of(-1e13, 1e13, 0, 0)
    passes.begin(point, { ...startOf(0, 3), coefficients })
    await passes.evaluate(point)
    expect([point.loss, point.objective, passes.count]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 1])
  })

  it("shorten Newton's step by four each time, four times, until the objective is no higher; and keep within the limit", async () => {
    const lengths = async (good: number, more: Partial<RunOptions> = {}) => {
      let count = 0
      // The pass of the start, and then only one that is as good.
      const pass: typeof session.pass = async (...given) => {
        const found = await session.pass(...given)
        if (++count !== 1 && count !== 1 + good) found.logLikelihood -= 1e6
        return found
      }
      const passes = passesOf({ explained, ...more }, { ...session, pass })
      const [point, next] = passes.points
      passes.begin(point, startOf(0, 3))
      await passes.evaluate(point)
      const [block] = passes.blocks
      block.refreshMetric(point.blocks[0])
      const seen: number[] = []
      const maximize = block.maximize.bind(block)
      block.maximize = (from, length, to) => {
        seen.push(length)
        maximize(from, length, to)
      }
      await passes.emStep(point, next)
      return seen
    }
    expect(await lengths(1)).toEqual([1])
    expect(await lengths(3)).toEqual([1, 1 / 4, 1 / 16])
    expect(await lengths(9)).toEqual([1, 1 / 4, 1 / 16, 1 / 64, 0])
    expect(await lengths(9, { stopping: { ...stopping, maxPasses: 3 } })).toEqual([1, 1 / 4])
    const smooth = [0, 0, 0].map(() => mStepOf({ added: 0, width: 1 }))
    expect(await lengths(9, { steps: smooth })).toEqual([1])
  })
})
