import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Model } from '@polyad/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadModel } from '../../packages/polyad/src/output/model-store.ts'
import { objectOf, polyad, type RunOptions, signalWhen } from '../run-polyad.ts'
import { testFolder } from '../test-folder.ts'
import { type Watched, watched } from '../watched-process.ts'
import { haveClickhouse, PASSWORD, startCluster } from './cluster.mjs'
import { csvRows, partOf, tableOf, twoKinds } from './tables.ts'

const folder = testFolder()

/** What every process on this machine was started with. */
const commandLines = (): string =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
    .join('\n')

describe.skipIf(!haveClickhouse)('the command line and a cluster', () => {
  const rows = twoKinds(500, ['A', 'B', 'C', 'D', 'E'], ['yes', 'no', "it's", '); --'])
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let csv: string
  beforeAll(async () => {
    cluster = await startCluster()
    await cluster.sql('CREATE DATABASE d')
    for (const [i, shard] of cluster.shards.entries()) await shard.sql(...tableOf('d.part', partOf(rows, i, 2)))
    await cluster.sql(`CREATE TABLE d.data AS d.part ENGINE = Distributed(${cluster.name}, d, part, rand())`)
    csv = folder.file('rows.csv', csvRows(rows))
  })
  afterAll(() => cluster?.stop())

  const run = (args: readonly string[], options: RunOptions = {}) =>
    polyad(args, { ...options, env: { CLICKHOUSE_PASSWORD: PASSWORD, ...options.env } })
  const leftovers = () => cluster.shards[0].sql("SELECT name FROM system.tables WHERE name LIKE 'polyad_run_%'")
  const table = async (sql: string): Promise<string[][]> =>
    (await cluster.shards[0].sql(`${sql} FORMAT TSVRaw`)).trimEnd().split('\n').map(line => line.split('\t')) // biome-ignore format: one chain

  it('fits the table as it fits the file, and saves the same model', async () => {
    const settings = ['-k', '2', '--count', 'n', '--starts', '3', '--json']
    const here = objectOf(await run(['fit', csv, ...settings, '-o', folder.path('file.npz')]), 'fit')
    const there = objectOf(await run(['fit', cluster.address('d/data'), ...settings, '-o', folder.path('house.npz')]), 'fit') // biome-ignore format: one call
    expect(there.loss).toBeCloseTo(here.loss, 5)
    expect(there.source.files[0]).toContain('clickhouse://')
    const [own, found] = ['file.npz', 'house.npz'].map(name => loadModel(folder.path(name)).model)
    expect(found.modes.map(({ name }) => name)).toEqual(own.modes.map(({ name }) => name))
    found.shares.forEach((share, k) => {
      expect(share).toBeCloseTo(own.shares[k], 5)
    })
    expect(await leftovers()).toBe('')
  })

  it('classifies inside the database as it does files, on every shard its own rows', async () => {
    const [model, scored] = [folder.path('house.npz'), cluster.address('d/scored')]
    const there = objectOf(
      await run(['classify', model, cluster.address('d/data'), '-o', scored, '--posterior', '--json']),
      'classify',
    )
    const here = objectOf(await run(['classify', model, csv, '--json']), 'classify')
    expect(there.rows).toBe(500)
    expect(there.classes.map((each: { rows: number }) => each.rows)).toEqual(here.classes.map((each: { rows: number }) => each.rows)) // biome-ignore format: one comparison
    expect(there.logLikelihood).toBeCloseTo(here.logLikelihood, 6)
    expect(there.meanProbability).toBeCloseTo(here.meanProbability, 9)
    const columns = rows.columns.map(name => `ifNull(${name}, '')`).join(', ')
    const found = await table(
      `SELECT ${columns}, class, class_probability, log_likelihood, posterior_1, posterior_2 FROM d.scored`,
    )
    expect(found.length).toBe(500)
    const { model: own } = loadModel(model)
    for (const line of found) {
      const known = Object.fromEntries(rows.columns.map((name, n) => [name, line[n] === '' ? undefined : line[n]]))
      const posterior = own.posterior(known)
      expect(Number(line[5])).toBe(posterior.class + 1)
      expect(Number(line[6])).toBeCloseTo(posterior.probability, 9)
      expect(Number(line[7])).toBeCloseTo(posterior.logLikelihood, 9)
      expect(Number(line[8])).toBeCloseTo(posterior.probabilities[0], 9)
    }
    for (const shard of cluster.shards) expect(await shard.sql('SELECT count() FROM d.scored_shard')).toBe('250\n')
    const again = await run(['classify', model, cluster.address('d/data'), '-o', scored])
    expect(again.code).not.toBe(0)
    expect(again.stderr).toContain('already exists')
    expect(await leftovers()).toBe('')
  })

  it('fills what is missing inside the database, with the most probable labels', async () => {
    const model = folder.path('house.npz')
    const there = objectOf(
      await run(['impute', model, cluster.address('d/data'), '-o', cluster.address('d/filled'), '--json']),
      'impute',
    )
    expect(there.rows).toBe(500)
    const { model: own } = loadModel(model)
    const name = (column: string) => `ifNull(${column}, '')`
    const found = await table(`SELECT ${rows.columns.map(name).join(', ')}, n FROM d.filled`)
    expect(found.length).toBe(500)
    expect(found.every(line => line.slice(0, 5).every(value => value !== ''))).toBe(true)
    const key = (labels: readonly (string | null)[], n: number) => JSON.stringify([...labels, n])
    const expected = rows.rows.map((row, i) => key(filled(own, rows.columns, row), rows.counts[i])).sort()
    expect(found.map(line => key(line.slice(0, 5), Number(line[5]))).sort()).toEqual(expected)
  })

  it('draws rows inside the database: the same for the same seed, in the proportions of the model', async () => {
    const model = folder.path('house.npz')
    const one = (name: string) => cluster.address(`d/${name}`, { one: true })
    for (const [name, seed] of [['drawn', '1'], ['again', '1'], ['other', '2']] as const) // biome-ignore format: three tables
      expect((await run(['sample', model, '-n', '20000', '--seed', seed, '-o', one(name)])).stderr).not.toContain(
        'error',
      )
    const sum = (name: string) => table(`SELECT sum(cityHash64(A, B, C, D, E)), count() FROM d.${name}`)
    expect(await sum('drawn')).toEqual(await sum('again'))
    expect(await sum('drawn')).not.toEqual(await sum('other'))
    const { model: own } = loadModel(model)
    for (const [label, drawn] of await table('SELECT A, count() FROM d.drawn GROUP BY A')) {
      const j = own.modes[0].indexOf(label) as number
      const share = own.shares.reduce((total, each, k) => total + each * own.parameters.factors[0][j * own.rank + k], 0)
      expect(Math.abs(Number(drawn) / 20_000 - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / 20_000))
    }
  })

  it('speaks TLS, and trusts nobody it has no reason to', async () => {
    const address = cluster.address('d/data', { tls: true })
    const trusting = await run(['fit', address, '-k', '1', '--count', 'n', '--json'], {
      env: { NODE_EXTRA_CA_CERTS: cluster.certificate },
    })
    expect(objectOf(trusting, 'fit').rank).toBe(1)
    const wary = await run(['fit', address, '-k', '1', '--count', 'n'])
    expect(wary.code).not.toBe(0)
    expect(wary.stderr).toMatch(/self.signed certificate/)
  })

  it('cleans up what runs have left, and nothing else', async () => {
    await cluster.sql('CREATE TABLE d.polyad_run_x_cells (a UInt8) ENGINE = Memory')
    const text = objectOf(await run(['clean', cluster.address('d'), '--json']), 'clean')
    expect(text.removed.length).toBeGreaterThan(0)
    expect(await leftovers()).toBe('')
    expect(await cluster.shards[1].sql('EXISTS TABLE d.polyad_run_x_cells')).toBe('0\n')
    expect(await cluster.shards[1].sql('EXISTS TABLE d.part')).toBe('1\n')
    expect((await run(['clean', cluster.address('d')])).stdout).toContain('nothing to remove')
  })

  it('an interrupted fit leaves nothing behind', async () => {
    const ended = await run(['fit', cluster.address('d/data'), '-k', '4', '--count', 'n', '--starts', '50'], {
      when: [signalWhen('fitted in place')],
    })
    expect(ended.stderr).not.toContain('Error')
    expect(await leftovers()).toBe('')
  })

  it('a fit that is killed resumes from its checkpoint, whenever that was, and ends with the same model', async () => {
    const hook = new URL('../slow/kill-at-store.mjs', import.meta.url).href
    const file = folder.path('run.ckpt')
    const fitting = [
      'fit',
      cluster.address('d/data'),
      '-k',
      '2',
      '--count',
      'n',
      '--starts',
      '60',
      '--max-passes',
      '900',
      '--json',
    ]
    const whole = objectOf(await run([...fitting, '-o', folder.path('whole.npz')]), 'fit')
    const kept = [...fitting, '--checkpoint', file, '--checkpoint-every', '0', '-o', folder.path('resumed.npz')]
    // The first store comes before any work. A list of starts that share their scans is one unit.
    for (const when of ['after', 'before', 'after']) {
      const env = { NODE_OPTIONS: `--import ${hook}`, KILL_AT: '2', KILL_WHEN: when }
      const { code, stdout } = await run(kept, { env })
      expect([code, stdout]).toEqual([null, ''])
      expect(existsSync(file)).toBe(true)
    }
    const resumed = await run(kept)
    expect(resumed.stderr).toMatch(/resumed from .*: \d+ of 60 starts done/)
    const found = objectOf(resumed, 'fit')
    expect(found.checkpoint).toMatchObject({ resumed: true })
    expect(found.checkpoint.units).toBeGreaterThan(0)
    expect(existsSync(file)).toBe(false)
    // Sums of a cluster may differ in the last bits from one time to the next, with or without a checkpoint.
    expect(Math.abs(found.loss - whole.loss)).toBeLessThan(1e-9 * Math.abs(whole.loss))
    expect(found.starts).toBe(whole.starts)
    const [own, other] = ['whole.npz', 'resumed.npz'].map(name => loadModel(folder.path(name)).model)
    other.shares.forEach((share, k) => void expect(share).toBeCloseTo(own.shares[k], 7))
    await run(['clean', cluster.address('d')])
    expect(await leftovers()).toBe('')
  })

  it('shows the password nowhere: output, errors, list of processes, model file, logs of servers', async () => {
    const address = cluster.address('d/data')
    const model = folder.path('secret.json')
    let listed = ''
    const fitted = await polyad(['fit', address, '-k', '2', '--count', 'n', '--starts', '2', '--json', '-o', model], {
      env: { CLICKHOUSE_PASSWORD: PASSWORD },
      when: [
        {
          said: 'fitted in place',
          act: () => {
            listed = commandLines()
          },
        },
      ],
    })
    const failed = await Promise.all([
      polyad(['fit', cluster.address('d/nothing'), '-k', '2']),
      polyad(['fit', address.replace(/:\d+,/, ':1,'), '-k', '2']),
      polyad(['fit', address.replace('/d/', '/'), '-k', '2', '--sql', 'SELECT 1']),
      polyad(['classify', model, address, '-o', `${address}_with`]),
      polyad(['clean', address, '--json']),
    ])
    expect(fitted.code, fitted.stderr).toBe(0)
    expect(loadModel(model)).toBeDefined()
    expect(listed).toContain('polyad')
    const all = [fitted, ...failed].flatMap(({ stdout, stderr }) => [stdout, stderr])
    for (const text of [...all, listed, readFileSync(model, 'utf8'), cluster.logs()])
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) expect(text).not.toContain(secret)
  })

  it('removes what a process that was killed has left, and nothing else', async () => {
    const kept = await cluster.shards[0].sql('SELECT count(), sum(n) FROM d.part')
    const args = ['fit', cluster.address('d/data'), '-k', '3', '--count', 'n', '--starts', '100000']
    process.env.CLICKHOUSE_PASSWORD = PASSWORD
    const tables = async ({ child }: Watched, shard = 0) =>
      (await cluster.shards[shard].sql(`SELECT name FROM system.tables WHERE name LIKE 'polyad_run_%_${child.pid}_%'`)).split('\n').filter(name => name !== '') // biome-ignore format: one chain
    /** A run that has tables in the database. */
    const begun = async () => {
      const command = watched(args, folder.path('.'))
      for (const end = performance.now() + 60_000; performance.now() < end; ) {
        if ((await tables(command, 1)).some(name => name.includes('_cells'))) break
        await new Promise(resolve => setTimeout(resolve, 20))
      }
      return command
    }
    const [killed, live] = [await begun(), await begun()]
    try {
      await cluster.sql('CREATE TABLE d.polyad_run_mine (a UInt8) ENGINE = Memory')
      killed.child.kill('SIGKILL')
      await killed.ended
      expect(await tables(killed, 1)).not.toEqual([])
      const next = await run(['fit', cluster.address('d/data'), '-k', '2', '--count', 'n', '--starts', '1'])
      expect(next.code, next.stderr).toBe(0)
      expect([await tables(killed, 0), await tables(killed, 1)]).toEqual([[], []])
      expect(await tables(live)).not.toEqual([])
      expect(live.child.exitCode).toBe(null)
      expect(await cluster.shards[0].sql('EXISTS TABLE d.polyad_run_mine')).toBe('1\n')
      expect(await cluster.shards[0].sql('SELECT count(), sum(n) FROM d.part')).toBe(kept)
    } finally {
      live.child.kill('SIGTERM')
      await live.ended
      await cluster.sql('DROP TABLE IF EXISTS d.polyad_run_mine')
    }
    // One that is asked to end removes its tables itself.
    expect(await leftovers()).toBe('')
    for (const command of [killed, live]) command.remove()
  })

  it('refuses a password in an address: other users could read it', async () => {
    const address = cluster.address('d/data', { password: true })
    const refused = await Promise.all([
      polyad(['fit', address, '-k', '2', '--json']),
      polyad(['classify', 'model.npz', 'rows.csv', `--output=${address}`]),
    ])
    for (const { code, stdout, stderr } of refused) {
      expect(code).toBe(2)
      expect(stderr).toContain('set CLICKHOUSE_PASSWORD')
      expect(stdout + stderr).not.toContain(encodeURIComponent(PASSWORD))
    }
    expect(JSON.parse(refused[0].stdout).error.code).toBe('POLYAD_OPTION')
  })
})

/** A row with what is missing filled, by the library. */
const filled = (model: Model, columns: readonly string[], row: readonly (string | null)[]): string[] => {
  const known = Object.fromEntries(columns.map((name, n) => [name, row[n]]))
  const { probabilities } = model.posterior(known)
  return row.map((value, n) => {
    if (value !== null) return value
    const factor = model.parameters.factors[n]
    let [best, most] = [0, -1]
    for (let j = 0; j < model.modes[n].size; j++) {
      const p = probabilities.reduce((sum, each, k) => sum + each * factor[j * model.rank + k], 0)
      if (p > most) [best, most] = [j, p]
    }
    return String(model.modes[n].label(best))
  })
}
