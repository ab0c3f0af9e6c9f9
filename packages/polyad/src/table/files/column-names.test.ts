import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { differences, nameColumns } from './column-names.ts'

const named = (...files: (readonly string[])[]) => {
  const { sql, shown, notes } = nameColumns(files.map((columns, i) => ({ path: `f${i}.csv`, columns })))
  return { sql, shown: Object.fromEntries(shown), said: notes.map(({ kind, text }) => `${kind}: ${text}`) }
}

describe('names of columns', () => {
  it('a NUL in a name is shown, and never in a statement', () => {
    const { sql, shown } = nameColumns([{ path: 'x.sav', columns: ['a\0b', 'a\u2400b', 'c'] }])
    expect(sql).toEqual([['a\u2400b', 'a\u2400b_2', 'c']])
    expect(sql[0].map(name => shown.get(name))).toEqual(['a\0b', 'a\u2400b', 'c'])
  })

  it('that repeat get a number, one that is free', () => {
    expect(named(['a', 'b', 'a', 'a'])).toEqual({
      sql: [['a', 'b', 'a_2', 'a_3']],
      shown: { a: 'a', b: 'b', a_2: 'a_2', a_3: 'a_3' },
      said: ['choice: f0.csv repeats names of columns: the later ones are called a_2, a_3'],
    })
    expect(named(['a', 'a', 'a_2']).sql).toEqual([['a', 'a_3', 'a_2']])
    expect(named(['a', 'b']).said).toEqual([])
    expect(named(Array(9).fill('x,y')).said[0]).toContain(
      'called "x,y_2", "x,y_3", "x,y_4", "x,y_5", "x,y_6", "x,y_7" and 2 more',
    )
  })

  it('that differ by case alone are told apart in SQL', () => {
    expect(named(['a', 'A', 'a_2'])).toMatchObject({
      sql: [['a', 'A_2', 'a_2_2']],
      shown: { a: 'a', A_2: 'A', a_2_2: 'a_2' },
    })
  })

  it('of several files are the same if only their case differs, and nothing else has a claim', () => {
    expect(named(['a', 'b'], ['B', 'A'])).toEqual({
      sql: [
        ['a', 'b'],
        ['b', 'a'],
      ],
      shown: { a: 'a', b: 'b' },
      said: [],
    })
    expect(named(['a', 'x'], ['A', 'a', 'x']).sql).toEqual([
      ['a', 'x'],
      ['A_2', 'a', 'x'],
    ])
    expect(named(['a', 'A', 'x'], ['Aa', 'x']).sql[1]).toEqual(['Aa', 'x'])
    expect(named(['aa', 'AA', 'x'], ['Aa', 'x']).sql[1]).toEqual(['Aa_3', 'x'])
    expect(named(['aa', 'x'], ['Aa', 'AA', 'x']).sql[1]).toEqual(['Aa_2', 'AA_3', 'x'])
  })

  it('that a file lacks are said', async () => {
    expect(named(['a', 'b, c'], ['a'], ['a', 'd', 'b, c']).said).toEqual([
      'warning: the files differ in their columns, and what a file lacks is missing in its rows: f0.csv has no d, f1.csv has no "b, c", d',
    ])
    expect(await refusal(() => named(['a'], ['b']))).toBe(
      'DataError: the files have no column in common: f0.csv has no b, f1.csv has no a',
    )
    const some = ['x', 'a', 'b', 'c', 'd', 'e']
    expect(named(some, ['x']).said[0]).toContain('f1.csv has no a, b, c, d and 1 more')
    expect(named(['x', 'a'], ['x'], ['x'], ['x'], ['x']).said[0]).toContain('f3.csv has no a and 1 more')
    expect(await refusal(() => named(['a'], ['b'], ['c'], ['d'], ['e']))).toContain(
      'f2.csv has no a, b, d, e and 2 more',
    )
    expect(differences(['f', 'g'], [['A_2', 'x'], ['x']], new Map([['A_2', 'A']]))[0].text).toContain('g has no A')
  })
})
