import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { refuseForeign } from './foreign-formats.ts'
import {
  checkFormat,
  checkFormatOptions,
  FORMAT_NAMES,
  FORMATS,
  type Format,
  formatOfBytes,
  formatOfName,
  hasOption,
  isTableFormat,
  tableExtensions,
  tableLabels,
} from './formats.ts'

const bytes = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0))

describe('formats', () => {
  it('are told by the ending, packed or not', () => {
    for (const format of FORMAT_NAMES)
      for (const ending of FORMATS[format].extensions)
        for (const name of [`x.${ending}`, `/a.b/X.${ending.toUpperCase()}`, `x.${ending}.gz`, `x.${ending}.zst`])
          expect(formatOfName(name), name).toBe(format)
    expect(['a.txt', 'a.tab', 'a.zsav', 'a.xlsm', 'a.RData'].map(formatOfName)).toEqual([
      'csv',
      'tsv',
      'sav',
      'xlsx',
      'rds',
    ])
    for (const name of ['x', 'csv', 'x.csv.bz2', 'x.doc', 'x.csv/y', 'x.gz', '.', ''])
      expect(formatOfName(name), name).toBeUndefined()
    expect(FORMAT_NAMES.filter(format => !isTableFormat(format))).toEqual(['tns', 'npy', 'npz', 'polyad'])
    expect(tableExtensions()).toContain('.rdata')
    expect(tableExtensions()).not.toContain('.npz')
  })

  it.each<[string, Format]>([
    ['PAR1', 'parquet'],
    ['\x89PLAD', 'polyad'],
    ['\x93NUMPY', 'npy'],
    ['PK\x03\x04 x.npy', 'npz'],
    ['PK\x03\x04 xl/workbook.xml', 'xlsx'],
    ['PK\x03\x04 [Content_Types].xml', 'xlsx'],
    ['PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'ods'],
    ['$FL2@(#)', 'sav'],
    ['$FL3@(#)', 'sav'],
    ['RDX3\nX\n', 'rds'],
    ['X\n\0\0\0', 'rds'],
    ['HEADER RECORD', 'xpt'],
    ['<stata_dta>', 'dta'],
    ['\x72\x01\x01', 'dta'],
    ['\x73\x02\x01', 'dta'],
    ['\x66\x02\x01', 'dta'],
    ['\x74\x02\x01', 'csv'],
    ['\x65\x01\x01', 'csv'],
    ['\x72\x03\x01', 'csv'],
    ['\x72\x01\x02', 'csv'],
    ['sptensor', 'tns'],
    ['tensor\n3', 'tns'],
    [' tensor', 'csv'],
    ['x<stata_d', 'csv'],
    ['  {"a": 1}', 'json'],
    ['[1]', 'json'],
    ['a,b', 'csv'],
    ['a[,b', 'csv'],
    ['', 'csv'],
  ])('%j begins a file of %s', (text, format) => {
    expect(formatOfBytes(bytes(text))).toBe(format)
  })

  it('are checked', async () => {
    expect(FORMAT_NAMES.map(checkFormat)).toEqual(FORMAT_NAMES)
    expect(await refusal(() => checkFormat('parket'))).toBe(
      'OptionError: there is no format "parket"; did you mean "parquet"?',
    )
    expect(await refusal(() => checkFormat('toString'))).toMatch(
      'OptionError: there is no format "toString"; there are',
    )
  })

  it('are all in the documentation', () => {
    const documented = readFileSync(new URL('../../../../../docs/data.md', import.meta.url), 'utf8').toLowerCase()
    const endings = FORMAT_NAMES.flatMap(format => FORMATS[format].extensions.map(extension => ` .${extension} `))
    expect(endings.filter(ending => !documented.includes(ending))).toEqual([])
  })

  it('have labels, each once', () => {
    expect(tableLabels()).toBe('CSV, Excel, OpenDocument, SPSS, Stata, R, SAS, Parquet or JSON')
  })

  it.each([
    ['encoding', 'CSV, SPSS, Stata, R and SAS'],
    ['sheet', 'Excel, OpenDocument, R and SAS'],
    ['delimiter', 'CSV'],
    ['skipRows', 'CSV, Excel and OpenDocument'],
    ['base', 'FROSTT'],
    ['coordinates', 'NumPy'],
  ] as const)('%s is for some of them', async (option, labels) => {
    for (const format of FORMAT_NAMES) {
      const said = await refusal(() => checkFormatOptions('x', format, { [option]: 0 }))
      const message = `OptionError: ${option} is for ${labels} files, and x is a .${format} file`
      expect(said).toBe(hasOption(format, option) ? undefined : message)
      expect(
        await refusal(() => checkFormatOptions('x', format, { [option]: undefined, header: true })),
      ).toBeUndefined()
    }
  })
})

describe('files that are no tables', () => {
  it.each([
    ['photo.jpg', '', 'a JPEG picture'],
    ['photo', '\xff\xd8\xff\xe0', 'a JPEG picture'],
    ['a.csv', '\x89PNG\r\n', 'a PNG picture'],
    ['a.csv', '%PDF-1.4', 'a PDF document'],
    ['letter.docx', 'PK\x03\x04', 'a Word document'],
    ['talk.PPTX', 'PK\x03\x04', 'a presentation'],
  ])('%s, %j', async (path, head, name) => {
    expect(await refusal(() => refuseForeign(path, bytes(head)))).toBe(
      `DataError: ${path} is ${name}, not a table. If there is a table in it, copy it into a spreadsheet, and open that`,
    )
  })
})

describe('files of other programs', () => {
  const said = (path: string, head = '') => refusal(() => refuseForeign(path, bytes(head)))
  const refused = (path: string, name: string, how: string) =>
    `DataError: ${path} is ${name}, which Polyad cannot read; export it as CSV or Parquet (${how})`
  const sheet = 'an old (.xls, .xlsb) or password-protected spreadsheet, or one of Numbers'

  it.each([
    [
      'data/a b.por',
      refused(
        'data/a b.por',
        'a portable SPSS file',
        'in R: write.csv(haven::read_por("data/a b.por"), "a b.csv", row.names = FALSE)',
      ),
    ],
    [
      'a.SAS7BDAT',
      refused(
        'a.SAS7BDAT',
        'a SAS data set',
        'or as .xpt or .sav; in R: haven::write_sav(haven::read_sas("a.SAS7BDAT"), "x.sav")',
      ),
    ],
    [
      'a.sas7bcat',
      refused(
        'a.sas7bcat',
        'a SAS data set',
        'or as .xpt or .sav; in R: haven::write_sav(haven::read_sas("a.sas7bcat"), "x.sav")',
      ),
    ],
    [
      'a.sd2',
      refused(
        'a.sd2',
        'a SAS data set',
        'or as .xpt or .sav; in R: haven::write_sav(haven::read_sas("a.sd2"), "x.sav")',
      ),
    ],
    [
      'a.ssd01',
      refused(
        'a.ssd01',
        'a SAS data set',
        'or as .xpt or .sav; in R: haven::write_sav(haven::read_sas("a.ssd01"), "x.sav")',
      ),
    ],
    [
      'C:\\my\\a.b.xls',
      refused('C:\\my\\a.b.xls', sheet, 'or in Excel choose File > Save As > Excel Workbook: a.b.xlsx'),
    ],
    ['a.xlsb', refused('a.xlsb', sheet, 'or in Excel choose File > Save As > Excel Workbook: a.xlsx')],
    ['a.numbers', refused('a.numbers', sheet, 'or in Excel choose File > Save As > Excel Workbook: a.xlsx')],
  ])('%s is refused', async (path, message) => expect(await said(path)).toBe(message))

  it('are told by their first bytes too', async () => {
    expect(await said('a.csv', '\xd0\xcf\x11\xe0')).toBe(
      refused('a.csv', sheet, 'or in Excel choose File > Save As > Excel Workbook: a.xlsx'),
    )
    expect(await said('a.csv', 'x\xd0\xcf')).toBeUndefined()
    for (const path of ['a.csv', 'a.por.csv', 'apor', 'a.xlsx', 'a.xls.zip', 'a.porx', 'a.sd2x', 'asd2'])
      expect(await said(path), path).toBeUndefined()
  })
})
