import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DataError, OptionError } from '../errors.ts'
import { tensorFromColumns, tensorFromCoordinates } from './coordinates.ts'
import { tensorFromArray } from './dense.ts'
import { MISSING } from './mode.ts'

describe('coordinates', () => {
  it('sorts, merges and drops zeros, as a naive table does', () => {
    const cells = fc.array(
      fc.tuple(fc.integer({ min: -1, max: 3 }), fc.integer({ min: -1, max: 70_000 }), fc.integer({ min: 0, max: 3 })),
      { minLength: 1, maxLength: 80 },
    )
    fc.assert(
      fc.property(cells, list => {
        const all: typeof list = [[0, 70_000, 1], ...list]
        const naive = new Map<string, number>()
        for (const [i, j, y] of all) naive.set(`${i},${j}`, (naive.get(`${i},${j}`) ?? 0) + y)
        const expected = [...naive]
          .filter(([, y]) => y > 0)
          .map(([key, y]) => [...key.split(',').map(Number), y])
          .sort((a, b) => a[0] - b[0] || a[1] - b[1])
        const tensor = tensorFromCoordinates(
          all.map(([i, j]) => [i, j === -1 ? null : j]),
          all.map(([, , y]) => y),
          { shape: [4, 70_001] },
        )
        const found = Array.from(tensor.values, (y, c) => [tensor.indices[0][c], tensor.indices[1][c], y])
        expect(found).toEqual(expected)
        expect(tensor.total).toBe(all.reduce((sum, [, , y]) => sum + y, 0))
      }),
    )
  })

  it('infers the shape and counts each cell once without values', () => {
    const tensor = tensorFromColumns([
      [2, 0, 2],
      [1, 1, 1],
    ])
    expect(tensor.shape).toEqual([3, 2])
    expect([...tensor.values]).toEqual([1, 2])
    expect(tensor.modes[0].name).toBe('mode1')
    expect(tensor.modes[0].label(2)).toBe(2)
    expect(tensor.modes[0].indexOf('2')).toBe(2)
  })

  it.each<[string, () => unknown, new (...args: never[]) => Error, RegExp]>([
    ['nothing', () => tensorFromColumns([]), DataError, /at least one mode/],
    ['no cells', () => tensorFromCoordinates([]), DataError, /not a single cell/],
    ['ragged columns', () => tensorFromColumns([[1], [1, 2]]), DataError, /mode 2 has 2 indices where mode 1 has 1/],
    ['ragged cells', () => tensorFromCoordinates([[1, 2], [1]]), DataError, /cell 2 has 1 indices/],
    [
      'an index out of range',
      () => tensorFromColumns([[0, 5]], [1, 1], { shape: [5] }),
      DataError,
      /cell 2, mode 1.*0 to 4.*got 5/,
    ],
    ['a broken index', () => tensorFromColumns([[0.5]]), DataError, /cell 1, mode 1.*0\.5/],
    ['an index of NaN', () => tensorFromColumns([[Number.NaN]]), DataError, /NaN/],
    ['a negative value', () => tensorFromColumns([[0, 1]], [1, -2]), DataError, /cell 2.*negative.*-2/],
    [
      'a value of null',
      () => tensorFromColumns([[0, 1]], [null, 2] as never),
      DataError,
      /cell 1.*must be a number \(got null\)/,
    ],
    ['a value that is a text', () => tensorFromColumns([[0, 1]], [1, '2'] as never), DataError, /cell 2.*"2"/],
    [
      'a label twice',
      () => tensorFromColumns([[0, 1]], [1, 1], { modes: [{ name: 'a', labels: ['x', 'x'] }] }),
      OptionError,
      /"x" twice/,
    ],
    ['too few values', () => tensorFromColumns([[0, 1]], [1]), DataError, /1 values for 2 cells/],
    ['a mode never present', () => tensorFromColumns([[0], [MISSING]]), DataError, /mode 2 is missing in every cell/],
    ['only zeros', () => tensorFromColumns([[0, 1]], [0, 0]), DataError, /all 2 values are zero/],
    [
      'a sum beyond doubles',
      () => tensorFromColumns([[0, 1]], [1e308, 1e308]),
      DataError,
      /above 1e\+150: divide them all/,
    ],
    ['a shape of another length', () => tensorFromColumns([[0]], [1], { shape: [1, 2] }), OptionError, /1 sizes/],
    [
      'labels of another number',
      () => tensorFromColumns([[0]], [1], { modes: [{ name: 'a', labels: ['x', 'y'] }] }),
      OptionError,
      /1 labels in the data but 2/,
    ],
  ])('refuses %s', (_, make, kind, message) => {
    expect(make).toThrow(kind)
    expect(make).toThrow(message)
  })
})

describe('dense arrays', () => {
  it('nested and flat give the same tensor', () => {
    const nested = [
      [
        [1, 0],
        [2, 3],
      ],
      [
        [0, 0],
        [4.5, 0],
      ],
    ]
    const a = tensorFromArray(nested)
    const b = tensorFromArray(Float64Array.of(1, 0, 2, 3, 0, 0, 4.5, 0), { shape: [2, 2, 2] })
    expect(a).toEqual(b)
    expect(a.cells).toBe(4)
    expect(a.marginals.map(m => [...m])).toEqual([
      [6, 4.5],
      [1, 9.5],
      [7.5, 3],
    ])
    expect(tensorFromArray([3, 0, 1]).shape).toEqual([3])
  })

  it.each<[string, () => unknown, new (...args: never[]) => Error, RegExp]>([
    ['nothing', () => tensorFromArray([]), DataError, /empty/],
    ['an empty row', () => tensorFromArray([[], []]), DataError, /empty/],
    [
      'a ragged array',
      () => tensorFromArray([[1, 2], [3]]),
      DataError,
      /at \[1\].*2 entries expected, 1 entries found/,
    ],
    ['a number among rows', () => tensorFromArray([[1, 2], 3] as never), DataError, /at \[1\].*3 found/],
    ['a row among numbers', () => tensorFromArray([1, [2]] as never), DataError, /at \[1\].*list/],
    ['a negative value', () => tensorFromArray([[1, -2]]), DataError, /at \[0\]\[1\].*negative/],
    ['only zeros', () => tensorFromArray([[0, 0]]), DataError, /all 2 values are zero/],
    ['no array', () => tensorFromArray(5 as never), DataError, /needs an array/],
    [
      'a shape that does not fit',
      () => tensorFromArray([1, 2, 3], { shape: [2, 2] }),
      OptionError,
      /2×2 needs 4 values \(the array has 3\)/,
    ],
    [
      'a shape that contradicts',
      () => tensorFromArray([[1, 2]], { shape: [2, 1] }),
      OptionError,
      /2×1 but the array is 1×2/,
    ],
    [
      'a size of zero',
      () => tensorFromArray([1], { shape: [0] }),
      OptionError,
      /shape\[0\] must be a whole number ≥ 1/,
    ],
  ])('refuses %s', (_, make, kind, message) => {
    expect(make).toThrow(kind)
    expect(make).toThrow(message)
  })
})
