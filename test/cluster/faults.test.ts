import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { EngineError, type FitResult, fit, type Session, type Statistics } from '@polyad/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openSqlTable } from '../../packages/polyad/src/engine/open-sql-table.ts'
import { haveClickhouse, PASSWORD, READERS, startCluster, USER } from './cluster.mjs'

/** A hundred thousand cells: a pass takes long enough to be caught in the middle. */
const ROWS = 300_000
const columns = ['a', 'b', 'c'].map(
  (name, n) => `toString(if(sipHash64(number, ${n}) % 10 < 7, (number % 3) * 20 + sipHash64(number, ${n}, 1) % 20, sipHash64(number, ${n}, 2) % 60)) AS ${name}`, // biome-ignore format: one line of SQL
)

describe.skipIf(!haveClickhouse)('what goes wrong during a fit', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  beforeAll(async () => {
    process.env.CLICKHOUSE_PASSWORD = PASSWORD
    cluster = await startCluster()
    await cluster.sql('CREATE DATABASE d')
    for (const [i, shard] of cluster.shards.entries()) {
      await shard.sql(
        `CREATE TABLE d.part ENGINE = MergeTree ORDER BY tuple() AS SELECT ${columns.join(', ')} FROM numbers(${(i * ROWS) / 2}, ${ROWS / 2})`,
        `CREATE TABLE d.data AS d.part ENGINE = Distributed(${cluster.name}, d, part, rand())`,
      )
    }
  })
  afterAll(() => cluster?.stop())
  let opened: Session | undefined
  afterEach(async () => {
    await opened?.close()
    opened = undefined
  })

  const settings = { rank: 3, starts: 1, seed: 5, maxPasses: 25, algorithm: 'em' } as const
  const open = async (query = '', retry: object = {}) => {
    const { session } = await openSqlTable(cluster.address('d/data', { query }), { modes: ['a', 'b', 'c'], ...retry })
    opened = session
    return session
  }

  /** The largest difference between the parameters of two models. */
  const distance = (a: FitResult, b: FitResult): number =>
    Math.max(
      ...a.model.parameters.factors.flatMap((factor, n) =>
        Array.from(factor, (value, i) => Math.abs(value - b.model.parameters.factors[n][i])),
      ),
      ...Array.from(a.model.shares, (share, k) => Math.abs(share - b.model.shares[k])),
    )

  let undisturbed: FitResult

  it('nothing: the model to compare with', async () => {
    undisturbed = await fit(await open(), settings)
    expect(undisturbed.passes).toBeGreaterThan(10)
  })

  it('a shard that is killed in the middle of a pass and comes back gives the same model to 1e-9', async () => {
    const session = await open()
    let killed = 0
    const found = await fit(session, {
      ...settings,
      onProgress: ({ pass }) => {
        if (killed > 0 || pass < 5) return
        killed = pass
        // By then the next pass is under way.
        setTimeout(async () => {
          await cluster.shards[1].kill()
          await wait(600)
          await cluster.shards[1].start()
        }, 60)
      },
    })
    expect(killed).toBeGreaterThan(0)
    expect(found.passes).toBe(undisturbed.passes)
    expect(distance(found, undisturbed)).toBeLessThan(1e-9)
    expect(Math.abs(found.loss / undisturbed.loss - 1)).toBeLessThan(1e-12)
  })

  /** The largest difference between the sums of two passes. */
  const apart = (a: Statistics, b: Statistics): number =>
    Math.max(
      ...[a.sizes, ...a.factors].flatMap((sums, i) =>
        Array.from(sums, (sum, at) => Math.abs(sum - [b.sizes, ...b.factors][i][at])),
      ),
    )

  it('a shard that was killed while it removed the factors of the last pass does not use them in the next', async () => {
    const session = await open()
    const { parameters } = undisturbed.model
    const other = { ...parameters, shares: Float64Array.of(0.8, 0.15, 0.05) }
    const expected = await session.pass(parameters)
    expect(apart(await session.pass(other), expected)).toBeGreaterThan(1000)
    const [shard] = cluster.shards
    await shard.kill()
    // What such a kill leaves: the table is not known any more, its rows are still there.
    const metadata = join(shard.data, 'metadata', 'd')
    const sent = readdirSync(metadata).filter(name => /_sent_/.test(name))
    expect(sent.length).toBeGreaterThan(0)
    for (const name of sent) rmSync(join(metadata, name))
    expect(readdirSync(join(shard.data, 'data', 'd')).filter(name => /_sent_/.test(name))).not.toEqual([])
    await shard.start()
    expect(apart(await session.pass(parameters), expected)).toBeLessThan(1e-6)
  })

  it('a shard that is killed at any moment of a pass gives the same sums', async () => {
    const session = await open('', { attempts: 12, backOff: 50 })
    const { parameters } = undisturbed.model
    const other = { ...parameters, shares: Float64Array.of(0.8, 0.15, 0.05) }
    const expected = await session.pass(parameters)
    const [, shard] = cluster.shards
    for (const moment of [0, 1, 2, 3, 4, 5, 6, 8, 12, 20, 40, 70]) {
      await session.pass(other)
      const pass = session.pass(parameters)
      await wait(moment)
      await shard.kill()
      await shard.start()
      expect([moment, apart(await pass, expected) < 1e-6]).toEqual([moment, true])
    }
  })

  it('a shard that stays away ends the fit with its best and an error that names the shard; the fit can go on', async () => {
    const session = await open('', { attempts: 3, backOff: 50 })
    let killed = false
    const error = await fit(session, {
      ...settings,
      onProgress: ({ pass }) => {
        if (killed || pass < 8) return
        killed = true
        setTimeout(() => cluster.shards[1].kill(), 30)
      },
    }).catch(error => error)
    expect(error).toBeInstanceOf(EngineError)
    const found: FitResult = error.partial
    expect(error.message).toContain(cluster.shards[1].http)
    expect(error.message).toContain('tried 3 times')
    expect(found.passes).toBeLessThan(undisturbed.passes)
    expect(found.loss).toBeGreaterThan(undisturbed.loss)
    await cluster.shards[1].start()
    const on = await fit(session, { rank: 3, init: found.model, algorithm: 'em', maxPasses: settings.maxPasses - found.passes + 1 }) // biome-ignore format: one call
    expect(on.loss).toBeLessThan(found.loss)
    expect(Math.abs(on.loss / undisturbed.loss - 1)).toBeLessThan(1e-6)
  })

  it('a server that hangs counts as lost after the time-out, and the pass is done again once it goes on', async () => {
    const session = await open('?timeout=1')
    let paused = false
    const found = await fit(session, {
      ...settings,
      maxPasses: 8,
      onProgress: ({ pass }) => {
        if (paused || pass < 3) return
        paused = true
        cluster.shards[0].pause(true)
        setTimeout(() => cluster.shards[0].pause(false), 2500)
      },
    })
    expect(paused).toBe(true)
    const short = await fit(session, { ...settings, maxPasses: 8 })
    expect(distance(found, short)).toBeLessThan(1e-9)
  })

  it('a query that is killed on the server is tried again', async () => {
    const session = await open()
    let killed = 0
    const timer = setInterval(async () => {
      const text = await cluster.shards[0].sql(
        "KILL QUERY WHERE query_id LIKE 'polyad-%' AND query LIKE '%arrayJoin%' AND query NOT LIKE '%KILL%' SYNC",
      )
      if (text !== '' && ++killed === 2) clearInterval(timer)
    }, 40)
    const found = await fit(session, settings)
    clearInterval(timer)
    expect(killed).toBeGreaterThan(0)
    expect(distance(found, undisturbed)).toBeLessThan(1e-9)
  })

  it('a table of cells that someone changes is noticed', async () => {
    const session = await open()
    const shard = cluster.shards[0]
    const name = (await shard.sql("SELECT name FROM system.tables WHERE name LIKE 'polyad_run_%_cells'")).trim()
    await session.pass(undisturbed.model.parameters)
    await shard.sql(`INSERT INTO d.${name} SELECT * FROM d.${name} LIMIT 1`)
    await expect(session.pass(undisturbed.model.parameters)).rejects.toThrow(/has changed/)
    await shard.sql(`DROP TABLE d.${name}`)
    await expect(session.pass(undisturbed.model.parameters)).rejects.toThrow(EngineError)
  })

  it.each(READERS)('a user that may only read (%s) is told which rights are needed, before any work', async reader => {
    const address = cluster.address('d/data').replace(USER, reader)
    // A column that is not there would be the error, if the rows had been looked at.
    const failed = await openSqlTable(address, { modes: ['nothing'] }).catch((error: Error) => error)
    expect(failed).toBeInstanceOf(EngineError)
    const { message } = failed as Error
    expect(message).toContain(
      `user ${reader} lacks a permission: Polyad needs CREATE TABLE, DROP TABLE, INSERT and SELECT on database d`,
    )
    expect(message).toContain('readonly mode')
    expect(message).not.toContain(PASSWORD)
  })

  it('memory that is too small for the rows is said, with the shard, and nothing is left behind', async () => {
    const small = await startCluster({ shards: 1, memory: 4e7 })
    try {
      await small.shards[0].sql(
        'CREATE DATABASE d',
        'CREATE TABLE d.data ENGINE = MergeTree ORDER BY tuple() AS SELECT toUInt32(number % 1000) AS a, toUInt32(intDiv(number, 1000)) AS b FROM numbers(1000000)',
      )
      const failed = await openSqlTable(small.address('d/data'), { modes: ['a', 'b'], attempts: 2, backOff: 10 }).catch(
        (error: Error) => error,
      )
      expect(failed).toBeInstanceOf(EngineError)
      expect((failed as Error).message).toContain(small.shards[0].http)
      expect((failed as Error).message).toMatch(/[Mm]emory/)
      expect(await small.shards[0].sql("SELECT name FROM system.tables WHERE name LIKE 'polyad_run_%'")).toBe('')
    } finally {
      await small.stop()
    }
  })

  it('the password is in no log of the servers, no error, and no list of processes', async () => {
    const wrong = await openSqlTable(cluster.address('d/nothing', { password: true })).catch((error: Error) => error)
    expect(String((wrong as Error).stack)).not.toContain(PASSWORD)
    expect(cluster.logs()).not.toContain(PASSWORD)
    expect(readFileSync('/proc/self/cmdline', 'utf8')).not.toContain(PASSWORD)
  })
})
