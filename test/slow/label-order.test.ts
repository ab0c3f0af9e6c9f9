import { describe, expect, it } from 'vitest'
import { openSqlTable } from '../../packages/polyad/src/engine/open-sql-table.ts'
import type { TableOptions } from '../../packages/polyad/src/table/reading/read-view.ts'
import { recognizedScale } from '../../packages/polyad/src/table/values/label-order.ts'
import { testFolder } from '../test-folder.ts'
import { twoReaders } from '../two-readers.ts'

/** The order of categories, by DuckDB and in memory. */
const both = twoReaders()
const { file } = testFolder()

interface Read {
  readonly labels: readonly { readonly labels: readonly string[]; readonly ordered: boolean }[]
  readonly notes: readonly { readonly text: string }[]
}

const csv = (...values: readonly string[]) =>
  `q,g\n${values.map((value, i) => `"${value}",${'xy'[i % 2]}`).join('\n')}\n`

const read = async (content: string, options: TableOptions = {}) => {
  const { readings, inspections } = await both('order.csv', content, { modes: ['q', 'g'], ...options })
  expect(readings[1]).toEqual(readings[0])
  expect(inspections[1]).toEqual(inspections[0])
  return readings[0] as Read | string
}

const orderOf = async (values: readonly string[], options: TableOptions = {}) => {
  const { labels, notes } = (await read(csv(...values), options)) as Read
  return { ...labels[0], notes: notes.map(({ text }) => text).filter(text => /scale|given/.test(text)) }
}

describe('categories', () => {
  it.each([
    [['2 Quite well', '10 Not at all', '1 Extremely well']],
    [['Agree', 'Strongly agree', 'Disagree', 'Strongly disagree', 'Neither agree nor disagree']],
    [['stimme zu', 'Stimme eher nicht zu', 'stimme eher zu', 'teils/teils', 'stimme voll und ganz zu']],
    [['siempre', 'nunca', 'casi nunca', 'a veces']],
    [["Plutôt d'accord", 'Pas du tout d’accord', "Tout à fait d'accord", "Plutôt pas d'accord"]],
    [['65+', 'under 18', '18–29', '30–64']],
    [['Sunday', 'Monday', 'Tuesday']],
    [['monthly', 'never', 'daily', 'weekly']],
  ])('that are a scale stand in its order, in whatever rows: %j', async values => {
    const found = await orderOf(values)
    expect(found.ordered).toBe(true)
    expect(found.notes).toEqual([
      `recognized as a scale, in this order: q (${found.labels.join(' < ')}); choose another with order`,
    ])
    // The rows may come in any order.
    expect((await orderOf([...values].reverse())).labels).toEqual(found.labels)
  })

  it('are in the order that people mean', async () => {
    expect((await orderOf(['10 Not at all', '2 Quite well', '1 Extremely well'])).labels).toEqual(['1 Extremely well', '2 Quite well', '10 Not at all']) // biome-ignore format: one line
    expect((await orderOf(['always', 'never', 'sometimes'])).labels).toEqual(['never', 'sometimes', 'always'])
    expect((await orderOf(['siempre', 'nunca', 'casi nunca', 'a veces'])).labels).toEqual(['nunca', 'casi nunca', 'a veces', 'siempre']) // biome-ignore format: one line
    expect((await orderOf(["Plutôt d'accord", 'Pas du tout d’accord', "Tout à fait d'accord", "Plutôt pas d'accord"])).labels).toEqual(['Pas du tout d’accord', "Plutôt pas d'accord", "Plutôt d'accord", "Tout à fait d'accord"]) // biome-ignore format: one line
    expect((await orderOf(['stimme zu', 'stimme eher nicht zu', 'stimme eher zu', 'teils/teils'])).labels).toEqual(['stimme eher nicht zu', 'teils/teils', 'stimme eher zu', 'stimme zu']) // biome-ignore format: one line
  })

  it('that mean missing come after a scale, which is then not ordered as a whole', async () => {
    const found = await orderOf(['Refused', 'always', 'never', "Don't know", 'sometimes'])
    expect(found).toEqual({
      name: 'q',
      ordered: false,
      labels: ['never', 'sometimes', 'always', "Don't know", 'Refused'],
      notes: [
        `recognized as a scale, in this order: q (never < sometimes < always; Don't know, Refused after it); choose another with order`,
      ],
    })
    const made = await orderOf(['always', '', 'never', 'sometimes'], { missingAs: 'Missing' })
    expect(made.labels).toEqual(['never', 'sometimes', 'always', 'Missing'])
    const cased = await orderOf(['Always', 'Always', 'always', 'NEVER', 'sometimes', ''], {
      ignoreCase: true,
      missingAs: 'None Given',
    })
    expect(cased.labels).toEqual(['NEVER', 'sometimes', 'Always', 'None Given'])
  })

  it('that are no scale keep the order of the alphabet', async () => {
    for (const values of [
      ['cat', 'dog', 'fish'],
      ['no', 'yes'],
      ['007', '12', '100'],
      ['1A', '2B', '3C'],
      ['never', 'always', 'maybe'],
    ]) {
      const found = await orderOf(values)
      expect(found, values.join()).toMatchObject({ labels: [...values].sort(), ordered: false, notes: [] })
    }
    expect(recognizedScale(Array.from({ length: 51 }, (_, i) => `${i} things`))).toBeUndefined()
    expect(recognizedScale(['3', '1', '2'])).toBeUndefined()
  })

  it('are in the same order in a database', async () => {
    const path = file('sql.csv', csv('always', 'never', 'sometimes', 'always'))
    const { session, notes } = await openSqlTable(path, { modes: ['q', 'g'] })
    expect(session.data.modes[0]).toMatchObject({ labels: ['never', 'sometimes', 'always'], ordered: true })
    expect(notes.map(({ text }) => text).join()).toContain('recognized as a scale')
    await session.close()
    const given = await openSqlTable(path, { modes: ['q', 'g'], order: ['q=sometimes,never,always'] })
    expect(given.session.data.modes[0]).toMatchObject({ labels: ['sometimes', 'never', 'always'], ordered: true })
    await given.session.close()
  })
})

