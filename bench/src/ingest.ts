import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { random } from '@polyad/core'
import { machine } from './machine.js'

/**
 * `npm run bench:ingest`: from a file to a tensor and to an answer. DuckDB's own GROUP BY and Polyad's reading take turns,
 * each in a process of its own; the figure that counts is their ratio. Files are made once, in the temporary folder.
 */

const ROWS = 10_000_000
const ROUNDS = 3
const folder = join(tmpdir(), 'polyad-bench')
const command = fileURLToPath(new URL('../../packages/polyad/bin/polyad.js', import.meta.url))
const self = fileURLToPath(import.meta.url)

/** Rows of six categories drawn from four classes; `sizes` says how many labels each has. */
function* csvRows(sizes: readonly number[]): Generator<string> {
  const { uniform } = random(7, 'data')
  const names = ['region', 'product', 'period', 'channel', 'segment', 'status']
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
    Array.from({ length: size }, (_, j) => `${names[n].slice(0, 3)}${String(j).padStart(3, '0')}`),
  )
  let text = `${names.join(',')}\n`
  for (let row = 0; row < ROWS; row++) {
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

/** The memory of a process and of those it started, in MB. */
const memoryOf = (pid: number): number => {
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  const own = Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
  const tasks = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []
  const children = tasks.flatMap(task => read(`/proc/${pid}/task/${task}/children`).trim().split(' ').filter(Boolean))
  return own + children.reduce((sum, child) => sum + memoryOf(Number(child)), 0)
}

const run = async (args: readonly string[]): Promise<{ seconds: number; memory: number; output: string }> => {
  const began = performance.now()
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let [output, memory] = ['', 0]
  child.stdout?.on('data', (text: Buffer) => {
    output += text.toString()
  })
  const timer = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid as number))
  }, 50)
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - began) / 1000, memory, output }
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
    const began = performance.now()
    await readTensor(path)
    seconds = (performance.now() - began) / 1000
  }
  process.stdout.write(`${seconds}`)
  process.exit(0)
}

const least = (values: readonly number[]): number => Math.min(...values)

const main = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  process.stdout.write(
    `${machine()}\n\n| file | MB | DuckDB's GROUP BY, s | to a tensor, s | ratio | peak MB | fit -k 4, s |\n|---|---|---|---|---|---|---|\n`,
  )
  for (const [name, sizes] of [
    ['few cells', [5, 8, 12, 2, 20, 6]],
    ['nearly every row a cell', [50, 80, 120, 20, 200, 60]],
  ] as const) {
    const path = await made(`${name.replaceAll(' ', '-')}.csv`, () => csvRows(sizes))
    const [theirs, ours, memory]: number[][] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(Number((await run([self, 'duckdb', path])).output))
      const read = await run([self, 'polyad', path])
      ours.push(Number(read.output))
      memory.push(read.memory)
    }
    // Where nearly every row is a cell of its own a fit is a matter of the engine, not of reading.
    const fitted =
      name === 'few cells' || process.argv.includes('--fit-all')
        ? await run([command, 'fit', path, '-k', '4', '--quiet'])
        : undefined
    const ratio = (least(ours) / least(theirs)).toFixed(2)
    process.stdout.write(
      `| 10 M rows × 6, ${name} | ${(statSync(path).size / 1e6).toFixed(0)} | ${least(theirs).toFixed(2)} | ${least(ours).toFixed(2)} | ${ratio} | ${Math.max(...memory).toFixed(0)} | ${fitted?.seconds.toFixed(1) ?? ''} |\n`,
    )
  }
  const tns = await made('cells.tns', tnsRows)
  const reads: number[] = []
  for (let round = 0; round < ROUNDS; round++) reads.push(Number((await run([self, 'polyad', tns])).output))
  process.stdout.write(
    `\n.tns, 2 M cells in no order, ${(statSync(tns).size / 1e6).toFixed(0)} MB: ${least(reads).toFixed(2)} s to a tensor\n`,
  )
  const version: number[] = []
  const iris: number[] = []
  const data = fileURLToPath(new URL('../../packages/polyad/data/iris.csv', import.meta.url))
  for (let round = 0; round < 5; round++) {
    version.push((await run([command, '--version'])).seconds)
    iris.push((await run([command, 'fit', data, '-k', '3', '--quiet'])).seconds)
  }
  process.stdout.write(
    `polyad --version: ${(least(version) * 1000).toFixed(0)} ms; polyad fit iris.csv -k 3: ${least(iris).toFixed(2)} s\n`,
  )
}

const [what, path] = process.argv.slice(2)
if (what === 'duckdb' || what === 'polyad') await part(what, path)
else await main()
