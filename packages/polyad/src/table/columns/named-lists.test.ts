import { describe, expect, it } from 'vitest'
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
