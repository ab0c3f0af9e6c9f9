import { DataError, EngineError, evaluate, fit, OptionError } from '@polyad/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlTable } from '../../packages/polyad/src/engine/open-sql-table.ts'
import { readTensor } from '../../packages/polyad/src/source/read-tensor.ts'
import { testFolder } from '../test-folder.ts'
import { haveClickhouse, PASSWORD, startCluster } from './cluster.mjs'
import { csvRows, partOf, type Rows, tableOf, twoKinds } from './tables.ts'

const folder = testFolder()
const EVIL = `'); DROP TABLE x; --`

describe.skipIf(!haveClickhouse)('tables of a cluster', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  beforeAll(async () => {
    process.env.CLICKHOUSE_PASSWORD = PASSWORD
    cluster = await startCluster()
    await cluster.sql('CREATE DATABASE d')
  })
  afterAll(() => cluster?.stop())

  /** Rows in a table on each shard, and one over both; `share` says which rows are a shard's. */
  const place = async (name: string, rows: Rows, share = (shard: number) => partOf(rows, shard, 2)) => {
    for (const [i, shard] of cluster.shards.entries()) await shard.sql(...tableOf(`d.${name}_part`, share(i)))
    await cluster.sql(
      `CREATE TABLE d.${name} AS d.${name}_part ENGINE = Distributed(${cluster.name}, d, ${name}_part, rand())`,
    )
  }

  const leftovers = async (): Promise<string> =>
    (
      await Promise.all(
        cluster.shards.map(shard => shard.sql("SELECT name FROM system.tables WHERE name LIKE 'polyad_run_%'")),
      )
    ).join('')

  it.each([
    ['two modes', ['A', 'B'], 300],
    ['seven modes with labels and names as they come', ['A', EVIL, 'a`b', "it's", 'Ü\\n', 'x y', 'G'], 400],
    ['thirty modes', Array.from({ length: 30 }, (_, i) => `m${i}`), 200],
  ])('%s: the same data, and the same model, as when the rows are read', async (what, columns, count) => {
    const name = `t${what.length}`
    const rows = twoKinds(count, columns, ['yes', 'no', EVIL, "it's", 'back\\slash', 'ü'])
    await place(name, rows)
    const { tensor } = await readTensor(folder.file(`${name}.csv`, csvRows(rows)), {
      count: 'n',
      modes: columns,
      missing: [''],
    })
    const own = await fit(tensor, { rank: 2, seed: 1, starts: 3 })
    const { session, rows: read } = await openSqlTable(cluster.address(`d/${name}`), {
      count: 'n',
      modes: columns,
      missing: [''],
    })
    try {
      expect(read).toBe(count)
      const { modes, shape, cells, total, missing, marginals } = session.data
      expect({ shape, cells, total, missing }).toEqual({ shape: tensor.shape, cells: tensor.cells, total: tensor.total, missing: tensor.missing }) // biome-ignore format: one comparison
      expect(modes.map(({ labels }) => labels)).toEqual(tensor.modes.map(({ labels }) => labels))
      marginals.forEach((marginal, n) => {
        marginal.forEach((value, j) => {
          expect(value).toBeCloseTo(tensor.marginals[n][j], 9)
        })
      })
      const found = await fit(session, { rank: 2, seed: 1, starts: 3 })
      expect(Math.abs(found.loss / own.loss - 1)).toBeLessThan(1e-9)
      const [theirs, ours] = [await evaluate(session, own.model), await evaluate(tensor, own.model)]
      expect(theirs.bic).toBeCloseTo(ours.bic, 6)
      expect(theirs.entropy).toBeCloseTo(ours.entropy ?? Number.NaN, 6)
    } finally {
      await session.close()
    }
    expect(await leftovers()).toBe('')
  })

  it('a table and a database may be called anything', async () => {
    const rows = twoKinds(100, ['A', 'B', EVIL], ['a', EVIL])
    const quoted = EVIL.replaceAll("'", "\\'")
    for (const [i, shard] of cluster.shards.entries()) {
      const name = `\`${EVIL}\`.\`${EVIL}\``
      await shard.sql(
        `CREATE DATABASE \`${EVIL}\``,
        ...tableOf(name, partOf(rows, i, 2)),
        `CREATE TABLE \`${EVIL}\`.all AS ${name} ENGINE = Distributed(${cluster.name}, \`${EVIL}\`, \`${EVIL}\`, rand())`,
        'CREATE TABLE IF NOT EXISTS d.x (a UInt8) ENGINE = Memory',
      )
      expect(await shard.sql(`EXISTS TABLE ${name}`)).toBe('1\n')
      expect(await shard.sql(`SELECT '${quoted}'`)).toBe(`${quoted}\n`)
    }
    for (const [table, one, count] of [
      ['all', false, 100],
      [EVIL, true, 50],
    ] as const) {
      const path = [EVIL, table].map(encodeURIComponent).join('/')
      const { session, rows: read } = await openSqlTable(cluster.address(path, { one }), { modes: rows.columns })
      expect(read).toBe(count)
      expect(session.data.modes[2].labels).toContain(EVIL)
      await session.pass({ rank: 1, shares: Float64Array.of(1), factors: session.data.shape.map(size => new Float64Array(size).fill(1 / size)) }) // biome-ignore format: one call
      await session.close()
    }
    for (const shard of cluster.shards) expect(await shard.sql('EXISTS TABLE d.x')).toBe('1\n')
    expect(await leftovers()).toBe('')
  })

  it('cells are spread by their hash, also where all rows are on one shard', async () => {
    const rows = twoKinds(600, ['A', 'B', 'C', 'D', 'E', 'F'], ['a', 'b', 'c', 'd'])
    await place('lopsided', rows, shard => (shard === 0 ? rows : partOf(rows, 0, 0)))
    const { session } = await openSqlTable(cluster.address('d/lopsided'), { count: 'n' })
    const sizes: number[] = []
    for (const shard of cluster.shards) {
      const name = (await shard.sql("SELECT name FROM system.tables WHERE name LIKE 'polyad_run_%_cells'")).trim()
      sizes.push(Number(await shard.sql(`SELECT count() FROM d.${name}`)))
    }
    expect(sizes[0] + sizes[1]).toBe(session.data.cells)
    expect(Math.min(...sizes)).toBeGreaterThan(session.data.cells / 3)
    await session.close()
  })

  it('a shard without cells adds nothing', async () => {
    const rows: Rows = { columns: ['A', 'B'], rows: [['a', 'b']], counts: [3] }
    await place('single', rows, shard => (shard === 0 ? rows : partOf(rows, 0, 0)))
    const { session } = await openSqlTable(cluster.address('d/single'), { count: 'n', modes: ['A', 'B'] })
    const { model } = await fit(session, { rank: 1 })
    expect(model.total).toBe(3)
    await session.close()
  })

  it('codes for missing values are the labels they become, and those that match nothing are named', async () => {
    const rows = twoKinds(200, ['A', 'B'], ['1.0', '2.0', '8.0', '9'])
    await place('codes', rows)
    const options = { count: 'n', modes: ['A', 'B'], missing: ['8', '9.0', '77'] }
    const { tensor } = await readTensor(folder.file('codes.csv', csvRows(rows)), options)
    const { session, notes } = await openSqlTable(cluster.address('d/codes'), options)
    expect(session.data.modes.map(({ labels }) => labels)).toEqual([[1, 2], [1, 2]]) // biome-ignore format: two modes
    expect(session.data.marginals).toEqual(tensor.marginals)
    expect(notes.map(({ text }) => text)).toContainEqual(expect.stringContaining('matches the missing code 77'))
    await session.close()
    const refused = openSqlTable(cluster.address('d/codes'), { ...options, missing: ['A:8'] })
    await expect(refused).rejects.toThrow(
      "missing 'A:8': no value is written so. For codes of one column, use missingIn 'A:8'",
    )
  })

  it('real weights are weights', async () => {
    const rows = twoKinds(200, ['A', 'B', 'C'], ['a', 'b', 'c'])
    const real = { ...rows, counts: rows.counts.map((n, i) => n * 0.37 + i / 1000) }
    await place('real', real)
    const { tensor } = await readTensor(folder.file('real.csv', csvRows(real)), { count: 'n', missing: [''] })
    const { session } = await openSqlTable(cluster.address('d/real'), { count: 'n', missing: [''] })
    expect(Math.abs(session.data.total / tensor.total - 1)).toBeLessThan(1e-12)
    const [ours, theirs] = [await fit(tensor, { rank: 2, starts: 2 }), await fit(session, { rank: 2, starts: 2 })]
    expect(Math.abs(theirs.loss / ours.loss - 1)).toBeLessThan(1e-9)
    await session.close()
  })

  it.each([1, 8, 64])('rank %i', async rank => {
    const rows = twoKinds(300, ['A', 'B', 'C'], 'abcdefghij'.split(''), rank)
    await place(`rank${rank}`, rows)
    const { tensor } = await readTensor(folder.file(`rank${rank}.csv`, csvRows(rows)), { count: 'n', missing: [''] })
    const { session } = await openSqlTable(cluster.address(`d/rank${rank}`), { count: 'n', missing: [''] })
    const settings = { rank, starts: 1, seed: 2, maxPasses: 12 }
    const [ours, theirs] = [await fit(tensor, settings), await fit(session, settings)]
    expect(Math.abs(theirs.loss / ours.loss - 1)).toBeLessThan(1e-6)
    await session.close()
  })

  it('numbers are labels by their value, whatever the type of their column', async () => {
    await cluster.shards[0].sql(
      "CREATE TABLE d.typed (i Int16, f Nullable(Float64), e Enum8('low' = 1, 'high' = 2), t Date, x FixedString(4), u UInt64, a Array(UInt8)) ENGINE = Memory",
      "INSERT INTO d.typed SELECT number % 3 - 1, if(number % 7 = 0, NULL, number % 2 + 0.5), if(number % 5 < 2, 'low', 'high'), toDate('2024-01-01') + number % 3, 'ab', number % 2, [1] FROM numbers(60)",
    )
    const { session, notes } = await openSqlTable(cluster.address('d/typed', { one: true }), {
      modes: ['i', 'f', 'e', 't', 'x', 'u'],
    })
    expect(session.data.modes.map(({ labels }) => labels)).toEqual([
      [-1, 0, 1],
      [0.5, 1.5],
      ['low', 'high'],
      ['2024-01-01', '2024-01-02', '2024-01-03'],
      ['ab'],
      [0, 1],
    ])
    expect(session.data.missing).toEqual([false, true, false, false, false, false])
    expect(notes).toBeDefined()
    await session.close()
  })

  it('a table is understood as the same file is, beyond its first rows too', async () => {
    // Every combination once, with counts: 27,000 rows, of which the last have a code for missing.
    const label = (name: string, i: number) => `${name}${String(i).padStart(2, '0')}`
    const rows = Array.from({ length: 27_000 }, (_, i) => [
      i > 26_900 ? '-99' : label('a', i % 30),
      label('b', Math.floor(i / 30) % 30),
      label('c', Math.floor(i / 900)),
    ])
    const counts = rows.map((_, i) => 1 + ((i * 7919) % 13))
    const table = { columns: ['A', 'B', 'C'], rows, counts }
    await cluster.shards[0].sql(...tableOf('d.combinations', table))
    const file = folder.file('combinations.csv', csvRows(table))
    const address = cluster.address('d/combinations', { one: true })
    for (const options of [{}, { missing: ['-99'] }, { missing: ['-99', '77'] }, { count: 'none' }]) {
      const read = await readTensor(file, options)
      const { session, notes } = await openSqlTable(address, options)
      expect(session.data.total).toBe(read.tensor.total)
      expect(session.data.cells).toBe(read.tensor.cells)
      expect(session.data.modes).toEqual(read.tensor.modes)
      const spoken = (all: typeof notes) => all.map(({ text }) => text).filter(text => /77|may hold counts/.test(text))
      expect(spoken(notes)).toEqual(spoken(read.notes))
      await session.close()
    }
    await cluster.shards[0].sql("INSERT INTO d.combinations VALUES ('a00', 'b00', 'z', -2)")
    await expect(openSqlTable(address, { count: 'n' })).rejects.toThrow(
      /column "n": a count must be a number ≥ 0 \(got "-2"\)/,
    )
  })

  it('what cannot be fitted is refused in clear words, and leaves nothing behind', async () => {
    await cluster.shards[0].sql(
      'CREATE TABLE d.empty (A String, B String, n Float64) ENGINE = Memory',
      'CREATE TABLE d.negative (A String, B String, n Float64) ENGINE = Memory',
      "INSERT INTO d.negative VALUES ('a', 'b', 1), ('b', 'a', -1)",
    )
    const open = (path: string, options: object = {}, more: object = { one: true }) =>
      openSqlTable(cluster.address(path, more), { modes: ['A', 'B'], ...options })
    await expect(open('d/empty')).rejects.toThrow(DataError)
    await expect(open('d/empty')).rejects.toThrow('has no rows')
    await expect(open('d/negative', { count: 'n' })).rejects.toThrow('a count must be a number ≥ 0')
    await expect(open('d/nothing')).rejects.toThrow('there is no such table')
    await expect(open('d')).rejects.toThrow('name a table')
    await expect(open('nowhere/x')).rejects.toThrow(/no such table|database does not exist|doesn't exist/)
    await expect(open('d/empty', {}, { one: false })).rejects.toThrow(OptionError)
    await expect(open('d/lopsided', { count: 'n' })).rejects.toThrow('name a server of every shard')
    await expect(openSqlTable('clickhouse://polyad@127.0.0.1:1/d/x')).rejects.toThrow(EngineError)
    await expect(openSqlTable('clickhouse://polyad:wrong@127.0.0.1/d')).rejects.toThrow()
    await expect(openSqlTable(`clickhouse://polyad:wrongword@${cluster.shards[0].http}/d/empty`)).rejects.toThrow(
      /password/,
    )
    expect(await leftovers()).toBe('')
  })
})
