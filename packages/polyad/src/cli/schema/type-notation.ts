import type { Field } from '../options/definition.ts'

/**
 * Types of JSON as the tables of commands write them, which is as TypeScript writes them: `number | null`, `string[]`, `{ name: string, share?: number }`,
 * `'good' | 'poor'`, and `{ [variable]: integer }` for objects with any keys.
 */

/** The part of JSON Schema that types are made of. */
export interface JsonSchema {
  readonly type?: string
  readonly const?: string
  readonly description?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | false
}

const SIMPLE: readonly string[] = ['number', 'integer', 'string', 'boolean', 'null']

/** A type, and whether it may be missing: its text ends with a question mark. */
export interface FieldType {
  readonly schema: JsonSchema
  readonly optional: boolean
}

/** The type that a text says. */
export const typeOf = (text: string): FieldType => {
  const words = tokens(text)
  const schema = union(words)
  const optional = take(words, '?')
  if (words.length > 0) throw new SyntaxError(`${words[0]} is out of place in the type ${text}`)
  return { schema, optional }
}

/** The types of one or more keys, with commas between. */
const typeTexts = (text: string): readonly string[] => {
  let depth = 0
  const ends = [...text].flatMap((letter, i) => {
    depth += '{(['.includes(letter) ? 1 : '})]'.includes(letter) ? -1 : 0
    return letter === ',' && depth === 0 ? [i] : []
  })
  return [...ends, text.length].map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1] + 1, end).trim())
}

/** A key with its type as a text, which may end with a question mark. */
export type TypedKey = readonly [name: string, type: string]

/** The keys of a field, each with its type: one for all of them, or one for each. */
export const typedKeys = ([keys, , types]: Field): readonly TypedKey[] => {
  const names = keys.split(', ')
  const texts = typeTexts(types)
  if (texts.length !== 1 && texts.length !== names.length)
    throw new SyntaxError(`${names.length} keys have ${texts.length} types: ${keys}`)
  return names.map((name, i) => [name, texts[texts.length === 1 ? 0 : i]])
}

/** The type of an object with these fields, which is part of another. */
export const objectType = (fields: readonly Field[]): string =>
  `{ ${fields
    .flatMap(typedKeys)
    .map(([name, type]) => (type.endsWith('?') ? `${name}?: ${type.slice(0, -1)}` : `${name}: ${type}`))
    .join(', ')} }`

const tokens = (text: string): string[] => text.match(/'[^']*'|[\w.]+|[^\s\w]/gu) ?? []

const take = (words: string[], word: string): boolean => {
  if (words[0] !== word) return false
  words.shift()
  return true
}

const expect = (words: string[], word: string): void => {
  if (!take(words, word)) throw new SyntaxError(`${word} is missing before ${words.join(' ') || 'the end of a type'}`)
}

const union = (words: string[]): JsonSchema => {
  const types = [listed(words)]
  while (take(words, '|')) types.push(listed(words))
  return types.length === 1 ? types[0] : { anyOf: types }
}

const listed = (words: string[]): JsonSchema => {
  let type = single(words)
  while (take(words, '[')) {
    expect(words, ']')
    type = { type: 'array', items: type }
  }
  return type
}

const single = (words: string[]): JsonSchema => {
  if (take(words, '(')) {
    const type = union(words)
    expect(words, ')')
    return type
  }
  if (take(words, '{')) return object(words)
  const word = words.shift() ?? 'the end'
  if (word.startsWith("'")) return { const: word.slice(1, -1) }
  // Anything: the values of columns, and what is described elsewhere.
  if (word === 'unknown') return {}
  if (!SIMPLE.includes(word)) throw new SyntaxError(`${word} is no type of JSON`)
  return { type: word }
}

const object = (words: string[]): JsonSchema => {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  let additionalProperties: JsonSchema | undefined
  while (!take(words, '}')) {
    if (take(words, '[')) {
      words.shift()
      expect(words, ']')
      expect(words, ':')
      additionalProperties = union(words)
    } else {
      const name = words.shift() ?? ''
      const optional = take(words, '?')
      expect(words, ':')
      properties[name] = union(words)
      if (!optional) required.push(name)
    }
    if (words[0] !== '}') expect(words, ',')
  }
  return {
    type: 'object',
    ...(Object.keys(properties).length > 0 && { properties, required }),
    ...(additionalProperties !== undefined && { additionalProperties }),
  }
}
