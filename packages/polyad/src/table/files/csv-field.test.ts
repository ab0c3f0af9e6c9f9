import { describe, expect, it } from 'vitest'
import { csvField, plainField } from './csv-field.ts'

describe('a field of CSV', () => {
  it.each([
    ['a b', 'a b'],
    ['', ''],
    [null, ''],
    [3.5, '3.5'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
    [' a', '" a"'],
    ['a ', '"a "'],
    ['=1+1', '=1+1'],
  ])('%j is %s', (value, field) => expect(plainField(value)).toBe(field))

  it.each<[string | number | null, string]>([
    ['=1+1', "'=1+1"],
    ['+x', "'+x"],
    ['-x', "'-x"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['\nx', '"\'\nx"'],
    ['=a,b', '"\'=a,b"'],
    ['=\n1', '"\'=\n1"'],
    // A sign alone computes nothing, nor do numbers.
    ...[
      '=',
      '+',
      '-',
      'a=b',
      '-3.5',
      '+3',
      '-1,200.50',
      "-1'200",
      '-1 200',
      '-1\u00a0200',
      '-1\u202f200',
      '-.5',
      '-,5',
      '-1e5',
      '-1E-5',
      '-5%',
      '-5%',
      '5',
    ].map((text): [string, string] => [text, /,/.test(text) ? `"${text}"` : text]),
    ['-1+2', "'-1+2"],
    ['-5%x', "'-5%x"],
    ['-.', "'-."],
    ['-e5', "'-e5"],
    ['-1e', "'-1e"],
    ['--1', "'--1"],
    [-3, '-3'],
    [null, ''],
  ])('for a spreadsheet, %j is %s', (value, field) => expect(csvField(value)).toBe(field))
})
