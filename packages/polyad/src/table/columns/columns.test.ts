import { describe, expect, it } from 'vitest'
import { looked, number } from '../../../../../test/looked-at.ts'
import { refusal } from '../../../../../test/refusal.ts'
import { openTable } from '../memory/memory-table.ts'
import { readingOf } from '../view/reading.ts'
import type { Measured, TableView } from '../view/view.ts'
import { type Column, columnNamed, findColumn, inspect, isNested, proposedCut, styled } from './columns.ts'

/** What a column with these values looks like. */
const look = async (values: readonly string[], name = 'x') => {
  const table = await openTable({
    name: 'x.csv',
    text: `${name},y\n${values.map(value => `"${value}",1`).join('\n')}\n`,
  })
  const { columns } = await inspect(table, readingOf({}))
  return columns[0]
}

const FIGURES: Measured = {
  present: 10,
  distinct: 3,
  numbers: 0,
  mistyped: 0,
  times: 0,
  offsets: 0,
  least: 1,
  most: 3,
  points: 0,
  commas: 0,
  ambiguous: 0,
  unseparated: 0,
  word: 'a',
  values: ['a', 'b', 'c'],
}

/** What a column of a type looks like by its figures, in a table of twelve rows. */
const measured = async (
  type: string,
  figures: Partial<Measured>,
  name = 'x',
  rows = 12,
  dates = false,
): Promise<Column> => {
  const view = {
    name: 't',
    columns: [{ name, key: name, type }],
    measure: async () => ({ rows, columns: [{ ...FIGURES, ...figures }] }),
    readAsDates: async (asked: readonly unknown[]) => asked.map(() => dates),
  } as unknown as TableView
  return (await inspect(view, readingOf({}))).columns[0]
}

describe('what columns look like', () => {
  it.each<[string, readonly string[], Partial<Column>]>([
    ['words', ['a', 'b', '', 'a'], { kind: 'text', distinct: 2, missing: 1, numeric: 0, word: 'a' }],
    [
      'numbers',
      ['3', '1', '10'],
      { kind: 'number', distinct: 3, missing: 0, numeric: 1, range: [1, 10], word: undefined },
    ],
    ['numbers and a word', ['3', '1', 'x', '2'], { kind: 'text', numeric: 0.75, word: 'x' }],
    ['mistyped numbers', ['1,880', '5.', '7', 'x'], { kind: 'text', numeric: 0.75 }],
    ['nothing', ['', ''], { kind: 'empty', distinct: 0, missing: 2 }],
    ['dates', ['2024-01-05', '2024-02-05'], { kind: 'date' }],
    ['German dates', ['31.01.2024', '01.02.2024'], { kind: 'date', dates: 'day.month.year', ambiguousDates: false }],
    ['American dates', ['01/31/2024', '02/01/2024'], { kind: 'date', dates: 'month/day/year', ambiguousDates: false }],
    ['dates both ways', ['01/02/2024', '02/01/2024'], { kind: 'date', dates: 'month/day/year', ambiguousDates: true }],
    ['British dates', ['31/01/2024', '01/02/2024'], { kind: 'date', dates: 'day/month/year', ambiguousDates: false }],
    ['almost dates', ['31.01.2024', '32.01.2024'], { kind: 'text' }],
    ['dates of mail', ['Sun, 15 Nov 2026 21:00:00 +0100'], { kind: 'date', dates: 'rfc2822', zoned: 'all' }],
    ['times with offsets', ['2024-01-05T10:00Z', '2024-01-05T10:00+02:00'], { kind: 'date', zoned: 'all' }],
    ['some with offsets', ['2024-01-05T10:00Z', '2024-01-05T10:00'], { kind: 'date', zoned: 'some' }],
    ['decimal commas', ['1,5', '2,25'], { kind: 'number', style: 'comma', range: [1.5, 2.25] }],
  ])('%s', async (_, values, expected) => expect(await look(values)).toMatchObject(expected))

  it('numbers are times if their name says so', async () => {
    const seconds = ['1700000000', '1700003600']
    expect(await look(seconds, 'created_at')).toMatchObject({ kind: 'date', dates: 'seconds', zoned: 'all' })
    expect(await look(seconds, 'amount')).toMatchObject({ kind: 'number', dates: 'seconds', zoned: 'all' })
    expect(await look(['1', '2'], 'time')).not.toHaveProperty('dates')
    expect(await look(['2024-01-05'], 'x')).not.toHaveProperty('zoned')
    // Only texts are asked whether they are dates.
    expect(await measured('DATE', { word: '31.01.2024' }, 'x', 12, true)).not.toHaveProperty('dates')
    expect(await measured('VARCHAR', { word: '31.01.2024' }, 'x', 12, true)).toMatchObject({
      kind: 'date',
      dates: 'day.month.year',
    })
    expect(await look(['31.01.2024'], 'x')).not.toHaveProperty('zoned')
  })

  it.each<[string, Partial<Measured>, string]>([
    ['STRUCT(a INTEGER)', {}, 'nested'],
    ['INTEGER[]', {}, 'nested'],
    ['VARCHAR', { present: 0, values: [] }, 'empty'],
    ['STRUCT(a INTEGER)', { present: 0 }, 'nested'],
    ['DATE', {}, 'date'],
    ['TIMESTAMP WITH TIME ZONE', { offsets: 10 }, 'date'],
    ['TIME', { numbers: 10 }, 'date'],
    ['UPDATE', {}, 'text'],
    ['BOOLEAN', { numbers: 10 }, 'text'],
    ['BIGINT', { numbers: 10 }, 'number'],
    ['BIGINT', { numbers: 9 }, 'text'],
    ['VARCHAR', { times: 10 }, 'date'],
    ['VARCHAR', { times: 9 }, 'text'],
  ])('of type %s with %j are of kind %s', async (type, figures, kind) => {
    expect((await measured(type, figures)).kind).toBe(kind)
  })

  it('have figures of their rows', async () => {
    const column = await measured('VARCHAR', { numbers: 4, mistyped: 6, word: '' })
    expect(column).toMatchObject({ missing: 2, numeric: 0.6, range: [1, 3], word: undefined, values: ['a', 'b', 'c'] })
    expect((await measured('VARCHAR', { numbers: 6, mistyped: 4 })).numeric).toBe(0.6)
    expect(await measured('VARCHAR', { values: null })).not.toHaveProperty('values')
    expect(await measured('DATE', { offsets: 10 })).toMatchObject({ zoned: 'all' })
    expect(await measured('DATE', { offsets: 9 })).toMatchObject({ zoned: 'some' })
    expect(await measured('DATE', {})).not.toHaveProperty('zoned')
  })

  it('a table has columns and rows', async () => {
    const view = (columns: readonly unknown[], rows: number) =>
      ({
        name: 't.csv',
        columns,
        measure: async () => ({ rows, columns: columns.map(() => FIGURES) }),
      }) as unknown as TableView
    const column = { name: 'x', key: 'x', type: 'DATE' }
    expect(await refusal(() => inspect(view([], 5), readingOf({})))).toBe('DataError: t.csv has no columns')
    expect(await refusal(() => inspect(view([column], 0), readingOf({})))).toBe(
      'DataError: t.csv has a header but no rows',
    )
    expect(await inspect(view([column], 19_999), readingOf({}))).toMatchObject({ rows: 19_999, all: true })
    expect(await inspect(view([column], 20_000), readingOf({}))).toMatchObject({ rows: 20_000, all: false })
  })

  it('lists and records are told by their types', () => {
    for (const type of [
      'STRUCT(a INT)',
      'MAP(INT, INT)',
      'UNION(a INT)',
      'INT[]',
      'INT[3]',
      'INT[12][]',
      'BLOB',
      'JSON',
    ])
      expect(isNested(type), type).toBe(true)
    for (const type of [
      'VARCHAR',
      'INTEGER',
      'XSTRUCT',
      'BLOBS',
      'MYJSON',
      'XBLOB',
      'JSONB',
      'INT[]x',
      'INT[a]',
      'ENUM[x',
      '',
    ])
      expect(isNested(type), type).toBe(false)
  })
})

