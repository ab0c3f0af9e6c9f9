import { DataError, EngineError, OptionError } from '@polyad/core'
import { advise, words } from '@polyad/core/options'
import { DatabaseFault } from '../connection.ts'
import type { DatabaseKind, OpenDatabase } from '../database-kind.ts'
import { viewTable } from '../model-view.ts'
import type { Database } from '../session.ts'
import { planTable } from '../table-plan.ts'
import { runName } from '../working-table.ts'
import { askServer } from './answer.ts'
import { clickhouseConnection } from './connection.ts'
import { clickhouseDialect } from './dialect.ts'
import { clickhouseFault, isDenied, notNative } from './faults.ts'
import { type Place, placeOf, SCHEMES } from './place.ts'
import type { Server } from './server.ts'
import { findShards, firstAnswering, type Kind, refuseProxy } from './shards.ts'
import { identifier, literal, readName } from './text.ts'

export interface ClickhouseDatabase extends Database {
  /** SQL of the table that the address names; undefined where it names a database only. */
  readonly from: string | undefined
}

const kindOf = async (server: Server, { database, table, shown }: Place): Promise<Kind> => {
  const where = `database = ${literal(database)} AND name = ${literal(table as string)}`
  const [row] = await askServer(server, 2, `SELECT engine, engine_full FROM system.tables WHERE ${where}`)
  if (row === undefined) throw new DataError(`${shown}: there is no such table, or this user may not see it`)
  const [engine, full] = row.map(String)
  if (engine !== 'Distributed') return { replicated: /^(Replicated|Shared)/.test(engine) }
  const cluster = readName(full.slice(full.indexOf('(') + 1))
  const beneath = readName(cluster?.rest ?? '?')
  const own = readName(beneath?.rest ?? '?')
  if (cluster === undefined || beneath === undefined || own === undefined)
    throw new DataError(`${shown}: the table behind this distributed table cannot be found (${full})`)
  return { cluster: { name: cluster.name, database: beneath.name || database, table: own.name } }
}

/** Servers since 20 can keep a table for look-ups in memory alone. */
const isModern = async (server: Server): Promise<boolean> => {
  const [[version] = []] = await askServer(server, 1, 'SELECT version()')
  if (typeof version !== 'string') throw clickhouseFault(notNative(), server.name, '')
  return Number.parseInt(version, 10) >= 20
}

const sqlOf = (...names: readonly string[]): string => names.map(identifier).join('.')

/** Makes an empty table, fills and removes it, on every server: a user without the right to do so is told before any work, not in the middle of it. */
const checkRights = async (
  servers: readonly Server[],
  place: Place,
  databases: readonly string[],
  run: string,
): Promise<void> => {
  for (const database of new Set(databases)) {
    const table = sqlOf(database, `${run}_rights`)
    const check = async (server: Server) => {
      await server.run(`CREATE TABLE ${table} (x UInt8) ENGINE = Memory`)
      await server.run(`INSERT INTO ${table} SELECT toUInt8(1)`)
      await server.run(`DROP TABLE ${table}`)
    }
    await Promise.all(servers.map(check)).catch(error => {
      throw error instanceof DatabaseFault ? failure(error, place, database) : error
    })
  }
}

const failure = (fault: DatabaseFault, { user, scratch }: Place, database = scratch): EngineError => {
  if (!isDenied(fault)) return new EngineError(`${fault.place}: ${fault.message}`, { cause: fault })
  const rights = `CREATE TABLE, DROP TABLE, INSERT and SELECT on database ${database}`
  const purpose =
    database === scratch
      ? words`, for working tables that it removes at the end; have them granted, ${advise('name a database where the user has them with', 'scratch')}, or export the rows to a file and read that`
      : ', for the table that is to be made'
  return new EngineError(
    words`${fault.place ?? ''}: user ${user} lacks a permission: Polyad needs ${rights}${purpose}. The server says: ${fault.message}`,
    { cause: fault },
  )
}

/** The way to a database of ClickHouse, and to the table that is named there: its shards, where it has any. */
export const openClickhouse = async (place: Place, target?: Place): Promise<ClickhouseDatabase> => {
  // The client is loaded where it is needed: most programs have nothing to do with ClickHouse.
  const { httpServer } = await import('./server.ts')
  const connect = (url: string) => httpServer(url, place)
  const { database, table, servers: urls, shown, scratch } = place
  let servers: readonly Server[] = []
  try {
    const first = await firstAnswering(urls, connect, isModern)
    servers = [first.server]
    const reads = table !== undefined && target !== place
    const kind = reads ? await kindOf(first.server, place) : {}
    if (table !== undefined) await refuseProxy(first.server, place)
    if (reads && kind.cluster === undefined && kind.replicated !== true && urls.length > 1)
      throw new OptionError(`${shown}: this table is on one server, so name one`)
    const shards = reads ? await findShards({ first, kind, place, connect }) : undefined
    servers = shards?.servers ?? [first.server, ...urls.filter(url => url !== first.url).map(connect)]
    const run = runName()
    const from = table === undefined ? undefined : sqlOf(database, table)
    const described = from === undefined || !reads ? [] : await askServer(servers[0], 2, `DESCRIBE TABLE ${from}`)
    const { cluster } = kind
    const dialect = clickhouseDialect({
      run,
      database: scratch,
      cluster: cluster === undefined ? undefined : { name: cluster.name, shards: servers.length },
      parts: new Map(from && cluster ? [[from, sqlOf(cluster.database, cluster.table)]] : []),
      columns: new Map(from ? [[from, described.map(([name]) => identifier(String(name)))]] : []),
      target: target?.table === undefined ? undefined : { database: target.database, table: target.table },
    })
    const made = target?.table === undefined ? [] : [target.database]
    if (table !== undefined) await checkRights(servers, place, [scratch, ...made], run)
    return {
      dialect,
      connection: clickhouseConnection({ servers, run, memoryJoin: first.answer, ...shards }),
      from,
    }
  } catch (error) {
    await Promise.all(servers.map(server => server.close()))
    if (!(error instanceof DatabaseFault)) throw error
    throw failure(error, place)
  }
}

/** What commands need of a database beside: how its table is read, and the one that is to be made. */
export const openPlace = async (place: Place, target?: Place): Promise<OpenDatabase> => {
  if (target !== undefined && target.table === undefined)
    throw new OptionError(`${target.shown}: name the table to create, after its database`)
  if (target !== undefined && !target.servers.every(server => place.servers.includes(server)))
    throw new OptionError(
      `${target.shown} is on another server than the rows, and rows do not leave their server: name a table there`,
    )
  const database = await openClickhouse(place, target)
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
  connect: (address, { scratch }) => openClickhouse({ ...placeOf(address, scratch), table: undefined }),
  open: async (address, { sql, scratch }, output) => {
    if (sql !== undefined)
      throw new OptionError('sql', 'is for files and DuckDB: with ClickHouse, make a view and name it')
    const place = placeOf(address, scratch)
    return openPlace(place, output === address ? place : output === undefined ? undefined : placeOf(output))
  },
}
