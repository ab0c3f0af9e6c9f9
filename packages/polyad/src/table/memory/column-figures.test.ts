import { describe, expect, it } from 'vitest'
import { openTable } from './memory-table.ts'

const open = (text: string) => openTable({ name: 'a.csv', text })
const of = async (text: string, options = {}) => {
  const figures = await (await open(text)).figures(options)
  return Object.fromEntries(figures.map(each => [each.name, each]))
}

describe('figures of columns', () => {
  it('order the steps of a scale, numbers by size, and other categories by the alphabet, and name the rule', async () => {
    const { q, n, colour } = await of(
      'q,n,colour\nhigh,10,red\nlow,2,blue\nmedium,10,blue\nlow,9,green\nhigh,2,blue\nlow,2,red\n',
    )
    expect(q.bars).toEqual([
      { label: 'low', count: 3 },
      { label: 'medium', count: 1 },
      { label: 'high', count: 2 },
    ])
    expect(q.ordered).toBe(true)
    expect(n.bars.map(({ label, count }) => [label, count])).toEqual([
      [2, 3],
      [9, 1],
      [10, 2],
    ])
    expect([colour.ordered, colour.bars.map(({ label }) => label)]).toEqual([false, ['blue', 'green', 'red']])
    expect([q.rule, n.rule, colour.rule]).toEqual(['scale', 'size', 'alphabet'])
  })

  it('count rows as often as a column says, and that column by its rows', async () => {
    const { q, n } = await of('q,n\na,10\nb,1\na,2\n,5\n', { by: 'n' })
    expect(q.bars).toEqual([
      { label: 'a', count: 12 },
      { label: 'b', count: 1 },
    ])
    expect([q.rows, q.missing, q.distinct, q.total]).toEqual([4, 1, 2, 13])
    expect(n.bars.reduce((sum, { count }) => sum + count, 0)).toBe(4)
  })

  it('leave out what means missing, everywhere or in one column', async () => {
    const text = 'a,b\n1,1\n-99,-99\n2,2\n-99,1\n'
    const { a, b } = await of(text, { missingIn: ['a:-99'] })
    expect([a.missing, a.distinct, a.bars.map(({ label }) => label)]).toEqual([2, 2, [1, 2]])
    expect([b.missing, b.distinct]).toEqual([0, 3])
    expect([a.smallest, a.largest, b.smallest, b.largest]).toEqual([1, 2, -99, 2])
    expect((await of(text, { missing: ['-99'] })).b.missing).toBe(1)
  })

  it('draw many numbers in bins of one width, and a column that is cut in its bins', async () => {
    const rows = Array.from({ length: 200 }, (_, i) => `${i / 10}`)
    const text = `x\n${rows.join('\n')}\n`
    const plain = (await of(text)).x
    expect([plain.bars.length, plain.cut, plain.smallest, plain.largest]).toEqual([24, false, 0, 19.9])
    // A quantile is a value that occurs, and begins the bin after it.
    const { x } = await of(text, { bins: ['x:q4'] })
    expect(x.bars.map(({ count }) => count)).toEqual([49, 50, 50, 51])
    expect([x.distinct, x.cut]).toEqual([200, true])
  })

  it('tell of the most frequent of very many categories, and how many more there are', async () => {
    const rows = Array.from({ length: 300 }, (_, i) => `word${i % 100 < 50 ? 0 : i}`)
    const { w } = await of(`w\n${rows.join('\n')}\n`)
    expect([w.bars.length, w.distinct, w.more, w.rest]).toEqual([60, 151, 91, 91])
    expect(w.bars[0]).toEqual({ label: 'word0', count: 150 })
  })

  it('say of a column with nothing in it that all is missing, and draw nothing that cannot be cut', async () => {
    const { a, b } = await of('a,b\n,x\n,y\n', { bins: ['b:0.5'] })
    expect([a.missing, a.bars]).toEqual([2, []])
    expect(b.distinct).toBe(2)
  })
})

it('figures are those of the rows that are used, recoded and in the order that was given', async () => {
  const text = 'q,g,age\n1,a,17\n2,b,20\n4,a,30\n5,b,40\n5,c,50\n'
  const { q, g } = await of(text, { where: 'age >= 18', recode: ['q:4,5=high', 'g:c=a'], order: ['g=b,a'] })
  expect(q.bars).toEqual([
    { label: '2', count: 1 },
    { label: 'high', count: 3 },
  ])
  expect([q.rows, q.distinct]).toEqual([4, 2])
  expect(g.bars).toEqual([
    { label: 'b', count: 2 },
    { label: 'a', count: 2 },
  ])
})
