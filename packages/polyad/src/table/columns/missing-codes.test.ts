import { describe, expect, it } from 'vitest'
import { looked } from '../../../../../test/looked-at.ts'
import { refusal } from '../../../../../test/refusal.ts'
import type { Reading } from '../view/reading.ts'
import type { TableView } from '../view/view.ts'
import { type CodedColumn, missingCodes, suspects } from './missing-codes.ts'
import { missingCodesNote, unusedCodesNote } from './missing-notes.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const columns = (values: Readonly<Record<string, CodedColumn['values']>>) =>
  Object.entries(values).map(([name, own]) => ({ name, values: own }))
const noteOf = (values: Readonly<Record<string, CodedColumn['values']>>) =>
  missingCodesNote(suspects(columns(values)))[0]?.text

describe('codes for missing values', () => {
  it.each([
    // Runs at the end of a field of two digits, with numbers free below.
    [
      [...range(18, 93), 97, 98, 99],
      ['97', '98', '99'],
    ],
    [[...range(18, 96), 97, 98], []],
    [[...range(18, 96), 99], []],
    // 99 alone, far above many others.
    [[...range(18, 88), 99], ['99']],
    [[...range(18, 90), 99], ['99']],
    [[...range(18, 80), 84, 88, 99], []],
    [[...range(70, 88), 99], []],
    [[...range(100, 300), 302, 306, 999], ['999']],
    [[...range(500, 900), 999], ['999']],
    [[...range(500, 900), 998], []],
    [range(500, 1000), []],
    [range(0, 100), []],
    [
      [...range(0, 10), 77, 88, 99],
      ['77', '88', '99'],
    ],
    // Below zero, beside a scale that reaches further up, or beside an age.
    [
      [-2, -1, ...range(0, 10)],
      ['-2', '-1'],
    ],
    [
      [-8, -2, -1, ...range(18, 80)],
      ['-8', '-2', '-1'],
    ],
    [
      [-9, -8, -1, 0, 1],
      ['-9', '-8', '-1'],
    ],
    [range(-2, 2), []],
    [[-2, -1, 1, 2], []],
    [[-1, 0, 1], []],
    [range(-9, 9), []],
    [[-3, -1, 0, 1, 2, 3], []],
    [range(-9, 30), []],
    [[-3, -1, ...range(0, 200)], []],
    [[-0.5, -1, 3, 4, 5], []],
  ])('of %j are %j', (values, codes) => expect(missingCodes(values)).toEqual(codes))

  it('below zero, beside measurements, are some by custom', () => {
    const found = [...range(-1001, -10), -10_000, -9999, -9998].filter(
      code => missingCodes([code, ...range(0, 60)]).length > 0,
    )
    expect(found.sort((a, b) => b - a)).toEqual([-77, -88, -97, -98, -99, -777, -888, -997, -998, -999, -9999])
  })

  it('far above all others are some by custom', () => {
    const found = [...range(61, 1001), ...range(7770, 8890), ...range(9990, 10_000)].filter(
      code => missingCodes([...range(1, 30), code]).length > 0,
    )
    expect(found).toEqual([77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9997, 9998, 9999])
    // More than twice as large as the largest.
    expect([missingCodes([...range(1, 38), 77]), missingCodes([...range(1, 39), 77])]).toEqual([['77'], []])
    expect([missingCodes([1, 49, 98]), missingCodes([1, 48, 98])]).toEqual([[], ['98']])
  })

  it.each<[CodedColumn['values'], string[]]>([
    // Blanks are no number, and a missing word among numbers leaves them numbers.
    [['', 'yes', 'no'], []],
    [
      ['Refused', 'yes', 'no', '9999'],
      ['Refused', '9999'],
    ],
    [
      ['Refused', 'dk', '1', '2'],
      ['Refused', 'dk'],
    ],
    [['Refused', 'dk', 'na', '1', '2'], []],
    // 5 alone among words is no code by custom, and 98 and 99 are.
    [
      ['yes', '98', '99'],
      ['98', '99'],
    ],
    [['98', '99'], []],
    // −3 to 4 is a scale: it reaches one further up. To 5 it is not.
    [[-3, -2, -1, ...range(0, 4)], []],
    [
      [-3, -2, -1, ...range(0, 5)],
      ['-3', '-2', '-1'],
    ],
    // A scale has eleven steps at most, and they are whole.
    [
      [-8, -1, ...range(1, 11)],
      ['-8', '-1'],
    ],
    [[-8, -1, ...range(0, 11)], ['-8']],
    [[-8, -1, 0, 1, 2, 12], ['-8']],
    [[-8, -1, 0, 1, 2, 10.5], ['-8']],
    // Other values from 5 on are far above.
    [
      [-2, -1, ...range(5, 40)],
      ['-2', '-1'],
    ],
    [[-2, -1, ...range(4, 40)], []],
    [[-10, -1, ...range(4, 40)], []],
    // Runs at the end of three and four digits, with two numbers free below.
    [
      [...range(800, 994), 997, 998],
      ['997', '998'],
    ],
    [[...range(800, 995), 997, 998], []],
    [
      [5000, 9000, 9998, 9999],
      ['9998', '9999'],
    ],
    [[5000, 9000, 9998, 10_000], []],
    [[60, 70, 97, 98, 99.5], []],
    [[70, 97, 98], []],
  ])('of %j are %j', (values, codes) => expect(missingCodes(values)).toEqual(codes))

  it('at the end of a scale need a second column', () => {
    const scale = [...range(1, 5), 8, 9]
    const found = (values: Readonly<Record<string, CodedColumn['values']>>) =>
      Object.fromEntries(suspects(columns(values)).map(({ name, codes }) => [name, codes]))
    expect(found({ q1: scale, g: [1, 2] })).toEqual({ q1: [], g: [] })
    expect(found({ q1: scale, q2: scale, q3: [1, 2, 3, 9], rooms: range(1, 9) })).toEqual({
      q1: ['8', '9'],
      q2: ['8', '9'],
      q3: ['9'],
      rooms: [],
    })
    // In whatever order the values come.
    expect(found({ q1: [9, 3, 1, 8, 2], q2: [2, 1, 9, 3] })).toEqual({ q1: ['9'], q2: ['9'] })
    // A scale of seven without a 6, and one of ten with gaps.
    expect(found({ q1: [1, 2, 3, 4, 5, 7], q2: [1, 2, 3, 4, 5, 7] })).toEqual({ q1: [], q2: [] })
    expect(found({ q1: [1, 2, 3, 8, 9, 10], q2: [1, 2, 3, 8, 9, 10] })).toEqual({ q1: [], q2: [] })
    // Beside words that mean missing.
    expect(found({ q1: ['1', '2', '3', '9', 'Refused'], q2: ['1', '2', '3', '9'] })).toEqual({
      q1: ['Refused', '9'],
      q2: ['9'],
    })
  })

  it('are proposed with the option for their columns', () => {
    const scale = [...range(1, 5), 8, 9]
    const start = 'counted as answers, but may mean missing: '
    expect(noteOf({ trust0: scale, trust1: scale, age: range(1, 9) })).toBe(
      `${start}8, 9 in trust0 and trust1; if so, add missingIn 'trust*:8,9'`,
    )
    expect(noteOf({ trust0: scale, trust1: scale, trusted: range(1, 9) })).toBe(
      `${start}8, 9 in trust0 and trust1; if so, add missingIn 'trust0:8,9', missingIn 'trust1:8,9'`,
    )
    expect(noteOf({ moralG: scale, knowG: scale, moralB: [1, 2] })).toBe(
      `${start}8, 9 in moralG and knowG; if so, add missingIn '*G:8,9'`,
    )
    expect(noteOf({ a: [1, 2, 3, -99], b: ['x', 'y', 'z', 'Refused'] })).toBe(
      `${start}-99 in a, "Refused" in b; if so, add missing '-99', missing 'Refused'`,
    )
    // 99 means something in b.
    expect(noteOf({ a: [1, 2, 3, 99], b: range(90, 100) })).toBe(`${start}99 in a; if so, add missingIn 'a:99'`)
    expect(noteOf({ a: [1, 2], b: [3, 4] })).toBeUndefined()
  })
})

