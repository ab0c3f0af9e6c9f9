import { expect, it } from 'vitest'
import { nameColumns } from './column-names.ts'

it('a NUL in a name is shown, and never in a statement', () => {
  const { sql, shown } = nameColumns([{ path: 'x.sav', columns: ['a\0b', 'a\u2400b', 'c'] }])
  expect(sql).toEqual([['a\u2400b', 'a\u2400b_2', 'c']])
  expect(sql[0].map(name => shown.get(name))).toEqual(['a\0b', 'a\u2400b', 'c'])
})
