import { readdirSync, readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { DataError } from '@polyad/core'
import { readZip, writeZip } from '@polyad/core/file'
import { describe, expect, it } from 'vitest'
import { mutate, randomNumbers } from '../../../../../test/mutations.ts'
import { checkUnpacked } from './packed-size.ts'
import { cellText } from './sheet-texts.ts'
import { readSpreadsheet, type SheetOptions } from './spreadsheet.ts'
import type { SurveyFile } from './survey-file.ts'

/** Sheets that other programs wrote, and what openpyxl and pandas read from them: test/data/sheets/README.md. */
const folder = new URL('../../../../../test/data/sheets/', import.meta.url)
const files = readdirSync(folder).filter(name => /\.(xlsx|ods)$/.test(name))
const bytesOf = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)))
const read = (name: string, options: SheetOptions = {}, bytes: Uint8Array = bytesOf(name)) =>
  readSpreadsheet(name, bytes, name.endsWith('.ods') ? 'ods' : 'xlsx', options)
const textsOf = ({ variables }: SurveyFile) =>
  variables.map(({ values: { values, codes } }) => Array.from(codes, code => values[code] ?? null))
const notesOf = ({ notes }: SurveyFile) => notes.map(({ text }) => text)

describe('a sheet', () => {
  it.each(files.filter(name => !name.includes('merged')))('%s has the values that others read', async name => {
    const { rows } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as { rows: (string | null)[][] }
    // An .ods file does not say which of its sheets are hidden.
    const found = await read(name, name === 'libreoffice.ods' ? { sheet: 'Answers' } : {})
    const [names, ...body] = rows
    expect(found.variables.map(variable => variable.name)).toEqual(names)
    expect(textsOf(found)).toEqual(names.map((_, i) => body.map(row => row[i])))
    expect(found.rows).toBe(body.length)
  })

  it.each(files.filter(name => name.includes('merged')))(
    '%s has a title, names in two rows and merged cells',
    async name => {
      const found = await read(name)
      expect(found.variables.map(variable => variable.name)).toEqual([
        'Region',
        'Trust in police',
        'Trust in courts',
        'Trust in press',
      ])
      const { rows } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as {
        rows: (string | null)[][]
      }
      const body = rows.slice(4).filter(row => row.some(value => value !== null))
      // Every row of a merged cell has its value.
      expect(textsOf(found)[0]).toEqual(['north', 'north', 'north', 'south', 'south', 'south', 'east'])
      for (const i of [1, 2, 3]) expect(textsOf(found)[i]).toEqual(body.map(row => row[i]))
      expect(notesOf(found)).toEqual([
        `${name}: row 1 is a title and is left out; row 3 names the columns`,
        `${name}: the names of the columns are in rows 3 to 4, because cells are merged`,
        `${name}: cells are merged; each of the rows and columns that they cover has their value`,
      ])
    },
  )

  it('is the first that is not hidden, or the one that is asked for', async () => {
    const found = await read('openpyxl.xlsx')
    expect(found.sheets).toEqual(['Lists', 'Answers', 'Second sheet'])
    expect(notesOf(found)).toEqual([
      `openpyxl.xlsx: the sheet "Answers" is read; there is also "Lists", "Second sheet" (for another, use sheet 'Lists')`,
      '8 formulas of 8 have no stored value and are read as missing: open the file in Excel or LibreOffice and save it',
    ])
    for (const sheet of ['Second sheet', 'second SHEET', '3']) {
      const other = await read('openpyxl.xlsx', { sheet })
      expect(textsOf(other), sheet).toEqual([['1'], ['x']])
      expect(notesOf(other)).toEqual([])
    }
    await expect(read('openpyxl.xlsx', { sheet: '1' })).rejects.toThrow('has no rows in its sheet "Lists"')
    for (const sheet of ['Third', '0', '4', '-1'])
      await expect(read('openpyxl.xlsx', { sheet })).rejects.toThrow(
        `sheet '${sheet}': openpyxl.xlsx has no such sheet; it has 1 "Lists", 2 "Answers", 3 "Second sheet"`,
      )
  })

  it('is the first that holds a table', async () => {
    expect(notesOf(await read('libreoffice.ods'))).toContain(
      'libreoffice.ods: the sheet "Answers" is read; there is also "Lists", "Second sheet" (for another, use sheet \'Lists\')',
    )
  })

  it('has no row of totals', async () => {
    const written = async (last: readonly string[]) => {
      const { writeXlsx } = await import('hucre/xlsx')
      const rows = [['Pupil', 'a', 'b'], ...['x', 'y', 'x', 'y'].map((v, i) => [`p${i}`, v, i % 2]), last]
      const bytes = new Uint8Array(await writeXlsx({ sheets: [{ name: 'S', rows }] } as never))
      return readSpreadsheet('t.xlsx', bytes, 'xlsx')
    }
    const found = await written(['Total', '4', '2'])
    expect(found.rows).toBe(4)
    expect(notesOf(found)).toEqual(['t.xlsx: the last row, "Total", sums up the others and is left out'])
    for (const last of [
      ['Total', 'x', '2'],
      ['Totally', '4', '2'],
      ['p9', '4', '2'],
    ])
      expect((await written(last)).rows).toBe(5)
  })

  it('that has no rows is refused, with another to try', async () => {
    await expect(read('libreoffice.ods', { sheet: '1' })).rejects.toThrow(
      `libreoffice.ods has no rows in its sheet "Lists"; for another sheet, use sheet 'Answers'`,
    )
  })

  it('may have no names', async () => {
    const { variables, rows } = await read('openpyxl.xlsx', { sheet: '3', header: false })
    expect([variables.map(({ name }) => name), rows]).toEqual([['column1', 'column2'], 2])
  })

  it('has cells as they are shown', () => {
    expect([0.1 + 0.2, 1e21, -0, 12, 1 / 3].map(cellText)).toEqual(['0.3', '1e+21', '0', '12', '0.333333333333333'])
    expect([true, ' ', '#REF!', 'Err:502', '#1', null, Number.NaN].map(cellText)).toEqual([
      ...['TRUE', undefined, undefined, undefined, '#1', undefined, undefined],
    ])
    expect(
      ['1900-01-01T00:00:00Z', '1899-12-31T08:30:00Z', '2024-02-29T12:00:00.4Z'].map(text => cellText(new Date(text))),
    ).toEqual([...['1900-01-01', '08:30:00', '2024-02-29 12:00:00']])
  })
})

