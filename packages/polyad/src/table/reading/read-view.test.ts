import { describe, expect, it } from 'vitest'
import { looked } from '../../../../../test/looked-at.ts'
import { refusal } from '../../../../../test/refusal.ts'
import type { Column } from '../columns/columns.ts'
import { openTable } from '../memory/memory-table.ts'
import { inspectTable } from './inspect-table.ts'
import { dateNotes, inOrder, readView, type TableOptions, tensorNotes } from './read-view.ts'

const open = (text: string) => openTable({ name: 't.csv', text })
const csv = (head: string, rows: readonly (readonly (string | number)[])[]) =>
  `${head}\n${rows.map(row => row.join()).join('\n')}\n`
const read = async (text: string, options: TableOptions = {}) => {
  const result = await readView(await open(text), options)
  return { ...result, said: result.notes.map(({ kind, text }) => `${kind}: ${text}`) }
}
const refused = (text: string, options: TableOptions = {}) => refusal(() => read(text, options))

/** Twenty-four rows: two answers, a third, a number, a weight and clusters in strata. */
const ROWS = Array.from({ length: 24 }, (_, i) => [
  ['yes', 'no'][i % 2],
  ['a', 'b', 'c'][i % 3],
  (i % 4) + 1,
  i === 0 ? 0 : 1.5 + (i % 2),
  `p${i % 6}`,
  i % 2,
])
const SURVEY = csv('vote,city,kids,wx,pp,st', ROWS)

