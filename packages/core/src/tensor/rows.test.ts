import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DataError, OptionError } from '../errors.ts'
import { MISSING } from './mode.ts'
import { tensorFromRows } from './rows.ts'

const people = [
  { age: '18–29', vote: 'yes', n: 3 },
  { age: '30+', vote: 'no', n: 2 },
  { age: '18–29', vote: 'yes', n: 1 },
  { age: '30+', vote: null, n: 4 },
]

describe('tensorFromRows', () => {
  it('counts equal rows together and keeps rows with missing labels', () => {
    const tensor = tensorFromRows(people, { count: 'n' })
    expect(tensor.modes.map(({ name, labels }) => [name, labels])).toEqual([
      ['age', ['18–29', '30+']],
      ['vote', ['no', 'yes']],
    ])
    expect(tensor.indices.map(column => [...column])).toEqual([
      [0, 1, 1],
      [1, MISSING, 0],
    ])
    expect([...tensor.values]).toEqual([4, 4, 2])
    expect(tensor.total).toBe(10)
    expect(tensor.missing).toEqual([false, true])
  })

  it('takes arrays with weights, chosen modes, and declared labels in their order', () => {
    const tensor = tensorFromRows([['b'], ['a'], ['b']], {
      modes: [{ name: 'x', labels: ['c', 'b', 'a'], ordered: true }],
      weights: [0.5, 0.25, 1],
    })
    expect(tensor.shape).toEqual([3])
    expect([...tensor.indices[0]]).toEqual([1, 2])
    expect([...tensor.values]).toEqual([1.5, 0.25])
    expect(tensor.modes[0].ordered).toBe(true)
    expect(tensorFromRows(people, { modes: ['vote'] }).total).toBe(4)
  })

  it('sorts numbers by value, treats 1 and "1" as one label, and booleans as texts', () => {
    expect(tensorFromRows([[10], [9], [-1]]).modes[0].labels).toEqual([-1, 9, 10])
    expect(tensorFromRows([[1], ['1'], [2]]).modes[0].labels).toEqual(['1', '2'])
    expect(tensorFromRows([['1'], [1], [2]]).modes[0].labels).toEqual(['1', '2'])
    expect(tensorFromRows([[true], [false]]).modes[0].labels).toEqual(['false', 'true'])
    expect(tensorFromRows([[10n], [9n]]).modes[0].labels).toEqual([9, 10])
  })

  it('finds keys that only later rows have, and missing texts that are named', () => {
    const tensor = tensorFromRows([{ a: 1 }, { a: 1, b: 'NA' }, { b: 'x' }], { missing: ['NA'] })
    expect(tensor.modes.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(tensor.total).toBe(3)
    expect(tensor.modes[1].labels).toEqual(['x'])
  })

  it('reads keys that every object has as the rows have them', () => {
    const tensor = tensorFromRows([JSON.parse('{"__proto__":"k","toString":"t","a":"x"}'), { a: 'y' }])
    expect(tensor.modes.map(({ name }) => name)).toEqual(['__proto__', 'toString', 'a'])
    expect(tensor.missing).toEqual([true, true, false])
  })

  it('does not depend on the order of the rows, to the last bit', () => {
    type Weighted = readonly [string | null, number, number]
    const row: fc.Arbitrary<Weighted> = fc.tuple(
      fc.constantFrom('a', 'b', 'c', null),
      fc.integer({ min: 0, max: 2 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
    )
    const first: Weighted = ['a', 0, 1]
    const shuffled = fc
      .array(row, { maxLength: 60 })
      .map(list => [first, ...list])
      .chain(list => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
    const build = (list: readonly Weighted[]) =>
      tensorFromRows(
        list.map(([x, y]) => [x, y]),
        { weights: list.map(([, , weight]) => weight) },
      )
    fc.assert(
      fc.property(shuffled, ([a, b]) => {
        const [left, right] = [build(a), build(b)]
        expect(left.indices).toEqual(right.indices)
        expect(left.values).toEqual(right.values)
        expect(left.total).toBe(right.total)
      }),
    )
  })

  it.each<[string, () => unknown, new (...args: never[]) => Error, RegExp]>([
    ['no rows', () => tensorFromRows([]), DataError, /not a single row/],
    ['a ragged row', () => tensorFromRows([[1, 2], [1]]), DataError, /row 2 has 1 entries where 2 are expected/],
    [
      'a negative count',
      () => tensorFromRows([{ a: 1, n: -1 }], { count: 'n' }),
      DataError,
      /row 1, column "n".*negative.*-1/,
    ],
    ['a missing count', () => tensorFromRows([{ a: 1 }], { count: 'n' }), DataError, /row 1, column "n".*undefined/],
    ['NaN', () => tensorFromRows([['a'], ['b']], { weights: [1, Number.NaN] }), DataError, /row 2.*NaN/],
    ['infinity', () => tensorFromRows([['a']], { weights: [Number.POSITIVE_INFINITY] }), DataError, /finite/],
    ['only zeros', () => tensorFromRows([['a']], { weights: [0] }), DataError, /all 1 values are zero/],
    ['an unknown mode', () => tensorFromRows([{ age: 1 }], { modes: ['aeg'] }), DataError, /"aeg".*the rows have age/],
    [
      'an undeclared label',
      () => tensorFromRows([['z']], { modes: [{ name: 'x', labels: ['a'] }] }),
      DataError,
      /row 1, column "x": "z"/,
    ],
    ['a label that is an object', () => tensorFromRows([{ a: {} }]), DataError, /row 1, column "a".*an object/],
    ['an infinite label', () => tensorFromRows([[1 / 0]]), DataError, /finite/],
    ['a row that is a text', () => tensorFromRows(['ab' as never]), DataError, /row 1 must be an object/],
    [
      'a label twice',
      () => tensorFromRows([['a']], { modes: [{ name: 'x', labels: ['a', 'a'] }] }),
      OptionError,
      /"a" twice/,
    ],
    ['a mode twice', () => tensorFromRows([['a', 'b']], { modes: ['x', 'x'] }), OptionError, /two modes/],
    ['an unknown option', () => tensorFromRows([['a']], { weight: [1] } as never), OptionError, /no option "weight"/],
    [
      'too few weights',
      () => tensorFromRows([['a'], ['b']], { weights: [1, 2, 3] }),
      OptionError,
      /weights must have one entry per row: 2/,
    ],
    ['count and weights', () => tensorFromRows([['a']], { count: 'n', weights: [1] }), OptionError, /not both/],
  ])('refuses %s', (_, make, kind, message) => {
    expect(make).toThrow(kind)
    expect(make).toThrow(message)
  })
})
