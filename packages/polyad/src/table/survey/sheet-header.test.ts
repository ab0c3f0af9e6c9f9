import { expect, it } from 'vitest'
import { headerOf } from './sheet-header.ts'

it('names that are merged over more rows than the sheet has end with it', () => {
  const rows = [
    ['a', 'b'],
    ['x', 'y'],
  ]
  const merge = { startRow: 0, startCol: 0, endRow: 2 ** 31 - 1, endCol: 0 }
  expect(headerOf('x.ods', rows, [merge], {}).rows).toBe(2)
})

it('titles above the names are left out, however many', () => {
  const rows = [['Survey 2024'], ['Source: own'], [], ['a', 'b'], ['x', 'y'], ['x', 'z']]
  const found = headerOf('x.xlsx', rows, [], {})
  expect([found.columns.map(({ name }) => name), found.rows]).toEqual([['a', 'b'], 4])
  expect(found.notes.map(({ text }) => text)).toEqual([
    'x.xlsx: rows 1 and 2 are titles and are left out; row 4 names the columns',
  ])
  expect(headerOf('x.xlsx', rows, [], { skipRows: 1 }).columns[0].name).toBe('Source: own')
  // A column of data is none.
  const single = Array.from({ length: 20 }, (_, i) => [`v${i % 3}`])
  expect(headerOf('x.xlsx', single, [], {}).rows).toBe(1)
})
