/**
 * `npm run example cluster`: a fit inside a ClickHouse cluster of two shards, which this program starts on this machine. No row leaves the
 * shards. It needs `clickhouse-server`: on Debian, `npm run test:cluster` installs it if it runs as root.
 */
import { profilesData, timeChart, timeData } from '@polyad/charts'
import { fit, tensorFromRows } from '@polyad/core'
import { openSqlTable } from 'polyad'
import { makeEvents } from '../events/make-events.ts'
import { outputFolder, percent, writeChart } from '../output.ts'

interface Cluster {
  readonly name: string
  readonly shards: readonly { sql(...statements: string[]): Promise<string> }[]
  address(path: string, options: { readonly password: boolean }): string
  sql(...statements: string[]): Promise<void>
  stop(): Promise<void>
}
const { haveClickhouse, startCluster } = (await import(
  new URL('../../../test/cluster/cluster.mjs', import.meta.url).href
)) as { readonly haveClickhouse: boolean; readonly startCluster: () => Promise<Cluster> }

const output = outputFolder('cluster')
if (!haveClickhouse) {
  console.error('clickhouse-server is not installed here')
  process.exit(1)
}

const events = makeEvents(2, 8000, 0).map(({ account, service, action, time }) => ({ account, service, action, hour: `${time.slice(11, 13)}:00` })) // biome-ignore format: one row
const columns = ['account', 'service', 'action', 'hour'] as const

const cluster = await startCluster()
try {
  // Half of the rows on each shard, and one table over both.
  const types = columns.map(name => `${name} String`).join(', ')
  await cluster.sql('CREATE DATABASE logs', `CREATE TABLE logs.part (${types}) ENGINE = MergeTree ORDER BY tuple()`)
  for (const [i, shard] of cluster.shards.entries()) {
    const part = events.filter((_, row) => row % cluster.shards.length === i)
    const values = part.map(event => `(${columns.map(name => `'${event[name]}'`).join(',')})`)
    await shard.sql(`INSERT INTO logs.part VALUES ${values.join(',')}`)
  }
  await cluster.sql(`CREATE TABLE logs.events AS logs.part ENGINE = Distributed(${cluster.name}, logs, part, rand())`)
  console.log(`${events.length} rows on ${cluster.shards.length} shards`)

  // The same search, in the cluster and in memory.
  const settings = { rank: 5, starts: 2, seed: 1 }
  const table = await openSqlTable(cluster.address('logs/events', { password: true }), {
    modes: [...columns],
    count: 'none',
  })
  const there = await fit(table.session, settings)
  await table.session.close()
  const here = await fit(tensorFromRows(events, { modes: [...columns] }), settings)
  console.log(`loss in the cluster ${there.loss.toFixed(4)}, in memory ${here.loss.toFixed(4)}`)
  console.log(`class sizes in the cluster ${there.model.shares.map(percent).join(', ')}`)
  console.log(`class sizes in memory      ${here.model.shares.map(percent).join(', ')}`)

  const hours = timeData(profilesData(there.model), 'hour')
  if (hours !== undefined)
    writeChart(output('hours.svg'), 'When each class works', 'logs.events on two shards · Polyad', options =>
      timeChart(hours, options),
    )
} finally {
  await cluster.stop()
}
