import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type FitResult, fit } from '@polyad/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlTable } from '../../packages/polyad/src/engine/open-sql-table.ts'
import { haveClickhouse, PASSWORD, startCluster, USER } from './cluster.mjs'

const ROWS = 100_000
const columns = ['a', 'b', 'c'].map(
  (name, n) => `toString(if(sipHash64(number, ${n}) % 10 < 7, (number % 3) * 20 + sipHash64(number, ${n}, 1) % 20, sipHash64(number, ${n}, 2) % 60)) AS ${name}`, // biome-ignore format: one line of SQL
)

/** Passes each request on to one server after the other, as a proxy does that shares out the load. */
const proxyOf = async (hosts: readonly string[]) => {
  let requests = 0
  const server = createServer((request, response) => {
    const [hostname, port] = hosts[requests++ % hosts.length].split(':')
    const passed = send(
      { hostname, port, path: request.url, method: request.method, headers: request.headers },
      answer => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
    )
    passed.on('error', () => response.destroy())
    request.pipe(passed)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe.skipIf(!haveClickhouse)('a cluster of two shards with two replicas each', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  beforeAll(async () => {
    process.env.CLICKHOUSE_PASSWORD = PASSWORD
    cluster = await startCluster({ replicas: 2 })
    await cluster.sql('CREATE DATABASE d')
    for (const [i, server] of cluster.shards.entries())
      await server.sql(
        `CREATE TABLE d.part ENGINE = MergeTree ORDER BY tuple() AS SELECT ${columns.join(', ')} FROM numbers(${(Math.floor(i / 2) * ROWS) / 2}, ${ROWS / 2})`,
        `CREATE TABLE d.data AS d.part ENGINE = Distributed(${cluster.name}, d, part, rand())`,
      )
  })
  afterAll(() => cluster?.stop())

  const settings = { rank: 3, starts: 1, seed: 5, maxPasses: 20, algorithm: 'em' } as const
  const address = (servers: readonly number[]) =>
    `clickhouse://${USER}@${servers.map(i => cluster.shards[i].http).join(',')}/d/data`
  const open = async (servers: readonly number[]) =>
    (await openSqlTable(address(servers), { modes: ['a', 'b', 'c'], backOff: 20 })).session

  /** The largest difference between the parameters of two models. */
  const distance = (a: FitResult, b: FitResult): number =>
    Math.max(
      ...a.model.parameters.factors.flatMap((factor, n) =>
        Array.from(factor, (value, i) => Math.abs(value - b.model.parameters.factors[n][i])),
      ),
    )

  let undisturbed: FitResult
  it('is fitted with one server of each shard', async () => {
    const session = await open([0, 2])
    expect(session.data.total).toBe(ROWS)
    undisturbed = await fit(session, settings)
    await session.close()
  })

  it('goes on with another replica if one is lost in the middle of a fit: the same model to 1e-9', async () => {
    const session = await open([0, 1, 2, 3])
    let killed = false
    const found = await fit(session, {
      ...settings,
      onProgress: ({ pass }) => {
        if (killed || pass < 5) return
        killed = true
        setTimeout(() => cluster.shards[2].kill(), 30)
      },
    })
    expect(killed).toBe(true)
    expect(found.passes).toBe(undisturbed.passes)
    expect(distance(found, undisturbed)).toBeLessThan(1e-9)
    await session.close()
    for (const i of [0, 1, 3])
      expect(await cluster.shards[i].sql("SELECT name FROM system.tables WHERE name LIKE 'polyad_run_%'")).toBe('')
  })

  it('is opened with the replicas that answer, also if the first server of the address does not', async () => {
    await cluster.shards[0].kill()
    const session = await open([0, 1, 2, 3])
    expect(session.data.total).toBe(ROWS)
    expect(distance(await fit(session, settings), undisturbed)).toBeLessThan(1e-9)
    await session.close()
    // Both replicas of the second shard are away.
    await cluster.shards[3].kill()
    await expect(open([0, 1, 2, 3])).rejects.toThrow(/ECONNREFUSED/)
    for (const i of [0, 2, 3]) await cluster.shards[i].start()
  })

  it('behind one address of a proxy is refused, with what to name instead', async () => {
    const proxy = await proxyOf(cluster.shards.map(({ http }) => http))
    const failed = await openSqlTable(`clickhouse://${USER}@${proxy.host}/d/data`, { modes: ['a', 'b'] }).catch(
      (error: Error) => error,
    )
    expect((failed as Error).message).toMatch(
      /is a proxy in front of several servers .*name the servers themselves, one of every shard/,
    )
    proxy.close()
    // A proxy that keeps with one server: the others cannot be reached through it.
    const single = await proxyOf([cluster.shards[0].http])
    await expect(openSqlTable(`clickhouse://${USER}@${single.host}/d/data`, { modes: ['a', 'b'] })).rejects.toThrow(
      /shard 2 of cluster polyad_two .*the address of a proxy in front of the cluster is not enough/,
    )
    single.close()
  })
})
