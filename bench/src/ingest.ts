import { createWriteStream, existsSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { random } from '@polyad/core/numeric'
import { run } from './child.js'
import { machine } from './machine.js'

/**
 * `npm run bench:ingest`: from a file to a tensor and to an answer. DuckDB's own GROUP BY and Polyad's reading take turns,
 * each in a process of its own; the figure that counts is their ratio. Files are made once, in the temporary folder.
 * `npm run bench:ingest small` takes those that are read in less than a second.
 */

const ROUNDS = 3

/** Tables that are drawn: how many rows, how many labels each column has, and the classes that a fit is asked for. */
const TABLES = [
  { name: 'binary answers', rows: 100_000, sizes: Array<number>(20).fill(2), rank: 3, small: true },
  { name: 'few cells', rows: 10_000_000, sizes: [5, 8, 12, 2, 20, 6], rank: 4, small: false },
  { name: 'nearly every row a cell', rows: 10_000_000, sizes: [50, 80, 120, 20, 200, 60], rank: 4, small: false },
  { name: 'eight labels each', rows: 9_300_000, sizes: Array<number>(12).fill(8), rank: 4, small: false },
] as const
const folder = join(tmpdir(), 'polyad-bench')
const command = fileURLToPath(new URL('../../packages/polyad/bin/polyad.js', import.meta.url))
const self = fileURLToPath(import.meta.url)

/** Rows of categories drawn from four classes; `sizes` says how many labels each has. */
function* csvRows(rows: number, sizes: readonly number[]): Generator<string> {
  const { uniform } = random(7, 'data')
  const names = sizes.map((_, n) => `mode${n + 1}`)
  const tables = Array.from({ length: 4 }, () =>
    sizes.map(size => {
      const weights = Array.from({ length: size }, () => (-Math.log(uniform())) ** 2)
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      let sum = 0
      return weights.map(weight => {
        sum += weight / total
        return sum
      })
    }),
  )
  const labels = sizes.map((size, n) =>
    Array.from({ length: size }, (_, j) => (size < 10 ? `${j}` : `${names[n]}-${String(j).padStart(3, '0')}`)),
  )
  let text = `${names.join(',')}\n`
  for (let row = 0; row < rows; row++) {
    const table = tables[Math.floor(uniform() * 4)]
    for (let n = 0; n < sizes.length; n++) {
      const u = uniform()
      let j = 0
      while (j < sizes[n] - 1 && table[n][j] < u) j++
      text += labels[n][j] + (n === sizes.length - 1 ? '\n' : ',')
    }
    if (text.length < 1 << 20) continue
    yield text
    text = ''
  }
  yield text
}

function* tnsRows(): Generator<string> {
  const { below } = random(8, 'data')
  let text = ''
  for (let cell = 0; cell < 2_000_000; cell++) {
    text += `${below(1000) + 1} ${below(1000) + 1} ${below(1000) + 1} ${below(3) + 1}\n`
    if (text.length < 1 << 20) continue
    yield text
    text = ''
  }
  yield text
}

const made = async (name: string, content: () => Iterable<string>): Promise<string> => {
  const path = join(folder, name)
  if (!existsSync(path)) {
    process.stderr.write(`  making ${path}\n`)
    await pipeline(Readable.from(content()), createWriteStream(path))
  }
  return path
}

/** The part that runs in a process of its own: prints its seconds without those of starting it. */
const part = async (what: string, path: string): Promise<void> => {
  let seconds: number
  if (what === 'duckdb') {
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const connection = await (
      await DuckDBInstance.create(':memory:', { memory_limit: '1GB', temp_directory: `${path}.tmp` })
    ).connect()
    const began = performance.now()
    await connection.run(
      `CREATE TEMP TABLE cells AS SELECT *, count(*)::DOUBLE AS n FROM read_csv('${path}') GROUP BY ALL`,
    )
    seconds = (performance.now() - began) / 1000
  } else {
    const { readTensor } = await import('polyad')
    const read = async () => {
      const began = performance.now()
      await readTensor(path)
      return (performance.now() - began) / 1000
    }
    seconds = await read()
    if (what === 'again') {
      const more: number[] = []
      for (let round = 0; round < ROUNDS; round++) more.push(await read())
      seconds = least(more)
    }
  }
  process.stdout.write(`${seconds}`)
  process.exit(0)
}

const least = (values: readonly number[]): number => Math.min(...values)

const inTurns = async (path: string, kinds: readonly string[]): Promise<{ seconds: number[]; memory: number }> => {
  const seconds = kinds.map((): number[] => [])
  let memory = 0
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, kind] of kinds.entries()) {
      const ended = await run([self, kind, path])
      seconds[i].push(Number(ended.output))
      if (kind === 'polyad') memory = Math.max(memory, ended.memory)
    }
  }
  return { seconds: seconds.map(least), memory }
}

const commandSeconds = async (rounds: number, ...args: readonly string[]): Promise<number> => {
  const seconds: number[] = []
  for (let round = 0; round < rounds; round++) seconds.push((await run([command, ...args, '--quiet'])).seconds)
  return least(seconds)
}

const main = async (onlySmall: boolean): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const data = fileURLToPath(new URL('../../packages/polyad/data/iris.csv', import.meta.url))
  const { seconds } = await inTurns(data, ['polyad', 'again'])
  const [first, again] = seconds.map(each => (each * 1000).toFixed(0))
  process.stdout.write(
    `${machine()}\n\niris.csv, 150 rows, to a tensor: ${first} ms; once more in the same process: ${again} ms\n`,
  )
  process.stdout.write(
    `polyad --version: ${((await commandSeconds(5, '--version')) * 1000).toFixed(0)} ms; ` +
      `polyad fit iris.csv -k 3: ${(await commandSeconds(5, 'fit', data, '-k', '3')).toFixed(2)} s\n\n` +
      `| file | MB | DuckDB's GROUP BY, s | to a tensor, s | ratio | peak MB | polyad fit, s | polyad rank, s |\n|---|---|---|---|---|---|---|---|\n`,
  )
  for (const { name, rows, sizes, rank, small } of TABLES.filter(table => table.small || !onlySmall)) {
    const path = await made(`${name.replaceAll(' ', '-')}-${rows}x${sizes.length}.csv`, () => csvRows(rows, sizes))
    const { seconds, memory } = await inTurns(path, ['duckdb', 'polyad'])
    const [theirs, ours] = seconds
    const fitted = await commandSeconds(small ? ROUNDS : 1, 'fit', path, '-k', `${rank}`)
    const ranked = small ? (await commandSeconds(1, 'rank', path)).toFixed(1) : ''
    process.stdout.write(
      `| ${rows} rows × ${sizes.length}, ${name} | ${(statSync(path).size / 1e6).toFixed(0)} | ${theirs.toFixed(2)} | ${ours.toFixed(2)} | ${(ours / theirs).toFixed(2)} | ${memory.toFixed(0)} | ${fitted.toFixed(1)} | ${ranked} |\n`,
    )
  }
  if (onlySmall) return
  const tns = await made('cells.tns', tnsRows)
  const { seconds: reads } = await inTurns(tns, ['polyad'])
  process.stdout.write(
    `\n.tns, 2 M cells in no order, ${(statSync(tns).size / 1e6).toFixed(0)} MB: ${reads[0].toFixed(2)} s to a tensor\n`,
  )
}

const [what, path] = process.argv.slice(2)
if (path !== undefined) await part(what, path)
else await main(what === 'small')
