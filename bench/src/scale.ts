import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fit, type Session } from '@polyad/core'
import { describeCells, loadCells, newStatistics, openCells, wasmEngine } from '@polyad/core/engine'
import { randomStart } from '../../packages/core/dist/model/random.js'
import { run } from './child.js'
import { machine } from './machine.js'
import { interleaved } from './measure.js'

/**
 * `npm run bench:scale [cells]`: more cells than memory. From Parquet into a file of cells beside DuckDB's own sorted GROUP BY, and passes
 * over the file beside passes in memory. Everything that is measured runs in a process of its own; the memory is that of the process
 * and of those it starts. 100 million cells need 12 GB on the disk of temporary files.
 */

const MEMORY = '1GB'
/** What DuckDB has to itself for its own statement: the least of these with which it does not run out of memory. */
const LIMITS = ['900MB', '2GB', '4GB', '16GB']
const RANK = 8
/** As many cells are compared with the engine in memory. */
const COMPARED = 10_000_000
const folder = join(tmpdir(), 'polyad-bench')
const self = fileURLToPath(import.meta.url)

const parquetOf = (cells: number): string => join(folder, `scale-${cells}.parquet`)
const fileOf = (cells: number): string => join(folder, `scale-${cells}.polyad`)

const connect = async (settings: Record<string, string>) => {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  return (await DuckDBInstance.create(':memory:', settings)).connect()
}

/** Distinct cells of three modes of 1000 labels, in no order, as rows of texts and a count. */
const make = async (cells: number): Promise<void> => {
  const connection = await connect({ memory_limit: '500MB', temp_directory: `${folder}/make.tmp` })
  const label = (letter: string, digits: string) => `'${letter}' || lpad((${digits})::VARCHAR, 3, '0')`
  // Multiplied by a prime, the numbers below a billion are the same numbers in another order.
  const numbers = `SELECT (i * 433494437) % 1000000000 AS k FROM range(${cells}) t(i)`
  const columns = [
    `${label('i', 'k // 1000000')} AS item`,
    `${label('b', 'k // 1000 % 1000')} AS buyer`,
    `${label('p', 'k % 1000')} AS place`,
    '(1 + hash(k) % 3)::INTEGER AS n',
  ]
  const path = parquetOf(cells)
  await connection.run(`COPY (SELECT ${columns.join(', ')} FROM (${numbers})) TO '${path}.part' (FORMAT parquet)`)
  renameSync(`${path}.part`, path)
}

/** DuckDB's own: the same cells in order, read to the end. */
const sorted = async (cells: number) => {
  for (const limit of LIMITS) {
    const connection = await connect({ memory_limit: limit, temp_directory: `${folder}/sorted.tmp` })
    const began = performance.now()
    try {
      const result = await connection.stream(
        `SELECT item, buyer, place, sum(n) FROM read_parquet('${parquetOf(cells)}') GROUP BY ALL ORDER BY ALL`,
      )
      let rows = 0
      for (;;) {
        const chunk = await result.fetchChunk()
        if (chunk === null || chunk.rowCount === 0) break
        rows += chunk.rowCount
      }
      if (rows !== cells) throw new Error(`${rows} of ${cells} cells`)
      return { limit, seconds: (performance.now() - began) / 1000 }
    } catch (error) {
      if (!/Out of Memory/.test(`${error}`)) throw error
    }
  }
  throw new Error('DuckDB ran out of memory')
}

/** Ours: until the file is written and open. */
const read = async (cells: number): Promise<number> => {
  const { openData } = await import('../../packages/polyad/dist/source/open-data.js')
  rmSync(fileOf(cells), { force: true })
  const began = performance.now()
  const data = await openData(parquetOf(cells), { count: 'n', modes: ['item', 'buyer', 'place'], memory: MEMORY, keep: fileOf(cells) }) // biome-ignore format: one call
  const seconds = (performance.now() - began) / 1000
  await data.close()
  return seconds
}

const passOf = (session: Session) => {
  const { shape } = session.data
  const [start, into] = [randomStart(shape, RANK, 1, 0), newStatistics(shape, RANK)]
  return () => session.pass(start, into)
}

/** Nanoseconds a cell of a pass over a file of which nothing is kept in memory. */
const pass = async (cells: number): Promise<number> => {
  const session = await openCells(fileOf(cells), { memory: 0 })
  const work = passOf(session)
  await work()
  const { best } = await interleaved([work], cells > COMPARED ? 5 : 10)
  await session.close()
  return (best[0] * 1e6) / cells
}

