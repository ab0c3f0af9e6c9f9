import { describe, expect, it } from 'vitest'
import { OptionError } from '../../errors.ts'
import { tensorFromRows } from '../../tensor/rows.ts'
import { crossValidate } from './cross-validation.ts'

const people = tensorFromRows(
  [
    { a: 'x', kind: 'up', n: 40 },
    { a: 'y', kind: 'up', n: 10 },
    { a: 'y', kind: 'down', n: 50 },
    { a: 'x', kind: undefined, n: 5 },
  ],
  { modes: ['a', 'kind'], count: 'n' },
)

describe('cross-validation', () => {
  it('classifies every labelled observation once', () => {
    const { accuracy, table } = crossValidate(people, { class: 'kind' }, { folds: 5, seed: 3 })
    const sum = (name: string) => [...(table.get(name)?.values() ?? [])].reduce((total, value) => total + value, 0)
    expect([...table.keys()]).toEqual(['down', 'up'])
    expect([sum('down'), sum('up')]).toEqual([50, 50])
    expect(accuracy).toBe(0.9)
    expect(crossValidate(people, { class: 'kind' }, { folds: 5, seed: 3 }).table).toEqual(table)
  })

  it('takes counts of any size at once', () => {
    const many = tensorFromRows(
      [
        { a: 'x', kind: 'up', n: 1e12 },
        { a: 'y', kind: 'down', n: 3e12 },
      ],
      { modes: ['a', 'kind'], count: 'n' },
    )
    expect(crossValidate(many, { class: 'kind' }).accuracy).toBe(1)
  })

  it('refuses what cannot be done', () => {
    expect(() => crossValidate(people, { class: 'kind' }, { folds: 1 })).toThrow(OptionError)
    expect(() => crossValidate(people, { class: 'kinds' })).toThrow('no mode "kinds"')
  })
})