describe('an order that is given', () => {
  const table = 'att1,att2,att=3,n\nlow,mid,a,1\nhigh,high,b,2\nmid,mid,a,3\nlow,high,b,4\n'
  const modes = ['att1', 'att2', 'att=3']
  const of = async (order: readonly string[], more: TableOptions = {}) =>
    read(table, { modes, count: 'none', order, ...more })

  it('holds for all columns of a pattern', async () => {
    const { labels, notes } = (await of(['att?=x', 'ATT*=high,Low,mid'].slice(1), { modes: ['att1', 'att2'] })) as Read
    expect(labels).toMatchObject([
      { labels: ['high', 'low', 'mid'], ordered: true },
      { labels: ['high', 'mid'], ordered: true },
    ])
    expect(notes.map(({ text }) => text)).toContain('categories in the order that was given: att1, att2')
  })

  it('names columns as codes for missing values do', async () => {
    expect(await of(['att=3=b,a'])).toMatchObject({ labels: [{}, {}, { labels: ['b', 'a'], ordered: true }] })
    expect(await of(['"att=3"=b,a'])).toMatchObject({ labels: [{}, {}, { labels: ['b', 'a'] }] })
    expect(await of(['atz1=b,a'])).toMatch(
      /OptionError: order 'atz1=b,a': .* has no column "atz1"; did you mean "att1"\?/,
    )
    expect(await of(['att1'])).toBe(
      'OptionError: order must name a column and its categories in order, as in q1=low,middle,high (got "att1")',
    )
  })

  it('must have every category, and none that does not occur', async () => {
    expect(await of(['att1=low,mid'])).toBe(
      'OptionError: order: "att1" has categories that are not in the order given: "high"; add them, or make them missing',
    )
    expect(await of(['att1=low,mid,high,huge'])).toBe(
      'OptionError: order: no row has "huge" in att1; check how it is written',
    )
    // A filter may have removed it.
    const where = "att1 <> 'high'"
    const { labels, notes } = (await of(['att1=low,mid,high'], { where })) as Read
    expect(labels[0]).toMatchObject({ labels: ['low', 'mid'], ordered: true })
    expect(notes.map(({ text }) => text)).toContain(
      'no row that meets the filter has "high" in att1; order is used without it',
    )
    expect(await of(['att1=low,mid'], { missing: ['high'] })).toMatchObject({
      labels: [{ labels: ['low', 'mid'] }, {}, {}],
    })
    const numbers = 'a,b\n1,x\n2,y\n1,y\n2,x\n'
    expect(await read(numbers, { modes: ['a', 'b'], order: ['a=2,1'] })).toBe(
      'OptionError: order: the categories of "a" are numbers, which are in order by size',
    )
  })
})

describe('numbers that are names of categories', () => {
  it('are in no order', async () => {
    const table = 'party,q\n1,3\n2,1\n3,2\n1,1\n'
    const modes = ['party', 'q']
    expect(await read(table, { modes, categories: ['Party'] })).toMatchObject({
      labels: [
        { labels: [1, 2, 3], ordered: false },
        { labels: [1, 2, 3], ordered: true },
      ],
    })
    expect(await read(table, { modes, categories: ['parti'] })).toMatch(
      /has no column "parti" for categories; did you mean "party"/,
    )
    const { session } = await openSqlTable(file('names.csv', table), { modes, categories: ['party'] })
    expect(session.data.modes.map(({ ordered }) => ordered)).toEqual([false, true])
    await session.close()
  })
})
