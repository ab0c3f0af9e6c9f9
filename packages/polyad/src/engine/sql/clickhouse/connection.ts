import type { Connection, ResultPiece, SentTable, Statement } from '../connection.ts'
import { DatabaseFault, textsOf } from '../connection.ts'
import { decodeNative, encodeNative, type NativeValues, nativeType } from './native.ts'
import { type ServerTable, serverTables } from './sent-tables.ts'
import type { Server } from './server.ts'
import { identifier } from './text.ts'

/** How tables that are sent with a statement are called on the servers. */
export const sentName = (run: string, name: string): string => `${run}_sent_${name}`

export interface ConnectionOptions {
  readonly name: string
  /** One server of each shard. */
  readonly servers: readonly Server[]
  /** What the names of this run's tables begin with. */
  readonly run: string
  /** Whether a table for look-ups can be kept in memory alone. */
  readonly memoryJoin: boolean
}

/**
 * Servers as one database: a statement goes to the first, or, as its scope says, to a server of each shard at once. Results of several are
 * given in the order of the shards.
 */
export const clickhouseConnection = ({ name, servers, run, memoryJoin }: ConnectionOptions): Connection => {
  const made = new Set<string>()

  const upload = async (server: Server, { name: table, key, parts }: ServerTable): Promise<void> => {
    const full = identifier(sentName(run, table))
    made.add(full)
    const columns = parts[0].columns.map(column => `${identifier(column.name)} ${nativeType(column)}`)
    const kept = memoryJoin ? ' SETTINGS persistent = 0' : ''
    const engine = key === undefined ? 'Memory' : `Join(ANY, LEFT, ${identifier(key)})${kept}`
    await server.run(`DROP TABLE IF EXISTS ${full}`)
    await server.run(`CREATE TABLE ${full} (${columns.join(', ')}) ENGINE = ${engine}`)
    for (const part of parts) {
      if (part.rows > 0) await server.insert(full, encodeNative(part.columns, part.rows))
    }
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
    return onAll(chosen, async (server, shard) => {
      const texts = textsOf(statement, shard)
      const mentioned = serverTables(sent, shard, chosen.length).filter(({ name }) =>
        texts.some(text => text.includes(sentName(run, name))),
      )
      for (const table of mentioned) await upload(server, table)
      for (const sql of texts.slice(0, -1)) await server.run(sql)
      return work(server, texts[texts.length - 1])
    })
  }

  const read = async (server: Server, sql: string): Promise<NativeValues[][]> => {
    const pieces: NativeValues[][] = []
    try {
      for await (const piece of decodeNative(await server.read(sql))) pieces.push(piece)
    } catch (error) {
      if (error instanceof DatabaseFault) throw error
      throw new DatabaseFault((error as Error).message, { transient: true, place: server.name, cause: error })
    }
    return pieces
  }

  return {
    name,
    async run(statement, sent = []) {
      await perform(statement, sent, (server, sql) => server.run(sql))
    },
    async rows(statement, sent = []) {
      const answers = await perform(statement, sent, read)
      const rows = answers.flat().flatMap(piece => rowsOf(piece))
      return typeof statement !== 'string' && statement.scope === 'added' ? [added(rows as number[][])] : rows
    },
    async columns(statement, onPiece, sent = []) {
      for (const pieces of await perform(statement, sent, read))
        for (const piece of pieces) onPiece(piece as ResultPiece)
    },
    async renew() {
      await onAll(servers, server => server.run('SELECT 1'))
    },
    async close() {
      const drops = [...made].map(table => `DROP TABLE IF EXISTS ${table}`)
      await Promise.all(
        servers.map(async server => {
          await server.kill()
          for (const drop of drops) await server.run(drop).catch(() => {})
          await server.close()
        }),
      )
    },
  }
}

const rowsOf = (piece: readonly NativeValues[]): unknown[][] =>
  Array.from({ length: piece[0].length }, (_, row) => piece.map(column => column[row]))

const added = (rows: readonly (readonly number[])[]): number[] =>
  rows[0].map((_, column) => rows.reduce((sum, row) => sum + row[column], 0))
