import type { Connection, ResultPiece, SentTable, Statement } from '../connection.ts'
import { DatabaseFault, textsOf } from '../connection.ts'
import { readAnswer, rowsOf } from './answer.ts'
import { clickhouseFault, notNative } from './faults.ts'
import { encodeNative, nativeType } from './native.ts'
import { type ServerTable, serverTables } from './sent-tables.ts'
import type { Server } from './server.ts'
import { identifier } from './text.ts'

/** How statements call a table that is sent along. On a server it has a number in addition, which no other has. */
export const sentName = (run: string, name: string): string => `${run}_sent_${name}_`

export interface ConnectionOptions {
  /** One server of each shard. */
  readonly servers: readonly Server[]
  /** Another server with the rows of a shard, in place of one that failed. */
  readonly replica?: (shard: number, failed: Server) => Promise<Server | undefined>
  /** What the names of this run's tables begin with. */
  readonly run: string
  /** Whether a table for look-ups can be kept in memory alone. */
  readonly memoryJoin: boolean
}

/**
 * Servers as one database: a statement goes to the first, or, as its scope says, to a server of each shard at once. Results of several are
 * given in the order of the shards.
 */
export const clickhouseConnection = ({ servers: first, replica, run, memoryJoin }: ConnectionOptions): Connection => {
  const servers = [...first]
  let moves = 0
  /** Sent tables that may still be on a server. */
  const left = new Map(servers.map(server => [server, new Set<string>()]))
  let sendings = 0
  let closed = false

  /** The statement under way: whether it was ended, and the servers that are at its last text, which may take long. */
  let current = { ended: false, working: new Set<Server>() }
  let turn: Promise<unknown> = Promise.resolve()

  /** One statement after the other, also where a caller has given one up and does not wait for it. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(() => {
      if (closed) throw new DatabaseFault('the connection is closed', { transient: false })
      return work()
    })
    turn = result.catch(() => {})
    return result
  }

  const upload = async (server: Server, { name: full, key, parts }: ServerTable): Promise<void> => {
    left.get(server)?.add(full)
    const columns = parts[0].columns.map(column => `${identifier(column.name)} ${nativeType(column)}`)
    const kept = memoryJoin ? ' SETTINGS persistent = 0' : ''
    const engine = key === undefined ? 'Memory' : `Join(ANY, LEFT, ${identifier(key)})${kept}`
    await server.run(`CREATE TABLE ${full} (${columns.join(', ')}) ENGINE = ${engine}`)
    if (parts.some(({ rows }) => rows > 0)) await server.insert(full, bytesOf(parts))
  }

  const removeSent = async (server: Server): Promise<void> => {
    const names = left.get(server) as Set<string>
    for (const name of names) {
      await server.run(`DROP TABLE IF EXISTS ${name}`)
      names.delete(name)
    }
  }

  /**
   * A server that was restarted since has lost what it kept in memory, and then a statement finds nothing without an error. So rows are counted
   * once the statement is done: what is there then was there before.
   */
  const checkSent = async (server: Server, tables: readonly ServerTable[]): Promise<void> => {
    if (tables.length === 0) return
    const counts = tables.map(({ name }, i) => `toFloat64((SELECT count() FROM ${name})) AS n${i}`)
    const [found = []] = await readAnswer(server, `SELECT ${counts.join(', ')}`)
    if (found.length !== tables.length) throw clickhouseFault(notNative(), server.name, '')
    const lost = tables.some(({ key, parts }, i) => {
      const [rows, sent] = [Number(found[i][0]), parts.reduce((sum, part) => sum + part.rows, 0)]
      // Of equal labels a dictionary keeps the first.
      return key === 'label' ? rows > sent || (rows === 0 && sent > 0) : rows !== sent
    })
    if (lost)
      throw new DatabaseFault('it lost a table during the query, probably because it was restarted', {
        transient: true,
        place: server.name,
      })
  }

  /** Does the same on every server; where one fails the others are ended, so that nothing goes on when the fault is known. */
  const onAll = async <T>(chosen: readonly Server[], work: (server: Server, shard: number) => Promise<T>) => {
    const faults: unknown[] = []
    const results = await Promise.all(
      chosen.map(async (server, shard) => {
        try {
          return await work(server, shard)
        } catch (fault) {
          faults.push(fault)
          if (faults.length === 1) await Promise.all(chosen.map(each => (each === server ? undefined : each.kill())))
          return undefined
        }
      }),
    )
    if (faults.length > 0) throw faults[0]
    return results as T[]
  }

  const perform = <T>(
    statement: Statement,
    sent: readonly SentTable[],
    work: (server: Server, sql: string) => Promise<T>,
  ) => {
    const chosen = typeof statement === 'string' ? servers.slice(0, 1) : servers
    const sending = ++sendings
    const state = { ended: false, working: new Set<Server>() }
    current = state
    return onAll(chosen, async (server, shard) => {
      const unlessEnded = () => {
        if (state.ended) throw new DatabaseFault('the query was stopped', { transient: false, place: server.name })
      }
      let texts = textsOf(statement, shard)
      const tables: ServerTable[] = []
      for (const table of serverTables(sent, shard, chosen.length)) {
        const written = sentName(run, table.name)
        if (!texts.some(text => text.includes(written))) continue
        // A server that was killed while it removed a table finds its rows again when one is made with the same name.
        texts = texts.map(text => text.replaceAll(written, `${written}${sending}`))
        tables.push({ ...table, name: identifier(`${written}${sending}`) })
      }
      if (tables.length > 0) await removeSent(server)
      for (const table of tables) {
        unlessEnded()
        await upload(server, table)
      }
      for (const sql of texts.slice(0, -1)) {
        unlessEnded()
        await server.run(sql)
      }
      unlessEnded()
      state.working.add(server)
      const result = await work(server, texts[texts.length - 1]).finally(() => state.working.delete(server))
      await checkSent(server, tables)
      return result
    })
  }

  /** Another server takes the place of one that does not answer. */
  const renewed = async (server: Server, shard: number): Promise<void> => {
    try {
      await server.run('SELECT 1')
    } catch (fault) {
      const other = (fault as DatabaseFault).transient ? await replica?.(shard, server) : undefined
      if (other === undefined) throw fault
      if (!left.has(other)) left.set(other, new Set())
      servers[shard] = other
      moves++
    }
  }

  return {
    get name() {
      return `ClickHouse at ${servers.map(server => server.name).join(', ')}`
    },
    get moves() {
      return moves
    },
    async run(statement, sent = []) {
      await inTurn(() => perform(statement, sent, (server, sql) => server.run(sql)))
    },
    async rows(statement, sent = []) {
      const answers = await inTurn(() => perform(statement, sent, readAnswer))
      const rows = answers.map(rowsOf)
      if (typeof statement === 'string' || statement.scope !== 'added') return rows.flat()
      const silent = rows.findIndex(({ length }) => length !== 1)
      if (silent >= 0) throw clickhouseFault(notNative(), servers[silent].name, '')
      return [added(rows.flat() as number[][])]
    },
    async columns(statement, onPiece, sent = []) {
      for (const pieces of await inTurn(() => perform(statement, sent, readAnswer)))
        for (const piece of pieces) onPiece(piece as ResultPiece)
    },
    async renew() {
      await inTurn(() => onAll([...servers], renewed))
    },
    async cancel() {
      // Short texts, which make tables, come to their end: a server that is asked to stop may do so later, when they should be gone.
      current.ended = true
      await Promise.all([...current.working].map(server => server.kill()))
      await turn
    },
    async close() {
      current.ended = true
      closed = true
      await Promise.all(
        [...left.keys()].map(async server => {
          // What one that failed still has is removed by the next command, as after a crash.
          if (servers.includes(server)) {
            await server.kill()
            await removeSent(server).catch(() => {})
          }
          await server.close()
        }),
      )
    },
  }
}

/** All parts of a table, one after the other. */
function* bytesOf(parts: ServerTable['parts']): Generator<Uint8Array> {
  for (const { columns, rows } of parts) yield* encodeNative(columns, rows)
}

const added = (rows: readonly (readonly number[])[]): number[] =>
  rows[0].map((_, column) => rows.reduce((sum, row) => sum + row[column], 0))
