import { describe, expect, it } from 'vitest'
import { twoReaders } from '../../../../../test/two-readers.ts'
import { dialectOf } from './csv-dialect.ts'

const dialect = (text: string, options = {}) => dialectOf('x.csv', new TextEncoder().encode(text), false, options)
const rows = 'a,b,c\nb,b,c\na,a,c\nb,a,d\n'

describe('titles above the names of the columns', () => {
  it.each([
    ['Survey of 2024\n', 1],
    ['Survey of 2024\nExported 2024-05-01\n\n', 3],
    ['Survey of 2024,,\n,,\n', 2],
    ['"Survey of 2024, wave 2",,\n', 1],
  ])('%j are left out', (titles, skip) => {
    const { columns, notes, ...found } = dialect(`${titles}q1,q2,q3\n${rows}`)
    expect({ columns, ...found }).toMatchObject({ columns: ['q1', 'q2', 'q3'], skip, header: true, delimiter: ',' })
    expect(notes.map(({ text }) => text)).toEqual([
      `x.csv: ${skip === 1 ? 'line 1 is a title and is' : `lines 1 to ${skip} are titles and are`} left out; line ${skip + 1} names the columns (to begin with the first line, use skipRows: 0)`,
    ])
  })

  it('with a few words separated as the fields are, and other separators', () => {
    expect(dialect(`Survey, 2024\nq1,q2,q3,q4\n${rows.replaceAll('\n', ',x\n')}`).skip).toBe(1)
    expect(dialect(`Umfrage\nq1;q2;q3\n${rows.replaceAll(',', ';')}`)).toMatchObject({ skip: 1, delimiter: ';' })
    expect(dialect(`Umfrage\r\nq1\tq2\r\na\tb\r\nb\ta\r\n`)).toMatchObject({ skip: 1, delimiter: '\t' })
    expect(dialect(`sep=,\nTitle\nq1,q2,q3\n${rows}`).skip).toBe(2)
    expect(dialect(`Title\ncountry,2019,2020,2021\nAT,1,2,3\nDE,4,5,6\n`).skip).toBe(1)
  })

  it.each([
    ['a table', `q1,q2,q3\n${rows}`],
    ['a header with one name', 'q1,,\n1,2,3\n1,2,3\n'],
    ['names of rows, as R writes them', '"x"\n"1",5\n"2",6\n"3",5\n'],
    ['decimal commas in a single column', 'size\n1,5\n2,5\n3,0\n'],
    ['texts with commas in a single column', 'word\nhello, world\nhello, you\nbye, you\n'],
    ['a line too short', 'q1,q2\na,b,c\nb,b,c\na,a,c\n'],
    ['blank lines alone', 'a\n\nb\n'],
    ['lines of one word', 'a\nb\nc\n'],
  ])('not in %s', (_, text) => expect(dialect(text).skip).toBe(0))

  it('not if rows are skipped as asked, or there are no names', () => {
    const text = `Survey\nq1,q2,q3\n${rows}`
    expect(dialect(text, { skipRows: 0 }).skip).toBe(0)
    expect(dialect(text, { header: false }).skip).toBe(0)
    expect(dialect(text, { delimiter: ';' }).skip).toBe(0)
  })
})

describe('both readers', () => {
  const readBoth = twoReaders()
  it.each([
    ['leave titles out', new TextEncoder().encode(`Survey of 2024\n\nq1,q2,q3\n${rows}`), 'line 3 names the columns'],
    [
      'leave padded titles out',
      new TextEncoder().encode(`Survey of 2024,,\r\n,,\r\nq1,q2,q3\r\n${rows.replaceAll('\n', '\r\n')}`),
      'line 3 names the columns',
    ],
    [
      'refuse a header that is not UTF-8',
      Uint8Array.from('Gr\xf6\xdfe,vote\nbig,yes\nsmall,no\n', letter => letter.charCodeAt(0)),
      "x.csv, line 1: it is not UTF-8 text; name its encoding, as in encoding 'windows-1252'",
    ],
    [
      'count all fields of a line',
      new TextEncoder().encode('a,b,c,d\n1,2,3,4\n1,2,3,4,5,6\n'),
      'line 3: it has 6 fields where the header has 4',
    ],
    [
      'count missing fields',
      new TextEncoder().encode('a,b,c,d\n1,2,3,4\n1,2\n'),
      'line 3: it has 2 fields where the header has 4',
    ],
  ])('%s', async (_, bytes, said) => {
    const { readings } = await readBoth('x.csv', bytes, {})
    expect(readings[0]).toEqual(readings[1])
    expect(JSON.stringify(readings[0])).toContain(said)
  })

  it('read a header in the encoding that is named', async () => {
    const bytes = Uint8Array.from('Gr\xf6\xdfe,vote\nbig,yes\nsmall,no\nbig,no\nsmall,yes\n', letter =>
      letter.charCodeAt(0),
    )
    const { readings } = await readBoth('x.csv', bytes, { encoding: 'windows-1252' })
    expect(readings[0]).toEqual(readings[1])
    expect(JSON.stringify(readings[0])).toContain('Größe')
  })

  it('keep a sign for what is no text, if it is written so', async () => {
    const { readings } = await readBoth('x.csv', 'a\ufffd,b\nx,y\nu,v\nx,v\n', {})
    expect(readings[0]).toEqual(readings[1])
    expect(JSON.stringify(readings[0])).toContain('a\ufffd')
  })
})
