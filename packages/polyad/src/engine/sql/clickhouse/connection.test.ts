import { describe, expect, it } from 'vitest'
import { DatabaseFault, onEach, type SentTable } from '../connection.ts'
import { clickhouseConnection, sentName } from './connection.ts'
import { encodeNative } from './native.ts'
import type { Server } from './server.ts'

/** A server that keeps tables as a number of rows, and forgets them when `restart` says so. */
const fakeServer = (restart: (statement: string) => boolean = () => false) => {
  const tables = new Map<string, number>()
  const statements: string[] = []
  const run = async (sql: string) => {
    statements.push(sql)
    if (restart(sql)) for (const name of tables.keys()) tables.set(name, 0)
    const [, verb, name] = /^(CREATE|DROP) TABLE (?:IF EXISTS )?(\S+)/.exec(sql) ?? []
    if (verb === 'CREATE') tables.set(name, 0)
    if (verb === 'DROP') tables.delete(name)
  }
  const server: Server = {
    name: 'here:1',
    run,
    async insert(name, bytes) {
      let blocks = 0
      for (const _ of bytes) blocks++
      expect(blocks).toBeGreaterThan(0)
      tables.set(name, 3)
    },
    async read(sql) {
      await run(sql)
      const names = [...sql.matchAll(/count\(\) FROM (\S+?)\)/g)].map(([, name]) => name)
      const values = names.length === 0 ? [7] : names.map(name => tables.get(name) ?? Number.NaN)
      const columns = values.map((value, i) => ({ name: `n${i}`, values: Float64Array.of(value) }))
      return (async function* () {
        yield* encodeNative(columns, 1)
      })()
    },
    async kill() {},
    async close() {},
  }
  return { server, tables, statements }
}

const run = 'polyad_run_x'
const factors: SentTable = {
  name: 'f',
  rows: 3,
  columns: [
    { name: 'code', values: Int32Array.of(0, 1, 2) },
    { name: 'f', values: Float64Array.of(1, 2, 3), width: 1 },
  ],
}
const scan = onEach(`SELECT joinGet('${sentName(run, 'f')}', 'f', c) FROM cells`)
const connect = (server: Server) => clickhouseConnection({ servers: [server], run, memoryJoin: true })

describe('tables that are sent with a statement', () => {
  it('never have the name of an earlier one, and the statement names the one that was sent with it', async () => {
    const { server, tables, statements } = fakeServer()
    const connection = connect(server)
    for (let pass = 0; pass < 3; pass++) expect(await connection.rows(scan, [factors])).toEqual([[7]])
    const made = statements.flatMap(sql => /^CREATE TABLE `(\S+)`/.exec(sql)?.[1] ?? [])
    const used = statements.flatMap(sql => /joinGet\('(\S+)'/.exec(sql)?.[1] ?? [])
    expect(new Set(made).size).toBe(3)
    expect(used).toEqual(made)
    expect(tables.size).toBe(1)
    await connection.close()
    expect(tables.size).toBe(0)
  })

  it.each(['SELECT joinGet', 'SELECT toFloat64((SELECT count()'])(
    'are counted after the statement: rows that a restart took (before %s …) are a fault after which it is tried again',
    async moment => {
      const { server } = fakeServer(sql => sql.startsWith(moment))
      const fault = await connect(server)
        .rows(scan, [factors])
        .catch((error: unknown) => error)
      expect(fault).toBeInstanceOf(DatabaseFault)
      expect(fault).toMatchObject({ transient: true, place: 'here:1' })
    },
  )
})
