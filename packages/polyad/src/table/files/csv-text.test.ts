import { inWords } from '@polyad/core/options'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { dialectOf, ENCODED, looksLikeData } from './csv-dialect.ts'
import { firstBlankRecords, firstLineEnd, firstRecord, firstRecords, oddLineEnd } from './csv-records.ts'
import { checkUnpackedSize } from './unpack-limits.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const dialect = (text: string, options = {}, tabs = false) => dialectOf('x.csv', bytes(text), tabs, options)

describe('records of separated text', () => {
  it('come back as they were written, with quotes wherever they are needed', () => {
    const field = fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', '\r', ';', '7'), maxLength: 6 })
    const records = fc
      .integer({ min: 2, max: 4 })
      .chain(width => fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }))
    const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
    fc.assert(
      fc.property(records, fc.constantFrom('\n', '\r\n', '\r'), fc.boolean(), (given, end, ended) => {
        const text = given.map(fields => fields.map(quoted).join(',')).join(end) + (ended ? end : '')
        const trimmed = given.map(fields => fields.map(each => each.trim()))
        expect(firstRecords(text, ',', 9)).toEqual(trimmed)
        expect(firstRecords(text, ',', 1)).toEqual(trimmed.slice(0, 1))
      }),
    )
  })

  it('have no outer blanks, blank lines or quotes', () => {
    expect(firstRecords('a , "b ""c""" ,d"e\n\n  \nf,,\n', ',', 9)).toEqual([
      ['a', 'b "c"', 'd"e'],
      ['f', '', ''],
    ])
    expect(firstRecord('a;b\nc;d', ';')).toEqual(['a', 'b'])
    expect(firstRecord('\na;b', ';')).toEqual([''])
    expect(firstRecord('', ';')).toEqual([''])
    expect(firstBlankRecords(' a  b\t c \r\n\n1 2 3\r4 5 6', 9)).toEqual([
      ['a', 'b', 'c'],
      ['1', '2', '3'],
      ['4', '5', '6'],
    ])
    expect(firstBlankRecords('a b\nc d\ne f', 2)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('end as their lines end, whatever is inside quotes', () => {
    expect([
      firstLineEnd('a\nb'),
      firstLineEnd('a\r\nb'),
      firstLineEnd('a\rb'),
      firstLineEnd('"a\n"'),
      firstLineEnd('"a\n"\r\nb'),
    ]).toEqual(['\n', '\r\n', '\r', undefined, '\r\n'])
    expect(oddLineEnd('a\nb\nc\n')).toBeUndefined()
    expect(oddLineEnd('a\r\nb\r\nc\r\n')).toBeUndefined()
    expect(oddLineEnd('a\r\nb\nc\r\n')).toBe(2)
    expect(oddLineEnd('a\nb\nc\r\n')).toBe(3)
    expect(oddLineEnd('a\r\n"b\nb"\r\nc\n')).toBe(4)
  })
})

describe('the dialect of a file', () => {
  it.each([
    ['a,b\n1,x\n2,y\n', ','],
    ['a;b\n1;x\n', ';'],
    ['a\tb\n1\tx\n', '\t'],
    ['a|b\n1|x\n', '|'],
    // Decimal commas stand between digits.
    ['1,5;2,5\n3,5;4,5\n', ';'],
    ['a,b;c\n1,2;3\n', ','],
    // The one that splits every line alike, not the one that splits the first most.
    ['a,b,c;d\n1;2\n3;4\n', ';'],
    ['a b\n1 2\n3 4\n', 'blanks'],
    ['"a" "b c"\n1 2\n', ' '],
    ['some words\nonly\n', ','],
    ['1 2 3\n4 5\n', 'blanks'],
  ])('%j is separated by %j', (text, delimiter) => {
    expect(dialect(text).delimiter).toBe(delimiter)
  })

  it('is what is said of it', () => {
    expect(dialect('a;b\n1;2\n', { delimiter: ',' }).columns).toEqual(['a;b'])
    for (const tab of ['tab', '\\t', '\t'])
      expect(dialect('a\tb,c\n', { delimiter: tab }).columns).toEqual(['a', 'b,c'])
    expect(dialect('a\tb,c\n1\t2\n', {}, true).columns).toEqual(['a', 'b,c'])
    expect(dialect('sep=;\na;b,c\n')).toMatchObject({ delimiter: ';', skip: 1, columns: ['a', 'b,c'] })
    expect(dialect('sep=;\r\na;b,c\r\n')).toMatchObject({ delimiter: ';', skip: 1, columns: ['a', 'b,c'] })
    expect(dialect('SEP=|\ntitle\na|b;c\n', { skipRows: 1 }).skip).toBe(2)
    expect(dialect('xsep=;\na;b\n')).toMatchObject({ skip: 0 })
    expect(dialect('a   b\n1 2\n', { delimiter: 'blanks' }).columns).toEqual(['a', 'b'])
  })

  it.each([
    ['a', { delimiter: ';;' }, 'OptionError: delimiter must be one character, tab or blanks (got ";;")'],
    ['a', { delimiter: '' }, 'OptionError: delimiter must be one character, tab or blanks (got "")'],
    ['a,b\n1,2', { skipRows: 2 }, 'DataError: x.csv has nothing after the 2 lines that skipRows leaves out'],
    [
      'title\n\na,b\n',
      { skipRows: 1 },
      'DataError: x.csv: line 2 is blank where the names of the columns should be; to begin further down, use skipRows: 2',
    ],
    [
      ',,\n1,2,3\n',
      {},
      'DataError: x.csv: line 1 is blank where the names of the columns should be; to begin further down, use skipRows: 1',
    ],
    [
      '\na,b\n',
      {},
      'DataError: x.csv: line 1 is blank where the names of the columns should be; to begin further down, use skipRows: 1',
    ],
    [
      ' \t\ra,b\n',
      {},
      'DataError: x.csv: line 1 is blank where the names of the columns should be; to begin further down, use skipRows: 1',
    ],
    [
      '',
      {},
      'DataError: x.csv: line 1 is blank where the names of the columns should be; to begin further down, use skipRows: 1',
    ],
    [
      'a,b\r\n1,2\n',
      {},
      'DataError: x.csv, line 2: it ends differently from the first (Windows and Unix line ends are mixed); make them alike, for instance with dos2unix',
    ],
    ['\xff\xfea', {}, "DataError: x.csv is in UTF-16; read it with encoding 'utf-16'"],
    ['ab\0', {}, 'DataError: x.csv is not a text file: it has a zero byte at position 2'],
    ['\0', {}, 'DataError: x.csv is not a text file: it has a zero byte at position 0'],
  ])('%j is refused', async (text, options, message) => {
    const head = Uint8Array.from(text, letter => letter.charCodeAt(0))
    expect(await refusal(() => dialectOf('x.csv', head, false, options))).toBe(message)
  })

  it('is found from the first twenty lines', () => {
    const line = (n: number, text: string) => `${text}\n`.repeat(n)
    // A line with other fields later does not matter.
    expect(dialect(`a,b,c;d\n${line(19, '1;2')}1;2;3\n`).delimiter).toBe(';')
    expect(dialect(`a,b,c;d\n${line(18, '1;2')}1;2;3\n`).delimiter).toBe(',')
    // A comma beside a letter is no decimal comma.
    expect(dialect(`a;b,c\n${line(3, '1;2,5')}`).delimiter).toBe(',')
    expect(dialect(`a;b;c\n${line(3, '1;2,5;3')}`).delimiter).toBe(';')
    expect(dialect(`1;2,5\n${line(3, '1;2,5')}`).delimiter).toBe(';')
    expect(dialect(`1;2,x\n${line(3, '1;2,5')}`).delimiter).toBe(',')
    expect(dialect(`1;x,2\n${line(3, '1;2,5')}`).delimiter).toBe(',')
    // The most fields of the first line, whatever the order of the candidates.
    expect(dialect('a,b|c|d\n1|2|3\n').delimiter).toBe('|')
    expect(dialect('a,b;c;d\n').delimiter).toBe(';')
    // Lines of one number each are no table.
    expect(dialect('1\n2 3\n4 5\n').delimiter).toBe('blanks')
    expect(dialect('1\n2 3\n4 5 6\n').delimiter).toBe(',')
    // Blanks may be quoted, and R writes names before the rows.
    expect(dialect('a b\n1 2 3\n4 5 6\n')).toMatchObject({ delimiter: 'blanks', columns: ['row', 'a', 'b'] })
    expect(dialect('a b\n1 2 3 4\n4 5 6 7\n').delimiter).toBe(',')
    expect(dialect('a b c\n1 2\n4 5\n').delimiter).toBe(',')
    expect(dialect('a b\n1 2\n4 5 6\n').delimiter).toBe(',')
    expect(dialect('a b\n1 2\n4\n').delimiter).toBe(',')
    expect(dialect('1 x 3\n4 5\n').delimiter).toBe(',')
    expect(dialect('a\nb\n').delimiter).toBe(',')
    expect(dialect('one two').delimiter).toBe('blanks')
    expect(dialect('"a" "b"\n"1 2" 3\n')).toMatchObject({ delimiter: ' ', columns: ['a', 'b'] })
  })

  it('tells data from names', () => {
    const header = (text: string) => dialect(text).header
    // Half of the numbers are seen again, or more.
    expect(header('1,2\n1,5\n')).toBe(false)
    expect(header('1,2,4\n1,5,6\n')).toBe(true)
    expect(header('1,9\n2,8\n')).toBe(true)
    expect(header('5\n5\n')).toBe(false)
    expect(header('1,\n1,2\n')).toBe(true)
    expect(header('3,4,5\n3,4,5\n')).toBe(true)
    expect(header('3,4\n3,4\n')).toBe(false)
    expect(header('3,4,6\n3,4,6\n')).toBe(false)
    expect(header('1 .\n2 *\n')).toBe(false)
    expect(header('1 x\n2 3\n')).toBe(true)
    expect([
      looksLikeData([]),
      looksLikeData([
        ['1', '0'],
        ['0', '1'],
        ['1', '1'],
      ]),
      looksLikeData([['a'], ['b']]),
    ]).toEqual([false, true, false])
    // Names of rows need two rows, and values in the last column.
    expect(dialect('a,b\nr1,1,2\n').columns).toEqual(['a', 'b'])
    expect(dialect('a,b\nr1,1,2\nr2,1\n').columns).toEqual(['a', 'b'])
    expect(dialect('a,b\nr1,1,2\nr2,1,\n').columns).toEqual(['row', 'a', 'b'])
    expect(dialect('1,0\n1,1,0\n2,1,0\n', { header: false }).columns).toEqual(['column1', 'column2'])
  })

  it('says what it found', () => {
    const said = (text: string, options = {}) =>
      dialect(text, options).notes.map(({ kind, text }) => `${kind}: ${text}`)
    expect(said('1,0\n0,1\n1,1\n')).toEqual([
      'choice: x.csv: its first line is data like the others, so the columns are column1, column2, …',
    ])
    expect(said('a\nb\n')).toEqual([
      "warning: x.csv has a single column: if its fields are separated, name the separator, as in delimiter ';'",
    ])
    expect(said('a\nb\n', { header: false })).toHaveLength(1)
    expect(inWords([ENCODED])).toBe("name its encoding, as in encoding 'windows-1252'")
  })

  it('names columns, those without a name too, and tells a header from data', () => {
    expect(dialect('a,,c\n1,2,3\n')).toMatchObject({ columns: ['a', 'column2', 'c'], header: true, notes: [] })
    const numbers = dialect('1,0\n0,1\n1,1\n')
    expect(numbers).toMatchObject({ columns: ['column1', 'column2'], header: false })
    expect(String(numbers.notes[0].text)).toContain('its first line is data like the others')
    expect(dialect('1,0\n0,1\n1,1\n', { header: false }).notes).toEqual([])
    expect(dialect('1,0\n0,1\n1,1\n', { header: true }).columns).toEqual(['1', '0'])
    // Years, and numbers of columns, are names.
    expect(dialect('2019,2020\n5,6\n7,8\n').header).toBe(true)
    expect(dialect('1,2,3\n1,2,3\n').header).toBe(true)
    expect(dialect('1,x\n1,x\n').header).toBe(true)
    expect(dialect('1 2\n3 .\n* 5\n')).toMatchObject({ delimiter: 'blanks', header: false })
    // R writes a name before every row, and none for it.
    expect(dialect('a,b\nr1,1,2\nr2,3,4\n').columns).toEqual(['row', 'a', 'b'])
    expect(dialect('a,b\nr1,1,2\nr1,3,4\n').columns).toEqual(['a', 'b'])
    expect(dialect('a,b\nr1,1,\nr2,3,\n').columns).toEqual(['a', 'b'])
    expect(String(dialect('a\nb\n').notes.at(-1)?.text)).toContain('has a single column')
  })

  it('begins after the lines that are skipped', () => {
    expect(dialect('title\n\na,b\n1,2\n', { skipRows: 2 })).toMatchObject({ skip: 2, columns: ['a', 'b'] })
    expect(() => dialect('a,b\n1,2', { skipRows: 2 })).toThrow(/nothing after the 2 lines/)
    expect(() => dialect('title\n\na,b\n', { skipRows: 1 })).toThrow(/line 2 is blank.*skipRows.*2/)
    expect(() => dialect(',,\n1,2,3\n')).toThrow(/line 1 is blank/)
  })

  it('has one kind of line ends', () => {
    expect(
      [dialect('a,b\n1,2\n'), dialect('a,b\r\n1,2\r\n'), dialect('a,b\r1,2\r')].map(({ newline }) => newline),
    ).toEqual(['\\n', '\\r\\n', '\\r'])
    expect(() => dialect('a,b\r\n1,2\n')).toThrow(/line 2: it ends differently/)
    expect(() => dialectOf('x', Uint8Array.of(255, 254, 65, 0), false, {})).toThrow(/UTF-16/)
    expect(() => dialectOf('x', Uint8Array.of(65, 66, 0), false, {})).toThrow(/zero byte at position 2/)
  })
})

describe('packed files', () => {
  it('what is packed may not grow out of proportion, or beyond a size', () => {
    const limit = { ratio: 100, freely: 1000, most: 50_000 }
    const check = (packed: number, size: number) => () => checkUnpackedSize('x.gz', packed, size, limit)
    // Freely up to 1,000 bytes, then a hundred times what is packed, and 50,000 in all.
    for (const [packed, allowed] of [
      [1, 1000],
      [10, 1000],
      [11, 1100],
      [200, 20_000],
      [9000, 50_000],
    ]) {
      expect(check(packed, allowed)).not.toThrow()
      expect(check(packed, allowed + 1)).toThrow(`more than ${allowed.toLocaleString('en-US')} bytes`)
    }
    expect(check(200, 20_001)).toThrow('20,000 bytes, 100 times its 200 bytes, the limit')
    expect(check(10, 1001)).toThrow('1,000 bytes, the limit')
    expect(check(9000, 50_001)).toThrow('50,000 bytes, the limit')
  })
})
