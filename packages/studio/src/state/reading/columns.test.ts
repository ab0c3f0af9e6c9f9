import { inspectTable, openTable } from 'polyad/table'
import { expect, it } from 'vitest'
import type { TableSummary } from '../../worker/protocol.ts'
import { DEFAULTS } from '../settings.ts'
import { readOptions } from './columns.ts'

it('a time zone is asked for where a date is cut, and only there', async () => {
  const rows = Array.from(
    { length: 40 },
    (_, i) => `2026-01-01T${String(i % 24).padStart(2, '0')}:00:00Z,${i % 2},${i % 20}`,
  )
  const table = await openTable({ name: 'a.csv', text: `time,g,x\n${rows.join('\n')}\n` })
  const opened = (await inspectTable(table)) as unknown as TableSummary
  const chosen = { ...DEFAULTS, timeZone: 'Europe/Berlin' }
  const cut = { time: { role: 'mode', bin: 'hour' } } as const
  expect(readOptions(opened, { ...chosen, columns: cut }).timeZone).toBe('Europe/Berlin')
  expect(readOptions(opened, { ...DEFAULTS, columns: cut })).not.toHaveProperty('timeZone')
  expect(readOptions(opened, { ...chosen, columns: { x: { bin: 'q2' } } })).not.toHaveProperty('timeZone')
})