describe('a table that is read', () => {
  it('gives its tensor, notes, recipe and source', async () => {
    const { tensor, said, recipe, source, rows, dropped, ...rest } = await read(SURVEY, { modes: ['vote', 'city'] })
    expect(tensor.modes.map(({ name, labels, ordered }) => [name, labels, ordered])).toEqual([
      ['vote', ['no', 'yes'], false],
      ['city', ['a', 'b', 'c'], false],
    ])
    expect([rows, dropped, said]).toEqual([24, 0, []])
    expect(recipe).toStrictEqual({
      modes: [{ column: 'vote' }, { column: 'city' }],
      missing: ['', 'NA', 'NULL', 'NaN'],
    })
    expect(source).toStrictEqual({ files: ['t.csv'], rows: 24 })
    expect(Object.keys(rest)).toEqual(['notes'])
  })

  it('with weights has squares, rows and the population', async () => {
    const result = await read(SURVEY, { modes: ['vote', 'city'], weights: 'wx' })
    expect(result.squares?.cells).toBe(result.tensor.cells)
    expect(result.population).toBeCloseTo(46.5, 12)
    expect(result.tensor.total).toBeCloseTo(23, 12)
    expect(result.rowWeights?.counts.reduce((sum, n) => sum + n, 0)).toBe(23)
    expect(result.source).toEqual({ files: ['t.csv'], weights: 'wx', rows: 24 })
    expect(result.said).toEqual([
      'choice: wx: weights are divided by their mean, so that they sum to the number of rows that are used',
      'choice: of 24 rows, 1 with wx = 0 counts for nothing',
    ])
    expect((await read(SURVEY, { modes: ['vote'], count: 'kids' })).source).toMatchObject({ count: 'kids' })
  })

  it('has the design that was asked for', async () => {
    const design = { cluster: 'PP', stratum: 'st' }
    const { tensor, said, design: drawn, recipe } = await read(SURVEY, { weights: 'wx', design, top: 2 })
    expect(drawn).toEqual({ cluster: 'pp', stratum: 'st', sizes: { 0: 3, 1: 3 } })
    expect(tensor.modes.map(({ name, size }) => [name, size])).toEqual([
      ['vote', 2],
      ['city', 3],
      ['kids', 3],
      ['pp', 6],
      ['st', 2],
    ])
    expect(recipe.modes.map(({ other }) => other)).toEqual([undefined, '(other)', '(other)', undefined, undefined])
    expect(said).toContain('choice: variables: vote, city, kids')
    expect(said).toContain('choice: city: 1 rare category merged into (other)')
    const filtered = await read(SURVEY, { weights: 'wx', design, where: "city != 'c'" })
    expect(filtered.said).toContain(
      'warning: where leaves clusters without rows out of the design, so that standard errors of a subpopulation may be wrong; set the weights of the other rows to 0 instead',
    )
    expect(filtered.source).toMatchObject({ where: "city != 'c'", rowsBefore: 24, rows: 16 })
    expect((await read(SURVEY, { weights: 'wx', design })).said.join()).not.toContain('subpopulation')
    expect((await read(SURVEY, { modes: ['vote', 'city'], where: "city != 'c'" })).said).toEqual([
      "choice: 16 of 24 rows used: city != 'c'",
    ])
    // Nothing is said of names of clusters that are alike.
    const alike = csv(
      'a,b,psu',
      Array.from({ length: 12 }, (_, i) => [i % 2, i % 3, ['p', 'P', 'Refused'][i % 3]]),
    )
    expect((await read(alike, { design: { cluster: 'psu' } })).said.join()).not.toMatch(/psu has|Refused/)
    expect((await read(alike, { modes: ['a', 'psu'] })).said.join()).toMatch(/psu has categories.*"P" and "p"/)
  })

  it('says what was left out, what is rare, and what may be wrong', async () => {
    const text = csv('a,b', [
      ['x', 'u'],
      ['', ''],
      ['X', 'u'],
      ['y', 'NA'],
      ['', 'NA'],
      ['Refused', 'v'],
    ])
    const { said, dropped, rows } = await read(text, { modes: ['a', 'b'] })
    expect([rows, dropped]).toEqual([6, 2])
    expect(said).toEqual([
      'warning: counted as answers, but may mean missing: "Refused" in a; if so, add missing \'Refused\'',
      'warning: a has categories that differ only in case or blanks: "X" and "x"; join them with ignoreCase',
      'warning: 2 rows left out: every variable is missing in them',
    ])
    expect((await read(text, { modes: ['a', 'b'], top: 1, missing: ['?'] })).said).toEqual([
      'warning: no value in the columns used matches the missing code "?"; check how it is written',
      ...said,
      'choice: a: 3 rare categories merged into (other)',
      'choice: b: 1 rare category merged into (other)',
    ])
    const lost = csv('a,n', [
      ['x', 1],
      ['y', 2],
      ['z', 0],
    ])
    expect((await read(lost, { modes: ['a'], count: 'n' })).said).toContain(
      'choice: a: z occurs only in rows that count for nothing, and is left out',
    )
    const many = csv('a,n', [['x', 1], ...'klmnop'.split('').map(letter => [letter, 0])])
    expect((await read(many, { modes: ['a'], count: 'n' })).said).toContain(
      'choice: a: k, l, m, n, o and 1 more occur only in rows that count for nothing, and are left out',
    )
    expect((await read(many.split('\n').slice(0, 7).join('\n'), { modes: ['a'], count: 'n' })).said).toContain(
      'choice: a: k, l, m, n, o occur only in rows that count for nothing, and are left out',
    )
  })

  it('has labels only in rows that count', async () => {
    const text = csv('a,b,n', [
      ['x', '', 1],
      ['y', 'u', 0],
    ])
    expect(await refused(text, { modes: ['a', 'b'], count: 'n' })).toBe(
      'DataError: column "b" has values only in rows of count 0; leave the column out',
    )
    expect(await refused(text, { modes: ['a', 'b'], weights: 'n' })).toBe(
      'DataError: column "b" has values only in rows of weight 0; leave the column out',
    )
  })

  it('missing values may be a label', async () => {
    const text = csv('a,b', [
      ['x', 'u'],
      ['', 'u'],
      ['y', 'v'],
    ])
    const { tensor, recipe } = await read(text, { modes: ['a', 'b'], missingAs: '(none)' })
    expect(tensor.modes[0].labels).toEqual(['(none)', 'x', 'y'])
    expect(recipe.modes).toEqual([
      { column: 'a', missingAs: '(none)' },
      { column: 'b', missingAs: '(none)' },
    ])
  })

  it('patterns name columns, and options that name none are refused', async () => {
    const text = csv('q1,q2,x', [
      ['a', 'b', 'c'],
      ['b', 'a', 'd'],
    ])
    expect((await read(text, { modes: ['q*'] })).tensor.modes.map(({ name }) => name)).toEqual(['q1', 'q2'])
    expect((await read(text, { exclude: ['q*'], include: ['x'] })).tensor.modes.map(({ name }) => name)).toEqual(['x'])
    expect((await read(text, { modes: ['x'], include: ['q*'] })).tensor.modes.map(({ name }) => name)).toEqual([
      'x',
      'q1',
      'q2',
    ])
    expect(await refused(text, { modes: ['z*'] })).toBe(
      "OptionError: modes 'z*': no column of t.csv matches z* (its columns are q1, q2, x)",
    )
    expect(await refused(text, { include: ['z*'] })).toBe('OptionError: t.csv has no column "z*"; there are q1, q2, x')
    expect(await refused(text, { bins: ['qq:5'] })).toBe(
      'OptionError: t.csv has no column "qq" to bin; did you mean "q1"?',
    )
    expect(await refused(text, { categories: ['qq'] })).toBe(
      'OptionError: t.csv has no column "qq" for categories; did you mean "q1"?',
    )
  })

  it('columns that are wanted are not taken for counts', async () => {
    const text = csv('a,b,n', [
      ['x', 'u', 3],
      ['x', 'v', 9],
      ['y', 'u', 5],
      ['y', 'v', 40],
    ])
    expect((await read(text)).tensor.total).toBe(57)
    const options: TableOptions[] = [
      { modes: ['a', 'n'] },
      { modes: ['a', 'b'], include: ['n'] },
      { exclude: ['n'] },
      { bins: ['n:10'] },
    ]
    for (const each of options) expect((await read(text, each)).tensor.total, JSON.stringify(each)).toBe(4)
    expect((await read(text, { modes: ['a', 'b'], missingIn: ['b:v'] })).tensor.modes[1].labels).toEqual(['u'])
    expect((await read(text, { modes: ['a', 'b'], missingIn: ['b:v'] })).recipe.missingIn).toEqual({ b: ['v'] })
    expect((await read(text, { modes: ['a', 'b'] })).recipe).not.toHaveProperty('missingIn')
  })

  it('clusters stay if their rows weigh nothing, and nothing is said of their order', async () => {
    const rows = [
      ['x', 'u', 0, 'low'],
      ['x', 'v', 1, 'high'],
      ['y', 'u', 2, 'high'],
      ['y', 'w', 0, 'medium'],
    ]
    const options = { modes: ['a', 'b'], weights: 'wx', design: { cluster: 'c' } }
    const { tensor, said, design } = await read(csv('a,b,wx,c', rows), options)
    expect(tensor.modes.map(({ labels }) => labels)).toEqual([
      ['x', 'y'],
      ['u', 'v'],
      ['low', 'medium', 'high'],
    ])
    expect(design?.sizes).toBe(3)
    expect(said).toEqual([
      'choice: wx: weights are divided by their mean, so that they sum to the number of rows that are used',
      'choice: of 4 rows, 2 with wx = 0 count for nothing',
      'choice: b: w occurs only in rows that count for nothing, and is left out',
      'choice: in 2 of 3 clusters every row has wx = 0: they still count in the design of the sample',
    ])
    expect((await read(csv('a,b,wx,c', rows), { modes: ['a', 'c'] })).said.join()).toContain('recognized as a scale')
  })

  it('clusters are proposed unless a design is named', async () => {
    const rows = Array.from({ length: 12 }, (_, i) => [
      i % 2,
      i % 3,
      `p${i % 4}`,
      1 + (i % 2),
      2 - (i % 2),
      1 + (i % 2),
    ])
    const text = csv('a,b,psu,wx,rx1,rx2', rows)
    const said = async (options: TableOptions) =>
      (await read(text, { modes: ['a', 'b'], weights: 'wx', ...options })).said.join()
    expect(await said({})).toContain('psu looks like clusters')
    expect(await said({ replicateWeights: ['rx*'] })).not.toContain('psu looks like clusters')
    expect(await said({ design: { cluster: 'b' } })).not.toContain('psu looks like clusters')
  })

  it('is released once it was counted', async () => {
    const calls: string[] = []
    const table = await open(
      csv('a,b,wx,rx1,rx2', [
        ['x', 'u', 1, 2, 1],
        ['y', 'v', 3, 1, 2],
      ]),
    )
    const countCells = table.countCells.bind(table)
    Object.assign(table, {
      countCells: (...args: Parameters<typeof countCells>) => {
        calls.push('count')
        return countCells(...args)
      },
      release: async () => void calls.push('release'),
    })
    const options = { modes: ['a', 'b'], weights: 'wx' }
    await readView(table, options)
    expect(calls.splice(0)).toEqual(['count', 'release'])
    await readView(table, { ...options, replicateWeights: ['rx*'] })
    expect(calls).toEqual(['count', 'count', 'count', 'release'])
  })
})

