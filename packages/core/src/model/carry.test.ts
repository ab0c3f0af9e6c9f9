import { describe, expect, it } from 'vitest'
import { fit } from '../fit/fit.ts'
import { tensorFromRows } from '../tensor/rows.ts'
import { carryModel } from './carry.ts'
import { Model } from './model.ts'

const day = (cities: readonly string[], extra: readonly Record<string, unknown>[] = []) =>
  tensorFromRows(
    [
      ...cities.flatMap((city, i) => [
        { city, hour: 'am', item: i % 2 ? 'tea' : 'coffee', n: 5 + i },
        { city, hour: 'pm', item: i % 2 ? 'tea' : 'juice', n: 3 + i },
        { city, hour: 'am', item: 'juice', n: 1 },
      ]),
      ...extra,
    ] as never,
    { modes: ['city', 'hour', 'item'], count: 'n' },
  )

const yesterday = day(['Bonn', 'Trier', 'Ulm', 'Jena'])
const today = day(['Trier', 'Ulm', 'Jena', 'Kiel'], [{ city: 'Kiel', hour: 'am', item: 'cocoa', n: 2 }])

describe('a model for tomorrow', () => {
  it('has the labels of the data, and says which are new and which are gone', async () => {
    const { model: before } = await fit(yesterday, { rank: 2, seed: 2, threads: 1 })
    const { model, changes } = carryModel(before, today)
    expect(changes).toEqual([
      { mode: 'city', onlyA: ['Bonn'], onlyB: ['Kiel'] },
      { mode: 'item', onlyA: [], onlyB: ['cocoa'] },
    ])
    expect(model.modes.map(({ labels }) => labels)).toEqual(today.modes.map(({ labels }) => labels))
    expect(model.total).toBeCloseTo(today.total, 9)
    for (const k of [0, 1]) {
      const profile = model.profile(0, k)
      expect(profile.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12)
      // The new city is as frequent in every class as in the data.
      expect(profile[today.modes[0].indexOf('Kiel')!]).toBeCloseTo(
        today.marginals[0][today.modes[0].indexOf('Kiel')!] / today.total,
        9,
      )
      // The others share the rest in their proportions.
      const [trier, bonn] = ['Trier', 'Bonn'].map(city => before.profile(0, k)[yesterday.modes[0].indexOf(city)!])
      const rest = 1 - profile[today.modes[0].indexOf('Kiel')!]
      expect(profile[today.modes[0].indexOf('Trier')!]).toBeCloseTo((rest * trier) / (1 - bonn), 3)
    }
    // It is a start that the data is possible under, also after zeros.
    const found = await fit(today, { rank: 2, init: model, threads: 1 })
    expect(found.converged).toBe(true)
    // What a search would need cannot be given besides.
    expect(found.verdict.text).toContain('one start, from the model that was given')
    expect(found.verdict.advice).toEqual([
      'one start says nothing about other optima: to search for them, leave out init',
    ])
  })

  it('is what fit makes of an init with other labels', async () => {
    const { model: before } = await fit(yesterday, { rank: 2, seed: 2, threads: 1 })
    const a = await fit(today, { rank: 2, init: before, threads: 1 })
    const b = await fit(today, { rank: 2, init: carryModel(before, today).model, threads: 1 })
    expect(a.loss).toBe(b.loss)
  })

  it('begins as everybody in a class of which nothing is left, and needs the same modes', () => {
    const modes = yesterday.modes
    const one = (labels: number, at: number) =>
      Float64Array.from({ length: labels * 2 }, (_, i) => (i % 2 === 0 ? Number(i === 2 * at) : 1 / labels))
    const bonn = modes[0].indexOf('Bonn')!
    const model = new Model(modes, {
      rank: 2,
      sizes: Float64Array.of(3, 4),
      factors: [one(4, bonn), one(2, 0), one(modes[2].size, 0)],
    })
    const carried = carryModel(model, today).model
    today.modes[0].labels?.forEach((_, j) => {
      expect(carried.profile(0, 0)[j]).toBeCloseTo(today.marginals[0][j] / today.total, 12)
    })
    const fewer = tensorFromRows(
      [
        { city: 'Ulm', hour: 'am', n: 1 },
        { city: 'Jena', hour: 'pm', n: 1 },
      ],
      { count: 'n' },
    )
    expect(() => carryModel(model, fewer)).toThrow('must have the same modes')
  })
})
