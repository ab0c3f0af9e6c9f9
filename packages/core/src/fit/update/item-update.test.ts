import { describe, expect, it } from 'vitest'
import { count, normal, ordinal } from '../../model/items/choices.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { fit } from '../fit.ts'
import { updateModel } from './update.ts'

interface Seen {
  readonly height: number | null
  readonly visits: number
  readonly mood: number
  readonly kind: string
}

const modes = ['height', 'visits', 'mood', 'kind']
const drawn = (seed: number, shift: number, rows = 300): Seen[] => {
  let state = seed
  const uniform = () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
  const bell = () => uniform() + uniform() + uniform() + uniform() - 2
  return Array.from({ length: rows }, () => {
    const k = uniform() < 0.4 ? 1 : 0
    const height = Math.round((170 + shift + 8 * k + 5 * bell()) * 20) / 20
    const visits = Math.floor(-Math.log(uniform()) * (k === 1 ? 5 : 1))
    const mood = Math.floor((k === 1 ? Math.max(uniform(), uniform()) : uniform()) * 4)
    const kind = uniform() < (k === 1 ? 0.8 : 0.3) ? 'a' : 'b'
    return { height: uniform() < 0.1 ? null : height, visits, mood, kind }
  })
}
const tensorOf = (rows: readonly Seen[]) => tensorFromRows(rows as never, { modes })
const items = { height: normal({ step: 0.05 }), visits: count(), mood: ordinal() }
const [yesterday, today] = [drawn(7, 0), drawn(11, 2)]
const old = await fit(tensorOf(yesterday), { rank: 2, items, starts: 4, threads: 1, stationarity: 1e-9, tolerance: 0 })
const before = old.model
const threads = 1
const valuesOf = (model: typeof before, name: string) => model.itemParameters(name).map(({ value }) => value)

/** EM by sums of values and of squares, with densities in place of intervals: no code of the library. */
const updated = (rows: readonly Seen[], decay: number, passes: number) => {
  const [m, s] = [valuesOf(before, 'height').slice(0, 2), valuesOf(before, 'height').slice(2)]
  const rates = valuesOf(before, 'visits')
  const mood = [0, 1].map(k => before.profile('mood', k))
  const kind = [0, 1].map(k => before.profile('kind', k))
  const answered = 1 - yesterday.filter(({ height }) => height === null).length / yesterday.length
  const first = before.sizes.map((size, k) => {
    const heights = decay * size * answered
    return {
      n: decay * size,
      h: [heights, heights * m[k], heights * (s[k] ** 2 + m[k] ** 2)],
      v: decay * size * rates[k],
      a: decay * size * kind[k][0],
    }
  })
  let now = { shares: [...before.shares], m, s, rates, a: kind.map(([p]) => p) }
  for (let pass = 0; pass < passes; pass++) {
    const sums = first.map(each => ({ ...each, h: [...each.h] }))
    for (const { height, visits, mood: answer, kind: own } of rows) {
      const joint = now.shares.map((share, k) => {
        const z = height === null ? 0 : (height - now.m[k]) / now.s[k]
        const p = height === null ? 1 : Math.exp((-z * z) / 2) / now.s[k]
        const c = Math.exp(visits * Math.log(now.rates[k]) - now.rates[k])
        return share * p * c * mood[k][answer] * (own === 'a' ? now.a[k] : 1 - now.a[k])
      })
      const all = joint[0] + joint[1]
      joint.forEach((each, k) => {
        const part = each / all
        sums[k].n += part
        sums[k].v += part * visits
        if (own === 'a') sums[k].a += part
        if (height !== null) {
          sums[k].h[0] += part
          sums[k].h[1] += part * height
          sums[k].h[2] += part * height ** 2
        }
      })
    }
    const total = sums[0].n + sums[1].n
    now = {
      shares: sums.map(({ n }) => n / total),
      m: sums.map(({ h }) => h[1] / h[0]),
      s: sums.map(({ h }) => Math.sqrt(h[2] / h[0] - (h[1] / h[0]) ** 2)),
      rates: sums.map(({ n, v }) => v / n),
      a: sums.map(({ n, a }) => a / n),
    }
  }
  return now
}

describe('an update of numbers, counts and scales', () => {
  it('is EM with the sums that the old model stands for', async () => {
    const missing = yesterday.filter(({ height }) => height === null).length / yesterday.length
    const answered = modes.map((_, n) => before.sizes.map(size => (n === 0 ? size * (1 - missing) : size)))
    const { model, changes } = await updateModel(before, tensorOf(today), { decay: 0.5, passes: 1, answered, threads })
    const expected = updated(today, 0.5, 1)
    expect(changes).toEqual([])
    const heights = valuesOf(model, 'height')
    for (const k of [0, 1]) {
      expect(model.shares[k]).toBeCloseTo(expected.shares[k], 6)
      expect(heights[k]).toBeCloseTo(expected.m[k], 4)
      expect(heights[2 + k]).toBeCloseTo(expected.s[k], 4)
      expect(valuesOf(model, 'visits')[k]).toBeCloseTo(expected.rates[k], 5)
      expect(model.profile('kind', k)[0]).toBeCloseTo(expected.a[k], 6)
    }
  })

  it('leaves a model nearly as it is if the old data comes again, and grows more certain of it', async () => {
    const { model } = await updateModel(before, tensorOf(yesterday), { threads })
    expect(model.total).toBeCloseTo(600, 8)
    for (const name of ['height', 'visits', 'mood'])
      valuesOf(model, name).forEach((value, i) => {
        expect(Math.abs(value - valuesOf(before, name)[i])).toBeLessThan(0.002 * Math.max(1, Math.abs(value)))
      })
  })

  it('is the fit of all rows if there is one class', async () => {
    const one = (rows: readonly Seen[]) => fit(tensorOf(rows), { rank: 1, items, threads })
    const complete = (rows: readonly Seen[]) => rows.filter(({ height }) => height !== null)
    const [first, second] = [complete(yesterday), complete(today)]
    const { model } = await updateModel((await one(first)).model, tensorOf(second), { threads })
    const both = (await one([...first, ...second])).model
    for (const name of ['height', 'visits'])
      valuesOf(model, name).forEach((value, i) => void expect(value).toBeCloseTo(valuesOf(both, name)[i], 5))
    expect(model.profile('mood', 0)).toEqual(both.profile('mood', 0).map(p => expect.closeTo(p, 6)))
  })

  it('forgets values that nobody has any more, but keeps their probability', async () => {
    const { model, dropped } = await updateModel(before, tensorOf(today), { decay: 0.1, threads })
    expect(dropped).toEqual([])
    expect(model.modes[0].size).toBeLessThan(before.modes[0].size + 200)
    expect(model.posterior({ height: 190.15 }).unseen).toEqual([])
  })

  it('rejects a new category of a scale, and pseudo-counts of a number', async () => {
    const other = tensorOf(today.map((row, i) => (i === 0 ? { ...row, mood: 9 } : row)))
    await expect(updateModel(before, other, { threads })).rejects.toThrow(
      'the place of a new category (9) is not known',
    )
    await expect(updateModel(before, tensorOf(today), { pseudoCounts: { height: 1 }, threads })).rejects.toThrow(
      'cannot be combined with "height"',
    )
  })
})