describe('orders of categories', () => {
  const text = csv('q,k', [
    ['mid', 1],
    ['low', 2],
    ['top', 1],
    ['low', 3],
  ])
  it('are as they were given', async () => {
    const { tensor, said } = await read(text, { modes: ['q', 'k'], order: ['q=top,mid,low'] })
    expect(tensor.modes[0]).toMatchObject({ labels: ['top', 'mid', 'low'], ordered: true })
    expect(said).toEqual(['choice: categories in the order that was given: q'])
    expect(await refused(text, { modes: ['q', 'k'], order: ['q=top,mid,low,none'] })).toBe(
      'OptionError: order: no row has "none" in q; check how it is written',
    )
    expect((await read(text, { modes: ['q', 'k'], order: ['q=top,mid,low'], where: "q != 'top'" })).said).toContain(
      'choice: no row that meets the filter has "top" in q; order is used without it',
    )
    const numbers = await read(text, { modes: ['q', 'k'], categories: ['K'] })
    expect(numbers.tensor.modes.map(({ ordered }) => ordered)).toEqual([false, false])
  })

  it('of a file are those of the new categories', () => {
    const view = { name: 't', columns: [] } as never
    const recoded = (column: Partial<Column>, from: string[]) =>
      inOrder(view, {}, new Map([['q', [{ from, to: 'x' }]]]))(looked('q', column))
    const order = ['a', 'b', 'c']
    expect(recoded({ order, ordered: true }, ['a', 'b'])).toMatchObject({
      order: ['x', 'c'],
      ordered: true,
      recode: [{ from: ['a', 'b'], to: 'x' }],
    })
    expect(recoded({ order, ordered: true }, ['a', 'c'])).toMatchObject({ order: ['x', 'b'], ordered: false })
    expect(recoded({ order }, ['a', 'b'])).not.toHaveProperty('ordered')
    expect(recoded({}, ['a', 'b'])).not.toHaveProperty('order')
    const other = looked('p', { order })
    expect(inOrder(view, {}, new Map([['q', []]]))(other)).toBe(other)
  })

  it('are recoded', async () => {
    const { tensor, said, recipe } = await read(text, { modes: ['q', 'k'], recode: ['k:1,2=few,3=many', 'q:tip=x'] })
    expect(tensor.modes[1]).toMatchObject({ labels: ['few', 'many'], ordered: true })
    expect(said).toContain('warning: recode: no row has "tip" (did you mean "top"?) in q; check how it is written')
    expect(recipe.recode).toEqual({
      q: [{ from: ['tip'], to: 'x' }],
      k: [
        { from: ['1', '2'], to: 'few' },
        { from: ['3'], to: 'many' },
      ],
    })
    expect(await refused(text, { modes: ['q', 'k'], recode: ['k:1=2'], bins: ['k:2'] })).toContain(
      'recode: "k" is cut into intervals',
    )
    expect(await refused(text, { modes: ['q'], recode: ['k:1=2'], count: 'k' })).toContain(
      'recode: "k" is the column of counts',
    )
  })
})

