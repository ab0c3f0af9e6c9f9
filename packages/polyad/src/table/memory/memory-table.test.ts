import { describe, expect, it } from 'vitest'
import { inspectTable } from '../reading/inspect-table.ts'
import { readView } from '../reading/read-view.ts'
import { openTable } from './memory-table.ts'

const survey = `id,age,vote,when,n/a\n${Array.from({ length: 60 }, (_, i) => `p${i},${18 + i},${['yes', 'no', 'Refused'][i % 3]},${(i % 28) + 1}/${(i % 9) + 1}/2024,`).join('\n')}\n`
const open = () => openTable({ name: 'survey.csv', text: survey })

describe('a table in memory', () => {
  it('shows its rows as they are written', async () => {
    const table = await open()
    expect([table.rows, table.format, table.columns.length]).toEqual([60, 'csv', 5])
    expect(table.preview(1, 2)).toEqual([
      ['p1', '19', 'no', '2/2/2024', ''],
      ['p2', '20', 'Refused', '3/3/2024', ''],
    ])
    expect(table.preview(59, 9)).toHaveLength(1)
    expect(table.preview(60, 9)).toEqual([])
    expect(table.column('VOTE').slice(0, 2)).toEqual(['yes', 'no'])
    expect(() => table.column('vot')).toThrow('survey.csv has no column "vot"; did you mean "vote"?')
  })

  it('may be rows that are objects', async () => {
    const rows = [
      { a: 1, b: new Date('2024-05-31T13:45:00Z'), c: true },
      { a: 2.5, c: false, d: 'x' },
    ]
    const table = await openTable({ name: 'rows', rows })
    expect(table.columns.map(({ type }) => type)).toEqual(['DOUBLE', 'VARCHAR', 'BOOLEAN', 'VARCHAR'])
    expect(table.preview(0, 2)).toEqual([
      ['1.0', '2024-05-31T13:45:00.000Z', 'true', null],
      ['2.5', null, 'false', 'x'],
    ])
    await expect(openTable({ name: 'rows', rows: [] })).rejects.toThrow('rows has no rows')
  })

  it('has no values that a record does not have, whatever its columns are called', async () => {
    const text = '[{"a":1,"constructor":"x","__proto__":"y"},{"a":2}]'
    const table = await openTable({ name: 'rows.json', text })
    expect(table.columns.map(({ name }) => name)).toEqual(['a', 'constructor', '__proto__'])
    expect(table.preview(0, 2)).toEqual([
      ['1', 'x', 'y'],
      ['2', null, null],
    ])
  })

  it('needs a reader for Parquet, and unpacks no zstd', async () => {
    await expect(openTable({ name: 'x.parquet', text: 'PAR1' })).rejects.toThrow('no reader was given for it')
    await expect(openTable({ name: 'x.csv.zst', text: 'x' })).rejects.toThrow('unpack it first')
    await expect(openTable({ name: 'x.csv', text: 'a' }, { format: 'cvs' as 'csv' })).rejects.toThrow(
      'did you mean "csv"?',
    )
  })
})

describe('an inspection', () => {
  it('says of every column what it is like, what is made of it, and why', async () => {
    const { columns, rows, all, problem } = await inspectTable(await open())
    expect([rows, all, problem]).toEqual([60, true, expect.stringContaining('a single column that looks categorical')])
    const [id, age, vote, when, empty] = columns
    expect(id).toMatchObject({ kind: 'text', guess: 'ignore', reason: expect.stringContaining('an identifier') })
    expect(age).toMatchObject({ kind: 'number', smallest: 18, largest: 77, bins: 'q5', guess: 'ignore' })
    expect(vote).toMatchObject({ kind: 'text', guess: 'mode', reason: '3 different values in 60 rows', distinct: 3 })
    expect(vote.values[0]).toEqual({ text: 'Refused', count: 20 })
    expect(vote.missingCodes).toEqual(['Refused'])
    expect(when).toMatchObject({ kind: 'date', bins: 'month', dates: 'day/month/year', ambiguousDates: false })
    expect(empty).toMatchObject({ kind: 'empty', missing: 60, values: [] })
  })

  it('follows the options, as reading does', async () => {
    const options = { bins: ['age:q5'], exclude: ['vote'], include: ['id'] }
    const [seen, read] = [await inspectTable(await open(), options), await readView(await open(), options)]
    const modes = seen.columns.filter(({ guess }) => guess === 'mode').map(({ name }) => name)
    expect(modes).toEqual(read.tensor.modes.map(({ name }) => name))
    expect(seen.problem).toBeUndefined()
    expect(read.notes).toEqual(expect.arrayContaining([...seen.notes]))
    expect(seen.columns.map(({ reason }) => reason).slice(0, 3)).toEqual([
      'it is used as requested',
      'it is used as requested',
      'it is left out as requested',
    ])
  })

  it('finds the count, or says what is wrong with it', async () => {
    const text = (n: string) => `a,b,n\nx,u,1\nx,v,2\ny,u,${n}\ny,v,4\n`
    const good = await inspectTable(await openTable({ name: 'c.csv', text: text('3') }))
    expect(good.columns[2]).toMatchObject({ guess: 'count', reason: expect.stringContaining('how often') })
    const bad = await inspectTable(await openTable({ name: 'c.csv', text: text('-3') }))
    expect(bad.problem).toContain('c.csv, line 4, column "n": a count must be a number ≥ 0 (got "-3")')
    expect(bad.columns).toHaveLength(3)
  })
})

describe('a histogram', () => {
  it('is cut as bins say', async () => {
    const table = await open()
    const { bins, missing, unreadable } = await table.histogram('age', '20')
    expect(bins).toEqual([
      { label: '[0,20)', count: 2, from: 0, to: 20 },
      { label: '[20,40)', count: 20, from: 20, to: 40 },
      { label: '[40,60)', count: 20, from: 40, to: 60 },
      { label: '[60,80)', count: 18, from: 60, to: 80 },
    ])
    expect([missing, unreadable]).toEqual([0, 0])
    expect((await table.histogram('age', 'q5')).bins.map(({ count }) => count)).toEqual([11, 12, 12, 12, 13])
    expect((await table.histogram('when', 'month')).bins[0]).toEqual({ label: 'January', count: 7 })
    expect((await table.histogram('vote', '1', { missing: ['no'] })).unreadable).toBe(40)
    await expect(table.histogram('age', 'weak')).rejects.toThrow('did you mean week?')
  })

  it('or into a number of bins of one width', async () => {
    const table = await open()
    const { bins } = await table.histogram('age', 3)
    expect(bins.map(({ count }) => count)).toEqual([20, 20, 20])
    expect([bins[0].from, bins[2].to]).toEqual([18, 77])
    const dates = await table.histogram('when', 2)
    expect(dates.bins[0].label).toMatch(/^2024-01-\d\d – 2024-\d\d-\d\d$/)
    expect((await table.histogram('n/a', 4)).bins).toEqual([])
  })
})
