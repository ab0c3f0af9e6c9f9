import { describe, expect, it } from 'vitest'
import { Mode } from '../tensor/mode.ts'
import { modelDrift } from './drift.ts'
import { Model } from './model.ts'

const model = (
  labels: readonly string[],
  sizes: readonly number[],
  city: readonly number[][],
  sex: readonly number[],
) =>
  new Model([new Mode('city', labels), new Mode('sex', ['f', 'm'])], {
    rank: sizes.length,
    sizes: Float64Array.from(sizes),
    // Of each class its column.
    factors: [
      Float64Array.from(labels.flatMap((_, j) => city.map(column => column[j]))),
      Float64Array.from([...sex, ...sex.map(p => 1 - p)]),
    ],
  })

const before = model(
  ['a', 'b', 'c'],
  [600, 400],
  [
    [0.5, 0.3, 0.2],
    [0.1, 0.1, 0.8],
  ],
  [0.9, 0.2],
)
/** The same with its classes the other way round, and b in the place of a. */
const after = model(
  ['c', 'b', 'd'],
  [500, 300],
  [
    [0.7, 0.2, 0.1],
    [0.2, 0.5, 0.3],
  ],
  [0.2, 0.9],
)

describe('drift', () => {
  it('pairs classes and labels, and says how far each has moved', () => {
    const { classes, modes, shares } = modelDrift(before, after)
    // By hand: first class a .5→0, b .3→.5, c .2→.2, d 0→.3; second a .1→0, b .1→.2, c .8→.7, d 0→.1.
    expect(classes.map(({ before: k, after: l }) => [k, l])).toEqual([
      [0, 1],
      [1, 0],
    ])
    expect(classes[0].modes.map(({ distance }) => distance)[0]).toBeCloseTo(0.5, 12)
    expect(classes[0].modes[0]).toMatchObject({ mode: 'city', label: 'a', before: 0.5, after: 0 })
    expect(classes[1].modes[0].distance).toBeCloseTo(0.2, 12)
    expect(classes.map(each => each.modes[1].distance)).toEqual([0, 0])
    expect(classes[0].shareAfter).toBeCloseTo(0.375, 12)
    expect(shares).toBeCloseTo(0.225, 12)
    const [city, sex] = modes
    expect(city).toMatchObject({ gone: ['a'], added: ['d'] })
    // Over all classes: a .34→0, b .22→.3125, c .44→.5125, d 0→.175.
    expect(city.distance).toBeCloseTo(0.34, 12)
    expect(city.within).toBeCloseTo(((0.6 + 0.375) / 2) * 0.5 + ((0.4 + 0.625) / 2) * 0.2, 12)
    // Sex has moved only because the sizes of the classes have.
    expect(sex.distance).toBeCloseTo(Math.abs(0.6 * 0.9 + 0.4 * 0.2 - 0.375 * 0.9 - 0.625 * 0.2), 12)
    expect(sex.within).toBe(0)
  })

  it('is nothing between a model and itself, and has classes without partners', () => {
    const same = modelDrift(before, before)
    expect(same.score).toBeCloseTo(1, 12)
    expect(same.modes.every(({ distance }) => distance === 0)).toBe(true)
    const one = model(['a', 'b', 'c'], [900], [[0.5, 0.3, 0.2]], [0.9])
    const fewer = modelDrift(before, one)
    expect(fewer.classes.map(({ before: k, after: l }) => [k, l])).toEqual([
      [0, 0],
      [1, undefined],
    ])
    expect(fewer.classes[1]).toMatchObject({ similarity: undefined, shareAfter: undefined, modes: [] })
    expect(fewer.shares).toBeCloseTo(0.4, 12)
    const more = modelDrift(one, before)
    expect(more.classes.map(({ before: k, after: l }) => [k, l])).toEqual([
      [0, 0],
      [undefined, 1],
    ])
    expect(() =>
      modelDrift(
        before,
        new Model([new Mode('x', 2)], { rank: 1, sizes: Float64Array.of(1), factors: [Float64Array.of(0.5, 0.5)] }),
      ),
    ).toThrow('must have the same modes')
  })

  it('expects nothing by chance of a label that everybody has, also if rounding puts its probability above 1', () => {
    // In doubles 6/30 + 23/30 + 1/30 is 1 + 2⁻⁵².
    const all = model(
      ['a', 'b'],
      [6, 23, 1],
      [
        [1, 0],
        [1, 0],
        [1, 0],
      ],
      [0.9, 0.2, 0.5],
    )
    expect(all.marginal('city')[0]).toBeGreaterThan(1)
    const { modes, classes } = modelDrift(all, all)
    expect(modes[0].chance).toBe(0)
    expect(classes.map(each => each.modes[0].chance)).toEqual([0, 0, 0])
  })

  it('expects by chance what samples of the same people have on average', () => {
    // 1,000 pairs of samples of 400 and 250 from one distribution, by a generator of its own.
    let state = 12345
    const uniform = () => {
      state = (state * 48271) % 2147483647
      return state / 2147483647
    }
    const p = [0.2, 0.3, 0.45, 0.05]
    const sample = (size: number) => {
      const counts = p.map(() => 0)
      for (let i = 0; i < size; i++) {
        let [u, j] = [uniform(), 0]
        while (u >= p[j] && j < 3) u -= p[j++]
        counts[j]++
      }
      return counts.map(count => count / size)
    }
    let sum = 0
    for (let i = 0; i < 1000; i++) {
      const [a, b] = [sample(400), sample(250)]
      sum += a.reduce((all, each, j) => all + Math.abs(each - b[j]) / 2, 0)
    }
    const [a, b] = [400, 250].map(size => model(['a', 'b', 'c', 'd'], [size], [p], [0.5]))
    const { chance } = modelDrift(a, b).classes[0].modes[0]
    expect(chance / (sum / 1000)).toBeGreaterThan(0.96)
    expect(chance / (sum / 1000)).toBeLessThan(1.04)
  })
})
