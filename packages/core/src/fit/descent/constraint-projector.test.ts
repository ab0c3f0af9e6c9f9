import { describe, expect, it } from 'vitest'
import { constraintProjector } from './constraint-projector.ts'

/** Two modes of three labels, two classes. */
const factors = () => [Float64Array.of(0.2, 0.1, 0.3, 0.6, 0.5, 0.3), Float64Array.of(0.4, 0.5, 0.4, 0.25, 0.2, 0.25)]
const fixed = (mode: number, k: number, label: number, value: number) => ({ mode, class: k, label, value })
const column = (factor: Float64Array, k: number) => [0, 1, 2].map(j => factor[2 * j + k])

/** What is left of factors after they were made to obey. */
const projected = (setting: Partial<Parameters<typeof constraintProjector>[0]>, own = factors()) => {
  constraintProjector({ named: true, fixed: [], tied: [], ...setting }).project({
    rank: 2,
    shares: Float64Array.of(0.5, 0.5),
    factors: own,
  })
  return own
}

describe('probabilities that are known', () => {
  it('are set, and the others of their column share what is left as they did', () => {
    const [first, second] = projected({ fixed: [fixed(0, 1, 0, 0.4)] })
    // 0.6 and 0.3 share the 0.6 that are left.
    const own = column(first, 1)
    expect([own[0], column(first, 0), second]).toEqual([0.4, [0.2, 0.3, 0.5], factors()[1]])
    expect(own[1]).toBeCloseTo(0.4, 15)
    expect(own[2]).toBeCloseTo(0.2, 15)
    const [two] = projected({ fixed: [fixed(0, 0, 0, 0.1), fixed(0, 0, 2, 0.7)] })
    expect(column(two, 0)[1]).toBeCloseTo(0.2, 15)
    expect([column(two, 0)[0], column(two, 0)[2]]).toEqual([0.1, 0.7])
  })

  it('may be all there are, or leave nothing for the others', () => {
    const [all] = projected({ fixed: [fixed(0, 0, 0, 0.25), fixed(0, 0, 1, 0.5), fixed(0, 0, 2, 0.25)] })
    expect(column(all, 0)).toEqual([0.25, 0.5, 0.25])
    // Rounding may make a little more than 1 of them: nothing is below zero.
    const [full] = projected({ fixed: [fixed(0, 0, 0, 0.6), fixed(0, 0, 1, 0.4000000001)] })
    expect(column(full, 0)).toEqual([0.6, 0.4000000001, 0])
    const zeros = [Float64Array.of(0.2, 1, 0, 0, 0.8, 0), factors()[1]]
    // What is zero stays, where nothing says how it should be shared.
    expect(column(projected({ fixed: [fixed(0, 1, 0, 0.5)] }, zeros)[0], 1)).toEqual([0.5, 0, 0])
  })
})

describe('columns that are equal', () => {
  const tied = (...columns: readonly (readonly [number, number, readonly number[]])[]) => [
    columns.map(([mode, k, labels]) => ({ mode, class: k, labels })),
  ]

  it('are at their mean, label by label', () => {
    const [first, second] = projected({ tied: tied([0, 0, [0, 1, 2]], [1, 1, [2, 1, 0]]) })
    const mean = [(0.2 + 0.25) / 2, (0.3 + 0.25) / 2, (0.5 + 0.5) / 2]
    expect(column(first, 0)).toEqual(mean)
    expect(column(second, 1)).toEqual([...mean].reverse())
    expect([column(first, 1), column(second, 0)]).toEqual([column(factors()[0], 1), column(factors()[1], 0)])
  })

  it('that are equal already stay to the last bit', () => {
    const p = 0.1 + 0.2 / 3
    const own = [Float64Array.of(p, p, p, p, 1 - 2 * p, 1 - 2 * p), Float64Array.of(p, p, p, p, 1 - 2 * p, p)]
    const before = own.map(each => each.slice())
    projected({ tied: tied([0, 0, [0, 1, 2]], [0, 1, [0, 1, 2]], [1, 0, [0, 1, 2]]) }, own)
    expect(own).toEqual(before)
  })

  it('gather together, and what they have gathered is shared equally', () => {
    const projector = constraintProjector({
      named: false,
      fixed: [fixed(0, 0, 0, 0.9)],
      tied: tied([0, 0, [0, 1, 2]], [0, 1, [0, 1, 2]]),
    })
    const own = [Float64Array.of(10, 20, 4, 0, 6, 6), Float64Array.of(1, 2, 3, 4, 5, 6)]
    projector.pool({ rank: 2, sizes: Float64Array.of(20, 26), factors: own, logLikelihood: 0 })
    // Of what is known nothing is set here: these are counts.
    expect(own).toEqual([Float64Array.of(15, 15, 2, 2, 6, 6), Float64Array.of(1, 2, 3, 4, 5, 6)])
  })
})
