import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { refuseForeign } from './foreign-formats.ts'
import { checkFormat, FORMATS } from './formats.ts'
import { asUtf8, checkEncoded, checkFormatOptions, decoderNamed, isEncoding, textReader } from './text-encoding.ts'

const bytes = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0))

describe('how text is written', () => {
  it('has a name that is known', () => {
    for (const name of ['utf-8', 'windows-1252', 'latin1', 'utf-16', 'shift_jis']) expect(isEncoding(name), name).toBe(true) // biome-ignore format: one line
    for (const name of ['', 'windows-9999', 'western']) expect(isEncoding(name), name).toBe(false)
  })

  it.each([
    ['latin-1', 'windows-1252'],
    ['Latin 1', 'windows-1252'],
    ['ISO_8859-1', 'windows-1252'],
    ['iso 8859 15', 'iso-8859-15'],
    ['Latin-9', 'iso-8859-15'],
    ['CP1252', 'windows-1252'],
    [' Windows 1251 ', 'windows-1251'],
    ['win-1250', 'windows-1250'],
    ['cp65001', 'utf-8'],
    ['UTF8', 'utf-8'],
    ['utf_8', 'utf-8'],
    ['UTF 16', 'utf-16le'],
    ['Shift-JIS', 'shift_jis'],
    ['koi8-r', 'koi8-r'],
  ])('%s is %s', (name, encoding) => expect(decoderNamed(name)?.encoding).toBe(encoding))

  it('is decoded piece by piece, and refused if it is something else', async () => {
    const take = textReader('x.csv', 'utf-8')
    expect([take(Uint8Array.of(65, 0xc3)), take(Uint8Array.of(0xa4)), take()]).toEqual(['A', 'ä', ''])
    expect(await refusal(() => textReader('x.csv', 'utf-8')(Uint8Array.of(0xff)))).toBe('DataError: x.csv is not utf-8 text') // biome-ignore format: one line
    const cut = textReader('x.csv', 'utf-8')
    cut(Uint8Array.of(0xc3))
    expect(await refusal(() => cut())).toBe('DataError: x.csv is not utf-8 text')
    expect((await Promise.resolve().then(() => cut(Uint8Array.of(0xff))).catch((error: Error) => error)) as Error).toHaveProperty('cause') // biome-ignore format: one line
    expect(new TextDecoder().decode(asUtf8('x.csv', bytes('Stra\xdfe \x80'), 'windows-1252'))).toBe('Straße €')
    expect(await refusal(() => asUtf8('x.csv', Uint8Array.of(0xc3), 'utf-8'))).toBe('DataError: x.csv is not utf-8 text') // biome-ignore format: one line
  })

  it('matters for some formats', async () => {
    for (const format of FORMATS) {
      const used = ['csv', 'tsv', 'sav', 'dta', 'rds', 'xpt'].includes(format)
      const message = `OptionError: encoding is for CSV, SPSS, Stata, R and SAS files, and x is a .${format} file`
      expect(await refusal(() => checkEncoded('x', format))).toBe(used ? undefined : message)
    }
  })
})

describe('options of formats', () => {
  it.each([
    ['sheet', ['xlsx', 'ods', 'rds', 'xpt'], 'spreadsheets, R and SAS files'],
    ['delimiter', ['csv', 'tsv'], 'separated text'],
    ['skipRows', ['csv', 'tsv', 'xlsx', 'ods'], 'separated text and spreadsheets'],
    ['base', ['tns'], '.tns files'],
    ['coordinates', ['npy', 'npz'], 'NumPy arrays'],
  ])('%s', async (option, formats, what) => {
    for (const format of FORMATS) {
      const said = await refusal(() => checkFormatOptions('x', format, { [option]: 0 }))
      const message = `OptionError: ${option} is for ${what}, and x is a .${format} file`
      expect(said).toBe(formats.includes(format) ? undefined : message)
      expect(
        await refusal(() => checkFormatOptions('x', format, { [option]: undefined, header: true })),
      ).toBeUndefined()
    }
  })

  it('are checked, and formats too', async () => {
    expect(FORMATS.map(checkFormat)).toEqual(FORMATS)
    expect(await refusal(() => checkFormat('parket'))).toBe('OptionError: there is no format "parket"; did you mean "parquet"?') // biome-ignore format: one line
  })
})

describe('files of other programs', () => {
  const said = (path: string, head = '') => refusal(() => refuseForeign(path, bytes(head)))
  const refused = (path: string, name: string, how: string) => `DataError: ${path} is ${name}, which cannot be read; export it as CSV or Parquet (${how})` // biome-ignore format: one line
  const sheet = 'a spreadsheet of another kind than .xlsx and .ods, or one with a password'

  it.each([
    ['data/a b.por', refused('data/a b.por', 'a portable SPSS file', 'in R: write.csv(haven::read_por("data/a b.por"), "a b.csv", row.names = FALSE)')],
    ['a.SAS7BDAT', refused('a.SAS7BDAT', 'a SAS data set', 'or as .xpt or .sav; in R: haven::write_sav(haven::read_sas("a.SAS7BDAT"), "x.sav")')],
    ['a.sas7bcat', refused('a.sas7bcat', 'a SAS data set', 'or as .xpt or .sav; in R: haven::write_sav(haven::read_sas("a.sas7bcat"), "x.sav")')],
    ['a.sd2', refused('a.sd2', 'a SAS data set', 'or as .xpt or .sav; in R: haven::write_sav(haven::read_sas("a.sd2"), "x.sav")')],
    ['a.ssd01', refused('a.ssd01', 'a SAS data set', 'or as .xpt or .sav; in R: haven::write_sav(haven::read_sas("a.ssd01"), "x.sav")')],
    ['C:\\my\\a.b.xls', refused('C:\\my\\a.b.xls', sheet, 'in Excel: File, Save As, Excel workbook (a.b.xlsx)')],
    ['a.xlsb', refused('a.xlsb', sheet, 'in Excel: File, Save As, Excel workbook (a.xlsx)')],
    ['a.numbers', refused('a.numbers', sheet, 'in Excel: File, Save As, Excel workbook (a.xlsx)')],
  ])('%s is refused', async (path, message) => expect(await said(path)).toBe(message)) // biome-ignore format: a table

  it('are told by their first bytes too', async () => {
    expect(await said('a.csv', '\xd0\xcf\x11\xe0')).toBe(refused('a.csv', sheet, 'in Excel: File, Save As, Excel workbook (a.xlsx)')) // biome-ignore format: one line
    expect(await said('a.csv', 'x\xd0\xcf')).toBeUndefined()
    for (const path of ['a.csv', 'a.por.csv', 'apor', 'a.xlsx', 'a.xls.zip', 'a.porx', 'a.sd2x', 'asd2']) expect(await said(path), path).toBeUndefined() // biome-ignore format: one line
  })
})
