import { describe, expect, it } from 'vitest'
import {
  allValues,
  type Column,
  curvature,
  derivatives,
  eachFree,
  freeParameters,
  logDerivatives,
} from './free-parameters.ts'

/** Three modes of 3, 2 and 1 labels: positions 0–1 are shares, then 2–7, 8–11 and 12–13. */
const model = () => ({
  rank: 2,
  shares: Float64Array.of(0.6, 0.4),
  factors: [Float64Array.of(0.5, 0.1, 0.3, 0.2, 0.2, 0.7), Float64Array.of(1, 0.25, 0, 0.75), Float64Array.of(1, 1)],
})

/** What a column has besides its mode, class and entries. */
const partsOf = ({ moving, boundary, known, follows, alike }: Column) => ({ moving, boundary, known, follows, alike })
const none = { moving: [], boundary: [], known: [], follows: false, alike: [] }

describe('free parameters', () => {
  it('are the entries of every column but the largest, which comes last', () => {
    const { columns, count, values } = freeParameters(model())
    expect([...values]).toEqual([0.6, 0.4, 0.5, 0.1, 0.3, 0.2, 0.2, 0.7, 1, 0.25, 0, 0.75, 1, 1])
    expect(columns.map(({ mode, class: of, entries }) => [mode, of, entries])).toEqual([
      ...[
        [-1, undefined, [0, 1]],
        [0, 0, [2, 4, 6]],
        [0, 1, [3, 5, 7]],
      ],
      ...[
        [1, 0, [8, 10]],
        [1, 1, [9, 11]],
        [2, 0, [12]],
        [2, 1, [13]],
      ],
    ])
    expect(columns.map(partsOf)).toEqual([
      { ...none, moving: [1, 0] },
      { ...none, moving: [6, 4, 2] },
      { ...none, moving: [3, 5, 7] },
      { ...none, boundary: [8, 10] },
      { ...none, moving: [9, 11] },
      { ...none, known: [12] },
      { ...none, known: [13] },
    ])
    expect(count).toBe(1 + 2 + 2 + 1)
    expect(eachFree({ columns, count, values }).map(({ at }) => at)).toEqual([1, 6, 4, 3, 5, 9])
  })

  it('come in the order of their positions if they are equally large', () => {
    const even = { rank: 1, shares: Float64Array.of(1), factors: [new Float64Array(4).fill(0.25)] }
    expect(freeParameters(even).columns[1].moving).toEqual([1, 2, 3, 4])
  })

  it('are none of a class without a share, which is itself at zero', () => {
    const { columns, count } = freeParameters({ ...model(), shares: Float64Array.of(1, 1e-6) })
    expect(partsOf(columns[0])).toEqual({ ...none, boundary: [0, 1] })
    expect([columns[2], columns[4]].map(partsOf)).toEqual([none, none])
    expect(count).toBe(2)
  })

  it('are those above the tolerance, or open below it', () => {
    const rare = { ...model(), factors: [Float64Array.of(0.5, 0.1, 0.5 - 1e-6, 0.2, 1e-6, 0.7)] }
    expect(partsOf(freeParameters(rare).columns[1])).toEqual({ ...none, moving: [4, 2], boundary: [6] })
    expect(partsOf(freeParameters(rare, 9e-7).columns[1])).toEqual({ ...none, moving: [6, 4, 2] })
    expect(partsOf(freeParameters(rare, 1e-6, new Set([6])).columns[1])).toEqual({ ...none, moving: [6, 4, 2] })
  })

  it('are none of what is fixed; what alone is left beside it is not at a boundary', () => {
    const fixed = [
      { mode: 0, class: 0, label: 0, value: 0.5 },
      { mode: 1, class: 0, label: 0, value: 1 },
      { mode: 1, class: 1, label: 0, value: 0.25 },
    ]
    const { columns, count } = freeParameters(model(), undefined, undefined, { fixed, tied: [] })
    expect(columns.slice(1, 5).map(partsOf)).toEqual([
      { ...none, moving: [6, 4], known: [2] },
      { ...none, moving: [3, 5, 7] },
      // Zero beside a fixed 1.
      { ...none, boundary: [10], known: [8] },
      { ...none, known: [9] },
    ])
    expect(count).toBe(1 + 1 + 2)
  })

  it('of equal columns are those of the first that moves', () => {
    const column = (k: number, labels: readonly number[]) => ({ mode: 0, class: k, labels })
    const mirrored = { ...model(), factors: [Float64Array.of(0.5, 0.2, 0.3, 0.3, 0.2, 0.5)] }
    const tied = [[column(0, [0, 1, 2]), column(1, [2, 1, 0])]]
    const { columns, count } = freeParameters(mirrored, undefined, undefined, { fixed: [], tied })
    expect(columns.slice(1).map(partsOf)).toEqual([
      { ...none, moving: [6, 4, 2], alike: [[3, 5, 7]] },
      { ...none, moving: [3, 5, 7], follows: true },
    ])
    expect(count).toBe(1 + 2)
    // The first class has no share: the second leads, and nothing follows.
    const alone = { ...mirrored, shares: Float64Array.of(0, 1) }
    const led = freeParameters(alone, undefined, undefined, { fixed: [], tied })
    expect(led.columns.slice(1).map(partsOf)).toEqual([none, { ...none, moving: [3, 5, 7] }])
    const certain = { ...model(), factors: [Float64Array.of(1, 1, 0, 0)] }
    const zero = [
      [
        { mode: 0, class: 0, labels: [0, 1] },
        { mode: 0, class: 1, labels: [0, 1] },
      ],
    ]
    expect(freeParameters(certain, undefined, undefined, { fixed: [], tied: zero }).count).toBe(1)
  })
})

