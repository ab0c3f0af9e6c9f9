import { inspectTable, openTable } from 'polyad/table'
import { expect, it } from 'vitest'
import type { TableSummary } from '../../worker/protocol.ts'
import { DEFAULTS } from '../store/settings.ts'
import { lacking, readOptions } from './columns.ts'

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

it('codes of a variable are missing there alone', async () => {
  const table = await openTable({ name: 'a.csv', text: `q,a:b\n${'1,x\n8,y\n2,x\n'.repeat(5)}` })
  const opened = (await inspectTable(table)) as unknown as TableSummary
  const columns = { q: { missing: ['8', '9'] }, 'a:b': { missing: ['x'] } }
  expect(readOptions(opened, { ...DEFAULTS, columns }).missingIn).toEqual(['q:8,9', '"a:b":x'])
  expect(readOptions(opened, DEFAULTS)).not.toHaveProperty('missingIn')
})

it('says what a table lacks before it can be read', async () => {
  const table = await openTable({ name: 'a.csv', text: `a,b,n,w\n${'x,1,3,0.5\ny,2,4,1.5\n'.repeat(10)}` })
  const opened = (await inspectTable(table)) as unknown as TableSummary
  const roles = { a: { role: 'mode' }, b: { role: 'mode' }, n: { role: 'ignore' }, w: { role: 'ignore' } } as const
  const say = (columns: object, fit: object = {}) =>
    lacking(opened, { ...DEFAULTS, columns: { ...roles, ...columns }, fit: { ...DEFAULTS.fit, ...fit } })
  expect(say({})).toBeUndefined()
  expect(say({ a: { role: 'ignore' }, b: { role: 'ignore' } })).toMatch(/^No column is used as a variable/)
  expect(say({ n: { role: 'count' }, w: { role: 'count' } })).toBe('Choose one frequency column only (now n and w).')
  expect(say({ n: { role: 'weight' }, w: { role: 'weight' } })).toBe('Choose one weight column only (now n and w).')
  expect(say({ n: { role: 'count' }, w: { role: 'weight' } })).toMatch(/^Choose a frequency column or a weight column/)
  expect(say({ a: { role: 'class' }, n: { role: 'class' } })).toBe('Choose one known class only.')
  const explained = { b: { role: 'covariate' } }
  expect(say(explained, { to: 1 })).toMatch(/^Covariates predict membership/)
  expect(say(explained, { smoothing: 'auto' })).toMatch(
    /^Smoothing cannot be combined with covariates: smoothed models/,
  )
  expect(say(explained, { prior: 1 })).toBeUndefined()
})
