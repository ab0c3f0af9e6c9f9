import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { DatabaseFault } from '../connection.ts'
import { clickhouseFault, notNative } from './faults.ts'
import type { Place } from './place.ts'

/** One server. Tables come and go in format Native; what fails is a `DatabaseFault` that names the server. */
export interface Server {
  readonly name: string
  run(sql: string): Promise<void>
  /** Fills a table from the bytes of format Native. */
  insert(table: string, bytes: Iterable<Uint8Array>): Promise<void>
  /** The bytes of a result in format Native, once all of it is made: so an error is never in the middle. */
  read(sql: string): Promise<AsyncIterable<Uint8Array>>
  /** Ends what is running now: its caller gets a fault. */
  kill(): Promise<void>
  close(): Promise<void>
}

/**
 * What is asked of a server with every statement: signs of life (as headers, so that silence means that it is lost); nothing sent before
 * all of it is there; texts as long as 64 classes of 100 modes make them. Servers of 2018 know all of these.
 */
const SETTINGS = {
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '10000',
  wait_end_of_query: 1,
  max_query_size: '100000000',
  max_ast_elements: '10000000',
  max_expanded_ast_elements: '10000000',
} as const

/** A sign of life is a header of some hundred bytes, and a statement may run for days. */
const HEADERS = 16 << 20

/** What a statement without a result answers is empty, or a word; more than this comes from something else than ClickHouse. */
const SHORT = 1 << 20

/** A server over HTTP or HTTPS. The password goes in a header, never in an address or the text of a statement. */
export const httpServer = (url: string, { user, password, scratch, timeout }: Place): Server => {
  const name = url.replace(/^https?:\/\//, '')
  let opened: Promise<ClickHouseClient> | undefined
  // Loaded when it is used: most of those who import this package have no such server.
  const client = () =>
    (opened ??= import('@clickhouse/client').then(({ createClient, ClickHouseLogLevel }) =>
      createClient({
        url,
        username: user,
        password,
        database: scratch,
        compression: { response: true },
        application: 'polyad',
        request_timeout: timeout * 1000,
        max_open_connections: 4,
        max_response_headers_size: HEADERS,
        clickhouse_settings: SETTINGS,
        log: { level: ClickHouseLogLevel.OFF },
      }),
    ))
  const running = new Map<string, AbortController>()

  /** Waits for the end of an answer that is not wanted. */
  const finish = async (stream: Readable): Promise<void> => {
    let bytes = 0
    for await (const chunk of stream) {
      bytes += (chunk as Uint8Array).length
      if (bytes > SHORT) throw notNative()
    }
  }

  /** Ends a query on the server too: one whose client is gone would run on. */
  const kill = async (id: string): Promise<void> => {
    running.get(id)?.abort()
    const query = `KILL QUERY WHERE query_id = '${id}' ASYNC`
    try {
      await finish((await (await client()).exec({ query })).stream)
    } catch {
      // It ends there by itself.
    }
  }

  const guarded = async <T>(work: (settings: { query_id: string; abort_signal: AbortSignal }) => Promise<T>) => {
    const [id, abort] = [`polyad-${randomUUID()}`, new AbortController()]
    running.set(id, abort)
    try {
      return await work({ query_id: id, abort_signal: abort.signal })
    } catch (error) {
      if (abort.signal.aborted) throw new DatabaseFault('the query was stopped', { transient: false, place: name })
      const fault = clickhouseFault(error, name, password)
      if (fault.transient) void kill(id)
      throw fault
    } finally {
      running.delete(id)
    }
  }

  return {
    name,
    run: sql => guarded(async settings => finish((await (await client()).exec({ query: sql, ...settings })).stream)),
    insert: (table, bytes) =>
      guarded(async settings => {
        const query = `INSERT INTO ${table} FORMAT Native`
        await finish((await (await client()).exec({ query, values: Readable.from(bytes), ...settings })).stream)
      }),
    read: sql =>
      guarded(async settings => (await (await client()).exec({ query: `${sql} FORMAT Native`, ...settings })).stream),
    async kill() {
      await Promise.all([...running.keys()].map(kill))
    },
    close: async () => (await opened)?.close(),
  }
}
