import { tensorFromRows } from '@polyad/core'
import { expect, it } from 'vitest'
import { usedRows } from './used-rows.ts'

it('complete rows have an answer to every variable; their class may be unknown', () => {
  const rows = [
    { a: 'yes', b: 'no', diagnosis: 'ill' },
    { a: 'yes', b: 'yes', diagnosis: null },
    { a: null, b: 'yes', diagnosis: 'well' },
    { a: null, b: 'no', diagnosis: null },
  ]
  const tensor = tensorFromRows(rows, { modes: ['a', 'b', 'diagnosis'] })
  const { left, tensor: used } = usedRows({ tensor }, { complete: true, known: 'Diagnosis' }, [])
  expect([used.total, left]).toEqual([2, 2])
})
