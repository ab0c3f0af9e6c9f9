import { describe, expect, it } from 'vitest'
import { openTable } from '../memory/memory-table.ts'
import { inspectTable } from '../reading/inspect-table.ts'
import { readView } from '../reading/read-view.ts'

/** 400 rows: two answers, a whole number of 36 values, and one more column. */
const survey = (name: string, value: (i: number) => string | number) =>
  openTable({
    name: 'survey.csv',
    text: `trust,vote,age,${name}\n${Array.from({ length: 400 }, (_, i) => `${['low', 'high'][i % 2]},${i % 3},${20 + ((i * 7) % 36)},${value(i)}`).join('\n')}\n`,
  })

const proposals = async (...args: Parameters<typeof survey>) => {
  const { columns } = await inspectTable(await survey(...args))
  return Object.fromEntries(columns.map(({ name, guess, proposal }) => [name, [guess, proposal] as const]))
}

describe('what is proposed', () => {
  it('a number of 36 values is cut, and the terminal advises the same', async () => {
    const { age, vote } = await proposals('id', i => `p${i}`)
    expect(age).toEqual(['mode', { use: 'mode', bins: 'q5' }])
    expect(vote).toEqual(['mode', { use: 'mode' }])
    const { notes } = await readView(await survey('id', i => `p${i}`))
    expect(notes.map(({ text }) => text).join('\n')).toMatch(/age \(36\).*age:q5/)
  })

  it('a column that is called weight is read as sampling weights, and the terminal advises the same', async () => {
    const { weight } = await proposals('weight', i => (0.5 + (i % 11) / 7).toFixed(3))
    expect(weight).toEqual(['ignore', { use: 'weight' }])
    const { notes } = await readView(await survey('weight', i => (0.5 + (i % 11) / 7).toFixed(3)))
    expect(notes.map(({ text }) => text).join('\n')).toMatch(/weight looks like sampling weights/)
  })

  it.each([
    ['missing somewhere', (i: number) => (i === 7 ? '' : 1.5)],
    ['below zero', (i: number) => i - 1],
  ])('weights that are %s are not proposed', async (_, value) => {
    expect((await proposals('weight', value)).weight[1].use).not.toBe('weight')
  })

  it('frequencies of combinations are counted, whatever they are called', async () => {
    const table = await openTable({ name: 'c.csv', text: 'a,b,weight\n1,1,30\n1,2,12\n2,1,7\n2,2,55\n' })
    const { columns } = await inspectTable(table)
    expect(columns[2].proposal).toEqual({ use: 'count' })
  })

  it('nothing is proposed beside what a person has named', async () => {
    const { columns } = await inspectTable(await survey('weight', i => 1 + (i % 3)), {
      modes: ['age', 'vote'],
      count: 'none',
    })
    expect(columns.map(({ proposal }) => proposal)).toEqual([
      { use: 'ignore' },
      { use: 'mode' },
      { use: 'mode' },
      { use: 'ignore' },
    ])
  })
})
