import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { EngineError } from '@polyad/core'
import { afterEach, describe, expect, it } from 'vitest'
import { openTables } from './client.ts'
import { makeScratch } from './scratch.ts'

const foldersOf = (pid: number) => readdirSync(tmpdir()).filter(name => name.includes(`-${pid}-`))

const until = async (holds: () => boolean, seconds = 15): Promise<boolean> => {
  for (let i = 0; i < seconds * 20 && !holds(); i++) await wait(50)
  return holds()
}

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
    await expect(tables.rows(`SELECT DATE '2024-05-31'`)).rejects.toThrow('of type DATE, which is not read')
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

/** A process that keeps DuckDB busy for minutes. */
const busyProcess = async (): Promise<{ parent: ChildProcess; child: number }> => {
  const client = new URL('../../dist/duckdb/client.js', import.meta.url)
  const program = `
    import { openTables } from ${JSON.stringify(client.href)}
    const tables = await openTables()
    setTimeout(() => console.log('busy'), 300)
    await tables.rows('SELECT sum(sin(a.range * b.range)) FROM range(10000000) a, range(1000000) b')`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise(resolve => parent.stdout?.once('data', resolve))
  const children = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8').trim().split(' ')
  return { parent, child: Number(children[0]) }
}

describe.runIf(process.platform === 'linux')('after the parent was killed', () => {
  it('the process ends in the middle of a statement and removes its folder', async () => {
    const { parent, child } = await busyProcess()
    expect(foldersOf(parent.pid as number)).toHaveLength(1)
    parent.kill('SIGKILL')
    expect(await until(() => !existsSync(`/proc/${child}`))).toBe(true)
    expect(foldersOf(parent.pid as number)).toEqual([])
  })

  it('what is left is swept, and nothing that belongs to a live process', () => {
    const mine = makeScratch()
    const dead = mine.replace(`-${process.pid}-`, '-4194999-')
    const foreign = join(tmpdir(), 'polyad-00000000-4194999-abcdef')
    for (const folder of [dead, foreign]) mkdirSync(folder)
    rmSync(makeScratch(), { recursive: true })
    expect([mine, dead, foreign].map(folder => existsSync(folder))).toEqual([true, false, true])
    for (const folder of [mine, foreign]) rmSync(folder, { recursive: true })
  })
})
