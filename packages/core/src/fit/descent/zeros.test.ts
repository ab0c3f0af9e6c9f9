import { describe, expect, it } from 'vitest'
import { randomTensor } from '../../engine/random-tensor.ts'
import { referenceEngine } from '../../engine/reference.ts'
import type { Parameters } from '../../model/parameters.ts'
import { randomStart } from '../../model/random.ts'
import { copyPoint, normalize, type Point, setParameters } from './point.ts'
import { eachSlope, movement, stationarity, ZERO } from './stationarity.ts'
import { lift, slowlyGrowing, testZeros } from './zeros.ts'

const tensor = randomTensor({ shape: [3, 4, 2], cells: 40, missing: 0.2, seed: 3 })
const session = await referenceEngine.open(tensor)
const rank = 2

const emptyPoint = (shape: readonly number[] = tensor.shape): Point => {
  const size = rank * shape.reduce((sum, labels) => sum + labels, 1)
  const values = new Float64Array(size)
  let offset = rank
  const factors = shape.map(labels => {
    offset += labels * rank
    return values.subarray(offset - labels * rank, offset)
  })
  const parameters = { rank, shares: values.subarray(0, rank), factors }
  return {
    rank,
    shape,
    values,
    parameters,
    shares: parameters.shares,
    update: new Float64Array(size),
    blocks: [],
    passed: parameters,
    mass: new Float64Array(shape.length * rank),
    objective: 0,
    loss: 0,
  }
}

/** One pass by the reference engine: what EM would go to is what each class has gathered, brought to a sum of 1. */
const evaluate = async (point: Point): Promise<void> => {
  const { sizes, factors, logLikelihood } = await session.pass(point.parameters)
  const tables = [sizes, ...factors]
  let offset = 0
  tables.forEach((table, n) => {
    const sums = new Float64Array(rank)
    table.forEach((value, i) => {
      sums[i % rank] += value
    })
    if (n === 0) sums.fill(tensor.total)
    else
      point.mass.set(
        sums.map(sum => sum / tensor.total),
        (n - 1) * rank,
      )
    point.update.set(
      table.map((value, i) => value / sums[i % rank]),
      offset,
    )
    offset += table.length
  })
  point.loss = -logLikelihood
  point.objective = -logLikelihood
}

const pointAt = async (start: Parameters): Promise<Point> => {
  const point = emptyPoint()
  setParameters(point, start)
  await evaluate(point)
  return point
}

/** The objective after a change of one parameter, of whose column the sum stays 1. */
const objectiveNear = async (point: Point, index: number, change: number): Promise<number> => {
  const moved = emptyPoint()
  moved.values.set(point.values)
  moved.values[index] += change
  normalize(moved)
  await evaluate(moved)
  return moved.objective
}

describe('slopes', () => {
  it('are those of the objective along the simplices, over the total', async () => {
    const point = await pointAt(randomStart(tensor.shape, rank, 1, 0))
    const slopes: [number, number, number][] = []
    eachSlope(point, (index, x, slope) => slopes.push([index, x, slope]))
    expect(slopes.map(([index]) => index)).toEqual([...point.values.keys()])
    for (const [index, x, slope] of slopes) {
      expect(x).toBe(point.values[index])
      const [above, below] = [await objectiveNear(point, index, 1e-5), await objectiveNear(point, index, -1e-5)]
      expect((above - below) / (2e-5 * tensor.total)).toBeCloseTo(slope, 5)
    }
    const worst = Math.max(...slopes.map(([, x, slope]) => Math.abs(Math.min(x, slope))))
    expect(stationarity(point)).toBe(worst)
    expect(movement(point)).toBe(Math.max(...point.values.map((x, i) => Math.abs(point.update[i] - x))))
  })

  it('of zeros are not looked at, and what is no number is worst', () => {
    const point = emptyPoint([2])
    point.values.set([0.5, 0.5, 0.3, ZERO / 2, 0.7, 1])
    point.update.set([0.5, 0.5, 0.3, 0.4, 0.7, 0.6])
    point.mass.fill(0.5)
    // 0.5 × (1 − 0.6 / 1) is the only slope but that of the zero.
    expect(stationarity(point)).toBeCloseTo(0.2, 15)
    point.values[3] = ZERO
    expect(stationarity(point)).toBeGreaterThan(1e100)
    expect(movement(point)).toBeCloseTo(0.4, 15)
    point.update[2] = Number.NaN
    expect([stationarity(point), movement(point)]).toEqual([Number.NaN, Number.NaN])
  })
})

