import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DataError, OptionError, tensorFromRows } from '@polyad/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTwice as readTensor } from '../../../../test/two-readers.ts'
import { openData } from './open-data.ts'

let folder: string
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'polyad-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rows = [
  ['north', 'yes', 3],
  ['south', 'no', 2],
  ['south', 'yes', 1],
  ['north', 'no', 4],
]
const csv = `region,answer,n\n${rows.map(row => row.join(',')).join('\n')}\n`
const expected = tensorFromRows(
  rows.map(([region, answer, n]) => ({ region, answer, n })),
  { count: 'n' },
)
const counted = { modes: ['region', 'answer'], count: 'n' }

describe('tables', () => {
  it('become the tensor that the library makes of the same rows', async () => {
    const { tensor, rows, dropped } = await readTensor(file('a.csv', csv), counted)
    expect(tensor).toEqual(expected)
    expect([rows, dropped]).toEqual([4, 0])
  })

  it('become the same tensor where labels come up long after the first rows', async () => {
    const many = Array.from({ length: 25_000 }, (_, i) => ({
      // Numbers until one is a word, so that the order of all labels changes.
      level: i === 24_000 ? 'none' : String([9, 10, 11][i % 3]),
      place: i % 7 === 0 ? null : i > 22_000 && i % 5 === 0 ? `late ${i % 4}` : `place ${i % 30}`,
      answer: i > 24_500 ? 'maybe' : (['yes', 'no', null][i % 4] ?? null),
    }))
    const text = many.map(row => Object.values(row).join(',')).join('\n')
    const { tensor } = await readTensor(file('late.csv', `level,place,answer\n${text}\n`))
    expect(tensor).toEqual(tensorFromRows(many))
    expect(tensor.shape).toEqual([4, 34, 3])
  })

  it.each([
    ['semicolons', 'b.csv', csv.replaceAll(',', ';')],
    ['tabs', 'b.tsv', csv.replaceAll(',', '\t')],
    ['Windows line ends', 'w.csv', csv.replaceAll('\n', '\r\n')],
    ['a byte order mark', 'm.csv', `\ufeff${csv}`],
    ['gzip', 'b.csv.gz', gzipSync(csv)],
    ['quotes', 'q.csv', csv.replaceAll('north', '"north"')],
    ['JSON', 'b.json', JSON.stringify(rows.map(([region, answer, n]) => ({ region, answer, n })))],
    ['JSON lines', 'b.ndjson', rows.map(([region, answer, n]) => JSON.stringify({ region, answer, n })).join('\n')],
  ])('are read with %s', async (_, name, content) => {
    expect((await readTensor(file(name, content), counted)).tensor).toEqual(expected)
  })

  it('are one where a pattern finds several, in any order of columns', async () => {
    file('part-1.csv', 'region,answer\nnorth,yes\nsouth,no\n')
    file('part-2.csv', 'answer,region\nyes,north\n')
    const { tensor, source } = await readTensor(join(folder, 'part-*.csv'))
    expect(tensor.total).toBe(3)
    expect([...tensor.values]).toEqual([2, 1])
    expect(source.files).toHaveLength(2)
  })

  it('may come from a query', async () => {
    const path = file('s.csv', csv)
    const { tensor } = await readTensor([path], {
      sql: 'SELECT region, answer, n * 2 AS n FROM data WHERE n > 1',
      ...counted,
    })
    expect(tensor.total).toBe(18)
    const direct = await readTensor([], { sql: `SELECT * FROM '${path}'`, ...counted })
    expect(direct.tensor.total).toBe(10)
  })

  it('have the same categories by a query as without one', async () => {
    const path = file('words.csv', `smokes,from,x\n${'yes,07:00,a\nno,08:30,b\n'.repeat(20)}`)
    const { tensor } = await readTensor(path)
    expect(tensor.modes.map(({ labels }) => labels)).toEqual([
      ['no', 'yes'],
      ['07:00', '08:30'],
      ['a', 'b'],
    ])
    expect((await readTensor(path, { sql: 'SELECT * FROM data' })).tensor).toEqual(tensor)
  })

  it('keep a text late in a column of numbers, and the zeros of codes', async () => {
    const path = file('late.csv', `code,x\n${'1,a\n'.repeat(30_000)}${'007,b\n'.repeat(2)}`)
    const { tensor } = await readTensor(path, { modes: ['code', 'x'] })
    expect(tensor.modes[0].labels).toEqual(['007', '1'])
    expect([...tensor.values]).toEqual([2, 30_000])
  })

  it('add up fractions to the same bits in any order', async () => {
    const lines = Array.from({ length: 500 }, (_, i) => `${i % 3},${i % 2},${0.1 * (i % 17) + 0.01}`)
    const forward = await readTensor(file('f.csv', `a,b,w\n${lines.join('\n')}\n`), { count: 'w' })
    const backward = await readTensor(file('g.csv', `a,b,w\n${lines.reverse().join('\n')}\n`), { count: 'w' })
    expect(backward.tensor.values).toEqual(forward.tensor.values)
  })
})

