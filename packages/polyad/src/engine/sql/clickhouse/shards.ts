import { DataError, OptionError } from '@polyad/core'
import { DatabaseFault } from '../connection.ts'
import { askServer } from './answer.ts'
import type { Place } from './place.ts'
import type { Server } from './server.ts'
import { literal } from './text.ts'

/** The servers of a table: one for each shard, and others that can take the place of one that fails. */
export interface Shards {
  readonly servers: readonly Server[]
  /** Another server with the rows of a shard, by its position, in place of one that failed; undefined if none answers. */
  replica(shard: number, failed: Server): Promise<Server | undefined>
}

/** What a table is: one over the shards of a cluster, the same table on several servers, or that of one server. */
export interface Kind {
  readonly cluster?: { readonly name: string; readonly database: string; readonly table: string }
  readonly replicated?: boolean
}

/** The first server of an address that answers, and what went wrong with those before it. */
export const firstAnswering = async <T>(
  urls: readonly string[],
  connect: (url: string) => Server,
  ask: (server: Server) => Promise<T>,
): Promise<{ server: Server; url: string; answer: T; fault: DatabaseFault | undefined }> => {
  let fault: DatabaseFault | undefined
  for (const url of urls) {
    const server = connect(url)
    try {
      return { server, url, answer: await ask(server), fault }
    } catch (error) {
      await server.close()
      if (!(error instanceof DatabaseFault && error.transient)) throw error
      fault ??= error
    }
  }
  throw fault
}

interface Search {
  readonly first: { readonly server: Server; readonly url: string; readonly fault: DatabaseFault | undefined }
  readonly kind: Kind
  readonly place: Place
  readonly connect: (url: string) => Server
}

/** Finds a server of each shard: those of the address, and where it lacks some, the hosts of the cluster. */
export const findShards = async (search: Search): Promise<Shards> => {
  const { first, kind, place, connect } = search
  const { shards, hosts, shardOf } = await membersOf(search)
  const own = await shardOf(first.server)
  const found = new Map<number, Server>(own === undefined ? [] : [[own, first.server]])
  const spare: [number, Server][] = []
  const untried = [...new Set([...place.servers, ...hosts])].filter(url => url !== first.url)
  let { fault } = first

  /** The next server that belongs to one of these shards; the others that are met are kept for later. */
  const seek = async (wanted: (shard: number) => boolean): Promise<[number, Server] | undefined> => {
    for (let url = untried.shift(); url !== undefined; url = untried.shift()) {
      const server = connect(url)
      try {
        const shard = await shardOf(server)
        if (shard === undefined) await server.close()
        else if (wanted(shard)) return [shard, server]
        else spare.push([shard, server])
      } catch (error) {
        await server.close()
        if (!(error instanceof DatabaseFault)) throw error
        // The hosts of the cluster may be out of reach; a server that the address names should answer.
        if (!place.servers.includes(url)) continue
        if (!error.transient) throw error
        fault ??= error
      }
    }
    return undefined
  }

  const closeAll = () =>
    Promise.all([...found.values(), ...spare.map(([, server]) => server)].map(server => server.close()))

  try {
    while (shards.some(({ number }) => !found.has(number))) {
      const next = await seek(shard => !found.has(shard))
      if (next !== undefined) found.set(...next)
      else if (fault !== undefined) throw fault
      else throw unreachable(place, kind, shards.find(({ number }) => !found.has(number))!.host)
    }
  } catch (error) {
    await closeAll()
    throw error
  }
  if (own === undefined) await first.server.close()

  return {
    servers: shards.map(({ number }) => found.get(number) as Server),
    async replica(shard, failed) {
      const { number } = shards[shard]
      for (const each of spare.filter(([own]) => own === number)) {
        const [, server] = each
        const answers = await shardOf(server).then(
          () => true,
          () => false,
        )
        if (!answers) continue
        spare.splice(spare.indexOf(each), 1, [number, failed])
        return server
      }
      const next = await seek(each => each === number)
      if (next !== undefined) spare.push([number, failed])
      return next?.[1]
    },
  }
}

/** The shards in their order, URLs of servers that the address may lack, and how a server says which shard it has. */
const membersOf = async ({ first, kind, place }: Search) => {
  const { cluster } = kind
  if (cluster === undefined) {
    const { database, table } = place
    const exists = `SELECT toInt32(count()) FROM system.tables WHERE database = ${literal(database)} AND name = ${literal(table as string)}`
    return {
      shards: [{ number: 0, host: '' }],
      hosts: [],
      shardOf: async (server: Server) => {
        if (server === first.server) return 0
        const [[tables] = []] = await askServer(server, 1, exists)
        return tables === 1 ? 0 : undefined
      },
    }
  }
  const named = literal(cluster.name)
  const replicas = (await askServer(
    first.server,
    3,
    `SELECT toInt32(shard_num), host_name, toInt32(port) FROM system.clusters WHERE cluster = ${named} ORDER BY shard_num, replica_num`,
  )) as [number, string, number][]
  if (replicas.length === 0) throw new DataError(`${place.shown}: the server has no cluster ${cluster.name}`)
  const [, scheme, port] = /^(https?):.*:(\d+)$/.exec(first.url) as RegExpExecArray
  const own = `SELECT toInt32(shard_num) FROM system.clusters WHERE cluster = ${named} AND is_local`
  return {
    shards: [...new Map(replicas.map(([number, host, native]) => [number, `${host}:${native}`]))].map(
      ([number, host]) => ({ number, host: `shard ${number} of cluster ${cluster.name} (${host})` }),
    ),
    hosts: replicas.map(([, host]) => `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`),
    shardOf: async (server: Server) => {
      const [[shard] = []] = await askServer(server, 1, own)
      return shard as number | undefined
    },
  }
}

const unreachable = ({ shown }: Place, { cluster }: Kind, shard: string): OptionError =>
  new OptionError(
    `${shown}: ${shard} has no server that can be reached over HTTP: ` +
      'name a server of every shard, as in clickhouse://host1:8123,host2:8123/database/table' +
      (cluster === undefined ? '' : '; the address of a proxy in front of the cluster is not enough'),
  )

/** How often the one server of an address is asked who it is. */
const ASKED = 4

/**
 * Refuses an address behind which several servers answer: tables that are made on one would be missing on the next. All questions are asked at once, each
 * on a connection of its own, because a proxy may keep a connection with one server.
 */
export const refuseProxy = async (server: Server, { servers, shown }: Place): Promise<void> => {
  if (servers.length > 1) return
  const who = "SELECT concat(hostName(), ' ', (SELECT any(data_path) FROM system.databases WHERE name = 'system'))"
  const answers = await Promise.all(Array.from({ length: ASKED }, () => askServer(server, 1, who)))
  const names = new Set(answers.flatMap(([row]) => (typeof row?.[0] === 'string' ? [row[0]] : [])))
  if (names.size < 2) return
  const hosts = [...new Set([...names].map(name => name.split(' ')[0]))].join(', ')
  throw new OptionError(
    `${shown} is a proxy in front of several servers (${hosts}), and Polyad makes working tables on each of them: ` +
      'name the servers themselves, one of every shard, as in clickhouse://host1:8123,host2:8123/database/table',
  )
}