describe('notes of missing codes', () => {
  const suspect = (name: string, codes: readonly string[], values: readonly (string | number)[] = codes) => ({
    name,
    codes,
    values,
  })
  const said = (...found: ReturnType<typeof suspect>[]) =>
    missingCodesNote(found).map(
      ({ kind, text }) => `${kind}: ${text.replace('counted as answers, but may mean missing: ', '')}`,
    )

  it('columns with the same codes are named together', () => {
    expect(said()).toEqual([])
    expect(said(suspect('a, b', ['-9']))).toEqual(['warning: -9 in "a, b"; if so, add missing \'-9\''])
    expect(said(suspect('a', ['-9']), suspect('b', ['-9']), suspect('c', []))).toEqual([
      "warning: -9 in a and b; if so, add missing '-9'",
    ])
    expect(said(suspect('a', ['-9']), suspect('b, c', ['-9']), suspect('d', ['-9']))).toEqual([
      "warning: -9 in a…d (3 columns); if so, add missing '-9'",
    ])
    expect(said(suspect('a', ['-9', 'x y']), suspect('b', ['-8']))).toEqual([
      "warning: -9, \"x y\" in a, -8 in b; if so, add missing '-9', missing 'x y', missing '-8'",
    ])
    const seven = ['-1', '-2', '-3', '-4', '-5', '-6', '-7']
    expect(said(suspect('a', seven))[0]).toBe(
      "warning: -1, -2, -3, -4, -5, -6 and 1 more in a; if so, add missing '-1', missing '-2', missing '-3', missing '-4', missing '-5', missing '-6', …",
    )
    expect(said(suspect('a', seven.slice(1)))[0]).toMatch(/missing '-7'$/)
    expect(said(...seven.map((code, i) => suspect(`a${i}`, [code])))[0]).toContain('-6 in a5 and 1 more; if so')
  })

  it('single digits, and codes that mean something elsewhere, are for their columns', () => {
    expect(said(suspect('a', ['9', '-9']), suspect('b', []))).toEqual([
      "warning: 9, -9 in a; if so, add missing '-9', missingIn 'a:9'",
    ])
    expect(said(suspect('a', ['99']), suspect('b', [], [99, 98]))).toEqual([
      "warning: 99 in a; if so, add missingIn 'a:99'",
    ])
    expect(said(suspect('a', ['99']), suspect('b', ['99'], ['99', 98]))[0]).toContain("add missing '99'")
    expect(said(suspect('a', ['8', '9']), suspect('z', ['9']))[0]).toContain(
      "if so, add missingIn 'a:8,9', missingIn 'z:9'",
    )
    expect(said(suspect('a:b', ['9']), suspect('z', []))[0]).toContain(`add missingIn '"a:b":9'`)
  })

  it('a pattern names columns that begin or end alike, and no others', () => {
    const of = (...names: string[]) =>
      said(...names.map(name => suspect(name, ['9'])), suspect('other', []))[0].replace(/^.*if so, add /, '')
    expect(of('q1', 'q2', 'q33')).toBe("missingIn 'q*:9'")
    expect(of('aq', 'bq')).toBe("missingIn '*q:9'")
    expect(of('a', 'b')).toBe("missingIn 'a:9', missingIn 'b:9'")
    expect(of('o1', 'o2')).toBe("missingIn 'o1:9', missingIn 'o2:9'")
    expect(of('xr', 'yr')).toBe("missingIn 'xr:9', missingIn 'yr:9'")
    expect(of('q:1', 'q:2')).toBe(`missingIn '"q:1":9', missingIn '"q:2":9'`)
    expect(of('q,1', 'q,2')).toBe(`missingIn '"q,1":9', missingIn '"q,2":9'`)
    expect(of('q1')).toBe("missingIn 'q1:9'")
    expect(of('abc', 'ab')).toBe("missingIn 'ab*:9'")
  })
})

