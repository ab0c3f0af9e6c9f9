import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { columnCodes, columnOrders } from './column-codes.ts'
import { columnRecodings } from './column-recodings.ts'
import { expandNames } from './named-lists.ts'

const view = (...names: string[]) => ({
  name: 'x.csv',
  columns: names.map(name => ({ name, key: name, type: 'VARCHAR' })),
})

describe('patterns of columns', () => {
  const columns = view('q1', 'Q10', 'q1b', 'aq1', 'q', 'q.1', 'aa')
  it.each([
    ['q*', ['q1', 'Q10', 'q1b', 'q', 'q.1']],
    ['q1*', ['q1', 'Q10', 'q1b']],
    ['*1', ['q1', 'aq1', 'q.1']],
    ['*', ['q1', 'Q10', 'q1b', 'aq1', 'q', 'q.1', 'aa']],
    ['*q*1*', ['q1', 'Q10', 'q1b', 'aq1', 'q.1']],
    ['q.*', ['q.1']],
    ['q*q', []],
    ['aa*a', []],
    ['a*a', ['aa']],
  ])('%s', (pattern, expected) => {
    expect(expandNames([pattern], undefined, columns)).toEqual(expected.length === 0 ? [pattern] : expected)
  })

  it('are matched at once, however many stars there are', () => {
    const long = view('a'.repeat(300))
    expect(expandNames([`${'a*'.repeat(150)}b`], undefined, long)).toEqual([`${'a*'.repeat(150)}b`])
    expect(expandNames(['a*'.repeat(150)], undefined, long)).toEqual(['a'.repeat(300)])
  })
})

