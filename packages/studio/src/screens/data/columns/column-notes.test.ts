import { inspectTable, openTable } from 'polyad/table'
import { expect, it } from 'vitest'
import { DEFAULTS, type Settings } from '../../../state/store/settings.ts'
import { columnNotes } from './column-notes.ts'

it('notes count bins once the figures are those of the bins, and not before', async () => {
  const table = await openTable({ name: 'a.csv', text: `x,y\n${'1,a\n2,b\n3,a\n4,b\n5,b\n'.repeat(4)}` })
  const [x] = (await inspectTable(table)).columns
  const [plain] = await table.figures()
  const [cut] = await table.figures({ bins: ['x:2'] })
  const as = (bin?: string): Settings => ({ ...DEFAULTS, columns: { x: { role: 'mode', ...(bin && { bin }) } } })
  expect(columnNotes(x, plain, as()).facts).toEqual(['5 categories'])
  expect(columnNotes(x, undefined, as('2')).facts).toEqual(['5 values'])
  expect(columnNotes(x, plain, as('2')).facts).toEqual(['5 values'])
  expect(columnNotes(x, cut, as('2')).facts).toEqual(['3 bins'])
  // The settings were changed back, and its figures are on their way.
  expect(columnNotes(x, cut, as()).facts).toEqual(['3 bins'])
})
