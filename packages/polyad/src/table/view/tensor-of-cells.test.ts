import { describe, expect, it } from 'vitest'
import { looked } from '../../../../../test/looked-at.ts'
import { withoutUncounted } from './seen-labels.ts'
import { modeOptions, tensorOfCells } from './tensor-of-cells.ts'
import type { Counted, ModePlan } from './view.ts'

const mode = (name: string, top?: number): ModePlan => ({
  column: looked(name),
  binning: undefined,
  missingAs: undefined,
  top,
})

/** Cells of two modes: the index of each, what they count, and the weight of their rows. */
const cells = (
  rows: readonly (readonly [number, number, number, number?])[],
  more: Partial<Counted> = {},
): Counted => ({
  rows: 9,
  dropped: 0,
  labels: [
    ['x', 'y', 'z'],
    [1, 2],
  ],
  indices: [Int32Array.from(rows, row => row[0]), Int32Array.from(rows, row => row[1])],
  values: Float64Array.from(rows, row => row[2]),
  weights: rows[0].length === 4 ? Float64Array.from(rows, row => row[3] as number) : undefined,
  ...more,
})

describe('the tensor of counted cells', () => {
  const summary = ({
    modes,
    indices,
    values,
  }: {
    modes: readonly { labels?: unknown }[]
    indices: readonly Int32Array[]
    values: Float64Array
  }) => ({
    labels: modes.map(({ labels }) => labels),
    cells: [...values].map((value, cell) => [...indices.map(column => column[cell]), value]),
  })

  it('has the cells in order, and rare labels merged', () => {
    const counted = cells([
      [2, 1, 5],
      [0, 0, 3],
      [1, 1, 1],
    ])
    const plain = tensorOfCells(counted, [mode('a'), mode('b')])
    expect(summary(plain.tensor)).toEqual({
      labels: [
        ['x', 'y', 'z'],
        [1, 2],
      ],
      cells: [
        [0, 0, 3],
        [1, 1, 1],
        [2, 1, 5],
      ],
    })
    expect(plain).toMatchObject({ squares: undefined, rowWeights: undefined, population: 0, merged: [0, 0], scale: 1 })
    const top = tensorOfCells(counted, [mode('a', 2), mode('b')])
    expect(summary(top.tensor)).toEqual({
      labels: [
        ['x', 'z', '(other)'],
        [1, 2],
      ],
      cells: [
        [0, 0, 3],
        [1, 1, 5],
        [2, 1, 1],
      ],
    })
    expect(top.merged).toEqual([1, 0])
    const sorted = cells(
      [
        [0, 0, 3],
        [1, 1, 1],
        [2, 1, 5],
      ],
      { ordered: true },
    )
    const quick = tensorOfCells(sorted, [mode('a'), mode('b')])
    expect(quick.tensor).toEqual(plain.tensor)
    expect(quick).toMatchObject({ squares: undefined, rowWeights: undefined, population: 0, merged: [0, 0], scale: 1 })
    expect(tensorOfCells(sorted, [mode('a', 2), mode('b')]).tensor).toEqual(top.tensor)
  })

  it('of weights divides them by their mean, and has their squares and rows', () => {
    // Two rows of weight 1 and one of 4 in a cell, one of 2 in another, and one of 0.
    const counted = cells([
      [1, 1, 2, 2],
      [0, 0, 4, 4],
      [0, 0, 2, 1],
      [2, 0, 0, 0],
    ])
    const { tensor, squares, rowWeights, population, scale } = tensorOfCells(counted, [mode('a'), mode('b')])
    expect([population, scale]).toEqual([8, 0.5])
    expect(summary(tensor).cells).toEqual([
      [0, 0, 3],
      [1, 1, 1],
    ])
    // 2 · 0.5² + 2², and 1².
    expect(squares?.values).toEqual(Float64Array.of(4.5, 1))
    expect(rowWeights).toEqual({
      cells: Int32Array.of(0, 0, 1),
      weights: Float64Array.of(0.5, 2, 1),
      counts: Float64Array.of(2, 1, 1),
      raw: Float64Array.of(1, 4, 2),
    })
    const shuffled = cells(
      [
        [2, 0, 0, 0],
        [0, 0, 2, 1],
        [1, 1, 2, 2],
        [0, 0, 4, 4],
      ],
      { ordered: true },
    )
    expect(tensorOfCells(shuffled, [mode('a'), mode('b')])).toEqual({
      tensor,
      squares,
      rowWeights,
      population,
      scale,
      merged: [0, 0],
    })
  })

  it('has modes by their names, ordered or not', () => {
    expect(modeOptions(mode('a'), [1, 2, 3], [1, 2, '(other)'])).toEqual({
      name: 'a',
      labels: [1, 2, '(other)'],
      ordered: true,
    })
    expect(modeOptions(mode('a'), ['x', 'y'], ['x'])).toEqual({ name: 'a', labels: ['x'], ordered: false })
  })
})

describe('labels of rows that count for nothing', () => {
  const left = () => false
  const empty = (n: number) => {
    throw new Error(`mode ${n} is empty`)
  }
  it('are left out, and the others move up', () => {
    const counted = cells([
      [0, 0, 0],
      [1, 0, 3],
      [2, 1, 1],
      [-1, 1, 0],
      [0, 1, 0],
    ])
    const { counted: kept, uncounted } = withoutUncounted(counted, left, empty)
    expect(uncounted).toEqual([{ mode: 0, labels: ['x'] }])
    expect(kept.labels).toEqual([
      ['y', 'z'],
      [1, 2],
    ])
    expect(kept.indices).toEqual([Int32Array.of(-1, 0, 1, -1, -1), Int32Array.of(0, 0, 1, 1, 1)])
    expect(kept.values).toBe(counted.values)
    expect(withoutUncounted(counted, n => n === 0, empty)).toEqual({ counted, uncounted: [] })
  })

  it('stay if they were declared, and occur in no row', () => {
    const counted = cells([
      [1, 0, 3],
      [2, 1, 0],
      [2, 0, 1],
      [1, 1, 2],
    ])
    const same = withoutUncounted(counted, left, empty)
    expect(same.counted).toBe(counted)
    expect(same.uncounted).toEqual([])
    const none = cells([[0, 0, 3]])
    expect(withoutUncounted(none, left, empty)).toEqual({ counted: none, uncounted: [] })
  })

  it('may be all that a column has', () => {
    expect(() =>
      withoutUncounted(
        cells([
          [0, 0, 0],
          [-1, 0, 2],
        ]),
        left,
        empty,
      ),
    ).toThrow('mode 0 is empty')
    // If nothing counts at all, that is said elsewhere.
    expect(
      withoutUncounted(
        cells([
          [0, 0, 0],
          [1, 1, 0],
        ]),
        left,
        empty,
      ).uncounted,
    ).toEqual([])
  })
})
