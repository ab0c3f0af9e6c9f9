import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../../../../test/test-folder.ts'
import { openTables } from '../duckdb/client.ts'
import { makeScratch } from '../duckdb/scratch.ts'
import { enumeration, literal } from '../duckdb/sql-text.ts'
import { openSqlTable } from '../engine/open-sql-table.ts'
import { openData } from './open-data.ts'
import { readTensor } from './read-tensor.ts'
import { withRemote } from './relation/remote.ts'

/** Places that lack something, and what is asked of files that have no use for it. */

const { path, file } = testFolder()

describe('temporary files', () => {
  const within = (folder: string, work: () => void) => {
    const before = process.env.TMPDIR
    process.env.TMPDIR = folder
    try {
      work()
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
  }

  it('need a folder that is there, and takes files', () => {
    const absent = path('absent')
    within(absent, () =>
      expect(makeScratch).toThrow(
        `temporary files cannot be created in ${absent}: there is no such folder. Set TMPDIR to`,
      ),
    )
    within(file('a-file', 'x'), () => expect(makeScratch).toThrow(/it is not a folder/))
    if (process.platform === 'linux')
      within('/proc', () => expect(makeScratch).toThrow(/in \/proc: no file can be created there/))
  })
})

describe('files on other machines', () => {
  it('are read by DuckDB as a query', () => {
    expect(withRemote(['a.csv', 'b.csv'], {})).toEqual({ paths: ['a.csv', 'b.csv'], options: {} })
    expect(withRemote(["s3://b/it's.parquet"], {})).toEqual({
      paths: [],
      options: { sql: "SELECT * FROM 's3://b/it''s.parquet'" },
    })
    expect(withRemote(['https://h/x.csv'], { sql: 'SELECT a FROM data;' }).options.sql).toBe(
      "WITH data AS (SELECT * FROM 'https://h/x.csv') SELECT * FROM (SELECT a FROM data)",
    )
    expect(() => withRemote(['x.csv', 'https://h/x.csv'], {})).toThrow('cannot be read together with other data')
  })

  it('a query over data that is named works as written', async () => {
    const named = file('named.csv', 'a,b\nx,1\ny,2\n')
    const { options } = withRemote([`s3://b/x.csv`], { sql: 'SELECT a FROM data;' })
    const { tensor } = await readTensor([], { sql: (options.sql as string).replace('s3://b/x.csv', named) })
    expect(tensor.modes.map(({ name }) => name)).toEqual(['a'])
  })

  it('say what is missing if DuckDB has no extension for them', async () => {
    const tables = await openTables()
    const found = await tables.rows("SELECT installed FROM duckdb_extensions() WHERE extension_name = 'httpfs'")
    await tables.close()
    // With it, they would be read.
    if (found[0][0] === true) return
    const missing = /cannot read web addresses, because DuckDB's extension httpfs is not installed/
    for (const read of [readTensor, openData, openSqlTable])
      await expect(read('s3://bucket/x.parquet')).rejects.toThrow(missing)
  })
})

/** The checksum of a block of DuckDB's file. */
const checksum = (bytes: Buffer): bigint => {
  let sum = 5381n
  for (let at = 0; at < bytes.length; at += 8)
    sum ^= BigInt.asUintN(64, bytes.readBigUInt64LE(at) * 0xbf58476d1ce4e5b9n)
  return sum
}

it('a database of a newer DuckDB is refused by its version', async () => {
  const own = path('own.duckdb')
  const instance = await DuckDBInstance.create(own)
  const connection = await instance.connect()
  await connection.run('CREATE TABLE t AS SELECT range % 2 AS a, range % 3 AS b FROM range(12)')
  await connection.run('CHECKPOINT')
  connection.closeSync()
  instance.closeSync()
  const bytes = readFileSync(own)
  // The main header: a checksum, four letters, the version.
  bytes.writeBigUInt64LE(99n, 12)
  bytes.writeBigUInt64LE(checksum(bytes.subarray(8, 4096)), 0)
  writeFileSync(path('newer.duckdb'), bytes)
  await expect(openSqlTable(`duckdb://${path('newer.duckdb')}/t`)).rejects.toThrow(
    /was written by a newer DuckDB: its storage version is 99, and this one reads up to \d+\. Export the table/,
  )
})

it('options that a format has no use for are refused', async () => {
  const csv = file('plain.csv', 'a,b\nx,1\ny,2\n')
  const tns = file('plain.tns', '1 1 2\n2 1 3\n')
  await expect(readTensor(csv, { base: 1 })).rejects.toThrow('base is for FROSTT files, and')
  await expect(readTensor(csv, { coordinates: true })).rejects.toThrow('coordinates is for NumPy files, and')
  await expect(readTensor(csv, { sheet: 'one' })).rejects.toThrow(
    'sheet is for Excel, OpenDocument, R and SAS files, and',
  )
  await expect(readTensor(tns, { delimiter: ';' })).rejects.toThrow('delimiter is for CSV files, and')
  await expect(openSqlTable(csv, { base: 1 } as never)).rejects.toThrow('base is for FROSTT files, and')
  expect((await readTensor(tns, { base: 1 })).tensor.cells).toBe(2)
})

it('labels may have a NUL in them', async () => {
  mkdirSync(path('nul'))
  const rows = Array.from({ length: 60 }, (_, i) => ({ a: `x\0${i % 30}`, b: i % 2 === 0 ? "\0'" : 'z' }))
  const { tensor } = await readTensor(file('nul/rows.json', JSON.stringify(rows)))
  expect(tensor.modes[0].labels).toContain('x\0' + '7')
  const { session } = await openSqlTable(path('nul/rows.json'))
  expect(session.data.modes.map(mode => mode.labels)).toEqual(tensor.modes.map(mode => mode.labels))
  await session.close()
  const tables = await openTables()
  const texts = ['z', "a\0'b", '\0', '']
  await tables.run(`CREATE TYPE e AS ENUM ${enumeration(texts)}`)
  expect(await tables.rows('SELECT unnest(enum_range(NULL::e))::VARCHAR')).toEqual(texts.map(text => [text]))
  expect(await tables.rows(`SELECT ${texts.map(literal).join(', ')}`)).toEqual([texts])
  await tables.close()
})
