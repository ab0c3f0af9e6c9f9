import type { DataError } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import type { Dialect } from './csv-dialect.ts'
import { brokenJson, brokenJsonLine, isLineOfJson, lineFinder, unevenBlankLine } from './text-faults.ts'

const shown = ({ message, place, cause }: DataError) => ({ message, place, cause })

describe('faults of text', () => {
  it('a line that blanks split into more or fewer fields', () => {
    const cause = new Error('why')
    expect(shown(unevenBlankLine('x.dat', 'a b\n1 2\n\n3 4 5\n6', 0, cause))).toEqual({
      message: 'x.dat, line 4: it has 3 fields where the first line has 2',
      place: { line: 4 },
      cause,
    })
    expect(shown(unevenBlankLine('x.dat', 'title\ra b\r\n1', 1))).toEqual({
      message: 'x.dat, line 3: it has 1 field where the first line has 2',
      place: { line: 3 },
      cause: undefined,
    })
    expect(shown(unevenBlankLine('x.dat', 'a b\n1 2\n', 0, cause))).toEqual({
      message: 'x.dat: a line does not have as many fields as the first',
      place: {},
      cause,
    })
    expect(unevenBlankLine('x.dat', '', 0).message).toContain('a line does not have')
    expect(unevenBlankLine('x.dat', 'a\tb  c\n1 2', 0).message).toBe(
      'x.dat, line 2: it has 2 fields where the first line has 3',
    )
  })

  it('broken JSON, with its line where every line is one', () => {
    expect(['x.ndjson', 'X.JSONL', 'x.json', 'x.jsonl.gz', 'xjsonl'].map(isLineOfJson)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect(brokenJsonLine('{"a":1}\n{"a":\n')).toBe(2)
    expect(brokenJsonLine('{"a":1}\n\n  \n{"a":2}\nx')).toBe(5)
    expect(brokenJsonLine('{"a":1}\n{"a":2}')).toBeUndefined()
    expect(brokenJsonLine('x')).toBeUndefined()
    expect(brokenJsonLine(' [1,\nx]')).toBeUndefined()
    expect(brokenJsonLine('x\n[1]')).toBe(1)
    const cause = new Error('why')
    expect(shown(brokenJson('x.json', undefined, 'it ends', cause))).toEqual({
      message: 'x.json: the JSON is broken: it ends',
      place: {},
      cause,
    })
    expect(shown(brokenJson('x.json', 3, 'it ends'))).toEqual({
      message: 'x.json, line 3: the JSON is broken: it ends',
      place: { line: 3 },
      cause: undefined,
    })
  })
})

describe('the line on which a row begins', () => {
  const lines = (text: string, rows: number, dialect: Partial<Dialect> = {}) => {
    const given: Dialect = { delimiter: ',', columns: [], header: true, skip: 0, newline: '\\n', notes: [], ...dialect }
    const bytes = new TextEncoder().encode(text)
    return Array.from({ length: rows }, (_, i) => lineFinder(given, i + 1)(bytes))
  }

  it.each<[string, string, (number | undefined)[], Partial<Dialect>]>([
    ['with a header', 'a\n1\n2\n', [2, 3, undefined], {}],
    ['without', '1\n2\n', [1, 2, undefined], { header: false }],
    ['after blank lines', 'a\n\n1\n\n\n2', [3, 6], {}],
    ['after lines that are skipped', 'x\n"y\na\n1\n2', [4, 5], { skip: 2 }],
    ['after quoted line breaks', 'a\n"1\n\n1"\n2\n', [2, 5], {}],
    ['with Windows line ends', 'a\r\n1\r\n\r\n2\r\n', [2, 4], { newline: '\\r\\n' }],
    ['with old line ends', 'a\r1\r\r"x\r"\r2', [2, 4, 6], { newline: '\\r' }],
  ])('%s', (_, text, expected, dialect) => expect(lines(text, expected.length, dialect)).toEqual(expected))

  it('block by block', () => {
    const find = lineFinder({ delimiter: ',', columns: [], header: true, skip: 1, newline: '\\n', notes: [] }, 2)
    const blocks = ['ti', 'tle\na', '\n"1', '\n"\n', '2'].map(text => new TextEncoder().encode(text))
    expect(blocks.map(find)).toEqual([undefined, undefined, undefined, undefined, 5])
  })
})
