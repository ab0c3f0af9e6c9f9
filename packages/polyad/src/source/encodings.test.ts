import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { readTwice as readTensor, twoReaders } from '../../../../test/two-readers.ts'

/** Files that are not UTF-8, by DuckDB and in memory. */
const both = twoReaders()
const { file } = testFolder()

const lines = ['größe,preis', 'groß,“5 €”', 'klein,„3 €“', 'groß,„3 €“', 'klein,“5 €”', '']
/** The letters of windows-1252 beyond those of Latin 1. */
const WINDOWS: Readonly<Record<string, number>> = { '€': 0x80, '“': 0x93, '”': 0x94, '„': 0x84 }
const windows = (text: string) => Uint8Array.from(text, letter => WINDOWS[letter] ?? letter.charCodeAt(0))
const table = windows(lines.join('\n'))

describe('an encoding', () => {
  it.each([
    ['windows.csv', table, 'windows-1252'],
    ['windows.csv.gz', gzipSync(table), 'cp1252'],
    ['utf16.csv', new Uint8Array(Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le')), 'utf-16'],
  ])('of %s is read alike by both', async (name, bytes, encoding) => {
    const { readings, inspections } = await both(name, bytes, { encoding, modes: ['größe', 'preis'] })
    expect(readings[0]).toMatchObject({
      labels: [
        { name: 'größe', labels: ['groß', 'klein'] },
        { name: 'preis', labels: ['“5 €”', '„3 €“'] },
      ],
    })
    expect(readings[1]).toEqual(readings[0])
    expect(inspections[1]).toEqual(inspections[0])
  })

  it('is proposed where a file is not UTF-8, and faults keep their file and line', async () => {
    const { readings } = await both('plain.csv', table, {})
    expect(readings[0]).toMatch(
      /plain.csv, line \d: it is not UTF-8 text; name its encoding, as in encoding 'windows-1252'$/,
    )
    expect(readings[1]).toBe(readings[0])
    for (const [name, text] of [
      ['uneven.csv', 'ä,b\n1,ö\n2\n'],
      ['blanks.dat', '1 2 3\n1 ö 1\n1 2\n'],
    ] as const) {
      const uneven = await both(name, windows(text), { encoding: 'latin1' })
      expect(uneven.readings[0]).toMatch(new RegExp(`${name}, line 3: it has \\d fields? where the`))
      expect(uneven.readings[1]).toBe(uneven.readings[0])
    }
    const count = await both('count.csv', windows('ä,n\nö,1\nü,-1\n'), { encoding: 'latin1', count: 'n' })
    expect(count.readings[0]).toMatch(/count.csv, line 3, column "n": a count must be a number ≥ 0/)
    expect(count.readings[1]).toBe(count.readings[0])
  })

  it('is refused where the text is not written so, or the format has its own', async () => {
    const wrong = await both('wrong.csv', table, { encoding: 'utf-8' })
    expect(wrong.readings[0]).toMatch(/^DataError: .*wrong.csv is not utf-8 text$/)
    expect(wrong.readings[1]).toBe(wrong.readings[0])
    const json = await both('x.json', '[{"a":1}]', { encoding: 'latin1' })
    expect(json.readings[0]).toMatch(
      /^OptionError: encoding is for CSV, SPSS, Stata, R and SAS files, and .* is a .json file$/,
    )
    expect(json.readings[1]).toBe(json.readings[0])
    await expect(readTensor(file('x.csv', 'a\n1\n'), { encoding: 'klingon' })).rejects.toThrow(
      'encoding must be the name of an encoding, such as windows-1252 (got "klingon")',
    )
  })
})
