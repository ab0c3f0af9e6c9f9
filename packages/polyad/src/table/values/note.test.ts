import { OptionError } from '@polyad/core'
import { advise, type Mention, messageOf, words } from '@polyad/core/options'
import { expect, it } from 'vitest'
import {
  changedNote,
  choice,
  firstOf,
  grouped,
  joined,
  listed,
  many,
  quoteListed,
  repeated,
  reworded,
  sizeText,
  warning,
} from './note.ts'

const inFlags = ({ lead, option, values = [] }: Mention) => [lead ?? [], `--${option}`, values].flat().join(' ')
const renamed = (text: string) => text.replaceAll('tmp/1', 'standard input')

it('what is changed keeps the options that it mentions', () => {
  const text = words`is for tables, and tmp/1 is none: ${advise('use', 'bins', 'age:q5')}`
  const error = reworded(new OptionError('count', text), renamed)
  expect(error.message).toBe("count is for tables, and standard input is none: use bins 'age:q5'")
  expect(messageOf(error, inFlags)).toBe('--count is for tables, and standard input is none: use --bins age:q5')
  expect(changedNote(warning('statistics', text), renamed).wording?.[0]).toBe(
    'is for tables, and standard input is none: ',
  )
  expect(changedNote(warning('file-doubtful', 'tmp/1 is empty'), renamed)).toEqual({
    kind: 'warning',
    code: 'file-doubtful',
    text: 'standard input is empty',
  })
  expect(reworded(new Error('tmp/1'), renamed).message).toBe('standard input')
})

it('a note has its parts if it mentions options', () => {
  expect(choice('all rows')).toStrictEqual({ kind: 'choice', text: 'all rows' })
  expect(warning('statistics', words`${3} rows`)).toStrictEqual({ kind: 'warning', code: 'statistics', text: '3 rows' })
  const wording = words`cut it: ${advise('use', 'bins', 'a:q5')}`
  expect(warning('statistics', wording)).toStrictEqual({
    kind: 'warning',
    code: 'statistics',
    text: "cut it: use bins 'a:q5'",
    wording,
  })
  expect(changedNote(choice(wording), text => text.toUpperCase())).toStrictEqual({
    kind: 'choice',
    text: "CUT IT: use bins 'a:q5'",
    wording: ['CUT IT: ', advise('use', 'bins', 'a:q5')],
  })
})

it('sentences are joined', () => {
  expect(joined(['a', words`b`, advise('use', 'top', 5)], ', ')).toEqual([
    'a',
    ', ',
    'b',
    ', ',
    advise('use', 'top', 5),
  ])
  expect(joined([], ', ')).toEqual([])
})

it('what is no error stays as it is', () => {
  const thrown = { code: 7 }
  expect(reworded(thrown, renamed)).toBe(thrown)
  expect(reworded(undefined, renamed)).toBeUndefined()
  expect(reworded(null, renamed)).toBeNull()
  expect(reworded(new OptionError('tmp/1 is none'), renamed).wording).toBeUndefined()
})

it.each([
  [many(1, 'row'), '1 row'],
  [many(0, 'row'), '0 rows'],
  [many(2500, 'row'), '2,500 rows'],
  [grouped(3869), '3,869'],
  [grouped(0.5), '0.5'],
  [grouped(1 / 3), '0.333'],
  [sizeText(3.44e9), '3.4 GB'],
  [sizeText(1e9), '1.0 GB'],
  [sizeText(999_999_999), '1000 MB'],
  [sizeText(2_600_000), '3 MB'],
  [sizeText(5), '1 MB'],
  [listed('a b'), 'a b'],
  [listed('a,b'), '"a,b"'],
  [listed('say "x"'), '"say ""x"""'],
  [listed(' a'), '" a"'],
  [listed('a '), '"a "'],
  [quoteListed('a;b', /;/), '"a;b"'],
  [quoteListed('a;b', /,/), 'a;b'],
  [firstOf(['a', 'b'], 2), 'a, b'],
  [firstOf(['a', 'b', 'c'], 2), 'a, b and 1 more'],
  [firstOf([], 2), ''],
  [repeated('x'.repeat(200)), 'x'.repeat(200)],
  [repeated('x'.repeat(201)), `${'x'.repeat(200)}…`],
])('%j is written %j', (text, expected) => expect(text).toBe(expected))
