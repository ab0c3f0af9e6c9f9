import { describe, expect, it } from 'vitest'
import { referenceEngine } from '../../engine/reference.ts'
import type { Parameters } from '../../model/parameters.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import { freeParameters } from '../identification/free-parameters.ts'
import { type Profile, profileBound, profileOf } from './profile-bound.ts'
import { profileIntervals, unprofiled } from './profile-intervals.ts'
import { rowClusters } from './row-clusters.ts'

/** One class and one variable of two labels: everything about it is known. */
const single = (p: number): Parameters => ({
  rank: 1,
  shares: Float64Array.of(1),
  factors: [Float64Array.of(1 - p, p)],
})
const place = { mode: 0, class: 0, label: 1 }

describe('a bound by the profile of a likelihood', () => {
  /** A profile whose fall is a function of where the parameter is held, and with other starts perhaps another one. */
  const profile = (
    estimate: number,
    fall: (value: number) => number,
    other = fall,
    stopAfter = Number.POSITIVE_INFINITY,
  ) => {
    const held: number[] = []
    let branch = fall
    const made: Profile = {
      parameters: single(estimate),
      drop: 2,
      stopped: () => held.length >= stopAfter,
      refit: (_, value, starts) => {
        held.push(value)
        // Once other starts have found something better, refits go on from there.
        if (starts.length > 1 && other(value) < branch(value)) branch = other
        return Promise.resolve({ parameters: single(value), fall: (starts.length > 1 ? other : branch)(value) })
      },
    }
    return { made, held }
  }
  const inside = { end: undefined, guess: 0.1 }

  it.each([0, 1] as const)('is where it has fallen by the drop, found with few refits, towards %i', async toward => {
    // 200·(v − 0.4)² is 2 at a distance of 0.1.
    const { made, held } = profile(0.4, v => 200 * (v - 0.4) ** 2)
    const bound = (await profileBound(made, place, { ...inside, toward }))!
    expect(Math.abs(200 * (bound - 0.4) ** 2 - 2)).toBeLessThan(1e-3)
    expect(Math.sign(bound - 0.4)).toBe(toward === 1 ? 1 : -1)
    // Half of the guess first.
    expect(Math.abs(held[0] - 0.4)).toBeCloseTo(0.05, 12)
    expect(held.length).toBeLessThan(6)
  })

  it('is found however far from the guess, and if the fall is no parabola', async () => {
    for (const [guess, fall] of [
      [1e-4, (v: number) => 200 * (v - 0.4) ** 2],
      [0.5, (v: number) => 2e4 * (v - 0.4) ** 2],
      [0.1, (v: number) => 300 * (v - 0.4) ** 4 + 5 * (v - 0.4)],
      [0.1, (v: number) => 4 * (Math.exp(3 * (v - 0.4)) - 1)],
    ] as const) {
      const { made, held } = profile(0.4, fall)
      const bound = (await profileBound(made, place, { end: undefined, toward: 1, guess }))!
      expect(Math.abs(fall(bound) - 2)).toBeLessThanOrEqual(1e-3)
      expect(held.length).toBeLessThan(20)
    }
  })

  it('of a parameter at 0 or 1 begins there, and falls in proportion', async () => {
    const { made, held } = profile(0.3, v => 50 * v)
    const bound = (await profileBound(made, place, { end: 0, toward: 1, guess: 0.04 }))!
    expect(bound).toBeCloseTo(0.04, 4)
    expect(held[0]).toBeCloseTo(0.02, 12)
    const above = profile(0.3, v => 50 * (1 - v))
    expect(await profileBound(above.made, place, { end: 1, toward: 0, guess: 0.01 })).toBeCloseTo(0.96, 4)
  })

  it('is the end if it does not fall as far, and where it jumps', async () => {
    const { made } = profile(0.4, v => (v - 0.4) ** 2)
    expect(await profileBound(made, place, { ...inside, toward: 1 })).toBe(1)
    expect(await profileBound(made, place, { ...inside, toward: 0 })).toBe(0)
    const jump = profile(0.4, v => (v < 0.63 ? 0.1 : Number.POSITIVE_INFINITY))
    expect(await profileBound(jump.made, place, { ...inside, toward: 1 })).toBeCloseTo(0.63, 7)
  })

  it('is further away if other starts get higher there', async () => {
    const { made } = profile(
      0.4,
      v => 200 * (v - 0.4) ** 2,
      v => 50 * (v - 0.4) ** 2,
    )
    const bound = (await profileBound(made, place, { ...inside, toward: 1 }))!
    expect(bound).toBeCloseTo(0.6, 4)
    // Other starts that get as high are no news.
    const same = profile(
      0.4,
      v => 200 * (v - 0.4) ** 2,
      v => 200 * (v - 0.4) ** 2 + 7,
    )
    expect(await profileBound(same.made, place, { ...inside, toward: 1 })).toBeCloseTo(0.5, 4)
  })

  it('is none if it was stopped', async () => {
    for (const after of [1, 2, 3]) {
      const { made } = profile(0.4, v => 200 * (v - 0.4) ** 2, undefined, after)
      expect(await profileBound(made, place, { ...inside, toward: 1 })).toBeUndefined()
    }
  })
})

