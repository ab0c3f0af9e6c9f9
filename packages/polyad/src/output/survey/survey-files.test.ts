import { describe, expect, it } from 'vitest'
import { readDta } from '../../table/survey/dta.ts'
import { readSav } from '../../table/survey/sav.ts'
import { readSpreadsheet } from '../../table/survey/spreadsheet.ts'
import type { SurveyFile } from '../../table/survey/survey-file.ts'
import { dtaFile } from './dta-file.ts'
import { savFile } from './sav-file.ts'
import { writtenColumn } from './written-columns.ts'
import { xlsxFile } from './xlsx-file.ts'

/** What other programs read of these files is in the slow tests; here, what this one does. */

const cells = {
  'age group': ['old', 'young', null, 'old', 'young'],
  weight: ['1', '2.5', null, '-3', '0'],
  class: [1, 2, 1, null, 2],
  note: ['ünï', 'a sentence of more than eight bytes', null, '', 'b'.repeat(250)],
  Note: ['same name in capitals', 'x', 'y', 'z', 'w'],
} as const
const meanings = {
  'age group': { title: 'How old are you?', order: ['young', 'middle', 'old'] },
  weight: { title: 'Größe in kg' },
}
const columns = Object.entries(cells).map(([name, values]) =>
  writtenColumn(name, values, meanings[name as keyof typeof meanings]),
)

const valuesOf = ({ variables }: SurveyFile) =>
  Object.fromEntries(
    variables.map(({ name, values: { values, codes } }) => [
      name,
      Array.from(codes, code => (code < 0 ? null : values[code])),
    ]),
  )

describe.each([
  ['sav', async () => readSav('x.sav', savFile('x.sav', columns, 5))],
  ['dta', async () => readDta('x.dta', dtaFile('x.dta', columns, 5))],
] as const)('a .%s file', (format, read) => {
  it('has values, value labels and variable labels', async () => {
    const file = await read()
    expect(file.rows).toBe(5)
    expect(file.variables.map(({ name }) => name)).toEqual(['age_group', 'weight', 'class', 'note', 'Note_2'])
    expect(file.variables.map(({ title }) => title)).toEqual(['How old are you?', 'Größe in kg', '', '', 'Note'])
    expect(file.variables[0].labels).toEqual([
      { code: 1, text: 'young' },
      { code: 2, text: 'middle' },
      { code: 3, text: 'old' },
    ])
    expect(file.variables[1].labels).toEqual([])
    const { age_group, weight, class: classes, note } = valuesOf(file)
    expect(age_group).toEqual([3, 1, null, 3, 1])
    expect(weight).toEqual([1, 2.5, null, -3, 0])
    expect(classes).toEqual([1, 2, 1, null, 2])
    // A text that is missing is an empty one in both formats.
    expect(note.map(text => (text === '' ? null : text))).toEqual(cells.note.map(text => (text === '' ? null : text)))
  })

  it('refuses a text that it has no room for', () => {
    const long = [writtenColumn('essay', ['x'.repeat(3000), 'y', 'z'])]
    const write = format === 'sav' ? savFile : dtaFile
    expect(() => write('x', long, 3)).toThrow(/^x: a text in essay has 3000 bytes, and at most \d+ can be written/)
  })
})

it('a spreadsheet has the labels themselves', async () => {
  const file = await readSpreadsheet('x.xlsx', await xlsxFile('x.xlsx', columns, 5), 'xlsx')
  const values = valuesOf(file)
  expect(values['age group']).toEqual(['old', 'young', null, 'old', 'young'])
  expect(values.weight).toEqual(['1', '2.5', null, '-3', '0'])
  await expect(xlsxFile('x.xlsx', columns, 2 ** 20)).rejects.toThrow('x.xlsx: a sheet has at most 1,048,576 rows')
})

describe('columns', () => {
  it('are numbers, categories or texts, by their values', () => {
    expect(writtenColumn('q', ['1', '2', '1'])).toMatchObject({ kind: 'number', labels: [], values: [1, 2, 1] })
    expect(writtenColumn('q', ['no', 'yes', 'no', null])).toMatchObject({
      kind: 'number',
      labels: [
        { value: 1, text: 'no' },
        { value: 2, text: 'yes' },
      ],
      values: [1, 2, 1, null],
    })
    // Every row another text: names, not categories.
    expect(writtenColumn('q', ['Ann', 'Bob', 'Cid'])).toMatchObject({ kind: 'text' })
    expect(writtenColumn('q', [null, null])).toMatchObject({ kind: 'number', values: [null, null] })
  })
})