describe('columns that are cut', () => {
  it('by quantiles, and codes among their values are suspected', async () => {
    const text = csv(
      'age,sex',
      Array.from({ length: 40 }, (_, i) => [i < 4 ? 999 : 20 + i, i % 2]),
    )
    const { tensor, recipe, said } = await read(text, { modes: ['age', 'sex'], bins: ['age:q4'] })
    expect(recipe.modes[0].binning).toEqual({ kind: 'quantiles', edges: [33, 43, 53] })
    expect(tensor.modes[0].labels).toEqual(['<33', '[33,43)', '[43,53)', '≥53'])
    expect(said).toEqual(["warning: counted as answers, but may mean missing: 999 in age; if so, add missing '999'"])
    const tied = csv(
      'age,sex',
      Array.from({ length: 40 }, (_, i) => [i < 25 ? 1 : i, i % 2]),
    )
    expect((await read(tied, { modes: ['age', 'sex'], bins: ['age:q4'] })).recipe.modes[0].binning).toEqual({
      kind: 'quantiles',
      edges: [1, 29],
    })
  })

  it('by dates as they are written, in a time zone', async () => {
    const rows = Array.from({ length: 8 }, (_, i) => [`2024-01-0${i + 1}T23:30Z`, `0${i + 1}.02.2024`, i % 2])
    const text = csv('when,day,x', rows)
    const options = { modes: ['when', 'day', 'x'], bins: ['when:weekday', 'day:month'] }
    const utc = await read(text, options)
    expect(utc.recipe.modes.slice(0, 2)).toEqual([
      { column: 'when', binning: { kind: 'date', part: 'weekday' } },
      { column: 'day', binning: { kind: 'date', part: 'month', format: 'day.month.year' } },
    ])
    expect(utc.said).toEqual(["choice: times are read in UTC: when; for another zone, use timeZone 'Europe/Berlin'"])
    const berlin = await read(text, { ...options, timeZone: 'Europe/Berlin' })
    expect(berlin.recipe.modes[0].binning).toEqual({ kind: 'date', part: 'weekday', zone: 'Europe/Berlin' })
    expect(berlin.recipe).not.toHaveProperty('timeZone')
    expect(berlin.said).toEqual([
      'choice: times are read in Europe/Berlin: when',
      'choice: no UTC offset, so taken as written whatever the time zone: day',
    ])
    // Monday, 1 January at half past eleven in the evening is Tuesday in Berlin.
    expect([utc.tensor.modes[0].labels?.[0], utc.tensor.marginals[0][0]]).toEqual(['Monday', 2])
    expect(berlin.tensor.marginals[0][0]).toBe(1)
    expect((await read(text, { modes: ['x'], timeZone: 'UTC' })).said).toEqual([
      "warning: timeZone has no effect, because no date is cut; cut one with bins, as in bins 'time:hour'",
    ])
  })

  it('what is said of dates', () => {
    const date = (name: string, more: Partial<Column> = {}) =>
      [looked(name, { kind: 'date', ...more }), { kind: 'date' }] as const
    const said = (cuts: Parameters<typeof dateNotes>[0], timeZone?: string) =>
      dateNotes(cuts, { missing: [], ...(timeZone && { timeZone }) }).map(({ kind, text }) => `${kind}: ${text}`)
    expect(said([])).toEqual([])
    expect(
      said([
        [looked('a'), undefined],
        [looked('b'), { kind: 'int' }],
      ]),
    ).toEqual([])
    expect(
      said([date('a, b', { ambiguousDates: true, dates: 'month/day/year' }), date('c', { ambiguousDates: false })]),
    ).toEqual([
      // biome-ignore format: one line
      'choice: "a, b" is read as month/day/year; its dates would also read with day and month exchanged',
    ])
    const another = "; for another zone, use timeZone 'Europe/Berlin'"
    expect(said([date('a', { zoned: 'some' })])).toEqual([
      `warning: times with a UTC offset are read in UTC, and times without one as written; a has both${another}`,
    ])
    expect(said([date('a', { zoned: 'some' }), date('b', { zoned: 'some' })], 'UTC')).toEqual([
      'warning: times with a UTC offset are read in UTC, and times without one as written; a, b have both',
    ])
    expect(said([date('a', { zoned: 'all' }), date('b', { zoned: 'all' })])).toEqual([
      `choice: times are read in UTC: a, b${another}`,
    ])
    expect(said([date('a')], 'UTC')).toHaveLength(1)
    expect(said([date('a')])).toEqual([])
  })
})