describe('derivatives by free parameters', () => {
  const parameters = {
    rank: 2,
    shares: Float64Array.of(0.6, 0.4),
    factors: [Float64Array.of(0.5, 0.2, 0.3, 0.3, 0.2, 0.5), Float64Array.of(0.4, 0.3, 0.1, 0.7, 0.5, 0)],
  }
  const tied = [
    [
      { mode: 0, class: 0, labels: [0, 1, 2] },
      { mode: 0, class: 1, labels: [2, 1, 0] },
    ],
  ]
  const free = freeParameters(parameters, undefined, undefined, { fixed: [], tied })
  /** All parameters if one of the free ones, a logit against the largest of its column, moves. */
  const moved = (row: number, by: number) => {
    const { at, column } = eachFree(free)[row]
    const out = allValues(parameters)
    const sum = column.moving.reduce((total, place) => total + out[place], 0)
    const lists = [column.moving, ...column.alike]
    const place = column.moving.indexOf(at)
    for (const list of lists) {
      const odds = list.map((p, i) => free.values[p] * (i === place ? Math.exp(by) : 1))
      const all = odds.reduce((a, b) => a + b)
      for (const [i, p] of list.entries()) out[p] = (sum * odds[i]) / all
    }
    return out
  }

  it('are those of differences, in all columns that are equal', () => {
    expect(free.count).toBe(1 + 2 + 2 + 1)
    const [all, logs] = [derivatives(free), logDerivatives(free)]
    const size = free.values.length
    expect([all.length, logs.length]).toEqual([size * free.count, size * free.count])
    for (let row = 0; row < free.count; row++) {
      const [up, down] = [moved(row, 1e-5), moved(row, -1e-5)]
      for (let at = 0; at < size; at++) {
        expect(all[at * free.count + row]).toBeCloseTo((up[at] - down[at]) / 2e-5, 8)
        if (free.values[at] > 0)
          expect(logs[row * size + at]).toBeCloseTo((Math.log(up[at]) - Math.log(down[at])) / 2e-5, 8)
      }
    }
  })

  it('have the curvature of as many draws from a column as were seen, with those equal to it', () => {
    const seen: number[][] = []
    const mass = (positions: readonly number[]) => {
      seen.push([...positions])
      return 10 * positions.length
    }
    const found = curvature(free, mass)
    expect(seen).toEqual([
      [1, 0],
      [6, 4, 2, 3, 5, 7],
      [10, 8, 12],
      [9, 11],
    ])
    /** n·(δ − θ)·θ of the free entries of a column. */
    const block = (n: number, ...theta: number[]) =>
      theta.map((a, i) => theta.map((b, j) => n * a * ((i === j ? 1 : 0) - b)))
    const blocks = [block(20, 0.4), block(60, 0.2, 0.3), block(30, 0.1, 0.4), block(20, 0.3)]
    const expected = new Float64Array(36)
    let first = 0
    for (const own of blocks) {
      for (const [i, row] of own.entries())
        for (const [j, each] of row.entries()) expected[(first + i) * 6 + first + j] = each
      first += own.length
    }
    found.forEach((each, i) => void expect(each).toBeCloseTo(expected[i], 12))
  })
})
