import { describe, expect, it } from 'vitest'
import { objectType, typedKeys, typeOf } from './type-notation.ts'

describe('types of JSON', () => {
  it('are written as in TypeScript', () => {
    expect(typeOf('integer')).toEqual({ schema: { type: 'integer' }, optional: false })
    expect(typeOf('(number | null)[]?')).toEqual({
      schema: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
      optional: true,
    })
    expect(typeOf("{ name: string, kind?: 'a b' | 'c', rest: { [key]: number[][] } }").schema).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string' },
        kind: { anyOf: [{ const: 'a b' }, { const: 'c' }] },
        rest: {
          type: 'object',
          additionalProperties: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
        },
      },
      required: ['name', 'rest'],
    })
    expect(typeOf('{ a: integer, [other]: unknown }').schema).toEqual({
      type: 'object',
      properties: { a: { type: 'integer' } },
      required: ['a'],
      additionalProperties: {},
    })
  })

  it('are one for all keys of a field, or one for each', () => {
    expect(typedKeys(['a, b', '', 'number'])).toEqual([
      ['a', 'number'],
      ['b', 'number'],
    ])
    expect(typedKeys(['a, b', '', '{ x: number, y: string }?, string[]'])).toEqual([
      ['a', '{ x: number, y: string }?'],
      ['b', 'string[]'],
    ])
    expect(() => typedKeys(['a, b, c', '', 'number, string'])).toThrow('3 keys have 2 types: a, b, c')
  })

  it('of fields make the type of an object', () => {
    expect(objectType([['a, b', '', 'number, string?']])).toBe('{ a: number, b?: string }')
  })

  it.each([
    ['text', 'text is no type of JSON'],
    ['number string', 'string is out of place in the type number string'],
    ['{ a: number', ', is missing before the end of a type'],
    ['number[', '] is missing before the end of a type'],
  ])('refuses %s', (text, message) => {
    expect(() => typeOf(text)).toThrow(message)
  })
})