describe('missing values', () => {
  const path = () => file('missing.csv', 'a,b\nx,1\nNA,2\n,\n"",NULL\ny,-9\n')
  it('are missing, and rows of nothing else are dropped', async () => {
    const { tensor, dropped, rows, notes } = await readTensor(path(), { modes: ['a', 'b'] })
    expect([rows, dropped, tensor.total]).toEqual([5, 2, 3])
    expect(tensor.modes.map(mode => mode.labels)).toEqual([
      ['x', 'y'],
      [-9, 1, 2],
    ])
    expect(notes.some(({ text }) => text.startsWith('2 rows left out'))).toBe(true)
  })

  it('may be told, and may be a label where asked', async () => {
    const told = await readTensor(path(), { modes: ['a', 'b'], missing: ['', 'NA', 'NULL', '-9'] })
    expect(told.tensor.modes[1].labels).toEqual([1, 2])
    const labelled = await readTensor(path(), { modes: ['a'], missingAs: 'unknown' })
    expect(labelled.tensor.modes[0].labels).toEqual(['unknown', 'x', 'y'])
    expect([...labelled.tensor.values]).toEqual([3, 1, 1])
  })
})

describe('choosing columns', () => {
  it('takes all columns that a pattern names', async () => {
    const path = file('stars.csv', `q1,q2,other,Q10,q*\n${'1,2,3,1,x\n2,1,3,2,y\n'.repeat(4)}`)
    const of = async (options: object) => (await readTensor(path, options)).tensor.modes.map(({ name }) => name)
    expect(await of({ modes: ['q1*'] })).toEqual(['q1', 'Q10'])
    expect(await of({ modes: ['q?*', 'other', 'q2'] }).catch(error => error.message)).toContain('matches q?*')
    // A column of that very name is meant.
    expect(await of({ modes: ['q*', 'q1'] })).toEqual(['q*', 'q1'])
    expect(await of({ exclude: ['Q1*', 'other'] })).toEqual(['q2', 'q*'])
  })

  it('takes what looks categorical and says why not the rest', async () => {
    const lines = Array.from(
      { length: 90 },
      (_, i) =>
        `id${i},${i % 3},${i * 1.37},2024-01-${String((i % 28) + 1).padStart(2, '0')},${['a', 'b'][i % 2]},same`,
    )
    const { tensor, notes } = await readTensor(file('c.csv', `id,grade,weight,day,group,fixed\n${lines.join('\n')}\n`))
    expect(tensor.modes.map(({ name }) => name)).toEqual(['grade', 'group'])
    const said = notes.map(({ text }) => text).join('\n')
    for (const reason of [
      'id not used: 90 different values',
      "weight looks like sampling weights: use weights 'weight'",
      "To use it as a variable, cut it with bins 'weight:q5'",
      "bins 'day:month'",
      'fixed not used: the same value',
    ]) {
      expect(said).toContain(reason)
    }
  })

  it('counts by a column of counts where every row is a combination of its own', async () => {
    const { tensor, notes } = await readTensor(file('n.csv', csv))
    expect(tensor).toEqual(expected)
    expect(notes[0].text).toContain('counting by column n')
    expect((await readTensor(join(folder, 'n.csv'), { count: 'none', modes: ['region', 'answer'] })).tensor.total).toBe(
      4,
    )
  })

  it('cuts numbers and dates into ordered modes', async () => {
    const path = file(
      'bins.csv',
      'x,t,g\n0.3,2024-05-01 13:10,a\n0.1,2024-05-05 02:00,b\n0.65,2023-12-31 13:59,a\n,,a\n',
    )
    const { tensor, recipe } = await readTensor(path, { modes: ['g'], bins: ['x:0.1', 't:weekday'] })
    expect(tensor.modes.map(({ name, ordered }) => [name, ordered])).toEqual([
      ['g', false],
      ['x', true],
      ['t', true],
    ])
    expect(tensor.modes[1].labels).toEqual([
      '[0.1,0.2)',
      '[0.2,0.3)',
      '[0.3,0.4)',
      '[0.4,0.5)',
      '[0.5,0.6)',
      '[0.6,0.7)',
    ])
    expect(tensor.modes[2].labels).toEqual(['Wednesday', 'Sunday'])
    expect(recipe.modes[1]).toEqual({ column: 'x', binning: { kind: 'width', width: 0.1 } })
    const quantiles = await readTensor(path, { modes: ['g'], bins: ['x:q2', 't:hour'] })
    expect(quantiles.tensor.modes.map(mode => mode.labels)).toEqual([
      ['a', 'b'],
      ['<0.3', '≥0.3'],
      ['02:00', '13:00'],
    ])
  })

  it('keeps the most frequent labels', async () => {
    const path = file('top.csv', `a,b\n${'x,1\n'.repeat(5)}${'y,1\n'.repeat(3)}z,2\nw,2\n`)
    const { tensor, recipe } = await readTensor(path, { modes: ['a', 'b'], top: 2 })
    expect(tensor.modes[0].labels).toEqual(['x', 'y', '(other)'])
    expect([...tensor.values]).toEqual([5, 3, 2])
    expect(recipe.modes.map(({ other }) => other)).toEqual(['(other)', undefined])
  })

  it('warns of a mode with very many labels', async () => {
    const lines = Array.from({ length: 50_001 }, (_, i) => `u${i},${i % 2}`)
    const { notes } = await readTensor(file('many.csv', `user,b\n${lines.join('\n')}\n`), { modes: ['user', 'b'] })
    expect(notes).toContainEqual(
      expect.objectContaining({ kind: 'warning', text: expect.stringContaining('user has 50,001 categories') }),
    )
  })
})