describe('the profile of a proportion', () => {
  const [y, N] = [30, 100]
  const logLikelihood = (p: number) => y * Math.log(p) + (N - y) * Math.log(1 - p)
  const around = async (p: number, signal?: AbortSignal) => {
    const session = await referenceEngine.open(tensorFromColumns([[0, 1]], [N - y, y]))
    return profileOf(session, single(p), logLikelihood(p), 1.92, signal)
  }

  it('falls from its maximum as the likelihood does', async () => {
    for (const p of [0.3, 0.305]) {
      const { refit, parameters, drop, stopped } = await around(p)
      expect([drop, stopped()]).toEqual([1.92, false])
      expect(parameters.factors[0][1]).toBeCloseTo(0.3, 6)
      for (const q of [0.2, 0.4, 0.9]) {
        const { fall, parameters: held } = await refit(place, q, [parameters])
        expect(fall).toBeCloseTo(logLikelihood(0.3) - logLikelihood(q), 6)
        expect(held.factors[0][1]).toBeCloseTo(q, 12)
      }
      // What makes cells impossible is no start.
      expect((await refit(place, 0, [parameters])).fall).toBe(Number.POSITIVE_INFINITY)
    }
  })

  it('begins at the model itself if that is no maximum', async () => {
    const { refit, parameters } = await around(0.5)
    expect(parameters.factors[0][1]).toBe(0.5)
    expect((await refit(place, 0.3, [parameters])).fall).toBeCloseTo(logLikelihood(0.5) - logLikelihood(0.3), 6)
    expect((await around(0.3, AbortSignal.abort())).stopped()).toBe(true)
  })
})

describe('which intervals are by profiles', () => {
  const parameters = { rank: 2, shares: Float64Array.of(0.9, 0.1), factors: [Float64Array.of(0.5, 1, 0.3, 0, 0.2, 0)] }
  const free = freeParameters(parameters)
  /** Errors by which 0.1 and 0.2 are within two of zero, and 0.9 of one; the others are not. */
  const spread = { errors: [0.06, 0.06, 0.1, 0, 0.1, 0, 0.11, 0], width: 2 }

  it('are those at or near 0 and 1', () => {
    // Both shares, the label of 0.2, and the three of the second class at 1 and 0.
    expect(unprofiled(2, free, spread, 'no time').record).toEqual({ computed: 0, left: 6, reason: 'no time' })
    const narrow = { ...spread, errors: [0.049, 0.049, 0.1, 0, 0.1, 0, 0.099, 0] }
    expect(unprofiled(2, free, narrow, 'no time').record).toEqual({ computed: 0, left: 3, reason: 'no time' })
    const certain = freeParameters({ rank: 1, shares: Float64Array.of(1), factors: [Float64Array.of(0.5, 0.5)] })
    expect(unprofiled(1, certain, { errors: [0, 0.1, 0.1], width: 2 }, 'no time').record).toEqual({
      computed: 0,
      left: 0,
      reason: undefined,
    })
  })

  it('are left out with the reason', async () => {
    const session = (cells: number, logLikelihood = -1) =>
      ({ data: { cells, shape: [3], total: 100 }, measure: async () => ({ logLikelihood }) }) as never
    const reasonOf = async (cells: number, options: object, logLikelihood?: number) =>
      (await profileIntervals(session(cells, logLikelihood), parameters, free, spread, options as never)).record
    expect(await reasonOf(10, { profile: false })).toEqual({ computed: 0, left: 6, reason: 'profiling is turned off' })
    // Nine bounds, one mode and two classes: more than ten million of them.
    const slow = 'profiling would be slow on data of this size. The bootstrap gives better ones'
    expect((await reasonOf(10_000_000 / 18 + 1, {})).reason).toBe(slow)
    const rounded =
      'the log-likelihood is so large that rounding hides the fall that ends an interval. Divide all counts by a constant'
    expect((await reasonOf(10_000_000 / 18 - 1, {}, -1e16)).reason).toBe(rounded)
    expect((await reasonOf(1e9, { profile: true }, -1e16)).reason).toBe(rounded)
    expect((await reasonOf(10, { signal: AbortSignal.abort() })).reason).toBe('profiling was stopped early')
  })
})

it('sums over clusters are the same to the last bit, in whatever order rows come', () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({
    cluster: `c${(i * 7) % 11}`,
    stratum: i % 2,
    score: 0.1 * ((i * i) % 13) + 0.7,
  }))
  const varianceOf = (order: readonly number[]) => {
    const own = order.map(i => rows[i])
    const { variance } = rowClusters(
      30,
      own.map(({ cluster }) => cluster),
      own.map(({ stratum }) => stratum),
    )
    const all = own.map((_, i) => i).sort((a, b) => order[a] - order[b])
    return variance(all, 1, (row, into) => {
      into[0] += own[all[row]].score
    })[0]
  }
  const plain = varianceOf(rows.map((_, i) => i))
  expect(varianceOf(rows.map((_, i) => (i * 17) % 30))).toBe(plain)
  expect(varianceOf(rows.map((_, i) => 29 - i))).toBe(plain)
})
