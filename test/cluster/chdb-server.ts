import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clickhouseFault } from '../../packages/polyad/src/engine/sql/clickhouse/faults.ts'
import type { Server } from '../../packages/polyad/src/engine/sql/clickhouse/server.ts'

/** A modern ClickHouse within this process, in place of a server. */

const installed = fileURLToPath(new URL('node_modules/chdb/package.json', import.meta.url))

export const haveChdb = existsSync(installed)

interface Session {
  queryAsync(sql: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>
  close(): void
}

/** The engine; one for a process. `server` is it as one server more, so many as wanted. */
export const openChdb = () => {
  const { Session } = createRequire(installed)('chdb') as { Session: new (path: string) => Session }
  const folder = mkdtempSync(join(tmpdir(), 'polyad-chdb-'))
  const session = new Session(join(folder, 'data'))
  let files = 0
  const query = async (sql: string, format = 'Null') => {
    try {
      return (await session.queryAsync(sql, { format })).bytes()
    } catch (error) {
      throw clickhouseFault(error, 'chdb', '')
    }
  }
  const server = (): Server => ({
    name: 'chdb',
    async run(sql) {
      await query(sql)
    },
    async insert(table, bytes) {
      const file = join(folder, `sent${files++}.native`)
      writeFileSync(file, Buffer.concat([...bytes]))
      await query(`INSERT INTO ${table} SELECT * FROM file('${file}', 'Native')`)
      rmSync(file)
    },
    async read(sql) {
      const bytes = await query(sql, 'Native')
      return (async function* () {
        yield bytes
      })()
    },
    async kill() {},
    async close() {},
  })
  return {
    server,
    sql: async (...statements: string[]) => {
      for (const sql of statements) await query(sql)
    },
    text: async (sql: string) => new TextDecoder().decode(await query(sql, 'TSV')).trim(),
    close: () => {
      session.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
