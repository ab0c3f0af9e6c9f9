import { describe, expect, it } from 'vitest'
import { type Constraints, constraintSetting } from '../../fit/descent/constraints.ts'
import { random } from '../../numeric/philox.ts'
import { Mode } from '../../tensor/mode.ts'
import { identify, identifyStructured } from './identification.ts'

const modesOf = (shape: readonly number[]) => shape.map((size, n) => new Mode('abcd'[n], size))

/**
 * The rank of a table's derivatives by central differences, at random logits: those of the shares, and of the labels of every column that are
 * not fixed. Columns that are equal have one list of logits.
 */
const differences = (shape: readonly number[], rank: number, constraints: Constraints): number => {
  const { fixed, tied } = constraintSetting(modesOf(shape), rank, constraints)
  const { uniform } = random(5, 'data')
  const groups = shape.flatMap((size, mode) =>
    Array.from({ length: rank }, (_, k) => {
      const own = tied.find(group => group.some(each => each.mode === mode && each.class === k))
      return own ?? [{ mode, class: k, labels: Array.from({ length: size }, (_, j) => j) }]
    }),
  )
  const distinct = [...new Set(groups)]
  const fixedAt = (mode: number, k: number, label: number) =>
    fixed.find(each => each.mode === mode && each.class === k && each.label === label)?.value
  const table = (theta: readonly number[]) => {
    let next = rank
    const odds = theta.slice(0, rank).map(Math.exp)
    const all = odds.reduce((a, b) => a + b)
    const columns: number[][][] = shape.map(() => Array.from({ length: rank }, () => []))
    for (const group of distinct) {
      const { mode, class: k, labels } = group[0]
      const logits = labels.map(() => Math.exp(theta[next++]))
      const known = labels.map(label => fixedAt(mode, k, label))
      const left = 1 - known.reduce<number>((sum, each) => sum + (each ?? 0), 0)
      const sum = logits.reduce((total, each, i) => total + (known[i] === undefined ? each : 0), 0)
      const column = logits.map((each, i) => known[i] ?? (left * each) / sum)
      for (const each of group)
        for (const [i, label] of each.labels.entries()) columns[each.mode][each.class][label] = column[i]
    }
    let classes = odds.map(each => [each / all])
    shape.forEach((size, n) => {
      classes = classes.map((cells, k) =>
        cells.flatMap(p => Array.from({ length: size }, (_, j) => p * columns[n][k][j])),
      )
    })
    return classes[0].map((_, cell) => classes.reduce((sum, own) => sum + own[cell], 0))
  }
  const size = rank + distinct.reduce((sum, [{ labels }]) => sum + labels.length, 0)
  const point = Array.from({ length: size }, () => 3 * uniform() - 1.5)
  const rows = point.map((_, i) => {
    const [up, down] = [1e-4, -1e-4].map(by => table(point.map((each, j) => (j === i ? each + by : each))))
    // What rounding and the third derivatives leave is none.
    return Float64Array.from(up, (p, cell) => Math.round((p - down[cell]) * 1e12) / 2e8)
  })
  return rankAbove(rows, 1e-6)
}

/** How many pivots of an elimination are above a bound. */
const rankAbove = (rows: Float64Array[], bound: number): number => {
  for (let rank = 0; rank < rows.length; rank++) {
    let [most, from, column] = [0, rank, 0]
    for (let i = rank; i < rows.length; i++)
      rows[i].forEach((each, j) => {
        if (Math.abs(each) > most) [most, from, column] = [Math.abs(each), i, j]
      })
    if (most < bound) return rank
    ;[rows[rank], rows[from]] = [rows[from], rows[rank]]
    for (let i = rank + 1; i < rows.length; i++) {
      const times = rows[i][column] / rows[rank][column]
      rows[i] = rows[i].map((each, j) => each - times * rows[rank][j])
    }
  }
  return rows.length
}

