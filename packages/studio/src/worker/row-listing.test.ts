import { fit, tensorFromRows } from '@polyad/core'
import { openTable } from 'polyad/table'
import { expect, it } from 'vitest'
import type { RowQuery } from './protocol.ts'
import { csvOf } from './row-jobs.ts'
import { sliceOf } from './row-listing.ts'
import { score } from './scored-rows.ts'

const rows = Array.from({ length: 150 }, (_, i) => ({
  a: (i * 7) % 10 > 4 ? 'yes' : 'no',
  b: (i * 3) % 11 > 5 ? 'Left' : 'right',
  c: i % 13 === 0 ? '' : String(i % 3),
}))
const text = `a,b,c\n${rows.map(({ a, b, c }) => `${a},${b},${c}`).join('\n')}\n`

const scored = async (source = {}, own?: object) => {
  const tensor = tensorFromRows(
    rows.map(({ c, ...rest }) => ({ ...rest, c: c === '' ? undefined : c })),
    { modes: ['a', 'b', 'c'] },
  )
  const { model } = await fit(tensor, { rank: 2, seed: 1 })
  const recipe = { modes: ['a', 'b', 'c'].map(column => ({ column })), missing: [] }
  return score(await openTable({ name: 'rows.csv', text }), { model, run: { recipe, source } }, own)
}

it('hands over slices of rows that are sorted and filtered as a plain sort does', async () => {
  const all = await scored()
  const listed = (query: Partial<RowQuery>) => {
    const asked = { by: 'row', descending: false, ...query } as const
    // In slices, as the page asks for them.
    const slices = [0, 60, 120].map(from => sliceOf(all, { ...asked, from, count: 60 }))
    return slices.flatMap(slice => slice.rows)
  }
  const plain = listed({})
  expect(plain.map(({ row }) => row)).toEqual(rows.map((_, i) => i))
  expect(plain.map(({ values }) => values[1])).toEqual(rows.map(({ b }) => b))
  const certainty = (own: (typeof plain)[number]) => own.posterior[own.class]
  const keys = {
    probability: (own: (typeof plain)[number]) => own.logLikelihood as number,
    certainty,
    class: (own: (typeof plain)[number]) => own.class,
  }
  for (const by of ['probability', 'certainty', 'class'] as const)
    for (const descending of [false, true]) {
      const sign = descending ? -1 : 1
      const expected = plain.toSorted(
        (x, y) =>
          sign * (keys[by](x) - keys[by](y)) || (by === 'class' ? certainty(y) - certainty(x) : 0) || x.row - y.row,
      )
      expect(listed({ by, descending }).map(({ row }) => row)).toEqual(expected.map(({ row }) => row))
    }
  expect(listed({ by: { class: 1 }, descending: true })).toEqual(
    plain.toSorted((x, y) => y.posterior[1] - x.posterior[1] || x.row - y.row),
  )
  expect(listed({ class: 1 })).toEqual(plain.filter(own => own.class === 1))
  expect(listed({ containing: 'LEF' })).toEqual(plain.filter(({ values }) => values[1] === 'Left'))
  expect(listed({ class: 0, containing: 'left', descending: true }).map(({ row }) => row)).toEqual(
    plain
      .filter(own => own.class === 0 && own.values[1] === 'Left')
      .map(({ row }) => row)
      .reverse(),
  )
  expect(sliceOf(all, { by: 'row', descending: false, from: 140, count: 100 }).rows).toHaveLength(10)
})

it('a spreadsheet computes nothing of what is exported, and its numbers stay numbers', async () => {
  const tensor = tensorFromRows(
    [
      { a: '=1+1', b: '-3.5' },
      { a: 'x', b: '2' },
    ],
    { modes: ['a', 'b'] },
  )
  const { model } = await fit(tensor, { rank: 1, seed: 1 })
  const recipe = { modes: [{ column: 'a' }, { column: 'b' }], missing: [] }
  const table = await openTable({ name: 'x.csv', text: 'a,b,@SUM(1)\n=1+1,-3.5,+cmd|x\nx,2,\n' }, { header: true })
  const [header, first, second] = csvOf(await score(table, { model, run: { recipe } }), ['=A']).split('\n')
  expect(header).toBe("a,b,'@SUM(1),class,class_probability,log_likelihood,posterior_=A")
  expect(first).toMatch(/^'=1\+1,-3\.5,'\+cmd\|x,'=A,1\.0,-\d/)
  expect(second).toMatch(/^x,2,,'=A,1\.0,-\d/)
})

it('lists and writes only the rows that the model was fitted to, under their numbers in the table', async () => {
  const kept = rows.flatMap(({ b, c }, i) => (b === 'Left' && c !== '2' && c !== '' ? [i] : []))
  const filtered = await scored({ where: "b = 'Left' and c < 2" }, {})
  const all = await scored()
  const query = { by: 'row', descending: false, from: 0, count: 200 } as const
  const [some, every] = [sliceOf(filtered, query), sliceOf(all, query)]
  expect(some.found).toBe(kept.length)
  expect(some.rows).toEqual(kept.map(row => every.rows[row]))
  const [header, ...lines] = csvOf(all).split('\n')
  expect(csvOf(filtered).split('\n')).toEqual([header, ...kept.map(row => lines[row]), ''])
  // Of another table all rows are wanted.
  expect(sliceOf(await scored({ where: "b = 'Left'" }), query).found).toBe(rows.length)
})
