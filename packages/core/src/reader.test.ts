import { describe, expect, it } from 'vitest'
import { DataError, OptionError } from './errors.ts'
import { is } from './options.ts'
import { type Read, reader } from './reader.ts'

const { fields, fieldsAmong, onlyFields, list, tuple, vector, numbers, reals, labels, record, kinds, either } = reader
const { by, flag, finite, amount, number, text, label, oneOf, orNull, optional, object } = reader

/** What a reader says of a value. */
const refusal = (read: Read<unknown>, value: unknown, where = 'x'): string => {
  try {
    read(value, where)
  } catch (error) {
    expect(error).toBeInstanceOf(DataError)
    return (error as Error).message
  }
  return 'accepted'
}

describe('a reader of untrusted values', () => {
  it.each<[string, Read<unknown>, unknown, unknown, string]>([
    ['by the check of an option', by(is.whole(1, 3)), 3, 4, 'x must be a whole number from 1 to 3 (got 4)'],
    ['a flag', flag, false, 0, 'x must be true or false (got 0)'],
    ['a finite number', finite, -1, Number.NaN, 'x must be a finite number (got NaN)'],
    ['an amount', amount, 0, -1, 'x must be a number ≥ 0 (got -1)'],
    ['any number', number, Number.POSITIVE_INFINITY, '1', 'x must be a number (got "1")'],
    ['a text', text(), '', 1, 'x must be text (got 1)'],
    ['a text of a length', text(2), 'ab', 'abc', 'x must be text of at most 2 characters (got "abc")'],
    ['a label', label, 'a', Number.NaN, 'x must be a text or a finite number (got NaN)'],
    ['a word', oneOf(['a', 'b']), 'b', undefined, 'x must be one of a, b (it is missing)'],
    ['null or else', orNull(flag), null, undefined, 'x must be true or false (it is missing)'],
    ['what may be missing', optional(flag), undefined, null, 'x must be true or false (got null)'],
    ['a list', list(finite), [1, 2], [1, '2'], 'x[1] must be a finite number (got "2")'],
    ['a list of a kind', list(finite), [], { length: 0 }, 'x must be a list (got an object)'],
    ['a short list', list(finite, 2), [1, 2], [1, 2, 3], 'x must be a list of at most 2 (got an array of 3)'],
    ['a vector', vector(2, flag), [true, false], [true], 'x must have 2 entries (got 1)'],
    ['the entries of a vector', vector(1, flag), [true], [1], 'x[0] must be true or false (got 1)'],
    ['a vector of a kind', vector(1, flag), [true], 'a', 'x must be a list (got "a")'],
    ['a tuple', tuple<string | boolean>([text(), flag]), ['a', true], [true, 'a'], 'x[0] must be text (got true)'],
    ['the length of a tuple', tuple([text()]), ['a'], ['a', 'b'], 'x must have 1 entries (got 2)'],
    ['numbers', numbers(), [1, 2], [1, null], 'x[1] must be a finite number (got null)'],
    ['so many numbers', numbers(2), [1, 2], [1], 'x must have 2 entries (got 1)'],
    ['numbers by a rule', numbers(1, is.whole(0)), [0], [0.5], 'x[0] must be a whole number ≥ 0 (got 0.5)'],
    ['a typed array', reals(1), Float64Array.of(Number.NaN), [1], 'x must be binary numbers (got an array of 1)'],
    ['its length', reals(1), Float64Array.of(1), new Float64Array(2), 'x must have 1 entries (got 2)'],
    ['its numbers', reals(1, is.finite), Float64Array.of(1), Float64Array.of(Number.NaN), 'x[0] must be a finite number (got NaN)'],
    ['labels', labels(), ['a', 1], ['a', null], 'x[1] must be a text or a finite number (got null)'],
    ['an object', object, { a: 1 }, [], 'x must be an object (got an array of 0)'],
    ['no typed array in place of an object', object, {}, new Float64Array(1), 'x must be an object (got binary data)'],
    ['a record', record(finite), { a: 1 }, { a: 'b' }, 'x.a must be a finite number (got "b")'],
    ['a small record', record(finite, 1), { a: 1 }, { a: 1, b: 2 }, 'x must be at most 1 values (got 2)'],
    ['fields', fields({ a: finite }), { a: 1 }, {}, 'x.a must be a finite number (it is missing)'],
    ['fields of fields', fields({ a: list(fields({ b: flag })) }), { a: [{ b: true }] }, { a: [{ b: 1 }] }, 'x.a[0].b must be true or false (got 1)'],
    ['fields and others', fieldsAmong({ a: finite }), { a: 1, b: 2 }, { b: 2 }, 'x.a must be a finite number (it is missing)'],
    ['fields and no others', onlyFields({ a: finite }), { a: 1 }, { a: 1, b: 2 }, 'x has no "b"; it has a'],
    ['one of two', either(flag, text()), 'a', 1, 'x must be text (got 1)'],
  ])('reads %s', (_, read, value, other, message) => {
    expect(read(value, 'x')).toEqual(value)
    expect(refusal(read, other)).toBe(message)
  }) // biome-ignore format: a table

  it('drops fields without a name or a value, or keeps the object as it is', () => {
    const value = { a: 1, b: undefined, c: 3 }
    expect(Object.entries(fields({ a: finite, b: optional(flag) })(value, 'x'))).toEqual([['a', 1]])
    expect(fieldsAmong({ a: finite })(value, 'x')).toBe(value)
  })

  it('reads what an object has itself, and nothing that it inherits', () => {
    expect(refusal(fields({ constructor: by({ rule: 'there', allows: () => true }) }), {})).toBe('accepted')
    expect(fields({ toString: optional(reader.by({ rule: 'a function', allows: Boolean })) })({}, 'x')).toEqual({})
    const evil = record(number)(JSON.parse('{"__proto__":1}'), 'x')
    expect([Object.keys(evil), Object.getPrototypeOf(evil)]).toEqual([['__proto__'], Object.prototype])
    const one = kinds<{ readonly kind: string }>('kind', { a: fields({ kind: text() }) })
    expect(one({ kind: 'a' }, 'x')).toEqual({ kind: 'a' })
    expect(refusal(one, { kind: 'toString' })).toBe('x.kind must be one of a (got "toString")')
  })

  it('names what is wrong at the top by its field alone', () => {
    expect(refusal(fields({ a: fields({ b: flag }) }), { a: {} }, '')).toBe('a.b must be true or false (it is missing)')
    expect(refusal(fields({ a: flag }), null, '')).toBe('it must be an object (got null)')
    expect(refusal(onlyFields({ a: flag }), { a: true, b: 1 }, '')).toBe('it has no "b"; it has a')
  })

  it('reads options by their table, all of which may be missing', () => {
    const read = reader.options<{ rank?: number; all?: boolean }>({
      rank: { check: is.whole(1) },
      all: { check: is.flag },
    })
    expect(read({ rank: 2, other: 1 }, 'x')).toEqual({ rank: 2 })
    expect(refusal(read, { rank: 0 })).toBe('x.rank must be a whole number ≥ 1 (got 0)')
  })

  it('has nothing in place of what it refuses, and the fault in front of the reason', () => {
    expect([reader.tried(flag, true), reader.tried(flag, 1)]).toEqual([true, null])
    expect(() => reader.tried(() => JSON.parse('{'), 1)).toThrow(SyntaxError)
    expect([reader.fieldsOf({ a: 1 }), reader.fieldsOf([1]), reader.fieldsOf(null)]).toEqual([{ a: 1 }, {}, {}])
    expect(reader.usable('no', () => 1)).toBe(1)
    const fail = () => {
      throw new OptionError('rank', 'must be there')
    }
    expect(() => reader.usable('this is not usable:', fail)).toThrow(new DataError('this is not usable: rank must be there')) // biome-ignore format: one call
  })

  it('reads JSON', () => {
    expect([reader.json('[1]'), reader.json(new TextEncoder().encode('"ä"'))]).toEqual([[1], 'ä'])
    expect(() => reader.json('{')).toThrow(/^it is not JSON \(/)
    expect(() => reader.json(Uint8Array.of(0x22, 0xff, 0x22), 'a.json')).toThrow(/^a\.json is not JSON \(/)
  })
})