it('what is said of a tensor', () => {
  const said = (size: number, dropped: number, merged: number) =>
    tensorNotes({ modes: [{ name: 'id', size }] } as never, dropped, [merged]).map(
      ({ kind, text }) => `${kind}: ${text}`,
    )
  expect(said(49_999, 0, 0)).toEqual([])
  expect(said(50_000, 1, 2)).toEqual([
    'warning: 1 row left out: every variable is missing in it',
    'choice: id: 2 rare categories merged into (other)',
    'warning: id has 50,000 categories: is it an identifier? Leave it out, or keep the most frequent with top: 1000',
  ])
})

describe('replicate weights', () => {
  const rows = Array.from({ length: 12 }, (_, i) => [
    ['x', 'y'][i % 2],
    ['u', 'v', 'w'][i % 3],
    2,
    i % 2 === 0 ? 4 : 0,
    i % 3,
    1,
  ])
  const text = csv('a,b,w,rw1,rw2,z', rows)
  const options = { modes: ['a', 'b'], weights: 'w', replicateWeights: ['rw*'] }

  it('are summed by cells, on the scale of the weights', async () => {
    const { tensor, replicates } = await read(text, options)
    expect(replicates?.columns).toEqual(['rw1', 'rw2'])
    const expected = (column: 3 | 4) =>
      Array.from({ length: tensor.cells }, (_, cell) => {
        const [a, b] = tensor.indices.map((index, n) => tensor.modes[n].label(index[cell]))
        return rows.filter(row => row[0] === a && row[1] === b).reduce((sum, row) => sum + Number(row[column]) / 2, 0)
      })
    expect(replicates?.values.map(each => [...each])).toEqual([expected(3), expected(4)])
    expect((await read(text, { ...options, replicateWeights: ['rw2', 'rw1'] })).replicates?.columns).toEqual([
      'rw1',
      'rw2',
    ])
    // Rare labels are merged in replicates too.
    const top = await read(text, { ...options, top: 1 })
    expect(top.replicates?.values.map(each => each.reduce((sum, x) => sum + x, 0))).toEqual([12, 6])
  })

  it('are two or more columns of numbers, and no variables', async () => {
    const refusals = (more: TableOptions) => refused(text, { ...options, ...more })
    expect(await refusals({ replicateWeights: ['rw1'] })).toBe(
      'OptionError: replicateWeights must name two or more columns (got 1)',
    )
    expect(await refusals({ replicateWeights: ['rx*'] })).toBe(
      "OptionError: replicateWeights 'rx*': no column of t.csv matches rx* (its columns are a, b, w, rw1, rw2, z)",
    )
    expect(await refusals({ replicateWeights: ['rw1', 'rw3'] })).toBe(
      'OptionError: t.csv has no column "rw3" of replicate weights; did you mean "rw1"?',
    )
    expect(await refusals({ modes: ['a', 'rw1'] })).toBe(
      'OptionError: column "rw1" cannot be both a variable and a replicate weight',
    )
    expect(await refusals({ include: ['rw2'] })).toBe(
      'OptionError: column "rw2" cannot be both a variable and a replicate weight',
    )
    expect(await refusals({ replicateWeights: ['rw1', 'a'] })).toContain('column "a"')
    const bad = text.replace('y,v,2,0,1,1', 'y,v,2,-1,1,1')
    expect(await refused(bad, options)).toBe(
      'DataError: t.csv, line 3, column "rw1": a replicate weight must be a number ≥ 0 (got "-1")',
    )
    const { tensor } = await read(text, { weights: 'w', replicateWeights: ['rw*'] })
    expect(tensor.modes.map(({ name }) => name)).toEqual(['a', 'b'])
  })
})

