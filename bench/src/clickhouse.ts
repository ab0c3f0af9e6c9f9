import type { Session } from '@polyad/core'
import { openSqlTable } from 'polyad'
import { machine } from './machine.js'
import { interleaved } from './measure.js'
import { randomParameters } from './random-parameters.ts'
import { table } from './table.js'

/**
 * `npm run bench:sql clickhouse`: passes on two shards beside one server, a thread each, on the same cells, in turns; four models in one scan
 * beside one. On a machine with other work the processor time of the busiest server tells more than the clock. Arguments: millions of cells
 * (default: 1 4).
 */

/** What is used of the servers of `npm run test:cluster`. */
interface Cluster {
  readonly name: string
  readonly shards: readonly { sql(...statements: string[]): Promise<string>; cpu(): number }[]
  address(path: string, options?: { one?: boolean; password?: boolean }): string
  stop(): Promise<void>
}

const ROUNDS = 7
const MODES = ['a', 'b', 'c']

/** Rows with labels from 0 to 999 in three modes, almost all of them distinct cells. */
const rowsOf = (from: number, count: number): string => {
  const columns = MODES.map((name, n) => `toUInt16(sipHash64(number, ${n}) % 1000) AS ${name}`)
  return `SELECT ${columns.join(', ')} FROM numbers(${from}, ${count})`
}

const place = async (cluster: Cluster, millions: number): Promise<void> => {
  const rows = millions * 1e6
  const [name, own] = [`cells${millions}`, 'ENGINE = MergeTree ORDER BY tuple()']
  for (const [i, shard] of cluster.shards.entries()) {
    await shard.sql(
      'CREATE DATABASE IF NOT EXISTS bench',
      `CREATE TABLE bench.${name}_part ${own} AS ${rowsOf((i * rows) / 2, rows / 2)}`,
      `CREATE TABLE bench.${name} AS bench.${name}_part ENGINE = Distributed(${cluster.name}, bench, ${name}_part, rand())`,
    )
  }
  await cluster.shards[0].sql(`CREATE TABLE bench.${name}_one ${own} AS ${rowsOf(0, rows)}`)
}

const timed = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const began = performance.now()
  return [await work(), (performance.now() - began) / 1000]
}

export const benchClickhouse = async (args: readonly string[]): Promise<void> => {
  const { startCluster } = (await import(new URL('../../test/cluster/cluster.mjs', import.meta.url).href)) as {
    startCluster(options: { threads: number }): Promise<Cluster>
  }
  const cluster = await startCluster({ threads: 1 })
  const rows: (string | number)[][] = []
  try {
    const sizes = args.filter(text => /^\d/.test(text)).map(Number)
    for (const millions of sizes.length === 0 ? [1, 4] : sizes) {
      await place(cluster, millions)
      const options = { modes: MODES }
      const [one, opening] = await timed(() => openSqlTable(cluster.address(`bench/cells${millions}_one`, { one: true, password: true }), options)) // biome-ignore format: one call
      const [two, openingTwo] = await timed(() =>
        openSqlTable(cluster.address(`bench/cells${millions}`, { password: true }), options),
      )
      const { shape, cells } = one.session.data
      process.stderr.write(`  ${cells} cells; counted in ${opening.toFixed(1)} s on one server, ${openingTwo.toFixed(1)} s on two shards\n`) // biome-ignore format: one line
      for (const rank of [8, 16]) {
        const models = [1, 2, 3, 4].map(seed => randomParameters(shape, rank, seed))
        const pass = (session: Session) => () => session.pass(models[0])
        const work = [pass(one.session), pass(two.session), () => two.session.passes!(models)]
        const busy: number[][] = [[], [], []]
        const { best } = await interleaved(
          work.map((each, i) => async () => {
            const before = cluster.shards.map(shard => shard.cpu())
            await each()
            busy[i].push(Math.max(...cluster.shards.map((shard, s) => shard.cpu() - before[s])))
          }),
          ROUNDS,
        )
        const least = busy.map(each => Math.min(...each))
        const nanos = best.map(milliseconds => ((milliseconds * 1e6) / cells).toFixed(0))
        rows.push([
          `${cells.toLocaleString('en-US')} cells, 3 modes of 1000, rank ${rank}`,
          nanos[0],
          nanos[1],
          `${(best[0] / best[1]).toFixed(2)}×`,
          nanos[2],
          `${(best[2] / best[1]).toFixed(2)}×`,
          `${(least[0] / least[1]).toFixed(2)}×, ${(least[2] / least[1]).toFixed(2)}×`,
        ])
      }
      await one.session.close()
      await two.session.close()
    }
  } finally {
    await cluster.stop()
  }
  console.log(`${machine()}\n`)
  const heads = [`ns a cell and pass, best of ${ROUNDS} in turns`, 'one server', 'two shards', 'faster', 'four models in a scan', 'of one', 'both by processor time'] // biome-ignore format: a row
  console.log(table(heads, rows))
}