describe('options that name columns and say something of them', () => {
  const table = view('q1', 'q2', 'a:b', 'a', 'x,y', 'a=b', 'Q"t', 'star*')
  const codes = (...texts: string[]) => columnCodes(texts, table)
  const rule = 'missingIn must name a column and its codes, as in trust0:8,9'
  const there = 'there are q1, q2, a:b, a, "x,y", a=b, "Q""t", star*'
  const colon = '(put a code with a colon in double quotes, as in "12:30")'

  it('codes of columns', () => {
    expect(codes('q1:8,9')).toEqual({ q1: ['8', '9'] })
    expect(codes('Q1:8', 'q1:9', 'q2: 9 ,"1,2"')).toEqual({ q1: ['8', '9'], q2: ['9', '1,2'] })
    expect(codes('q*:77')).toEqual({ q1: ['77'], q2: ['77'], 'Q"t': ['77'] })
    // The first colon that ends the name of a column ends it.
    expect(codes('a:b:5')).toEqual({ a: ['b:5'] })
    expect(codes('"a:b":5,"6:7"')).toEqual({ 'a:b': ['5', '6:7'] })
    expect(codes('"Q""t":5')).toEqual({ 'Q"t': ['5'] })
    expect(codes('x,y:5')).toEqual({ 'x,y': ['5'] })
    expect(codes('star*:5')).toEqual({ 'star*': ['5'] })
    expect(codes()).toEqual({})
  })

  it.each([
    ['8,9', `${rule} (got "8,9")`],
    ['q1:', `${rule} (got "q1:")`],
    [':8', `${rule} (got ":8")`],
    ['"q1"8:9', `${rule} (got "\\"q1\\"8:9")`],
    ['"q1:8"', `${rule} (got "\\"q1:8\\"")`],
    ['q3:8', `missingIn 'q3:8': x.csv has no column "q3"; did you mean "q1"? ${colon}`],
    ['income:8', `missingIn 'income:8': x.csv has no column "income"; ${there} ${colon}`],
    ['"q*":8', `missingIn '"q*":8': x.csv has no column "q*"; did you mean "q1"? ${colon}`],
    [
      '8,q1:9',
      "missingIn '8,q1:9': names codes before a column (give codes for all columns and codes for one column separately)",
    ],
    ['"8,q1":9', `missingIn '"8,q1":9': x.csv has no column "8,q1"; did you mean "q1"? ${colon}`],
    ['z*:9', `missingIn 'z*:9': no column of x.csv matches z* (its columns are ${there.slice('there are '.length)})`],
  ])('%s is refused', async (text, message) => {
    expect(await refusal(() => codes(text))).toBe(`OptionError: ${message}`)
  })

  it('orders of columns: the last one counts', async () => {
    expect([...columnOrders(['q*=low,high', 'q2=1,2', '"a=b"=x'], table)]).toEqual([
      ['q1', ['low', 'high']],
      ['q2', ['1', '2']],
      ['Q"t', ['low', 'high']],
      ['a=b', ['x']],
    ])
    expect(await refusal(() => columnOrders(['q1:low'], table))).toBe(
      'OptionError: order must name a column and its categories in order, as in q1=low,middle,high (got "q1:low")',
    )
    expect(await refusal(() => columnOrders(['income=low'], table))).toBe(
      `OptionError: order 'income=low': x.csv has no column "income"; ${there}`,
    )
  })

  it('a pattern that matches nothing is refused where it is known what it is for', async () => {
    expect(await refusal(() => expandNames(['z*'], 'modes', table))).toBe(
      `OptionError: modes 'z*': no column of x.csv matches z* (its columns are ${there.slice('there are '.length)})`,
    )
    expect(expandNames(['zz', 'Q1', 'star*'], 'modes', table)).toEqual(['zz', 'q1', 'star*'])
    const long = `${'z'.repeat(250)}*`
    expect(await refusal(() => expandNames([long], 'modes', table))).toContain(
      `modes '${'z'.repeat(200)}…': no column of x.csv matches ${'z'.repeat(200)}… (`,
    )
  })

  it('recodings of columns', () => {
    const recodings = (...texts: string[]) => columnRecodings(texts, table)
    expect(recodings('q1:1,2=low,3=high')).toEqual({
      q1: [
        { from: ['1', '2'], to: 'low' },
        { from: ['3'], to: 'high' },
      ],
    })
    expect(recodings('q1: 1 , 2 = low ; q2:5=x', 'q1:4=high')).toEqual({
      q1: [
        { from: ['1', '2'], to: 'low' },
        { from: ['4'], to: 'high' },
      ],
      q2: [{ from: ['5'], to: 'x' }],
    })
    expect(recodings('q*:1="a, b"')).toEqual(
      Object.fromEntries(['q1', 'q2', 'Q"t'].map(name => [name, [{ from: ['1'], to: 'a, b' }]])),
    )
    expect(recodings('"a:b":"x;y"="say ""z=1"""')).toEqual({ 'a:b': [{ from: ['x;y'], to: 'say "z=1"' }] })
    // The same twice is no contradiction.
    expect(recodings('q1:1=a,1=a').q1).toHaveLength(2)
    expect(recodings('q1:1=a', 'q2:1=b')).toHaveProperty('q2')
  })

  const missing = 'a category cannot become missing by recoding; use missingIn'
  it.each([
    ['q1', 'recode must name a column, its categories and what they become, as in q1:1,2=low,3=high (got "q1")'],
    [
      'income:1=2',
      `recode 'income:1=2': x.csv has no column "income"; ${there} (put a name with a colon in double quotes, as in "q:1":2=low)`,
    ],
    ['q1:1,,2=x', "recode 'q1:1,,2=x': a category is empty; give it a name, or remove the comma"],
    ['q1:=x', "recode 'q1:=x': a category is empty; give it a name, or remove the comma"],
    ['q1:1=x,', "recode 'q1:1=x,': a category is empty; give it a name, or remove the comma"],
    ['q1:1=x=y', 'recode \'q1:1=x=y\': "x" is between two =; put a category that contains = in double quotes'],
    ['q1:1,2=', `recode 'q1:1,2=': ${missing} 'q1:1,2'`],
    ['"a:b":1=NA', `recode '"a:b":1=NA': ${missing} '"a:b":1'`],
    ['q1:1=x,2,3', 'recode \'q1:1=x,2,3\': nothing says what "2", "3" becomes; add =, as in 3=low'],
    [' q1:2 ', 'recode \'q1:2\': nothing says what "2" becomes; add =, as in 2=low'],
    ['q1:1=a,2=b,1=c', 'recode: "1" of "q1" is to become both "a" and "c"; name it once'],
    ['q1:1=a;q*:1=c', 'recode: "1" of "q1" is to become both "a" and "c"; name it once'],
    [';', 'recode must name a column, its categories and what they become, as in q1:1,2=low,3=high (got ";")'],
  ])('the recoding %s is refused', async (text, message) => {
    expect(await refusal(() => columnRecodings([text], table))).toBe(`OptionError: ${message}`)
  })
})
