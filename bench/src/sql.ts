import type { Session } from '@polyad/core'
import { randomTensor } from '@polyad/core/conformance'
import { wasmEngine } from '@polyad/core/engine'
import { duckdbEngine } from 'polyad'
import { benchClickhouse } from './clickhouse.js'
import { machine } from './machine.js'
import { interleaved } from './measure.js'
import { randomParameters } from './random-parameters.ts'
import { table } from './table.js'

/**
 * `npm run bench:sql`: the pass as SQL in DuckDB beside the WebAssembly engine, on the same cells, in turns. Arguments: millions of cells
 * (default: 5 20), and `wide` for other shapes; or `clickhouse`, for what is in clickhouse.ts.
 */

const RANK = 8
const ROUNDS = 12

const compare = async (shape: readonly number[], cells: number, rank = RANK) => {
  process.stderr.write(`  ${cells} cells of ${shape.length} modes, rank ${rank}\n`)
  const tensor = randomTensor({ shape, cells })
  const sessions: Session[] = [await wasmEngine().open(tensor), await duckdbEngine({ memory: '4GB' }).open(tensor)]
  const [wasm, sql] = sessions
  const models = [1, 2, 3, 4].map(seed => randomParameters(shape, rank, seed))
  const work = [() => wasm.pass(models[0]), () => sql.pass(models[0]), () => sql.passes!(models)]
  const { best } = await interleaved(work, ROUNDS)
  for (const session of sessions) await session.close()
  const [own, one, four] = best
  return { cells: tensor.cells, own, one, four }
}

const nanos = (milliseconds: number, cells: number) => ((milliseconds * 1e6) / cells).toFixed(1)

if (process.argv[2] === 'clickhouse') {
  await benchClickhouse(process.argv.slice(3))
  process.exit(0)
}

const wide = process.argv.includes('wide')
const sizes = process.argv.slice(2).filter(text => /^\d/.test(text)).map(Number) // biome-ignore format: one chain
const rows: (string | number)[][] = []
const problems = wide
  ? [
      { shape: Array<number>(10).fill(5), cells: 1_000_000, rank: 8 },
      { shape: Array<number>(20).fill(4), cells: 500_000, rank: 4 },
      { shape: [1_000_000, 1000], cells: 2_000_000, rank: 8 },
      { shape: [1000, 1000, 1000], cells: 2_000_000, rank: 32 },
    ]
  : (sizes.length === 0 ? [5, 20] : sizes).map(millions => ({
      shape: [1000, 1000, 1000],
      cells: millions * 1e6,
      rank: RANK,
    }))
for (const { shape, cells, rank } of problems) {
  const { own, one, four, ...found } = await compare(shape, cells, rank)
  rows.push([
    `${found.cells.toLocaleString('en-US')} cells, ${shape.length} modes of ${Math.max(...shape)}, rank ${rank}`,
    nanos(own, found.cells),
    nanos(one, found.cells),
    `${(one / own).toFixed(1)}×`,
    nanos(four, found.cells),
    `${(four / one).toFixed(2)}×`,
  ])
}
console.log(`${machine()}\n`)
console.log(
  table(
    ['ns a cell and pass, best of 12 in turns', 'WebAssembly', 'DuckDB', 'ratio', 'four models in a scan', 'of one'],
    rows,
  ),
)
