import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { layOut } from '../../packages/core/dist/engine/wasm/layout.js'
import { wasmEngine } from '../../packages/core/dist/engine/wasm/wasm-engine.js'
import { type Session, type Tensor, tensorFromColumns } from '../../packages/core/dist/index.js'
import { DATA, drawRows, toTensor } from './data.js'
import { interleaved, processorTime } from './measure.js'
import { inBuilds } from './other-build.js'
import { passOf, startOf } from './passes.js'
import { writeRaw } from './raw.js'
import { table } from './table.js'

const CELLS = [100_000, 300_000, 1_000_000, 3_000_000, 10_000_000]

/** How the cost of a cell changes with their number, what they take in memory, and how fast a tensor is built. */
export const growthTable = async (say: (text: string) => void): Promise<string> => {
  const rows: (string | number)[][] = []
  for (const cells of CELLS) {
    const { shape, columns } = drawRows([1000, 1000, 1000], cells, 5)
    const start = performance.now()
    const tensor = tensorFromColumns(columns, undefined, { shape })
    const building = performance.now() - start
    const layout = layOut(tensor)
    let bytes = 0
    for (let lane = 0; lane < layout.plan.lanes; lane++) {
      const { words, values, starts, kinds } = layout.lane(lane)
      bytes += words.byteLength + values.byteLength + starts.byteLength + kinds.byteLength
    }
    const costs: string[] = []
    const session = await wasmEngine({ threads: 1 }).open(tensor)
    for (const rank of [10, 16]) {
      const work = passOf(session, startOf(tensor, rank), tensor)
      await interleaved([work], 2)
      const { best } = await interleaved([work], 6)
      costs.push(((best[0] * 1e6) / tensor.cells).toFixed(1))
    }
    await session.close()
    const script = fileURLToPath(new URL('./memory.js', import.meta.url))
    const peak = Number(execFileSync(process.execPath, [script, String(cells)], { encoding: 'utf8' }))
    const { depth, columns: all, lanes } = layout.plan
    const perCell = bytes / tensor.cells
    const speed = cells / 1e6 / (building / 1e3)
    rows.push([
      tensor.cells,
      `${depth} of ${all.length}`,
      lanes,
      ...costs,
      perCell.toFixed(1),
      4 * shape.length + 8,
      peak.toFixed(0),
      speed.toFixed(1),
    ])
    say(rows[rows.length - 1].join('  '))
  }
  const head = [
    'cells',
    'tree',
    'lanes',
    'ns/cell rank 10',
    'rank 16',
    'bytes/cell',
    'flat would be',
    'at the peak',
    'M rows/s built',
  ]
  return table(head, rows)
}

/** Milliseconds of the processor for a pass of each build, on one thread, and in nanoseconds for each of so many pieces. */
const passOfBuilds = async (tensor: Tensor, rank: number, pieces: number): Promise<string[]> => {
  const builds = await inBuilds('engine/wasm/wasm-engine.js', { wasmEngine })
  const sessions: Session[] = []
  for (const [, library] of builds) sessions.push(await library.wasmEngine({ threads: 1 }).open(tensor))
  const work = sessions.map(session => passOf(session, startOf(tensor, rank), tensor))
  await interleaved(work, 2)
  const { best } = await interleaved(work, 10, 50, processorTime)
  for (const session of sessions) await session.close()
  return best.flatMap(each => [each.toFixed(2), ((each * 1e6) / pieces).toFixed(2)])
}

/** The titles of those figures. */
const headOfBuilds = async (first: readonly string[], piece: string): Promise<string[]> => {
  const builds = await inBuilds('engine/wasm/wasm-engine.js', { wasmEngine })
  return [...first, ...builds.flatMap(([name]) => [`ms/pass, ${name}`, `ns per ${piece}`])]
}

/** How the cost of a pass grows with the modes; with POLYAD_OLD beside another build. */
export const modesTable = async (say: (text: string) => void): Promise<string> => {
  const rows: (string | number)[][] = []
  for (const modes of [100, 200, 400, 500, 1000, 2000, 5000]) {
    const tensor = toTensor(drawRows(new Array(modes).fill(5), 3000, 7))
    rows.push([modes, ...(await passOfBuilds(tensor, 4, tensor.cells * modes * 4))])
    say(rows[rows.length - 1].join('  '))
  }
  return table(await headOfBuilds(['modes'], 'cell, mode and class'), rows)
}

/** What parameters cost where there are more of them than cells; with POLYAD_OLD beside another build. */
export const parametersTable = async (say: (text: string) => void): Promise<string> => {
  const rows: (string | number)[][] = []
  for (const [cells, labels, rank] of [
    [200_000, 20_000, 8],
    [200_000, 200_000, 8],
    [200_000, 200_000, 16],
  ]) {
    const tensor = toTensor(drawRows([labels, labels, labels], cells, 5))
    const parameters = rank * tensor.shape.reduce((sum, size) => sum + size, 1)
    rows.push([`${tensor.cells}`, parameters, ...(await passOfBuilds(tensor, rank, parameters))])
    say(rows[rows.length - 1].join('  '))
  }
  return table(await headOfBuilds(['cells', 'parameters'], 'parameter'), rows)
}

/** What a whole default search takes in memory, the cells included: in a process of its own, which is given them ready. */
export const searchMemoryTable = async (): Promise<string> => {
  const { indices, values, shape, cells } = toTensor(DATA.T3())
  const folder = mkdtempSync(join(tmpdir(), 'polyad-cells-'))
  const path = join(folder, 'cells')
  writeRaw(path, [...indices, values])
  const script = fileURLToPath(new URL('./search-memory.js', import.meta.url))
  const numbers = [cells, 10, ...shape].map(String)
  const [bytes, passes] = execFileSync(process.execPath, [script, path, ...numbers], { encoding: 'utf8' }).split(' ')
  rmSync(folder, { recursive: true })
  const megabytes = (count: number) => (count / 1e6).toFixed(0)
  const row = [
    'T3 rank 10',
    passes,
    megabytes(cells * 20),
    megabytes(Number(bytes)),
    (Number(bytes) / cells).toFixed(0),
  ]
  return table(['search', 'passes', 'MB of cells', 'MB at the peak', 'bytes/cell'], [row])
}

/** A problem as small as Iris: microseconds per pass, everything included. */
export const smallTable = async (): Promise<string> => {
  const tensor = toTensor(drawRows([35, 23, 43, 22], 150, 6))
  const rows: (string | number)[][] = []
  for (const rank of [2, 3, 4, 8]) {
    const session = await wasmEngine().open(tensor)
    const work = passOf(session, startOf(tensor, rank), tensor)
    for (let warm = 0; warm < 2000; warm++) await work()
    const { best } = await interleaved([work], 30)
    rows.push([`rank ${rank}`, (best[0] * 1e3).toFixed(2)])
    await session.close()
  }
  return table([`${tensor.cells} cells, 4 modes`, 'µs/pass'], rows)
}
