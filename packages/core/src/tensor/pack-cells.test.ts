import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tensorFromColumns } from './coordinates.ts'

/** The same by a map of texts. */
const naive = (columns: number[][], values: number[]) => {
  const sums = new Map<string, number>()
  values.forEach((value, i) => {
    const key = columns.map(column => column[i]).join()
    sums.set(key, (sums.get(key) ?? 0) + value)
  })
  return sums
}

const cellsOf = (shape: readonly number[]) =>
  fc.array(fc.tuple(fc.tuple(...shape.map(size => fc.integer({ min: -1, max: size - 1 }))), fc.nat(5)), {
    minLength: 1,
    maxLength: 60,
  })

describe('sorting cells', () => {
  it.each([
    ['packed into one number', [3, 2, 4]],
    ['with numbers over 32 bits', [70_000, 3, 80_000, 5]],
    ['too many for one number', [2 ** 20, 3, 2 ** 30, 2 ** 12]],
    ['in one mode', [9]],
  ])('%s: distinct, in order, added up, without zeros', (_, shape) => {
    fc.assert(
      fc.property(cellsOf(shape), entries => {
        const columns = shape.map((_, n) => entries.map(([indices]) => indices[n]))
        const values = entries.map(([, value]) => value)
        fc.pre(values.some(value => value > 0))
        const given = Float64Array.from(values)
        const tensor = tensorFromColumns(columns, given, { shape })
        expect([...given]).toEqual(values)
        const rows = Array.from({ length: tensor.cells }, (_, cell) => tensor.indices.map(column => column[cell]))
        const expected = [...naive(columns, values)].filter(([, value]) => value > 0)
        expect(new Map(rows.map((row, cell) => [row.join(), tensor.values[cell]]))).toEqual(new Map(expected))
        const inOrder = rows.every((row, i) => {
          const n = i === 0 ? -1 : row.findIndex((index, m) => index !== rows[i - 1][m])
          return i === 0 || (n >= 0 && row[n] > rows[i - 1][n])
        })
        expect(inOrder).toBe(true)
      }),
    )
  })
})
