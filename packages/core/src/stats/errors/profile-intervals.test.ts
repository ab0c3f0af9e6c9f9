import { describe, expect, it } from 'vitest'
import { carcinoma, values } from '../../../../../test/tables.ts'
import { wasmEngine } from '../../engine/wasm/wasm-engine.ts'
import { fit } from '../../fit/fit.ts'
import { random } from '../../numeric/philox.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { Interval } from './error-results.ts'
import { standardErrors } from './standard-errors.ts'

/** Half of the 0.95 quantile of χ² with one degree. */
const DROP = 1.920729410347062

const table = (shape: number[], cells: number[][]): Tensor =>
  tensorFromColumns(
    shape.map((_, n) => cells.map(cell => cell[n])),
    cells.map(cell => cell[shape.length]),
    { shape },
  )

const intervalsOf = async (tensor: Tensor, rank: number, options = {}) => {
  const { model } = await fit(tensor, { rank, threads: 1 })
  return { model, errors: await standardErrors(tensor, model, options) }
}

/** Where the likelihood of y in N draws has fallen by the drop: the larger or the smaller root, by halving. */
const binomialBound = (y: number, N: number, upper: boolean): number => {
  const p = y / N
  const fall = (q: number) => (y === 0 ? 0 : y * Math.log(p / q)) + (N - y) * (Math.log1p(-p) - Math.log1p(-q)) - DROP
  let [near, far] = upper ? [p, Math.min(0.9, 100 * (p + 1 / N))] : [p, p * 1e-9]
  for (let i = 0; i < 200; i++) {
    const middle = (near + far) / 2
    if (fall(middle) < 0) near = middle
    else far = middle
  }
  return near
}