describe('columns by their names', () => {
  const columns = ['age', 'Age', 'vote', 'AGE group'].map(name => ({ name }))

  it('exactly, else in any case if that leaves no doubt', () => {
    expect(findColumn(columns, 'Age')).toBe(columns[1])
    expect(findColumn(columns, 'VOTE')).toBe(columns[2])
    expect(findColumn(columns, 'AGE')).toBeUndefined()
    expect(findColumn(columns, 'vot')).toBeUndefined()
  })

  it('or an error names the nearest', async () => {
    const named = (name: string) => refusal(() => columnNamed({ columns }, name, ' to cut', { name: 't.csv' }))
    expect(columnNamed({ columns }, 'vote', '', { name: 't' })).toBe(columns[2])
    expect(await named('vots')).toBe('OptionError: t.csv has no column "vots" to cut; did you mean "vote"?')
    expect(await named('income')).toBe(
      'OptionError: t.csv has no column "income" to cut; there are age, Age, vote, AGE group',
    )
    expect(await named('x'.repeat(300))).toContain(`no column "${'x'.repeat(200)}…" to cut`)
  })
})

it('numbers of ten values and dates may be cut', () => {
  expect(proposedCut(number('x', 10))).toBe('q5')
  expect(proposedCut(number('x', 9))).toBeUndefined()
  expect(proposedCut(looked('x', { kind: 'date' }))).toBe('month')
  expect(proposedCut(looked('x', { distinct: 99 }))).toBeUndefined()
})

it('new numbers that could be read both ways are read as those of the model', () => {
  const doubtful = number('x', 5, { style: 'point', ambiguousNumbers: true })
  expect(styled(doubtful, { style: 'comma' }).style).toBe('comma')
  expect(styled(doubtful, {})).toBe(doubtful)
  const sure = number('x', 5, { style: 'point' })
  expect(styled(sure, { style: 'comma' })).toBe(sure)
})
