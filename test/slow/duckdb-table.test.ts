import { writeFileSync } from 'node:fs'
import { DataError, EngineError, evaluate, fit, OptionError, principalComponent, tensorFromColumns } from '@polyad/core'
import { describe, expect, it } from 'vitest'
import { openTables } from '../../packages/polyad/src/duckdb/client.ts'
import { identifier, literal } from '../../packages/polyad/src/duckdb/sql-text.ts'
import { openSqlTable } from '../../packages/polyad/src/engine/open-sql-table.ts'
import { openDuckdb } from '../../packages/polyad/src/engine/sql/duckdb/connection.ts'
import { duckdbDialect } from '../../packages/polyad/src/engine/sql/duckdb/dialect.ts'
import { openSqlSession } from '../../packages/polyad/src/engine/sql/session.ts'
import { readTensor } from '../../packages/polyad/src/source/read-tensor.ts'
import { testFolder } from '../test-folder.ts'

const folder = testFolder()

/** A database with what the statements make in it. */
const databaseOf = async (name: string, ...statements: string[]): Promise<string> => {
  const file = folder.path(name)
  const tables = await openTables()
  await tables.run(`ATTACH ${literal(file)} AS made; USE made`)
  for (const sql of statements) await tables.run(sql)
  await tables.close()
  return file
}

/** Seven raters, two kinds of cases: as carcinoma is, with counts, missing ratings and numbers written in two ways. */
const raters = (rows: number): string =>
  `SELECT ${'ABCDEFG'
    .split('')
    .map(
      (rater, n) =>
        `CASE WHEN hash(i, ${n}, 7) % 20 = 0 THEN NULL WHEN hash(i, ${n}) % 10 < (CASE WHEN i % 3 = 0 THEN ${8 - (n % 2)} ELSE ${1 + (n % 2)} END) THEN 'yes' ELSE 'no' END AS ${rater}`,
    )
    .join(', ')}, CAST(1 + hash(i, 99) % 3 AS INTEGER) AS n FROM range(${rows}) t(i)`

