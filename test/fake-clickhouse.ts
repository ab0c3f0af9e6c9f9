import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { random } from '@polyad/core/numeric'
import { openSqlTable } from '../packages/polyad/src/engine/open-sql-table.ts'
import { encodeNative, type NativeColumn } from '../packages/polyad/src/engine/sql/clickhouse/native.ts'

/** A ClickHouse server that knows one small table, and the answers to all that is asked until it is open; it misbehaves from any question on. */

/** What a server does instead of answering; `answer` are the bytes of the right answer. */
export type Misbehaviour = (response: ServerResponse, answer: Buffer) => void

/** Bytes that mean nothing. */
const { below } = random(2, 'data')
const noise = Buffer.from(Array.from({ length: 3000 }, () => below(256)))

/** A block with one row of one column, of a type that nobody asked for. */
const strange = (type: string): Buffer =>
  Buffer.from([1, 1, 1, 120, type.length, ...Buffer.from(type), ...Buffer.alloc(32)])
const other = Buffer.concat([...encodeNative([{ name: 'n', values: Uint8Array.of(1) }], 1)])
const page = `<!DOCTYPE html><html><body>${'Welcome to nginx! '.repeat(30)}</body></html>`
const fault = 'Code: 60. DB::Exception: Table d.t does not exist. (UNKNOWN_TABLE) (version 26.7.1)'

/** Each with what is said of it when it happens at once. */
export const MISBEHAVIOURS: readonly (readonly [string, string | RegExp, Misbehaviour])[] = [
  ['noise', "is not in ClickHouse's format", response => response.end(noise)],
  [
    'noise without an end',
    "is not in ClickHouse's format",
    response => {
      const more = () => {
        while (!response.destroyed && response.write(noise));
      }
      response.on('drain', more)
      more()
    },
  ],
  ['a page', "is not in ClickHouse's format", response => response.end(page)],
  ['an error page', 'Bad Gateway', response => response.writeHead(502).end('<html><body>Bad Gateway</body></html>')],
  ['an error', 'Table d.t does not exist', response => response.writeHead(500).end(fault)],
  ['nothing', "is not in ClickHouse's format", response => response.end()],
  ['half an answer', 'was cut off', (response, answer) => response.end(answer.subarray(0, answer.length >> 1))],
  [
    'half an answer, on a line that breaks',
    'was cut off',
    (response, answer) => {
      response.writeHead(200, { 'Content-Length': Math.max(10, answer.length) })
      response.write(answer.subarray(0, answer.length >> 1), () => response.destroy())
    },
  ],
  ['no answer, on a line that breaks', 'socket hang up', response => response.destroy()],
  [
    'another encoding than it says',
    'was cut off',
    response => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(noise),
  ],
  ['an unknown type', 'cannot read columns of type Variant(String, UInt8)', response => response.end(strange('Variant(String, UInt8)'))], // biome-ignore format: one line
  ['another type than it says', "is not in ClickHouse's format", response => response.end(strange('LowCardinality(String)'))], // biome-ignore format: one line
  ['other columns', "is not in ClickHouse's format", response => response.end(other)],
]

const texts = (name: string, ...values: string[]): NativeColumn => ({ name, values })
const numbers = (name: string, ...values: number[]): NativeColumn => ({ name, values: Float64Array.from(values) })
const whole = (name: string, ...values: number[]): NativeColumn => ({ name, values: Int32Array.from(values) })

/** Four rows, of two columns with two labels each: what is asked, by what only this statement has, and the answer. */
const ANSWERS: readonly (readonly [RegExp, readonly NativeColumn[]])[] = [
  [/^SELECT version\(\)/, [texts('version', '26.7.1')]],
  [/engine_full/, [texts('engine', 'MergeTree'), texts('full', 'MergeTree')]],
  [/^DESCRIBE/, [texts('name', 'a', 'b'), texts('type', 'String', 'String')]],
  [/AS polyad_0/, [texts('a', 'x', 'x', 'y', 'y'), texts('b', 'u', 'v', 'u', 'v')]],
  [/countIf/, [numbers('rows', 4), numbers('bad', 0), numbers('empty', 0)]],
  [/toString\(`a`\).* AS label/, [texts('label', 'x', 'y'), numbers('n', 2, 2)]],
  [/toString\(`b`\).* AS label/, [texts('label', 'u', 'v'), numbers('n', 2, 2)]],
  [/lgamma/, [numbers('cells', 4), numbers('total', 4), numbers('log', 0), numbers('gamma', 0)]],
  // The sums of a pass with one class that says nothing.
  [/ AS place/, [whole('place', 1, 2, 4, 5), numbers('q', 2, 2, 2, 2), numbers('g', 0, 0, 0, 0), numbers('n', 2, 2, 2, 2)]], // biome-ignore format: a table
  // How many rows the tables have that were sent: one label each will do, factors have one for each place.
  [/_sent_f_\d+`\)\) AS n0/, [numbers('n0', 6)]],
  [/\)\) AS n1/, [numbers('n0', 1), numbers('n1', 1)]],
]

const answerTo = (sql: string): Buffer => {
  const columns = ANSWERS.find(([question]) => question.test(sql))?.[1]
  return columns === undefined ? Buffer.alloc(0) : Buffer.concat([...encodeNative(columns, columns[0].values.length)])
}

/** @param from the first question that is not answered: how many are before it, or what it has */
export const fakeClickhouse = async (misbehave: Misbehaviour, from: number | RegExp) => {
  let broken = false
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const sql = new URL(request.url ?? '/', 'http://here').searchParams.get('query') ?? Buffer.concat(chunks).toString()
    asked.push(sql)
    const answer = answerTo(sql)
    broken ||= typeof from === 'number' ? asked.length > from : from.test(sql)
    if (broken) misbehave(response, answer)
    else response.end(answer)
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    asked,
    /** How many connections are open. */
    connections: () => sockets.size,
    address: (query = '') => `clickhouse://${host}/d/t${query}`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** Waits until the client has closed all its connections; a test that this never comes for runs out of its time. */
const released = async ({ connections }: { readonly connections: () => number }): Promise<true> => {
  while (connections() > 0) await new Promise(resolve => setTimeout(resolve, 1))
  return true
}

/** Opens the table of a server that misbehaves; what went wrong, how many questions there were, and that no connection is left open. */
export const openBroken = async (misbehave: Misbehaviour, from: number | RegExp) => {
  const server = await fakeClickhouse(misbehave, from)
  try {
    const { session } = await openSqlTable(server.address(), { attempts: 2, backOff: 1 })
    await session.close()
    return { error: undefined, asked: server.asked.length, released: await released(server) }
  } catch (error) {
    return {
      error: error as Error & { code?: string },
      asked: server.asked.length,
      released: await released(server),
    }
  } finally {
    await server.close()
  }
}
