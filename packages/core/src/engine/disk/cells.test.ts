import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { DataError, EngineError } from '../../errors.ts'
import { fit } from '../../fit/fit.ts'
import { randomStart } from '../../model/random.ts'
import { evaluate } from '../../stats/evaluate.ts'
import { standardErrors } from '../../stats/standard-errors.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { conformance, randomTensor } from '../conformance.ts'
import type { Engine, Statistics } from '../engine.ts'
import { wasmEngine } from '../wasm/wasm-engine.ts'
import { CellsWriter, writeCells } from './cells-writer.ts'
import { loadCells, type OpenCellsOptions, openCells } from './open-cells.ts'

const folder = mkdtempSync(join(tmpdir(), 'polyad-cells-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
/** Written in whatever order and pieces, with little memory for sorting. */
const written = (tensor: Tensor, memory = 2 ** 16): string => {
  const path = join(folder, `${++files}.polyad`)
  writeCells(tensor, path, { memory })
  return path
}

const onDisk = (options: OpenCellsOptions): Engine => ({
  name: 'on disk',
  open: async tensor => {
    const { open: _, ...session } = await openCells(written(tensor), options)
    return session
  },
})

const countsOf = ({ modes, shape, cells, total, missing, marginals, constants }: Tensor) => ({
  ...{ modes, shape, cells, total, missing, marginals, constants },
})

describe('cells in a file', () => {
  it.each(conformance)('conform on the calling thread: $name', async ({ check }) => {
    await check(onDisk({ threads: 1, memory: 0 }))
  })

  const kinds: [string, Parameters<typeof randomTensor>[0]][] = [
    ['three modes', { shape: [30, 200, 100], cells: 120_000, missing: 0.01 }],
    ['in another order than their own', { shape: [300, 200, 10], cells: 90_000, real: true }],
    ['two wide modes, compacted', { shape: [60_000, 700], cells: 90_000, real: true }],
    ['a wide mode among joined ones', { shape: [5, 200_000, 30], cells: 100_000, missing: 0.02 }],
    ['binary items, joined', { shape: new Array(16).fill(2), cells: 80_000, missing: 0.02 }],
    ['ranges of a large table', { shape: [9000, 8192], cells: 240_000 }],
    ['hundreds of modes', { shape: new Array(300).fill(4), cells: 2000, missing: 0.05 }],
    ['a flat layout', { shape: [3000, 3000, 3000], cells: 70_000 }],
  ]
  it.each(kinds)('give the same bits as in memory: %s', async (_, options) => {
    const tensor = randomTensor(options)
    const path = written(tensor)
    const start = randomStart(tensor.shape, 5, 1, 0)
    const inMemory = await wasmEngine({ threads: 1 }).open(tensor)
    const expected = [await inMemory.pass(start), await inMemory.measure(start)]
    await inMemory.close()
    for (const [threads, memory] of [[1, 0], [2, 0], [3, 1e6], [2, 1e12]]) { // biome-ignore format: a table
      for (const sharedMemory of threads === 2 ? [true, false] : [true]) {
        const session = await openCells(path, { threads, memory, sharedMemory })
        expect(session.data).toEqual(countsOf(tensor))
        await session.pass(randomStart(tensor.shape, 9, 2, 0))
        expect([await session.pass(start), await session.measure(start)]).toEqual(expected)
        await session.close()
      }
    }
    const { tensor: loaded } = loadCells(path)
    expect([loaded.indices, loaded.values]).toEqual([tensor.indices, tensor.values])
  })

  it('give the same fit, evaluation and standard errors to the last bit', async () => {
    const tensor = randomTensor({ shape: [4, 9, 3], cells: 90, missing: 0.1, real: true })
    const session = await openCells(written(tensor), { threads: 2, memory: 0 })
    const inMemory = await wasmEngine({ threads: 1 }).open(tensor)
    const [here, there] = [await fit(inMemory, { rank: 2 }), await fit(session, { rank: 2 })]
    expect(there).toEqual(here)
    const { cressieRead: _, ...known } = await evaluate(inMemory, here.model)
    expect(await evaluate(session, here.model)).toMatchObject(known)
    expect(await standardErrors(session, here.model)).toEqual(await standardErrors(inMemory, here.model))
    for (const each of [session, inMemory]) await each.close()
  })
})
