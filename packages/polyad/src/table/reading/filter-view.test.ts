import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../../test/refusal.ts'
import { openTable } from '../memory/memory-table.ts'
import { readingOf } from '../view/reading.ts'
import type { TableView } from '../view/view.ts'
import { filterView } from './filter-view.ts'

const TEXT =
  'age,vote,when,price,score\n18,yes,31.01.2024,"1,5",1\n25,no,01.02.2024,"2,5",x\n40,NA,02.02.2024,"3,5",3\n61,yes,03.02.2024,"4,5",4\n'
const filtered = async (where: string | undefined, more: Partial<TableView> = {}) => {
  const table = Object.assign(await openTable({ name: 't.csv', text: TEXT }), more)
  return filterView(table as TableView, where, readingOf({}))
}
const shown = async (where: string) => {
  const { filter, notes } = await filtered(where)
  return [filter?.kept, notes.map(({ kind, text }) => `${kind}: ${text}`).join('\n')]
}

describe('rows that meet a condition', () => {
  it('are counted, and said', async () => {
    expect(await shown(' age >= 25 ')).toEqual([3, 'choice: 3 of 4 rows used: age >= 25'])
    expect(await shown("vote is not missing and AGE != 25 and vote in ('yes')")).toEqual([
      2,
      "choice: 2 of 4 rows used: vote is not missing and AGE != 25 and vote in ('yes')",
    ])
    expect(await shown('age > 1')).toEqual([4, "warning: all 4 rows meet where 'age > 1'"])
    expect((await filtered('age > 30')).filter).toEqual({ where: 'age > 30', rows: 4, kept: 2 })
  })

  it('without a condition are all', async () => {
    const table = await openTable({ name: 't.csv', text: TEXT })
    expect(await filterView(table, undefined, readingOf({}))).toBe(table)
    expect(table).not.toHaveProperty('filter')
  })

  it('the table gives back what it needed', async () => {
    const release = async () => undefined
    expect((await filtered('age > 30', { release })).release).toBe(release)
    expect((await filtered('age > 30')).release).toBeUndefined()
  })

  it.each([
    ['age = 99', 'DataError: no row of t.csv meets where: age = 99. age has values from 18 to 61'],
    ['ages = 99', 'OptionError: t.csv has no column "ages" to filter by; did you mean "age"?'],
    [
      'vote < 5',
      "OptionError: where: \"vote\" < 5: its values are not numbers; compare with texts in single quotes, as in in ('a', 'b')",
    ],
    ["age < '5'", 'OptionError: where: "age" < \'5\': its values are numbers; leave the quotes out'],
    ["price > '1,6'", 'OptionError: where: "price" > \'1,6\': its values are numbers; leave the quotes out'],
    [
      "when >= '2024'",
      'OptionError: where: "when" >= \'2024\': its dates are not written as in 2024-05-31, so they cannot be compared',
    ],
  ])('%s is refused', async (where, message) => expect(await refusal(() => filtered(where))).toBe(message))

  it('may be compared by size if there is one', async () => {
    expect((await filtered("vote < 'z' and age <= 61 and score > 2")).filter?.kept).toBe(1)
    expect((await filtered('price > 1.6')).filter?.kept).toBe(3)
    expect((await filtered("price = '2.5' or price in ('4.5')")).filter?.kept).toBe(2)
    expect((await filtered("when = '31.01.2024' and age != '5'")).filter?.kept).toBe(1)
  })

  it('not of lists, and of categories in an order of their own', async () => {
    const table = await openTable({ name: 't.csv', text: TEXT })
    const columns = (more: object) => table.columns.map(column => ({ ...column, ...(column.name === 'vote' && more) }))
    const refused = (where: string, more: object) => refusal(() => filtered(where, { columns: columns(more) }))
    expect(await refused("vote > 'a'", { order: ['yes', 'no'] })).toBe(
      "OptionError: where: \"vote\" > 'a': its categories have an order of their own; list those you mean, as in in ('a', 'b')",
    )
    expect(await refused("vote = 'yes'", { order: ['yes', 'no'] })).toBeUndefined()
    expect(await refused("vote > 'a'", { type: 'VARCHAR[]' })).toBe(
      'OptionError: where: "vote" > \'a\': its values are lists or records',
    )
    expect(await refused('vote > 5', { type: 'VARCHAR[]' })).toBe(
      'OptionError: where: "vote" > 5: its values are lists or records',
    )
    expect(await refused("vote != 'a'", { type: 'VARCHAR[]' })).toBeUndefined()
  })

  it('of a table that cannot be filtered are refused, once the condition is understood', async () => {
    const view = { name: 'db', columns: [], filtered: undefined } as unknown as TableView
    expect(await refusal(() => filterView(view, 'a = 1', readingOf({})))).toBe(
      'OptionError: where cannot be used with db: make a view of the table',
    )
    expect(await refusal(() => filterView(view, 'a =', readingOf({})))).toContain('is expected here')
  })

  it('are found by values before they are recoded', async () => {
    const table = await openTable({ name: 't.csv', text: TEXT })
    const reading = { ...readingOf({}), recode: { vote: [{ from: ['yes'], to: 'no' }] } }
    expect((await filterView(table as TableView, "vote = 'yes'", reading)).filter?.kept).toBe(2)
  })
})