describe('intervals by the profile of the likelihood', () => {
  it.each([
    [1, 3.4e6],
    [0, 1e9],
    [1, 1e9],
    [3, 1e9],
    [0, 3.4e6],
    [2, 150],
  ])('of %i in %f are those of a proportion', async (y, N) => {
    const tensor = table(
      [2, 2],
      [
        [0, 0, 0.4 * N],
        [0, 1, 0.6 * N - y],
        [1, 1, y],
      ].filter(cell => cell[2] > 0),
    )
    const { errors } = await intervalsOf(tensor, 1, { kind: 'observed' })
    const [low, high] = errors.intervals!.factors[0][0][1]!
    expect(high / binomialBound(y, N, true)).toBeCloseTo(1, 3)
    if (y === 0) expect(low).toBe(0)
    else expect(Math.abs(low / binomialBound(y, N, false) - 1)).toBeLessThan(3e-3)
    const [other, others] = errors.intervals!.factors[0][0][0]!
    expect([1 - others, 1 - other]).toEqual([expect.closeTo(low, 12), expect.closeTo(high, 12)])
  })

  it('do not crash where an estimate is near 0 and yet many standard errors from it', async () => {
    const tensor = table(
      [2, 2],
      [
        [0, 0, 4e8],
        [0, 1, 6e8 - 40],
        [1, 1, 40],
      ],
    )
    const { errors } = await intervalsOf(tensor, 1, { kind: 'observed' })
    // √40 of 40 observations.
    expect(errors.factors![0][0][1]! / (Math.sqrt(40) / 1e9)).toBeCloseTo(1, 6)
    const [low, high] = errors.intervals!.factors[0][0][1]!
    expect(low).toBeLessThan(4e-8)
    expect(high).toBeGreaterThan(4e-8)
  })

  // With numpy: the maximum over 6 starts of 1500 steps of EM with the probability held, and halving until it had fallen by the drop.
  it('are right at a thousand million observations', async () => {
    const cells = [
      ...[
        [0, 0, 0, 0, 224348022],
        [0, 0, 0, 1, 38480503],
        [0, 0, 1, 0, 7181831],
        [0, 1, 0, 0, 38079908],
      ],
      ...[
        [0, 1, 0, 1, 4810206],
        [0, 1, 1, 0, 69726343],
        [1, 0, 0, 0, 86033806],
        [1, 0, 0, 1, 13776153],
      ],
      ...[
        [1, 0, 1, 0, 41734721],
        [1, 1, 0, 0, 68963740],
        [1, 1, 0, 1, 1723885],
        [1, 1, 1, 0, 405129214],
      ],
    ]
    const { errors } = await intervalsOf(table([2, 2, 2, 2], cells), 2)
    expect(errors.boundary).toHaveLength(4)
    expect(errors.intervals!.factors[2][1][1]![1] / 3.2655969e-8).toBeCloseTo(1, 4)
    expect(errors.intervals!.factors[3][0][1]![1] / 3.6672425e-9).toBeCloseTo(1, 4)
    expect(errors.profile).toEqual({ computed: 4, left: 0, reason: undefined })
  })

  it('are left out if rounding of the log-likelihood is larger than what ends them', async () => {
    const counts = [
      [0, 0, 0, 40],
      [0, 0, 1, 5],
      [0, 1, 0, 9],
      [1, 0, 0, 3],
      [1, 1, 1, 30],
      [1, 1, 0, 4],
    ]
    const scaled = (scale: number) =>
      table(
        [2, 2, 2],
        counts.map(([i, j, k, n]) => [i, j, k, n * scale]),
      )
    const { computed, left } = (await intervalsOf(scaled(1), 2)).errors.profile!
    expect(computed).toBeGreaterThan(0)
    expect(left).toBe(0)
    const { errors } = await intervalsOf(scaled(1e100), 2)
    expect(errors.shares!.every(each => each! > 0)).toBe(true)
    expect(errors.profile).toMatchObject({ computed: 0, reason: expect.stringContaining('rounding') })
  })

  // With scipy: BFGS on logits with the probability held, from 7 starts, and brentq. By standard errors the first is 0.000–0.914.
  it('replace those on the scale of logits where an estimate is near 0', async () => {
    const { errors } = await intervalsOf(values, 2, { kind: 'empirical' })
    const bounds = [0.0836136, 0.2015246, 0.2172694]
    bounds.forEach((bound, n) => {
      const [low, high] = errors.intervals!.factors[n][1][0]!
      expect(low).toBe(0)
      expect(high).toBeCloseTo(bound, 4)
      expect(errors.intervals!.factors[n][1][1]).toEqual([1 - high, 1])
    })
    expect(errors.profile).toEqual({ computed: 6, left: 0, reason: undefined })
    expect(errors.boundary).toEqual([])
  })

  // With numpy: the maximum over 40 starts of EM with the probability held, at values from the estimate downwards. Below 0.55 it rises
  // again, where the classes have changed places.
  it.each([
    [
      'from 1 past a local maximum that ends at 0.693',
      { shape: [3, 2, 2], place: [2, 1, 0], low: 0.6306 },
      [
        [0, 1, 0, 7],
        [0, 1, 1, 2],
        [1, 0, 0, 4],
        [1, 0, 1, 3],
        [1, 1, 0, 10],
        [1, 1, 1, 13],
        [2, 0, 0, 11],
        [2, 1, 0, 15],
        [2, 1, 1, 13],
      ],
    ],
    [
      'of a label that was never seen',
      { shape: [2, 4, 2, 3], place: [2, 0, 0], low: 0.98056 },
      [
        ...[
          [0, 0, 0, 1, 1],
          [0, 0, 0, 2, 17],
          [0, 1, 0, 0, 33],
          [0, 1, 0, 1, 13],
          [0, 1, 0, 2, 29],
          [0, 2, 0, 1, 2],
        ],
        ...[
          [0, 2, 0, 2, 6],
          [0, 3, 0, 1, 5],
          [0, 3, 0, 2, 15],
          [1, 0, 0, 1, 1],
          [1, 0, 0, 2, 1],
          [1, 1, 0, 0, 4],
        ],
        ...[
          [1, 1, 0, 1, 4],
          [1, 1, 0, 2, 8],
          [1, 2, 0, 2, 2],
          [1, 3, 0, 1, 3],
          [1, 3, 0, 2, 7],
        ],
      ],
    ],
  ])('follow the profile %s', async (_, { shape, place: [n, k, j], low }, cells) => {
    const { errors } = await intervalsOf(table(shape, cells), 2, { kind: 'observed' })
    expect(errors.intervals!.factors[n][k][j]).toEqual([expect.closeTo(low, 3), 1])
  })

  it('hold their estimate and are never undefined, in random tables of millions', async () => {
    const engine = wasmEngine({ threads: 1 })
    const { uniform } = random(5, 'data')
    for (let i = 0; i < 12; i++) {
      const shape = [2, 2, 2 + (i % 2)]
      const total = 10 ** (6.2 + 2.7 * uniform())
      const columns = shape.map(size =>
        Array.from({ length: 2 }, () => {
          const p = Array.from({ length: size }, () => (uniform() < 0.3 ? 10 ** (-9 + 4 * uniform()) : 0.1 + uniform()))
          const sum = p.reduce((a, b) => a + b)
          return p.map(value => value / sum)
        }),
      )
      const cells: number[][] = []
      for (let c = 0; c < 4 * shape[2]; c++) {
        const cell = [c & 1, (c >> 1) & 1, c >> 2]
        const p = [0.6, 0.4].reduce((sum, share, k) => sum + cell.reduce((w, j, n) => w * columns[n][k][j], share), 0)
        // Rounded at random, so that tiny expectations are 0 or 1.
        const count = Math.floor(total * p + uniform())
        if (count > 0) cells.push([...cell, count])
      }
      const session = await engine.open(table(shape, cells))
      const { model } = await fit(session, { rank: 2, starts: 2 })
      const { intervals, reason } = await standardErrors(session, model, { kind: 'observed' })
      if (reason === undefined) {
        const check = (value: number, interval: Interval | undefined) => {
          expect(interval![0]).toBeLessThanOrEqual(value)
          expect(interval![1]).toBeGreaterThanOrEqual(value)
        }
        intervals!.factors.forEach((classes, n) => {
          classes.forEach((list, k) => {
            list.forEach((interval, j) => {
              check(model.profile(n, k)[j], interval)
            })
          })
        })
        intervals!.shares.forEach((interval, k) => {
          check(model.shares[k], interval)
        })
      }
      await session.close()
    }
  })

  // With scipy, as above.
  it('are of shares too', async () => {
    const cells = [
      ...[
        [0, 0, 0, 0, 92],
        [0, 0, 0, 1, 28],
        [0, 0, 1, 0, 11],
        [0, 0, 1, 1, 3],
        [0, 1, 0, 0, 18],
        [0, 1, 0, 1, 7],
      ],
      ...[
        [0, 1, 1, 0, 2],
        [1, 0, 0, 0, 23],
        [1, 0, 0, 1, 10],
        [1, 0, 1, 1, 1],
        [1, 1, 0, 0, 3],
        [1, 1, 1, 1, 2],
      ],
    ]
    const { model, errors } = await intervalsOf(table([2, 2, 2, 2], cells), 2, { kind: 'observed' })
    expect(model.shares[1]).toBeCloseTo(0.011156, 5)
    expect(errors.intervals!.shares[1]).toEqual([expect.closeTo(0.0011137, 5), expect.closeTo(0.0639333, 4)])
    expect(errors.intervals!.shares[0]![0]).toBe(1 - errors.intervals!.shares[1]![1])
  })

  it('are the same on any number of threads', async () => {
    const { model } = await fit(carcinoma, { rank: 3, threads: 1 })
    const found = []
    for (const threads of [1, 2]) {
      const session = await wasmEngine({ threads }).open(carcinoma)
      found.push(await standardErrors(session, model))
      await session.close()
    }
    expect(found[1].intervals).toEqual(found[0].intervals)
  })

  it('can be stopped, left out and followed, and say why they are not there', async () => {
    const { model } = await fit(values, { rank: 2, threads: 1 })
    const controller = new AbortController()
    const steps: [number, number][] = []
    const some = await standardErrors(values, model, {
      signal: controller.signal,
      onInterval: (done, total) => {
        steps.push([done, total])
        if (done === 2) controller.abort()
      },
    })
    expect(steps).toEqual([
      [1, 6],
      [2, 6],
    ])
    expect(some.profile).toEqual({ computed: 2, left: 4, reason: expect.stringContaining('stopped early') })
    expect(some.stopped).toBe(true)
    const without = await standardErrors(values, model, { profile: false })
    expect(without.profile).toMatchObject({ computed: 0, left: 6, reason: 'profiling is turned off' })
    expect(without.stopped).toBe(false)
    expect(without.intervals!.factors[0][1][0]![1]).toBeGreaterThan(0.5)
    const weighted = await standardErrors(values, model, { squares: values.values.slice() })
    expect(weighted.profile).toMatchObject({ computed: 0, left: 6, reason: expect.stringContaining('no likelihood') })
  })
})

it('intervals leave the event loop its turn, so that a timer can stop them', async () => {
  const { model } = await fit(carcinoma, { rank: 3, threads: 1 })
  const controller = new AbortController()
  const { profile, stopped } = await standardErrors(carcinoma, model, {
    signal: controller.signal,
    onInterval: done => void (done === 1 && setTimeout(() => controller.abort())),
  })
  expect(stopped).toBe(true)
  expect(profile.computed).toBeGreaterThan(0)
  expect(profile.left).toBeGreaterThan(0)
})
