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

it('names in two rows are joined if their cells are not merged, too', () => {
  const data = [
    [1, 4, 'yes', 2, 'no'],
    [2, 3, 'no', 5, 'no'],
    [3, 5, 'yes', 4, 'yes'],
    [4, 1, 'yes', 1, 'no'],
  ]
  const two = [['id', 'Reading', null, 'Maths', null], [null, 'likes', 'helps', 'likes', 'helps'], ...data]
  const found = headerOf('x.xlsx', two, [], {})
  expect(found.columns.map(({ name }) => name)).toEqual([
    'id',
    'Reading likes',
    'Reading helps',
    'Maths likes',
    'Maths helps',
  ])
  expect([found.rows, found.names]).toEqual([2, 2])
  expect(found.notes.map(({ text }) => text)).toEqual([
    'x.xlsx: the names of the columns are in rows 1 and 2: row 1 names groups of columns',
  ])
  // A column without a name is none, and a row of data names nothing.
  expect(headerOf('x.xlsx', [['id', 'q', null, 'r', 's'], ...data], [], {}).rows).toBe(1)
  expect(headerOf('x.xlsx', [['id', 'q', null, 'r', null], [9, 9, 'yes', 9, 'no'], ...data], [], {}).rows).toBe(1)
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