describe('bad tables are refused with their place', () => {
  it.each<[string, string, string | Uint8Array, object, string]>([
    [
      'a text in a count',
      't.csv',
      'a,n\nx,1\n"y\n2",2\nz,abc\n',
      { count: 'n', modes: ['a'] },
      't.csv, line 5, column "n": a count must be a number ≥ 0 (got "abc")',
    ],
    [
      'a negative count',
      'neg.csv',
      'a,n\nx,1\n\nz,-2\n',
      { count: 'n', modes: ['a'] },
      'neg.csv, line 4, column "n": a count must be a number ≥ 0 (got "-2")',
    ],
    [
      'a missing count',
      'mis.csv',
      'a,n\nx,1\nz,\n',
      { count: 'n', modes: ['a'] },
      'mis.csv, line 3, column "n": the count is missing',
    ],
    [
      'a text in a bin',
      'bin.csv',
      'a,x\nx,1\nz,tall\n',
      { bins: ['x:2'] },
      'bin.csv, line 3, column "x": "tall" is not a number',
    ],
    ['too few fields', 'few.csv', 'a,b\nx,1\ny\n', {}, 'few.csv, line 3: it has 1 field where the header has 2'],
    ['a quote left open', 'open.csv', 'a,b\n"x,1\ny,2\n', {}, 'open.csv, line 2: a quote is opened and never closed'],
    ['another encoding', 'latin.csv', Buffer.from('a,b\nx,\xe9\n', 'latin1'), {}, 'latin.csv, line 2: it is not UTF-8'],
    ['a binary file', 'bin2.csv', Uint8Array.of(97, 44, 98, 10, 0, 1), {}, 'not a text file'],
    ['an empty file', 'empty.csv', '', {}, 'empty.csv is empty'],
    ['a header alone', 'head.csv', 'a,b\n', {}, 'head.csv has a header but no rows'],
    ['broken JSON', 'bad.ndjson', '{"a":1}\n{"a":}\n', {}, 'bad.ndjson, line 2: the JSON is broken'],
    ['broken Parquet', 'bad.parquet', 'PAR1 and nothing else PAR1', {}, 'not a readable Parquet file'],
    [
      'a broken archive',
      'cut.csv.gz',
      Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3),
      {},
      'cut.csv.gz is not a readable gzip file',
    ],
  ])('%s', async (_, name, content, options, reason) => {
    const failure = await readTensor(file(name, content), options).catch(error => error)
    expect(failure).toBeInstanceOf(DataError)
    expect(failure.message).toContain(reason)
  })

  it.each(['csv', 'tsv', 'json', 'ndjson'])('a gzipped .%s file that is cut short', async format => {
    const rows = Array.from({ length: 5000 }, (_, i) => ({ a: `x${(i * i) % 7}`, b: `y${(i * i) % 11}` }))
    const lines = {
      csv: `a,b\n${rows.map(({ a, b }) => `${a},${b}`).join('\n')}\n`,
      tsv: `a\tb\n${rows.map(({ a, b }) => `${a}\t${b}`).join('\n')}\n`,
      json: JSON.stringify(rows),
      ndjson: rows.map(row => JSON.stringify(row)).join('\n'),
    }[format] as string
    const packed = gzipSync(lines)
    expect((await readTensor(file(`whole.${format}.gz`, packed))).tensor.total).toBe(5000)
    for (const bytes of [Math.floor(packed.length / 2), packed.length - 8, packed.length - 1]) {
      const failure = await readTensor(file(`short.${format}.gz`, packed.subarray(0, bytes))).catch(error => error)
      expect(failure).toBeInstanceOf(DataError)
      expect(failure.message).toContain(`short.${format}.gz is cut short: the gzip file is incomplete`)
    }
  })

  it('an option that no reader has, and a value that it cannot have', async () => {
    const path = file('u.csv', csv)
    await expect(readTensor(path, { colums: ['a'] } as object)).rejects.toThrow('readTensor has no option "colums"')
    await expect(openData(path, { top: 0 })).rejects.toThrow('top must be a whole number ≥ 1 (got 0)')
  })

  it('an unknown column, with the nearest', async () => {
    const failure = await readTensor(file('u.csv', csv), { modes: ['regoin'] }).catch(error => error)
    expect(failure).toBeInstanceOf(OptionError)
    expect(failure.message).toContain('has no column "regoin"; did you mean "region"?')
  })

  it('an unknown column in a query, with the nearest or none', async () => {
    const ask = (column: string) => readTensor(file('k.csv', csv), { sql: `SELECT ${column} FROM data` })
    await expect(ask('regoin')).rejects.toThrow('did you mean "region"?')
    await expect(ask('colour')).rejects.toThrow(/"colour" not found in FROM clause$/)
  })

  it('a file that is not there, a folder, a pattern that finds nothing', async () => {
    await expect(readTensor(join(folder, 'none.csv'))).rejects.toThrow('there is no file')
    await expect(readTensor(folder)).rejects.toThrow('is a folder')
    await expect(readTensor(join(folder, '*.nothing'))).rejects.toThrow('no file matches')
  })
})