describe('a spreadsheet that unpacks to too much', () => {
  const text = new TextEncoder().encode('x')
  it('is refused before it is unpacked', () => {
    const bytes = writeZip(
      new Map([
        ['a', text],
        ['b', text],
      ]),
    )
    checkUnpacked('x.xlsx', bytes)
    expect(() => checkUnpacked('x.xlsx', bytes, { most: 1, freely: 1, ratio: 1 })).toThrow(
      'x.xlsx unpacks to more than 1 bytes',
    )
    const lying = bytes.slice()
    const view = new DataView(lying.buffer)
    const entry = view.getUint32(lying.length - 22 + 16, true)
    view.setUint32(entry + 24, 3_000_000_000, true)
    expect(() => checkUnpacked('x.xlsx', lying)).toThrow('unpacks to more than 400,000,000 bytes')
    // Deflated parts say how large they are, and not more than deflating can do.
    view.setUint16(entry + 10, 8, true)
    for (const size of [0, 1_000_000]) {
      view.setUint32(entry + 24, size, true)
      expect(() => checkUnpacked('x.xlsx', lying)).toThrow('its directory is damaged')
    }
  })

  it('or of which a part says too little', async () => {
    const bytes = bytesOf('libreoffice.xlsx')
    const view = new DataView(bytes.buffer)
    const end = bytes.length - 22
    let at = view.getUint32(end + 16, true)
    for (let i = 0; i < view.getUint16(end + 10, true); i++) {
      view.setUint32(at + 24, 9, true)
      at += 46 + [28, 30, 32].reduce((sum, offset) => sum + view.getUint16(at + offset, true), 0)
    }
    await expect(read('libreoffice.xlsx', {}, bytes)).rejects.toThrow(DataError)
  })
})

/** Mutations of every file: half of the packed bytes, and half of a part, which is packed again. test/fuzz has thousands of one file. */
const MUTATIONS = 60

describe('spreadsheets that are damaged', () => {
  it.each(files)('%s is read, or refused by a DataError that names it', async name => {
    const bytes = bytesOf(name)
    const members = readZip(bytes, packed => inflateRawSync(packed))
    const parts = [...members.keys()].filter(part => /(sheet\d|content|workbook|sharedStrings|styles)\.xml/.test(part))
    const random = randomNumbers(bytes.length)
    let [refused, accepted] = [0, 0]
    for (let n = 0; n < MUTATIONS; n++) {
      const part = parts[(n >> 1) % parts.length]
      const damaged =
        n % 2 === 0
          ? mutate(bytes, random)
          : writeZip(new Map([...members, [part, mutate(new Uint8Array(members.get(part) ?? []), random)]]))
      try {
        const { rows, variables } = await read(
          name,
          name.includes('merged') || name.includes('odfpy') ? {} : { sheet: 'Answers' },
          damaged,
        )
        expect(variables.every(({ values }) => values.codes.length === rows)).toBe(true)
        accepted++
      } catch (error) {
        // A damaged name of a sheet is one that is not there.
        expect(error instanceof DataError || (error as Error).message.includes('no such sheet'), `mutation ${n}`).toBe(
          true,
        )
        expect((error as Error).message, `mutation ${n}`).toContain(name)
        expect((error as Error).message, `mutation ${n}`).not.toMatch(/undefined|null|NaN|function|xml/i)
        refused++
      }
    }
    expect(Math.min(refused, accepted)).toBeGreaterThan(0)
  })
})
