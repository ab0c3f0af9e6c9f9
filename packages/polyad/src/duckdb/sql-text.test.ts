import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTables, type Tables } from './client.ts'
import { list, literal } from './sql-text.ts'

let tables: Tables
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.close())

it.each([
  ['a quote', "it's"],
  ['a NUL', 'a\0b'],
  ['nothing but NULs', '\0\0'],
  [
    'a NUL beside quotes and the first characters of all',
    `'\0${String.fromCharCode(...Array.from({ length: 60 }, (_, i) => i + 1))}`,
  ],
  ['a thousand NULs', 'ab\0'.repeat(1000)],
])('a text with %s arrives as it is', async (_, text) => {
  expect(await tables.rows(`SELECT ${literal(text)}, (${list([text, 'x'])}::VARCHAR[])[1]`)).toEqual([[text, text]])
})
