import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../packages/core/src/index.ts'
import { readTensor } from '../packages/polyad/src/source/read-tensor.ts'
import { polyad } from './run-polyad.ts'
import { testFolder } from './test-folder.ts'
import { twoReaders } from './two-readers.ts'

/** Titles and notes above a table are left out, in whatever way it is read. */

const rows = Array.from({ length: 12 }, (_, i) => [`${i % 2}`, ['x', 'y', 'z'][i % 3]])
const table = (end: string, between: string) => ['a,b'.replace(',', between), ...rows.map(row => row.join(between))].join(end) + end // biome-ignore format: one text

describe('rows that are skipped', () => {
  const both = twoReaders()
  const folder = testFolder()

  it.each([
    ['a title', `The survey of 2026\n${table('\n', ',')}`, { skipRows: 1 }],
    ['a title and a blank line', `The survey of 2026\n\n${table('\n', ',')}`, { skipRows: 2 }],
    ['lines of Windows', `Title, with a comma\r\nNote\r\n${table('\r\n', ',')}`, { skipRows: 2 }],
    ['lines of old Macs', `Title\rNote\r${table('\r', ';')}`, { skipRows: 2 }],
    ['fields between blanks', `a title of five words\n${table('\n', ' ')}`, { skipRows: 1, delimiter: 'blanks' }],
    ['a line that says the delimiter', `sep=;\nTitle\n${table('\n', ';')}`, { skipRows: 1 }],
    ['names in place of data', `a,b\n${table('\n', ',')}`, { skipRows: 2, header: false }],
    ['another encoding', new Uint8Array([0xfc, 10, ...new TextEncoder().encode(table('\n', ','))]), { skipRows: 1, encoding: 'windows-1252' }], // biome-ignore format: one row
  ])('%s', async (name, content, options) => {
    const { readings, inspections } = await both(`${name}.csv`, content, options)
    expect(readings[1]).toEqual(readings[0])
    expect(inspections[1]).toEqual(inspections[0])
    expect(readings[0]).toMatchObject({ rows: 12, labels: [{ labels: [0, 1] }, { labels: ['x', 'y', 'z'] }] })
  })

  it.each([
    ['a bad line has its own number', `T\n\n${table('\n', ',')}1,2,3\n`, { skipRows: 2 }, 'line 16'],
    ['a bad value has its line', `T\n\n${table('\n', ',')}-1,x\n`, { skipRows: 2, count: 'a' }, 'line 16'],
    ['an uneven line between blanks', `T\n${table('\n', ' ')}1 2 3\n`, { skipRows: 1, delimiter: 'blanks' }, 'line 15'],
    ['more lines than there are', 'a,b\n1,2\n', { skipRows: 5 }, 'has nothing after the 5 lines'],
    ['a blank line where names should be', `T\n\n${table('\n', ',')}`, { skipRows: 1 }, 'line 2 is blank'],
  ])('%s', async (name, content, options, words) => {
    const { readings } = await both(`${name}.csv`, content, options)
    expect(readings[1]).toEqual(readings[0])
    expect(readings[0]).toContain(words)
  })

  it('of a sheet', async () => {
    const sheet = new URL('./data/sheets/openpyxl.xlsx', import.meta.url)
    const plain = await both('a.xlsx', new Uint8Array(readFileSync(sheet)), {})
    const { readings, inspections } = await both('b.xlsx', new Uint8Array(readFileSync(sheet)), { skipRows: 1 })
    expect(inspections[1]).toEqual(inspections[0])
    expect(readings[1]).toEqual(readings[0])
    const namesOf = (each: unknown) => (each as { columns: { name: string }[] }).columns.map(({ name }) => name)
    expect(namesOf(inspections[0])).not.toEqual(namesOf(plain.inspections[0]))
  })

  it('is an option of the command, and of files that have lines or rows', async () => {
    const path = folder.file('titled.csv', `Title\n${table('\n', ',')}`)
    const { stdout } = await polyad(['fit', path, '-k', '1', '--skip-rows', '1', '--json'])
    expect(JSON.parse(stdout).total).toBe(12)
    await expect(readTensor(folder.file('a.json', '[{"a":1}]'), { skipRows: 1 })).rejects.toThrow(OptionError)
    expect((await polyad(['fit', path, '-k', '1', '--skip-rows', '-1'])).stderr).toContain('whole number')
  })
})
