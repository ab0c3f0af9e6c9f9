import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** A current ClickHouse within this process, behind a small HTTP server: what a client of a real server sends is what it gets. */

const installed = fileURLToPath(new URL('node_modules/chdb/package.json', import.meta.url))

export const haveChdb = existsSync(installed)

interface Session {
  queryAsync(sql: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>
  close(): void
}

/** Parameters of a request that are no settings of ClickHouse. */
const OWN = ['query', 'query_id', 'database', 'session_id', 'role', 'wait_end_of_query']

/** What the server was sent and what it answered: compressed bytes, and what they were before. */
export interface Traffic {
  requests: number
  compressed: number
  answered: number
}

export const openChdb = async () => {
  const { Session } = createRequire(installed)('chdb') as { Session: new (path: string) => Session }
  const folder = mkdtempSync(join(tmpdir(), 'polyad-chdb-'))
  const session = new Session(join(folder, 'data'))
  const traffic: Traffic = { requests: 0, compressed: 0, answered: 0 }
  let files = 0
  const query = async (sql: string, format = 'Null') => (await session.queryAsync(sql, { format })).bytes()

  /** Statements are said one after the other: the database and the settings are those of the session. */
  let turn: Promise<unknown> = Promise.resolve()
  const perform = (parameters: URLSearchParams, body: Buffer): Promise<Uint8Array> => {
    const work = async () => {
      const database = parameters.get('database') ?? 'default'
      await query(`USE \`${database}\``)
      for (const [name, value] of parameters)
        if (!OWN.includes(name) && !name.startsWith('param_')) await query(`SET ${name} = '${value}'`)
      const asked = parameters.get('query') ?? ''
      const insert = /^(INSERT INTO .*) FORMAT Native$/s.exec(asked)
      if (insert === null) return query(`${asked}${body.toString()}`, 'TabSeparated')
      const file = join(folder, `sent${files++}.native`)
      writeFileSync(file, body)
      const done = await query(`${insert[1]} SELECT * FROM file('${file}', 'Native')`)
      rmSync(file)
      return done
    }
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { searchParams } = new URL(request.url ?? '/', 'http://here')
    traffic.requests++
    try {
      const bytes = await perform(searchParams, Buffer.concat(chunks))
      const gzip = searchParams.get('enable_http_compression') === '1' && request.headers['accept-encoding'] === 'gzip'
      const sent = gzip ? gzipSync(bytes) : bytes
      traffic.answered += bytes.length
      traffic.compressed += gzip ? sent.length : 0
      response.writeHead(200, gzip ? { 'Content-Encoding': 'gzip' } : {}).end(sent)
    } catch (error) {
      const { message } = error as Error
      response
        .writeHead(500, { 'X-ClickHouse-Exception-Code': /Code: (\d+)/.exec(message)?.[1] ?? '1002' })
        .end(message)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: (path: string) => `clickhouse://127.0.0.1:${port}/${path}`,
    traffic,
    sql: async (...statements: string[]) => {
      for (const sql of statements) await query(sql)
    },
    text: async (sql: string) => new TextDecoder().decode(await query(sql, 'TSV')).trim(),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => {
          session.close()
          rmSync(folder, { recursive: true, force: true })
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}