describe('codes that were given, but match nothing', () => {
  const columns = [looked('a'), looked('b, c'), looked('x:y')]
  /** A table that has some codes among its first rows, and others later. */
  const unused = async (
    reading: Partial<Reading>,
    first: readonly string[] = [],
    later: readonly string[] = [],
    all = true,
    more: Partial<TableView> = {},
  ) => {
    const asked: unknown[][] = []
    const view = {
      columns,
      codesFound: async (
        codes: readonly string[],
        used: readonly { name: string }[],
        within: object,
        whole: boolean,
      ) => {
        asked.push([codes, used.map(({ name }) => name), 'missingIn' in within, whole])
        return codes.map(code => first.includes(code) || (whole && later.includes(code)))
      },
      ...more,
    } as unknown as TableView
    const notes = await unusedCodesNote(view, columns.slice(0, 2), { missing: ['', 'NA'], ...reading }, all)
    return { said: notes.map(({ kind, text }) => `${kind}: ${text}`), asked }
  }

  it('are said, in all columns', async () => {
    expect(await unused({})).toEqual({ said: [], asked: [] })
    expect(await unused({ missing: ['', 'NaN', '-9', 'x'] }, ['-9'])).toEqual({
      said: ['warning: no value in the columns used matches the missing code "x"; check how it is written'],
      asked: [[['-9', 'x'], ['a', 'b, c'], false, false]],
    })
    expect((await unused({ missing: ['-9', 'x'] })).said).toEqual([
      'warning: no value in the columns used matches the missing codes -9, "x"; check how they are written',
    ])
    expect((await unused({ missing: 'pqrstuvw'.split('') })).said[0]).toContain('"u" and 2 more; check')
  })

  it('and in single ones', async () => {
    const { said, asked } = await unused({ missingIn: { a: ['8', '9'], 'b, c': ['7'], elsewhere: ['6'] } }, ['8'])
    expect(said).toEqual(['warning: 9 in a, 7 in "b, c": no value matches the missing code; check how it is written'])
    expect(asked).toEqual([
      [['8', '9'], ['a'], false, false],
      [['7'], ['b, c'], false, false],
    ])
    const seven = Object.fromEntries([['a', ['1', '2', '3', '4', '5', '6', '7']]])
    expect((await unused({ missingIn: seven })).said[0]).toContain('6 in a and 1 more: no value')
  })

  it('are looked for in all rows if the first are not all', async () => {
    const { said, asked } = await unused({ missing: ['-9', '-8', '-7'] }, ['-9'], ['-8'], false)
    expect(said[0]).toContain('the missing code -7;')
    expect(asked).toEqual([
      [['-9', '-8', '-7'], ['a', 'b, c'], false, false],
      [['-8', '-7'], ['a', 'b, c'], false, true],
    ])
    expect((await unused({ missing: ['-9'] }, ['-9'], [], false)).asked).toHaveLength(1)
  })

  it('that name a column are refused, of a query too', async () => {
    const refused = "OptionError: missing 'A:9': no value is written so. For codes of one column, use missingIn 'A:9'"
    expect(await refusal(() => unused({ missing: ['A:9'] }))).toBe(refused)
    expect(await refusal(() => unused({ missing: ['A:9'] }, [], [], true, { sql: 'SELECT 1' }))).toBe(refused)
    expect(await refusal(() => unused({ missing: ['x:y:9'] }))).toContain("use missingIn 'x:y:9'")
    expect((await unused({ missing: ['12:30'] })).said).toHaveLength(1)
    expect(await unused({ missing: ['12:30'] }, [], [], true, { sql: 'SELECT 1' })).toEqual({ said: [], asked: [] })
    // A value that is written so is a code.
    expect((await unused({ missing: ['a:9'] }, ['a:9'])).said).toEqual([])
  })
})

describe('the advice for codes', () => {
  const scales = Object.fromEntries(range(1, 147).map(i => [['v', 'x', 'trust'][i % 3] + i, [1, 2, 3, 4, 5, 9999]]))

  it('is one option for many columns', () => {
    expect(noteOf(scales)).toMatch(/9999 in x1…v147 \(147 columns\); if so, add missing '9999'$/)
    // A column of two values has the code as well.
    expect(noteOf({ ...scales, mentioned: [1, 9999] })).toMatch(/; if so, add missing '9999'$/)
    expect(noteOf({ ...scales, income: [500, ...range(8000, 12_000)] })).toMatch(
      /; if so, add missing '9999' \(9999 also occurs in income, and would be missing there too\)$/,
    )
  })

  it('names few columns', () => {
    const few = { a: [1, 2, 3, 9999], b: [1, 2, 9999], income: [500, ...range(8000, 12_000)] }
    expect(noteOf(few)).toMatch(/; if so, add missingIn 'a:9999', missingIn 'b:9999'$/)
  })
})
