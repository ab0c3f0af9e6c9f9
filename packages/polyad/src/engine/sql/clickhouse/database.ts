import { DataError, EngineError, OptionError } from '@polyad/core'
import { DatabaseFault } from '../connection.ts'
import type { DatabaseKind, OpenDatabase } from '../database-kind.ts'
import { viewTable } from '../model-view.ts'
import type { Database } from '../session.ts'
import { planTable } from '../table-plan.ts'
import { runName } from '../working-table.ts'
import { readAnswer, rowsOf } from './answer.ts'
import { clickhouseConnection } from './connection.ts'
import { clickhouseDialect } from './dialect.ts'
import { clickhouseFault, isDenied, notNative } from './faults.ts'
import { type Place, placeOf, SCHEMES } from './place.ts'
import type { Server } from './server.ts'
import { identifier, literal, readName } from './text.ts'

export interface ClickhouseDatabase extends Database {
  /** SQL of the table that the address names; undefined where it names a database only. */
  readonly from: string | undefined
}

/** A small answer: the rows of so many columns, or more. */
const ask = async (server: Server, width: number, sql: string): Promise<unknown[][]> => {
  const rows = rowsOf(await readAnswer(server, sql))
  if (rows.some(row => row.length < width)) throw clickhouseFault(notNative(), server.name, '')
  return rows
}

/** What a table is, and for one over the shards of a cluster: which, and what is beneath. */
interface Kind {
  readonly cluster?: { readonly name: string; readonly database: string; readonly table: string }
}

const kindOf = async (server: Server, { database, table, shown }: Place): Promise<Kind> => {
  const where = `database = ${literal(database)} AND name = ${literal(table as string)}`
  const [row] = await ask(server, 2, `SELECT engine, engine_full FROM system.tables WHERE ${where}`)
  if (row === undefined) throw new DataError(`${shown}: there is no such table, or this user may not see it`)
  const [engine, full] = row.map(String)
  if (engine !== 'Distributed') return {}
  const cluster = readName(full.slice(full.indexOf('(') + 1))
  const beneath = readName(cluster?.rest ?? '?')
  const own = readName(beneath?.rest ?? '?')
  if (cluster === undefined || beneath === undefined || own === undefined)
    throw new DataError(`${shown}: the table behind this distributed table cannot be found (${full})`)
  return { cluster: { name: cluster.name, database: beneath.name || database, table: own.name } }
}

/** One server for each shard, in the order of the shards: those of the address, and where it lacks some, the hosts of the cluster. */
const serversOfShards = async (
  first: Server,
  cluster: string,
  address: Place,
  connect: (url: string) => Server,
): Promise<Server[]> => {
  const named = literal(cluster)
  const replicas = (await ask(
    first,
    3,
    `SELECT toInt32(shard_num), host_name, toInt32(port) FROM system.clusters WHERE cluster = ${named} ORDER BY shard_num, replica_num`,
  )) as [number, string, number][]
  if (replicas.length === 0) throw new DataError(`${address.shown}: the server has no cluster ${cluster}`)
  const shards = new Map<number, Server>()
  const others: Server[] = []
  const [, scheme, port] = /^(https?):.*:(\d+)$/.exec(address.servers[0]) as RegExpExecArray
  const guesses = replicas.map(([, host]) => `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`)
  for (const url of new Set([...address.servers, ...guesses])) {
    if (new Set(replicas.map(([shard]) => shard)).size === shards.size) break
    const server = url === address.servers[0] ? first : connect(url)
    try {
      const own = `SELECT toInt32(shard_num) FROM system.clusters WHERE cluster = ${named} AND is_local`
      const [[shard] = []] = await ask(server, 1, own)
      if (shard !== undefined && !shards.has(shard as number)) {
        shards.set(shard as number, server)
        continue
      }
    } catch (fault) {
      // A server that the address names must answer; the hosts of the cluster may be out of reach.
      if (address.servers.includes(url)) throw fault
    }
    if (server !== first) others.push(server)
  }
  await Promise.all(others.map(server => server.close()))
  const missing = replicas.find(([shard]) => !shards.has(shard))
  if (missing !== undefined) {
    const [shard, host, native] = missing
    for (const server of shards.values()) if (server !== first) await server.close()
    throw new OptionError(
      `${address.shown}: shard ${shard} of cluster ${cluster} (${host}:${native}) has no server that can be reached over HTTP: ` +
        'name a server of every shard, as in clickhouse://host1:8123,host2:8123/database/table',
    )
  }
  return [...shards.keys()].sort((a, b) => a - b).map(shard => shards.get(shard) as Server)
}

/** Servers since 20 can keep a table for look-ups in memory alone. */
const isModern = async (server: Server): Promise<boolean> => {
  const [[version] = []] = await ask(server, 1, 'SELECT version()')
  if (typeof version !== 'string') throw clickhouseFault(notNative(), server.name, '')
  return Number.parseInt(version, 10) >= 20
}

