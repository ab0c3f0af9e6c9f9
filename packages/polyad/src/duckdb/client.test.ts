import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError } from '@polyad/core'
import { afterEach, describe, expect, it } from 'vitest'
import { openTables } from './client.ts'
import { makeScratch } from './scratch.ts'

const foldersOf = (pid: number) => readdirSync(tmpdir()).filter(name => name.includes(`-${pid}-`))

describe('DuckDB in a process of its own', () => {
  const { execPath } = process
  afterEach(() => {
    process.execPath = execPath
  })

  it('says so where the process cannot be started, and leaves nothing', async () => {
    const before = foldersOf(process.pid)
    process.execPath = join(tmpdir(), 'no-such-program')
    const failure = await openTables().catch(error => error)
    expect(failure).toBeInstanceOf(EngineError)
    expect(failure.message).toContain('cannot be started')
    expect(foldersOf(process.pid)).toEqual(before)
  })

  it('runs several statements at once, and answers with the last', async () => {
    const tables = await openTables()
    await tables.run('CREATE TEMP TABLE a AS SELECT 1 AS x; CREATE TEMP TABLE b AS SELECT 2 AS x')
    expect(await tables.rows('SELECT a.x, b.x FROM a, b')).toEqual([[1, 2]])
    await tables.close()
    await expect(tables.rows('SELECT 1')).rejects.toThrow(EngineError)
  })

  it('gives values as they are, and NULL as null, beyond the first chunk of rows', async () => {
    const tables = await openTables()
    const long = 'a text that is too long for its place in the column, with ß and 🙂'
    expect(
      await tables.rows(
        `SELECT true, -3, 0.5::DOUBLE, 'twelve bytes', '${long}', ['b', NULL, '${long}'], []::DOUBLE[], NULL::INTEGER, NULL::VARCHAR[]`,
      ),
    ).toEqual([[true, -3, 0.5, 'twelve bytes', long, ['b', null, long], [], null, null]])
    const rows = await tables.rows(
      `SELECT i::INTEGER, CASE WHEN i % 3 > 0 THEN 'row ' || i END, [i, -i]::DOUBLE[] FROM range(5000) t(i)`,
    )
    expect(rows).toEqual(Array.from({ length: 5000 }, (_, i) => [i, i % 3 > 0 ? `row ${i}` : null, [i, 0 - i]]))
    await expect(tables.rows(`SELECT DATE '2024-05-31'`)).rejects.toThrow('the type DATE, which cannot be read')
    await tables.close()
  })
})

it('a piece that cannot be taken ends the statement with its own error', async () => {
  const tables = await openTables()
  const full = () => {
    throw new Error('the disk is full')
  }
  await expect(tables.columns('SELECT range::INTEGER FROM range(2000000)', full)).rejects.toThrow('the disk is full')
  await tables.close()
})

describe('what a killed process left', () => {
  it('is swept, and nothing that belongs to a live process', () => {
    const mine = makeScratch()
    const dead = mine.replace(`-${process.pid}-`, '-4194999-')
    const foreign = join(tmpdir(), 'polyad-00000000-4194999-abcdef')
    for (const folder of [dead, foreign]) mkdirSync(folder)
    rmSync(makeScratch(), { recursive: true })
    expect([mine, dead, foreign].map(folder => existsSync(folder))).toEqual([true, false, true])
    for (const folder of [mine, foreign]) rmSync(folder, { recursive: true })
  })
})
