import { describe, expect, it } from 'vitest'
import { flagWithValue, shellWord } from './shell-words.ts'

describe('words of a command line', () => {
  it.each([
    ['age', 'age'],
    ['größe_2', 'größe_2'],
    ['a.b,c:d@e%f+g/h=i-j', 'a.b,c:d@e%f+g/h=i-j'],
    ['two words', "'two words'"],
    [' x', "' x'"],
    ['x ', "'x '"],
    ['q*', "'q*'"],
    ['$HOME', "'$HOME'"],
    ["it's", "'it'\\''s'"],
    ["''", "''\\'''\\'''"],
    ['a;b', "'a;b'"],
    ['', "''"],
  ])('%j is %s', (text, word) => expect(shellWord(text)).toBe(word))

  it.each([
    ['age', '--modes age'],
    ['-99', '--modes=-99'],
    [-9, '--modes=-9'],
    [9, '--modes 9'],
    ['a b', "--modes 'a b'"],
    ['-a b', "--modes='-a b'"],
    ['a-', '--modes a-'],
  ])('the value %j is joined to its flag if it looks like one', (value, text) => {
    expect(flagWithValue('--modes', value)).toBe(text)
  })
})
