import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { missingCodes } from '../table/columns/missing-codes.ts'
import { nameColumns } from '../table/files/column-names.ts'
import { oddLineEnd } from '../table/files/csv-records.ts'
import { similarLabels } from '../table/values/similar-labels.ts'
import { readDialect } from './relation/relation.ts'

const { file } = testFolder()

describe('the delimiter', () => {
  it.each([
    ['a,b;c,d\n1,2;3,4\n', ','],
    ['a;b\n1,5;2\n', ';'],
    ['1,5;2,5;1\n2,5;3,5;1\n', ';'],
    ['a|b\n1|2\n', '|'],
    ['a\tb c\n1\t2\n', '\t'],
    ['"a,b";c\n1;2\n', ';'],
    [' 1  2 3\n10  2 3\n', 'blanks'],
    ['my answer\nyes\nno\n', ','],
    ['name;remark\nx;one, two\ny;none\n', ';'],
  ])('of %j is %j', (text, delimiter) => {
    expect(readDialect(file('d.csv', text), false, {}).delimiter).toBe(delimiter)
  })

  it('may be told', () => {
    expect(readDialect(file('t.csv', 'a b\n1 2\n'), false, { delimiter: 'tab' }).columns).toEqual(['a b'])
    expect(() => readDialect(file('t.csv', 'a\n'), false, { delimiter: 'ab' })).toThrow('one character, tab or blanks')
  })
})

it('lines that end differently are found outside quotes only', () => {
  expect(oddLineEnd('a\r\n"b\nc"\r\nd\n')).toBe(4)
  expect(oddLineEnd('a\n"b\r\nc"\nd\n')).toBeUndefined()
})

describe('codes for missing values', () => {
  it.each([
    [[1, 2, 3, 99], ['99']],
    [
      [1, 2, 97, 98, 99],
      ['97', '98', '99'],
    ],
    [[20, 45, 70, 99], []],
    [[0, 1, -9], ['-9']],
    [[-10, -9, -8, 3], []],
    [['yes', 'no', "Don't know", 'DK', 'n/a'], []],
    [
      ['yes', 'no', 'maybe', 'Don’t know', 'N/A'],
      ['Don’t know', 'N/A'],
    ],
    [
      ['1', '2', '5', '999', '.'],
      ['.', '999'],
    ],
    [['never', 'none', 'often'], []],
    [['yes', 'no', '-99'], ['-99']],
    [
      ['-8', '999', 'Refused', 'no', 'yes'],
      ['Refused', '-8', '999'],
    ],
    [['Boeing', '747', '777'], []],
    [['Refused', '99'], ['Refused']],
    [['male', 'female', 'unknown'], ['unknown']],
  ])('of %j are %j', (labels, codes) => {
    expect(missingCodes(labels)).toEqual(codes)
  })
})

it('similar labels are grouped', () => {
  expect(similarLabels(['Good', 'Good ', 'bad', 'good', 'x'])).toEqual([['Good', 'Good ', 'good']])
  expect(similarLabels([1, 2])).toEqual([])
})

describe('names of columns in SQL', () => {
  const named = (...columns: string[][]) => nameColumns(columns.map((each, i) => ({ path: `f${i}`, columns: each })))
  it('differ by more than case', () => {
    expect(named(['v1', 'V1', 'V1_2']).sql).toEqual([['v1', 'V1_2', 'V1_2_2']])
    expect(named(['a', 'a', 'a_2']).sql).toEqual([['a', 'a_3', 'a_2']])
  })

  it('are the same in every file for the same column', () => {
    expect(named(['v1', 'V1'], ['V1', 'v1']).sql[1]).toEqual(['V1_2', 'v1'])
    expect(named(['Region', 'x'], ['region', 'x']).sql[1]).toEqual(['Region', 'x'])
    expect(named(['Region', 'x'], ['region', 'x']).notes).toEqual([])
  })
})