describe('zeros', () => {
  const wrongStart = () => {
    const start = randomStart(tensor.shape, rank, 1, 0)
    const factors = start.factors.map(each => each.slice())
    // The second class has nothing of a label that the data has.
    factors[1].set([0.2, 0, 0.3, 0.4, 0.1, 0.3, 0.4, 0.3])
    return { ...start, factors }
  }

  it('are wrong if the loss falls when they are left, by as much as it falls', async () => {
    const point = await pointAt(wrongStart())
    const index = rank + 3 * rank + 1
    expect(point.values[index]).toBe(0)
    const room = emptyPoint()
    const test = (tolerance: number, possible = true) => testZeros(point, room, tolerance, possible, evaluate)
    const { residual, wrong } = await test(1e-6)
    const slope = ((await objectiveNear(point, index, 1e-6)) - point.objective) / (1e-6 * tensor.total)
    expect(slope).toBeLessThan(0)
    expect(residual).toBeCloseTo(-slope, 4)
    expect(wrong).toEqual([index])
    // The room has the model with the zero next to it, the point is as it was.
    expect([room.values[index], point.values[index]]).toEqual([1e-60, 0])
    expect((await test(residual)).wrong).toEqual([])
    expect((await test(residual * 0.999)).wrong).toEqual([index])
    expect(await test(1e-6, false)).toEqual({ residual: Number.POSITIVE_INFINITY, wrong: [] })
  })

  it('are right if there is nothing to be gained, and need no pass if there are none', async () => {
    let passes = 0
    const none = async () => void passes++
    const whole = await pointAt(randomStart(tensor.shape, rank, 1, 0))
    for (const possible of [true, false])
      expect(await testZeros(whole, emptyPoint(), 0, possible, none)).toEqual({ residual: 0, wrong: [] })
    // A label that no class has is no zero to be lifted.
    const lost = emptyPoint()
    lost.values.set(whole.values)
    lost.values.fill(0, rank, 2 * rank)
    expect(await testZeros(lost, emptyPoint(), 0, true, none)).toEqual({ residual: 0, wrong: [] })
    expect(passes).toBe(0)
    // The slope at this one is upwards: EM gathers nothing there.
    const right = emptyPoint()
    right.values.set(whole.values)
    right.values[rank] = ZERO / 2
    const quiet = async (point: Point) => {
      point.mass.fill(0.5)
      point.update.set(point.values)
      point.update[rank] = 0
      passes++
    }
    expect(await testZeros(right, emptyPoint(), 0, true, quiet)).toEqual({ residual: 0, wrong: [] })
    expect(passes).toBe(1)
  })

  it('grow slowly where they are small and have a slope downwards', () => {
    const point = emptyPoint([2])
    const growing = (x: number, update: number, tolerance = 0.1) => {
      point.values.set([0.5, 0.5, x, 0.5, 1 - x, 0.5])
      point.update.set([0.5, 0.5, update, 0.5, 1 - x, 0.5])
      point.mass.fill(0.5)
      return slowlyGrowing(point, tolerance)
    }
    expect(growing(1e-7, 2e-7)).toEqual([rank])
    expect(growing(1e-7, 2e-7, 0.5)).toEqual([])
    expect(growing(1e-7, 1e-7)).toEqual([])
    expect([growing(1e-6, 2e-6), growing(0.99e-6, 2e-6)]).toEqual([[], [rank]])
    expect([growing(ZERO, 2 * ZERO), growing(ZERO / 2, 1)]).toEqual([[rank], []])
  })

  it('are lifted as far as lowers the objective', async () => {
    const point = await pointAt(wrongStart())
    const index = rank + 3 * rank + 1
    const into = emptyPoint()
    expect(await lift(point, into, [index], evaluate)).toBe(true)
    expect(into.objective).toBeLessThan(point.objective)
    expect(into.values[index]).toBeCloseTo(1e-3 / 1.001, 12)
    expect(into.values[index + 2]).toBeCloseTo(point.values[index + 2] / 1.001, 12)
    const heights: number[] = []
    const liftedTo = (good: number) => async (to: Point) => {
      heights.push(to.values[index])
      to.objective = heights.length === good ? point.objective - 1 : point.objective
    }
    expect(await lift(point, into, [index], liftedTo(3))).toBe(true)
    expect(await lift(point, into, [index], liftedTo(0))).toBe(false)
    for (const [i, height] of [1e-3, 1e-6, 1e-9, 1e-3, 1e-6, 1e-9].entries())
      expect(heights[i]).toBeCloseTo(height / (1 + height), 14)
    // What is higher already stays.
    point.values[index] = 1e-5
    heights.length = 0
    await lift(point, into, [index], liftedTo(0))
    expect(heights[1] / 1e-5).toBeCloseTo(1, 4)
  })
})

describe('points', () => {
  it('are brought to sums of 1, and say if that cannot be', () => {
    const point = emptyPoint([2, 3])
    const filled = (values: readonly number[]) => {
      point.values.set(values)
      return normalize(point)
    }
    expect(filled([1, 3, 1, 2, 3, 2, 1, 5, 1, 5, 2, 0])).toBe(true)
    expect([...point.values]).toEqual([0.25, 0.75, 0.25, 0.5, 0.75, 0.5, 0.25, 0.5, 0.25, 0.5, 0.5, 0])
    const good = [1, 3, 1, 2, 3, 2, 1, 5, 1, 5, 2, 0]
    for (const [at, value] of [
      [0, Number.POSITIVE_INFINITY],
      [1, Number.NaN],
      [2, Number.POSITIVE_INFINITY],
      [7, Number.NaN],
    ])
      expect(filled(good.map((each, i) => (i === at ? value : each)))).toBe(false)
    expect(filled([0, 0, ...good.slice(2)])).toBe(false)
    expect(filled(good.map((each, i) => (i === 2 || i === 4 ? 0 : each)))).toBe(false)
    expect(filled(good.map((each, i) => (i > 5 && i % 2 === 1 ? 0 : each)))).toBe(false)
  })

  it('begin with shares that sum to 1, and are copied as far as they are chosen', () => {
    const [point, other] = [emptyPoint(), emptyPoint()]
    const start = randomStart(tensor.shape, rank, 1, 5)
    setParameters(point, { ...start, shares: Float64Array.of(3, 1) })
    expect([...point.values]).toEqual([0.75, 0.25, ...start.factors.flatMap(each => [...each])])
    point.objective = 5
    point.update.fill(7)
    copyPoint(point, other)
    expect(other.values).toEqual(point.values)
    expect([other.objective, other.update[0]]).toEqual([0, 0])
  })
})
