import { existsSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './child.js'
import { machine } from './machine.js'

/**
 * `npm run bench:reading`: event logs from a file to a tensor, beside DuckDB's own GROUP BY of the same columns from the same file. Both take
 * turns in one process, with the same threads; the figure that counts is their ratio. Peak memory is looked at in processes of their
 * own, each with those that it starts. With names of tables it takes those only. Files are made once, in the temporary folder.
 */

const ROUNDS = 3

/** SQL of a number from 0 to 1 for row i: the same in every run, on any number of threads. */
const uniform = (column: number): string => `(hash(i * 64 + ${column}) / 18446744073709551616.0)`

/** SQL of a label's number: the smaller, the more frequent; and a bijection that puts them in no order. */
const skewed = (column: number, labels: number, power: number): string =>
  `CAST(floor(${labels} * pow(${uniform(column)}, ${power})) AS BIGINT) * 7919 % ${labels}`

const event = (user: string) => [
  `${user} AS "user"`,
  `'item-' || ${skewed(1, 20_000, 5)} AS item`,
  `${skewed(2, 168, 1.2)} AS "hour"`,
]
const USER = `'user-' || lpad(CAST(${skewed(0, 200_000, 5)} AS VARCHAR), 6, '0')`
const HASH = `md5('user' || ${skewed(0, 200_000, 5)})`

/** Users of 5 million, each as likely as any: of 5 million events 3.2 million have one that no other has. */
const EVEN = `'user-' || lpad(CAST(CAST(floor(5000000 * ${uniform(0)}) AS BIGINT) AS VARCHAR), 7, '0')`

const TABLES = [
  { name: 'events', file: 'events-5M.parquet', rows: 5_000_000, columns: event(USER), wanted: 2 },
  { name: 'csv', file: 'events-5M.csv', rows: 5_000_000, columns: event(USER), wanted: 2 },
  { name: 'many', file: 'events-30M.parquet', rows: 30_000_000, columns: event(USER), wanted: 2 },
  { name: 'long', file: 'hashes-5M.parquet', rows: 5_000_000, columns: event(HASH), wanted: 2 },
  { name: 'users', file: 'users-5M.parquet', rows: 5_000_000, columns: event(EVEN), wanted: 3 },
  { name: 'short', file: 'events-3M.parquet', rows: 3_000_000, columns: event(USER), wanted: 1.5 },
  {
    name: 'wide',
    file: 'wide-9M.csv',
    rows: 9_300_000,
    columns: Array.from({ length: 12 }, (_, n) => `${skewed(n, 8, 1.2)} AS c${n}`),
    wanted: 1.6,
  },
] as const

type Table = (typeof TABLES)[number]

const folder = join(tmpdir(), 'polyad-bench')
const self = fileURLToPath(import.meta.url)
const pathOf = ({ file }: Table): string => join(folder, file)
const namesOf = ({ columns }: Table): string[] => columns.map(column => column.split(' AS ').at(-1) as string)
const bare = (name: string): string => name.replaceAll('"', '')

const connect = async () => {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '1GB', temp_directory: join(folder, 'tmp') })
  return { instance, connection: await instance.connect() }
}

const make = async (table: Table): Promise<void> => {
  if (existsSync(pathOf(table))) return
  process.stderr.write(`  making ${pathOf(table)}\n`)
  const { connection } = await connect()
  const rows = `SELECT ${table.columns.join(', ')} FROM range(${table.rows}) AS t(i)`
  await connection.run(`COPY (${rows}) TO '${pathOf(table)}'`)
}

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

const group = async (table: Table): Promise<number> => {
  const { instance, connection } = await connect()
  const seconds = await secondsOf(() =>
    connection.run(
      `CREATE TEMP TABLE cells AS SELECT ${namesOf(table).join(', ')}, count(*)::DOUBLE AS n FROM '${pathOf(table)}' GROUP BY ALL`,
    ),
  )
  connection.closeSync()
  instance.closeSync()
  return seconds
}

const read = async (table: Table): Promise<{ seconds: number; cells: number }> => {
  const { readTensor } = await import('polyad')
  let cells = 0
  const seconds = await secondsOf(async () => {
    const { tensor } = await readTensor(pathOf(table), { modes: namesOf(table).map(bare), count: 'none' })
    cells = tensor.cells
  })
  return { seconds, cells }
}

/** The parts that run in processes of their own. */
const part = async (what: string, table: Table): Promise<void> => {
  if (what === 'group') await group(table)
  else if (what === 'read') await read(table)
  else {
    const turns: { theirs: number; ours: number; cells: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const theirs = await group(table)
      const { seconds: ours, cells } = await read(table)
      turns.push({ theirs, ours, cells })
    }
    process.stdout.write(JSON.stringify(turns))
  }
  process.exit(0)
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

const main = async (names: readonly string[]): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  process.stdout.write(
    `${machine()}; ${ROUNDS} turns\n\n| table | MB | cells | DuckDB's GROUP BY, s | to a tensor, s | ratio of the least | median ratio of a turn | wanted | peak MB, DuckDB | peak MB |\n|---|---|---|---|---|---|---|---|---|---|\n`,
  )
  for (const table of TABLES.filter(({ name }) => names.length === 0 || names.includes(name))) {
    await make(table)
    const { output } = await run([self, 'turns', table.name])
    const turns = JSON.parse(output) as { theirs: number; ours: number; cells: number }[]
    const theirs = Math.min(...turns.map(turn => turn.theirs))
    const ours = Math.min(...turns.map(turn => turn.ours))
    const ratio = middle(turns.map(turn => turn.ours / turn.theirs))
    const peaks = [await run([self, 'group', table.name]), await run([self, 'read', table.name])]
    const figures = [theirs, ours, ours / theirs, ratio].map(figure => figure.toFixed(2))
    process.stdout.write(
      `| ${table.file} | ${(statSync(pathOf(table)).size / 1e6).toFixed(0)} | ${turns[0].cells} | ${figures.join(' | ')} | ≤ ${table.wanted} | ${peaks.map(({ memory }) => memory.toFixed(0)).join(' | ')} |\n`,
    )
  }
}

const [first, second] = process.argv.slice(2)
const asked = ['turns', 'group', 'read'].includes(first) ? TABLES.find(({ name }) => name === second) : undefined
if (asked !== undefined) await part(first, asked)
else await main(process.argv.slice(2))
