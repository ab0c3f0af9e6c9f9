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
