import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchKnown } from './match-known.ts'

const best = (table: readonly (readonly number[])[]): number => {
  const go = (row: number, used: ReadonlySet<number>): number =>
    row === table.length
      ? 0
      : Math.max(
          go(row + 1, used),
          ...table[row].flatMap((count, k) => (used.has(k) ? [] : [count + go(row + 1, new Set([...used, k]))])),
        )
  return go(0, new Set())
}

describe('matchKnown', () => {
  it('gives every class the known one it fits best', () => {
    const known = ['setosa', 'versicolor', 'virginica']
    const table = [
      [0, 50, 0],
      [45, 0, 5],
      [5, 0, 45],
    ]
    expect(matchKnown({ known, table })).toEqual({ standsFor: [1, 0, 2], agreeing: 140, rows: 150 })
  })

  it('leaves classes without rows, and those that are too many, alone', () => {
    expect(matchKnown({ known: ['a'], table: [[3, 9, 0]] })).toEqual({
      standsFor: [null, 0, null],
      agreeing: 9,
      rows: 12,
    })
    expect(matchKnown({ known: ['a', 'b', 'c'], table: [[3], [9], [0]] }).standsFor).toEqual([1])
  })

  it('agrees with trying all of them', () => {
    const tables = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([rows, columns]) =>
      fc.array(fc.array(fc.nat(20), { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    )
    fc.assert(
      fc.property(tables, table => {
        const { standsFor, agreeing } = matchKnown({ known: table.map((_, i) => `${i}`), table })
        expect(agreeing).toBe(best(table))
        const used = standsFor.filter(of => of !== null)
        expect(new Set(used).size).toBe(used.length)
      }),
    )
  })
})