describe('a table in DuckDB, worked on where it is', () => {
  it('is the same data, and gives the same model, as when it is read', async () => {
    const file = await databaseOf('raters.duckdb', `CREATE TABLE ratings AS ${raters(400)}`)
    const csv = folder.path('raters.csv')
    const tables = await openTables()
    await tables.run(`COPY (${raters(400)}) TO ${literal(csv)}`)
    await tables.close()
    const { tensor } = await readTensor(csv, { count: 'n' })
    const own = await fit(tensor, { rank: 2, seed: 1, starts: 4 })
    for (const data of [`duckdb://${file}/ratings`, csv]) {
      const { session, rows, recipe, source } = await openSqlTable(data, { count: 'n' })
      try {
        expect(rows).toBe(400)
        expect(recipe.modes.map(({ column }) => column)).toEqual('ABCDEFG'.split(''))
        expect(source.count).toBe('n')
        expect(session.data).not.toHaveProperty('indices')
        const { modes, shape, cells, total, missing, marginals, constants } = session.data
        expect({ shape, cells, total, missing }).toEqual({
          shape: tensor.shape,
          cells: tensor.cells,
          total: tensor.total,
          missing: tensor.missing,
        })
        expect(modes.map(({ labels }) => labels)).toEqual(tensor.modes.map(({ labels }) => labels))
        expect(marginals).toEqual(tensor.marginals)
        expect(constants.yLogY).toBeCloseTo(tensor.constants.yLogY, 6)
        expect(constants.logFactorials).toBeCloseTo(tensor.constants.logFactorials, 6)
        const found = await fit(session, { rank: 2, seed: 1, starts: 4 })
        expect(Math.abs(found.loss / own.loss - 1)).toBeLessThan(1e-8)
        found.model.parameters.factors.forEach((factor, n) => {
          factor.forEach((value, i) => {
            expect(value).toBeCloseTo(own.model.parameters.factors[n][i], 5)
          })
        })
        const [theirs, ours] = [await evaluate(session, own.model), await evaluate(tensor, own.model)]
        expect(theirs.bic).toBeCloseTo(ours.bic, 6)
        expect(theirs.classificationError).toBeCloseTo(ours.classificationError, 6)
        expect(theirs.entropy).toBeCloseTo(ours.entropy as number, 6)
      } finally {
        await session.close()
      }
    }
  })

  it('takes names and labels as they are, whatever is in them', async () => {
    const evil = `'); DROP TABLE x; --`
    const quoted = identifier(evil)
    const file = await databaseOf(
      'evil.duckdb',
      'CREATE TABLE x AS SELECT 1 AS y',
      `CREATE TABLE ${quoted} AS SELECT CASE WHEN i % 3 = 0 THEN ${literal(evil)} ELSE 'b"\\' END AS ${quoted}, CASE WHEN i % 2 = 0 THEN 'ä' ELSE ${literal(evil)} END AS "z""'" FROM range(60) t(i)`,
    )
    const { session } = await openSqlTable(`duckdb://${file}/${encodeURIComponent(evil)}`)
    expect(session.data.modes.map(({ name }) => name)).toEqual([evil, `z"'`])
    expect(session.data.modes[0].labels).toEqual([evil, 'b"\\'])
    const { model } = await fit(session, { rank: 2, starts: 2 })
    expect(model.total).toBeCloseTo(60, 6)
    await session.close()
    const tables = await openTables()
    await tables.run(`ATTACH ${literal(file)} AS made (READ_ONLY)`)
    expect(await tables.rows('SELECT y FROM made.x')).toEqual([[1]])
    expect(await tables.rows(`SELECT table_name FROM duckdb_tables() ORDER BY 1`)).toEqual([[evil], ['x']])
    await tables.close()
  })

  it('cuts, merges, and calls missing what it is told to', async () => {
    const csv = folder.path('mixed.csv')
    const lines = Array.from({ length: 300 }, (_, i) =>
      [
        i % 7,
        ['1', '1.0', '2', '-'][i % 4],
        ['x', 'y', 'Rare one', 'rare TWO'][i % 40 < 36 ? i % 2 : 2 + (i % 2)],
      ].join(),
    )
    writeFileSync(csv, ['age,size,kind', ...lines].join('\n'))
    const options = { bins: ['age:2'], missing: ['-'], top: 2, ignoreCase: true }
    const { tensor } = await readTensor(csv, options)
    const { session, recipe } = await openSqlTable(csv, options)
    expect(session.data.modes.map(({ labels }) => labels)).toEqual(tensor.modes.map(({ labels }) => labels))
    expect(session.data.marginals).toEqual(tensor.marginals)
    expect(session.data.cells).toBe(tensor.cells)
    expect(recipe.modes[2].other).toBe('(other)')
    await session.close()
  })

  it('refuses what is empty, or not there, and says what to do', async () => {
    const file = await databaseOf(
      'empty.duckdb',
      `CREATE TABLE nothing AS SELECT 'a' AS x, 'b' AS y WHERE false`,
      `CREATE TABLE blank AS SELECT NULL::VARCHAR AS x, NULL::VARCHAR AS y FROM range(5)`,
      `CREATE TABLE zeros AS SELECT 'a' AS x, 'b' AS y, 0 AS n FROM range(5)`,
      `CREATE TABLE negative AS SELECT i % 2 AS x, i % 3 AS y, -1.5 AS n FROM range(50) t(i)`,
      `CREATE TABLE huge AS SELECT i % 2 AS x, i % 3 AS y, 1e200 AS n FROM range(50) t(i)`,
      `CREATE TABLE tiny AS SELECT i % 2 AS x, i % 3 AS y, 1e-200 AS n FROM range(50) t(i)`,
    )
    const refused = (table: string, options = {}) =>
      openSqlTable(`duckdb://${file}${table}`, options).catch(error => error)
    expect((await refused('/nothing', { modes: ['x', 'y'] })).message).toContain('no rows')
    expect(await refused('/blank', { modes: ['x', 'y'] })).toBeInstanceOf(DataError)
    expect((await refused('/zeros', { modes: ['x', 'y'], count: 'n' })).message).toContain('zero')
    expect((await refused('/negative', { modes: ['x', 'y'], count: 'n' })).message).toContain(
      'a count must be a number ≥ 0',
    )
    const sum = async (table: string) => (await refused(table, { modes: ['x', 'y'], count: 'n' })).message
    expect(await sum('/huge')).toMatch(/e\+201, above 1e\+150: divide them all/)
    expect(await sum('/tiny')).toMatch(/below 1e-150: multiply them all/)
    expect((await refused('')).message).toContain('blank, huge, negative, nothing, tiny, zeros')
    expect((await refused('/no')).message).toMatch(/no .*does not exist/)
    expect(await openSqlTable('duckdb:///no/such/file.duckdb/t').catch(error => error.message)).toContain(
      'no such file',
    )
    expect(await openSqlTable('mongo://h/d/t').catch(error => error)).toBeInstanceOf(OptionError)
  })

  it('notices that its cells were changed by someone else', async () => {
    const connection = await openDuckdb()
    const database = { dialect: duckdbDialect, connection }
    const tensor = tensorFromColumns([[0, 1, 1], [0, 0, 1]], [2, 3, 4]) // biome-ignore format: a table
    await connection.run(
      'CREATE TEMP TABLE kept AS SELECT * FROM (VALUES (1, 1, 2::DOUBLE), (2, 1, 3), (2, 2, 4)) t(c0, c1, v)',
    )
    const session = openSqlSession(database, async () => 'kept', tensor)
    const { parameters } = principalComponent(tensor)
    expect((await session.pass(parameters)).sizes[0]).toBeCloseTo(9, 9)
    await connection.run('UPDATE kept SET v = 5 WHERE v = 4')
    await expect(session.pass(parameters)).rejects.toThrow('has changed since it was made (a total of 10, not 9)')
    await connection.run('DELETE FROM kept WHERE v = 5')
    await expect(session.pass(parameters)).rejects.toThrow(EngineError)
    await connection.run('DROP TABLE kept')
    await expect(session.pass(parameters)).rejects.toThrow('DuckDB: Catalog Error')
    await connection.close()
    await expect(session.pass(parameters)).rejects.toThrow(EngineError)
  })
})
