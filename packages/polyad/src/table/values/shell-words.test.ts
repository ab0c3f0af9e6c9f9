import { describe, expect, it } from 'vitest'
import { flagWithValue, shellWord } from './shell-words.ts'

describe('words of a command line', () => {
  it.each([
    ['age', 'age'],
    ['größe_2', 'größe_2'],
    ['a.b,c:d@e%f+g/h=i-j', 'a.b,c:d@e%f+g/h=i-j'],
    ['two words', '"two words"'],
    [' x', '" x"'],
    ['x ', '"x "'],
    ['q*', '"q*"'],
    ['$HOME', "'$HOME'"],
    ['a"b', `'a"b'`],
    ["it's", '"it\'s"'],
    ["it's 5$", "'it'\\''s 5$'"],
    ["''", `"''"`],
    ['a;b', '"a;b"'],
    ['', '""'],
  ])('%j is %s', (text, word) => expect(shellWord(text)).toBe(word))

  it.each([
    ['age', '--variables age'],
    ['-99', '--variables=-99'],
    [-9, '--variables=-9'],
    [9, '--variables 9'],
    ['a b', '--variables "a b"'],
    ['-a b', '--variables="-a b"'],
    ['a-', '--variables a-'],
  ])('the value %j is joined to its flag if it looks like one', (value, text) => {
    expect(flagWithValue('--variables', value)).toBe(text)
  })
})
