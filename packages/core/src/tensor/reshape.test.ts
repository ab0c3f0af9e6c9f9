import { describe, expect, it } from 'vitest'
import { completeCells, joinModes, occurringLabels, selectCells, withoutModes } from './reshape.ts'
import { tensorFromRows } from './rows.ts'

const data = tensorFromRows([
  { a: 'x', b: 1, c: 'p' },
  { a: 'x', b: 2, c: 'q' },
  { a: 'y', b: 2, c: null },
  { a: 'z', b: null, c: 'q' },
  { a: 'x', b: 1, c: 'p' },
])

describe('tensors made of others', () => {
  it('selected cells are as if the rest had never been read', () => {
    const some = selectCells(data, cell => data.indices[0][cell] !== 0)
    expect(some.modes.map(({ labels }) => labels)).toEqual([['y', 'z'], [2], ['q']])
    expect(some.total).toBe(2)
    expect(selectCells(data, () => true)).toBe(data)
  })

  it('a label that never occurred stays, unless it is asked for', () => {
    const rows = [
      { a: 'x', b: 1, n: 2 },
      { a: 'y', b: null, n: 3 },
      { a: 'z', b: 3, n: 0 },
    ]
    const counted = tensorFromRows(rows, { count: 'n' })
    const some = selectCells(counted, cell => counted.indices[1][cell] >= 0)
    expect(some.modes.map(({ labels }) => labels)).toEqual([
      ['x', 'z'],
      [1, 3],
    ])
    expect(occurringLabels(some, ['a']).modes.map(({ labels }) => labels)).toEqual([['x'], [1, 3]])
    expect(occurringLabels(data, ['a', 'b'])).toBe(data)
  })

  it('complete cells lack nothing, or nothing of what is named', () => {
    expect(completeCells(data)).toMatchObject({ total: 3, missing: [false, false, false] })
    expect(completeCells(data, ['b']).total).toBe(4)
    expect(() => completeCells(data, ['d'])).toThrow(/complete names no mode of the data: "d"/)
    expect(() =>
      completeCells(
        tensorFromRows([
          { a: 1, b: null },
          { a: null, b: 1 },
        ]),
      ),
    ).toThrow(/no row is complete/)
  })

  it('summing over modes adds counts up', () => {
    const less = withoutModes(data, ['b', 'c'])
    expect([less.shape, [...less.values]]).toEqual([[3], [3, 1, 1]])
    expect(() => withoutModes(data, ['a', 'b', 'c'])).toThrow(/there must be a mode besides/)
  })

  it('a joined mode has all combinations, and is missing where a part is', () => {
    const joined = joinModes(data, ['c', 'a'])
    expect(joined.modes.map(({ name }) => name)).toEqual(['c / a', 'b'])
    expect(joined.modes[0].labels).toEqual(['p / x', 'p / y', 'p / z', 'q / x', 'q / y', 'q / z'])
    expect(joined.total).toBe(5)
    expect(joined.missing).toEqual([true, true])
    expect([...joined.marginals[0]]).toEqual([2, 0, 0, 1, 0, 1])
  })
})