describe('the dimension of models with constraints', () => {
  const equal = (...columns: [string, number][]) => columns.map(([mode, k]) => ({ mode, class: k }))
  const fixed = (mode: string, label: number, probability: number, k?: number) => ({
    mode,
    label,
    probability,
    ...(k !== undefined && { class: k }),
  })

  it.each<[number[], number, Constraints, number]>([
    [[2, 2, 2], 2, { equal: [equal(['a', 1], ['b', 1]), equal(['a', 2], ['b', 2])] }, 5],
    [[2, 2, 2], 2, { equal: [equal(['a', 1], ['b', 1], ['c', 1])] }, 5],
    // Equal in mirror image.
    [
      [3, 3],
      2,
      {
        equal: [
          [
            { mode: 'a', class: 1 },
            { mode: 'a', class: 2, labels: [2, 1, 0] },
          ],
        ],
      },
      7,
    ],
    [[3, 3], 2, { equal: [equal(['a', 1], ['a', 2])] }, 7],
    [[3, 3], 2, { fixed: [fixed('a', 0, 0.2, 1)] }, 8],
    [[3, 3], 2, { fixed: [fixed('a', 0, 0.2, 1), fixed('a', 1, 0.3, 1), fixed('b', 2, 0.5)] }, 5],
    // Zeros make two-way tables identified that else are not.
    [
      [3, 3],
      2,
      {
        zero: [
          { mode: 'a', label: 0, class: 1 },
          { mode: 'a', label: 2, class: 2 },
        ],
      },
      7,
    ],
    [
      [3, 3],
      3,
      {
        zero: [
          { mode: 'a', label: 0, class: 1 },
          { mode: 'a', label: 1, class: 2 },
          { mode: 'a', label: 2, class: 3 },
        ],
      },
      11,
    ],
    [[2, 2, 2], 3, { fixed: [fixed('a', 0, 0.9, 1), fixed('b', 0, 0.8, 1), fixed('c', 0, 0.7, 1)] }, 8],
    [[2, 2, 2], 3, { fixed: [fixed('a', 0, 1, 1), fixed('a', 0, 0, 2)] }, 9],
    [
      [2, 2, 2, 2],
      3,
      { fixed: [fixed('a', 0, 0.25, 2)], equal: [equal(['b', 1], ['b', 2]), equal(['c', 3], ['d', 3])] },
      11,
    ],
  ])('is that of differences: %j, %i classes, %j', (shape, rank, constraints, parameters) => {
    const setting = constraintSetting(modesOf(shape), rank, constraints)
    const found = identifyStructured(shape, rank, { constraints: setting })
    const cells = shape.reduce((a, b) => a * b) - 1
    const dimension = differences(shape, rank, constraints)
    expect(found).toEqual({
      parameters,
      rank: dimension,
      degreesOfFreedom: cells - dimension,
      method: 'jacobian',
      verdict: dimension === parameters ? 'identified' : 'not identified',
    })
  })

  it('is none if nothing is left to be estimated', () => {
    const constraints = constraintSetting(modesOf([2, 2]), 1, { fixed: [fixed('a', 0, 0.5), fixed('b', 0, 0.2)] })
    expect(identifyStructured([2, 2], 1, { constraints })).toMatchObject({
      parameters: 0,
      rank: 0,
      degreesOfFreedom: 3,
      verdict: 'identified',
    })
  })

  it('is not looked for in models that are too large', () => {
    const one = (shape: number[], rank: number) => ({
      constraints: constraintSetting(modesOf(shape), rank, { fixed: [fixed('a', 0, 0.5)] }),
    })
    const shape = [40, 40, 40]
    expect(identifyStructured(shape, 7, one(shape, 7))).toMatchObject({
      parameters: 818,
      rank: 818,
      verdict: 'not checked',
      method: 'none',
    })
    // No more than the table has room for.
    expect(identifyStructured([5, 5, 5], 70, one([5, 5, 5], 70))).toMatchObject({
      rank: 124,
      degreesOfFreedom: 0,
      method: 'none',
    })
    const explained = (patterns: number, terms: number) => ({
      patterns,
      terms: Array.from({ length: terms }, (_, i) => ({ name: `${i}`, factors: [] })),
      values: new Float64Array(patterns * terms),
      counts: new Float64Array(patterns),
    })
    expect(identifyStructured([5, 5], 40, { explained: explained(3, 3) })).toMatchObject({
      parameters: 437,
      rank: 72,
      method: 'none',
    })
    expect(identifyStructured([2, 2], 10, { explained: explained(4e5, 2) })).toMatchObject({
      parameters: 38,
      rank: 38,
      method: 'none',
    })
  })
})

describe("Kruskal's condition", () => {
  it.each([
    // The largest modes first: 4·2, 2·2·2, 2 for 7 classes; dealt out in turn 4, 4, 8 are too few.
    [[2, 2, 2, 2, 2, 4], 7],
    [[2, 3, 3, 3, 3], 8],
    [[6, 2, 3, 2], 6],
    // Dealt out in turn: 4, 4 and 4.
    [[2, 2, 2, 2, 2, 2], 5],
    [[2, 2, 2, 2, 4], 5],
  ])('holds for %j and %i classes', (shape, rank) => {
    expect(identify(shape, rank)).toMatchObject({ method: 'kruskal', verdict: 'identified' })
  })

  it.each([
    [[2, 2, 2, 2], 3],
    [[2, 2, 2, 2, 2, 2], 6],
    [[2, 2, 2, 2, 2, 4], 9],
    [[3, 3, 3], 4],
  ])('does not hold for %j and %i classes', (shape, rank) => {
    expect(identify(shape, rank).method).toBe('jacobian')
  })

  it('asks nothing of one class, and nothing else of tables of one mode', () => {
    expect(identify([4], 1)).toMatchObject({ method: 'kruskal', rank: 3 })
    expect(identify([4, 1], 2)).toEqual({
      parameters: 7,
      rank: 3,
      degreesOfFreedom: 0,
      verdict: 'not identified',
      method: 'jacobian',
    })
    expect(identify([3, 4], 9)).toMatchObject({ rank: 11, degreesOfFreedom: 0 })
  })
})