describe('a table that is looked at', () => {
  it('says of every column what it is', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => [
      ['yes', 'no', ''][i % 3],
      20 + i,
      `0${(i % 9) + 1}/0${(i % 8) + 1}/2024`,
      i % 4 === 0 ? 99 : i % 4,
      `"${i},5"`,
    ])
    const { columns, ...rest } = await inspectTable(await open(csv('vote,age,day,kids,price', rows)), {
      where: 'age > 20',
    })
    expect(rest).toMatchObject({
      name: 't.csv',
      rows: 39,
      all: true,
      filter: { where: 'age > 20', rows: 40, kept: 39 },
    })
    expect(rest).not.toHaveProperty('problem')
    expect(columns[0]).toEqual({
      name: 'vote',
      type: 'VARCHAR',
      kind: 'text',
      distinct: 2,
      missing: 13,
      guess: 'mode',
      proposal: { use: 'mode' },
      values: [
        { text: 'no', count: 13 },
        { text: 'yes', count: 13 },
      ],
      reason: '2 different values in 39 rows',
      reasonWording: '2 different values in 39 rows',
      missingCodes: [],
      ambiguousDates: false,
    })
    expect(columns[1]).toMatchObject({ kind: 'number', smallest: 21, largest: 59, bins: 'q5', guess: 'ignore' })
    expect(columns[1].values).toHaveLength(12)
    expect(columns[2]).toMatchObject({
      kind: 'date',
      dates: 'month/day/year',
      ambiguousDates: true,
      bins: 'month',
      missingCodes: [],
    })
    expect(columns[3]).toMatchObject({ smallest: 1, largest: 99, missingCodes: ['99'] })
    expect(columns[4]).toMatchObject({ kind: 'number', smallest: 1.5, largest: 39.5 })
    expect(columns[0]).not.toHaveProperty('smallest')
    expect(columns[0]).not.toHaveProperty('bins')
    expect(columns[0]).not.toHaveProperty('title')
  })

  it('has titles of its file, and no values of lists', async () => {
    const rows = Array.from({ length: 8 }, (_, i) => ({ tags: [`t${i % 2}`], x: ['u', 'v'][i % 2], none: '' }))
    const table = await openTable({ name: 't', rows })
    const columns = table.columns.map(column => ({ ...column, ...(column.name === 'x' && { title: 'What it is' }) }))
    const asked: string[][] = []
    const frequent = table.frequent.bind(table)
    const view = Object.assign(table, {
      columns,
      frequent: (...args: Parameters<typeof frequent>) => {
        asked.push(args[0].map(({ name }) => name))
        return frequent(...args)
      },
    })
    const seen = await inspectTable(view)
    expect(asked).toEqual([['x']])
    expect(seen.columns.map(({ name, kind, title, values }) => [name, kind, title, values.length])).toEqual([
      ['tags', 'nested', undefined, 0],
      ['x', 'text', 'What it is', 2],
      ['none', 'empty', undefined, 0],
    ])
  })

  it('says what reading would say, or refuse', async () => {
    const text = csv('a,b,n', [
      ['x', 'u', 1],
      ['x', 'v', 2],
      ['y', 'u', -3],
      ['y', 'v', 4],
    ])
    const bad = await inspectTable(await open(text), { count: 'n' })
    expect(bad.problem).toBe('t.csv, line 4, column "n": a count must be a number ≥ 0 (got "-3")')
    expect(bad.columns.map(({ guess }) => guess)).toEqual(['mode', 'mode', 'ignore'])
    expect(bad.notes).toEqual([])
    const named = await inspectTable(await open(text), { modes: ['n'], exclude: ['n'], count: 'none' })
    expect(named.problem).toBe('no variable is left: all that modes names is in exclude')
    expect(named.problemWording).toEqual([
      'no variable is left: all that ',
      { option: 'modes' },
      ' names is in ',
      { option: 'exclude' },
    ])
    const days = csv('day,x,y', [
      ['2024-01-01', 1, 1],
      ['2024-02-01', 2, 2],
      ['2024-02-01', 1, 2],
      ['2024-02-01', 1, 2],
    ])
    const cut = await inspectTable(await open(days), { modes: ['day', 'x'], bins: ['day:month'], timeZone: 'UTC' })
    expect(cut.notes.map(({ text }) => text)).toEqual([
      'no UTC offset, so taken as written whatever the time zone: day',
    ])
    const table = Object.assign(await open(text), { countFigures: () => Promise.reject(new TypeError('a bug')) })
    expect(await refusal(() => inspectTable(table, { count: 'n' }))).toBe('TypeError: a bug')
  })
})