const sqlOf = (...names: readonly string[]): string => names.map(identifier).join('.')

/** Makes an empty table, fills and removes it, on every server: a user without the right to do so is told before any work, not in the middle of it. */
const checkRights = (servers: readonly Server[], run: string): Promise<unknown> =>
  Promise.all(
    servers.map(async server => {
      const table = identifier(`${run}_rights`)
      await server.run(`CREATE TABLE ${table} (x UInt8) ENGINE = Memory`)
      await server.run(`INSERT INTO ${table} SELECT toUInt8(1)`)
      await server.run(`DROP TABLE ${table}`)
    }),
  )

const failure = (fault: DatabaseFault, { user, database }: Place): EngineError => {
  const rights = `CREATE TABLE, DROP TABLE, INSERT and SELECT on database ${database}`
  const message = isDenied(fault)
    ? `user ${user} lacks a permission: Polyad needs ${rights}, for working tables that it removes at the end; have them granted, or ` +
      `export the rows to a file and read that. The server says: ${fault.message}`
    : fault.message
  return new EngineError(`${fault.place}: ${message}`, { cause: fault })
}

/** The way to a database of ClickHouse, and to the table that is named there: its shards, where it has any. */
export const openClickhouse = async (
  place: Place,
  target?: Place,
  connecting?: (url: string) => Server,
): Promise<ClickhouseDatabase> => {
  // The client is loaded where it is needed: most programs have nothing to do with ClickHouse.
  const { httpServer } = await import('./server.ts')
  const connect = connecting ?? (url => httpServer(url, place))
  const { database, table, servers: urls, shown } = place
  const first = connect(urls[0])
  let servers = [first]
  try {
    const memoryJoin = await isModern(first)
    const kind = table === undefined || target === place ? {} : await kindOf(first, place)
    if (kind.cluster !== undefined) servers = await serversOfShards(first, kind.cluster.name, place, connect)
    else if (table === undefined) servers = [first, ...urls.slice(1).map(connect)]
    else if (urls.length > 1) throw new OptionError(`${shown}: this table is on one server, so name one`)
    const run = runName()
    const from = table === undefined ? undefined : sqlOf(database, table)
    const described = from === undefined || target === place ? [] : await ask(first, 2, `DESCRIBE TABLE ${from}`)
    const { cluster } = kind
    const dialect = clickhouseDialect({
      run,
      database,
      cluster: cluster === undefined ? undefined : { name: cluster.name, shards: servers.length },
      parts: new Map(from && cluster ? [[from, sqlOf(cluster.database, cluster.table)]] : []),
      columns: new Map(from ? [[from, described.map(([name]) => identifier(String(name)))]] : []),
      target: target?.table === undefined ? undefined : { database: target.database, table: target.table },
    })
    if (table !== undefined) await checkRights(servers, run)
    const name = `ClickHouse at ${servers.map(server => server.name).join(', ')}`
    return { dialect, connection: clickhouseConnection({ name, servers, run, memoryJoin }), from }
  } catch (error) {
    await Promise.all(servers.map(server => server.close()))
    if (!(error instanceof DatabaseFault)) throw error
    throw failure(error, place)
  }
}

/** What commands need of a database beside: how its table is read, and the one that is to be made. */
export const openPlace = async (
  place: Place,
  target?: Place,
  connecting?: (url: string) => Server,
): Promise<OpenDatabase> => {
  if (target !== undefined && target.table === undefined)
    throw new OptionError(`${target.shown}: name the table to create, after its database`)
  if (target !== undefined && !target.servers.every(server => place.servers.includes(server)))
    throw new OptionError(
      `${target.shown} is on another server than the rows, and rows do not leave their server: name a table there`,
    )
  const database = await openClickhouse(place, target, connecting)
  const { from } = database
  const named = (): string => {
    if (from !== undefined) return from
    throw new OptionError(`${place.shown}: name a table after the database`)
  }
  return {
    ...database,
    from: from ?? '',
    name: place.shown,
    plan: async options => planTable(database, named(), place.shown, options),
    look: async stored => viewTable(database, named(), place.shown, stored),
    ...(target?.table === undefined ? {} : { target: sqlOf(target.database, target.table) }),
  }
}

/** Tables of ClickHouse servers and clusters. */
export const clickhouseDatabases: DatabaseKind = {
  schemes: Object.keys(SCHEMES),
  connect: address => openClickhouse({ ...placeOf(address), table: undefined }),
  open: async (address, { sql }, output) => {
    if (sql !== undefined)
      throw new OptionError('sql', 'is for files and DuckDB: with ClickHouse, make a view and name it')
    const place = placeOf(address)
    return openPlace(place, output === address ? place : output === undefined ? undefined : placeOf(output))
  },
}