/** The same in memory and from the file in turns, on one thread and on all; and whether a fit gives the same bits. */
const compare = async (cells: number) => {
  const { tensor } = loadCells(fileOf(cells))
  const times: number[] = []
  for (const threads of [1, availableParallelism()]) {
    const sessions = [
      await wasmEngine({ threads }).open(tensor),
      await openCells(fileOf(cells), { threads, memory: 0 }),
    ]
    const work = sessions.map(passOf)
    await interleaved(work, 2)
    times.push(...(await interleaved(work, 10)).best.map(milliseconds => (milliseconds * 1e6) / cells))
    for (const session of sessions) await session.close()
  }
  const digests: string[] = []
  for (const session of [await wasmEngine().open(tensor), await openCells(fileOf(cells), { memory: 0 })]) {
    const { model, loss } = await fit(session, { rank: RANK, starts: 2, maxPasses: 40 })
    const hash = createHash('sha256')
    const { shares, factors } = model.parameters
    for (const table of [shares, ...factors, Float64Array.of(loss)])
      hash.update(new Uint8Array(table.buffer, table.byteOffset, table.byteLength))
    digests.push(hash.digest('hex').slice(0, 16))
    await session.close()
  }
  return { times, digests }
}

const PARTS = { make, sorted, read, pass, compare }

const main = async (cells: number): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const say = (text: string) => process.stdout.write(`${text}\n`)
  const part = async (what: keyof typeof PARTS, size: number) => {
    const { output, memory } = await run([self, what, `${size}`])
    return { result: JSON.parse(output || 'null'), memory }
  }
  const within = (yes: boolean) => (yes ? 'reached' : 'NOT reached')
  say(`${machine()}\n\n${cells} cells, 3 modes of 1000 labels, rank ${RANK}, ${MEMORY} in all\n`)
  const compared = Math.min(cells, COMPARED)
  for (const size of new Set([cells, compared])) if (!existsSync(parquetOf(size))) await part('make', size)
  const theirs = await part('sorted', cells)
  const ours = await part('read', cells)
  const ratio = ours.result / theirs.result.seconds
  const bytes = describeCells(fileOf(cells)).bytes
  say(`Parquet, ${(statSync(parquetOf(cells)).size / 1e6).toFixed(0)} MB → file of cells, ${(bytes / 1e6).toFixed(0)} MB (${(bytes / cells).toFixed(1)} bytes a cell)`) // biome-ignore format: one text
  say(`DuckDB's sorted GROUP BY, memory_limit ${theirs.result.limit}: ${theirs.result.seconds.toFixed(1)} s, peak ${theirs.memory.toFixed(0)} MB`) // biome-ignore format: one text
  say(`reading, sorting, writing lanes: ${ours.result.toFixed(1)} s, peak ${ours.memory.toFixed(0)} MB`)
  say(`  ${ratio.toFixed(2)}× DuckDB's (at most 3×: ${within(ratio <= 3)}); memory at most 1000 MB: ${within(ours.memory <= 1000)}\n`) // biome-ignore format: one text
  const streamed = await part('pass', cells)
  say(`a pass over all of it from the file: ${streamed.result.toFixed(1)} ns a cell, peak ${streamed.memory.toFixed(0)} MB\n`) // biome-ignore format: one text
  if (compared !== cells) await part('read', compared)
  const { times, digests } = (await part('compare', compared)).result
  const [one, oneDisk, all, allDisk] = times as number[]
  say(`${compared} cells, ns a cell: in memory ${one.toFixed(1)}, from the file ${oneDisk.toFixed(1)} on one thread; ${all.toFixed(1)} and ${allDisk.toFixed(1)} on ${availableParallelism()}`) // biome-ignore format: one text
  say(`  ${(oneDisk / one).toFixed(2)}× and ${(allDisk / all).toFixed(2)}×; over all ${cells} cells ${(streamed.result / all).toFixed(2)}× (at most 2×: ${within(Math.max(allDisk, streamed.result) <= 2 * all)})`) // biome-ignore format: one text
  say(`  digests of a fit: in memory ${digests[0]}, from the file ${digests[1]} (the same: ${within(digests[0] === digests[1])})`) // biome-ignore format: one text
}

const [what = '100000000', size] = process.argv.slice(2)
if (size === undefined) await main(Number(what))
else {
  process.stdout.write(JSON.stringify((await PARTS[what as keyof typeof PARTS](Number(size))) ?? null))
  process.exit(0)
}
