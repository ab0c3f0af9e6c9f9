import { createHash } from 'node:crypto'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openedCells, sealedCells } from '../../../../../test/fuzz/sealed.ts'
import { DataError, EngineError } from '../../errors.ts'
import { fit } from '../../fit/fit.ts'
import { randomStart } from '../../model/random.ts'
import { random } from '../../numeric/philox.ts'
import { standardErrors } from '../../stats/errors/standard-errors.ts'
import { evaluate } from '../../stats/fit-statistics/evaluate.ts'
import { tensorFromColumns } from '../../tensor/coordinates.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import { conformance, randomTensor } from '../conformance.ts'
import type { Engine, Session } from '../engine.ts'
import { chunkLayout } from '../wasm/stored-lane.ts'
import { wasmEngine } from '../wasm/wasm-engine.ts'
import { CellsWriter, writeCells } from './cells-writer.ts'
import { loadCells, type OpenCellsOptions, openCells } from './open-cells.ts'

const folder = mkdtempSync(join(tmpdir(), 'polyad-cells-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
/** Written in whatever order and pieces, with little memory for sorting. */
const written = async (tensor: Tensor, memory = 2 ** 16): Promise<string> => {
  const path = join(folder, `${++files}.polyad`)
  await writeCells(tensor, path, { memory })
  return path
}

const onDisk = (options: OpenCellsOptions): Engine => ({
  name: 'on disk',
  open: async tensor => {
    const { open: _, ...session } = await openCells(await written(tensor), options)
    return { ...session, can: session.can.filter(ability => ability !== 'open') }
  },
})

/** All numbers of a value, wherever they are in it, as one text. */
const digest = (...values: unknown[]): string => {
  const hash = createHash('sha256')
  const see = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) {
        hash.update(key)
        see(each)
      }
    else hash.update(String(value))
  }
  values.forEach(see)
  return hash.digest('hex')
}

const countsOf = ({ modes, shape, cells, total, missing, marginals, constants }: Counts) => ({
  modes,
  shape,
  cells,
  total,
  missing,
  marginals,
  constants,
})

describe('cells in a file', () => {
  // What is large is compared to the last bit below.
  const small = conformance.filter(({ name }) => !/hundreds of modes|a wide mode/.test(name))
  it.each(small)('conform on the calling thread: $name', async ({ check }) => {
    await check(onDisk({ threads: 1, memory: 0 }))
  })

  /** Threads, memory for the cells, whether threads share memory. */
  const PLACES = [
    [1, 0, true],
    [3, 1e6, true],
    [2, 1e12, false],
  ] as const
  const kinds: [string, Parameters<typeof randomTensor>[0]][] = [
    ['three modes', { shape: [30, 200, 100], cells: 40_000, missing: 0.01 }],
    ['in another order than their own', { shape: [300, 200, 10], cells: 90_000, real: true }],
    ['two wide modes, compacted', { shape: [60_000, 700], cells: 90_000, real: true }],
    ['a wide mode among joined ones', { shape: [5, 70_000, 30], cells: 70_000, missing: 0.02 }],
    ['binary items, joined', { shape: new Array(16).fill(2), cells: 40_000, missing: 0.02 }],
    ['ranges of a large table', { shape: [9000, 8192], cells: 150_000 }],
    ['hundreds of modes', { shape: new Array(300).fill(4), cells: 2000, missing: 0.05 }],
    ['a flat layout', { shape: [3000, 3000, 3000], cells: 70_000 }],
  ]
  it.each(kinds)('give the same bits as in memory: %s', async (_, options) => {
    const tensor = randomTensor(options)
    const path = await written(tensor, 2 ** 18)
    const start = randomStart(tensor.shape, 5, 1, 0)
    const inMemory = await wasmEngine({ threads: 1 }).open(tensor)
    const passes = async ({ data, single, ...session }: Session) =>
      digest(countsOf(data), await session.pass(start), await session.measure(start), await single!.pass(start))
    const expected = await passes(inMemory)
    await inMemory.close()
    for (const [threads, memory, sharedMemory] of PLACES) {
      const session = await openCells(path, { threads, memory, sharedMemory })
      await session.pass(randomStart(tensor.shape, 9, 2, 0))
      expect(await passes(session)).toBe(expected)
      await session.close()
    }
    const { tensor: loaded } = loadCells(path)
    expect(digest(loaded.indices, loaded.values)).toBe(digest(tensor.indices, tensor.values))
  })

  it('give the same fit, evaluation and standard errors to the last bit', async () => {
    const tensor = randomTensor({ shape: [4, 9, 3], cells: 90, missing: 0.1, real: true })
    const session = await openCells(await written(tensor), { threads: 2, memory: 0 })
    const inMemory = await wasmEngine({ threads: 1 }).open(tensor)
    const options = { rank: 2, starts: 3 }
    const [here, there] = [await fit(inMemory, options), await fit(session, options)]
    expect(there).toEqual(here)
    const { cressieRead: _, ...known } = await evaluate(inMemory, here.model)
    expect(await evaluate(session, here.model)).toMatchObject(known)
    expect(await standardErrors(session, here.model)).toEqual(await standardErrors(inMemory, here.model))
    for (const each of [session, inMemory]) await each.close()
  })
})

describe('writing', () => {
  it('takes cells in any order, with repetitions and zeros, as a tensor does', async () => {
    const given = fc.record({
      shape: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
      cells: fc.integer({ min: 1, max: 3000 }),
      seed: fc.integer({ min: 1, max: 1000 }),
      real: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(given, async ({ shape, cells, seed, real }) => {
        const { below, uniform } = random(seed, 'data')
        const indices = shape.map(size => Int32Array.from({ length: cells }, () => below(size + 1) - 1))
        const values = Float64Array.from({ length: cells }, () =>
          below(5) === 0 ? 0 : real ? uniform() : 1 + below(3),
        )
        values[0] = 1
        const path = join(folder, `${++files}.polyad`)
        const writer = new CellsWriter(path, shape.length, { memory: 1 })
        for (let from = 0; from < cells; from += 700)
          writer.add(
            indices.map(each => each.subarray(from, from + 700)),
            values.subarray(from, from + 700),
          )
        const modes = shape.map((_, n) => `m${n}`)
        const counts = await writer.finish({ modes, shape })
        const tensor = tensorFromColumns(indices, values, { shape, modes })
        expect(digest(counts)).toBe(digest(countsOf(tensor)))
        const { tensor: loaded } = loadCells(path)
        expect(digest(loaded.indices, loaded.values)).toBe(digest(tensor.indices, tensor.values))
      }),
      { numRuns: 40 },
    )
  })

  it('translates codes, scales values, and tells the bytes of the tensor', async () => {
    const path = join(folder, 'coded.polyad')
    const writer = new CellsWriter(path, 2)
    writer.add([Int32Array.of(0, 1, 2, -1), Int32Array.of(0, 0, 1, 1)], Float64Array.of(1, 2, 3, 4))
    const bytes: number[] = []
    const meaning = { modes: ['a', 'b'], shape: [2, 2], recode: [Int32Array.of(1, 0, 1), undefined], scale: 2 }
    await writer.finish({ ...meaning, record: { from: 'here' }, onBytes: part => void bytes.push(...part) })
    const { tensor, record } = loadCells(path)
    expect(record).toEqual({ from: 'here' })
    expect(tensor.indices.map(each => [...each])).toEqual([
      [-1, 0, 1, 1],
      [1, 0, 0, 1],
    ])
    expect([...tensor.values]).toEqual([8, 4, 2, 6])
    expect(bytes).toEqual([...tensor.indices, tensor.values].flatMap(each => [...new Uint8Array(each.buffer)]))
  })

  it('can be stopped before and on the way, and leaves nothing behind', async () => {
    const own = mkdtempSync(join(folder, 'stopped-'))
    const tensor = randomTensor({ shape: [40, 30, 20], cells: 3000, seed: 3 })
    const path = join(own, 'cells.polyad')
    const reason = new Error('enough')
    await expect(writeCells(tensor, path, { signal: AbortSignal.abort(reason) })).rejects.toMatchObject({
      name: 'AbortError',
      cause: reason,
    })
    const stop = new AbortController()
    const writer = new CellsWriter(path, 3, { memory: 2 ** 16, signal: stop.signal })
    writer.add(tensor.indices, tensor.values)
    const finishing = writer.finish({ modes: ['a', 'b', 'c'], shape: tensor.shape, onBytes: () => stop.abort(reason) })
    await expect(finishing).rejects.toMatchObject({ name: 'AbortError' })
    expect(readdirSync(own)).toEqual([])
  })

  it('refuses what is no cell, and leaves nothing behind', async () => {
    const path = join(folder, 'refused.polyad')
    const write = async (index: number, value: number) => {
      const writer = new CellsWriter(path, 1)
      writer.add([Int32Array.of(index)], Float64Array.of(value))
      await writer.finish({ modes: ['a'], shape: [2] })
    }
    await expect(write(2, 1)).rejects.toThrow('mode "a": an index must be from 0 to 1, or −1 (got 2)')
    await expect(write(0, -1)).rejects.toThrow('a value must be a finite number ≥ 0 (got -1)')
    await expect(write(0, 0)).rejects.toThrow('all values are zero')
    await expect(new CellsWriter(path, 1).finish({ modes: ['a'], shape: [2] })).rejects.toThrow('there is no data')
    expect(() => new CellsWriter(join(folder, 'no', 'x.polyad'), 1)).toThrow('there is no such file or folder')
    expect(readdirSync(folder).filter(name => /refused|part|cells-/.test(name))).toEqual([])
  })
})

describe('a browser', () => {
  it('has no files, and is told so', async () => {
    const path = await written(randomTensor({ shape: [3, 4], cells: 5 }))
    const modules = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never)
    try {
      const reason = 'cells can be kept in a file only in Node: a browser has no files'
      await expect(openCells(path)).rejects.toThrow(reason)
      expect(() => new CellsWriter(path, 2)).toThrow(reason)
    } finally {
      modules.mockRestore()
    }
  })
})

describe('a file', () => {
  const tensor = randomTensor({ shape: [30, 40], cells: 1000 })
  const start = randomStart(tensor.shape, 3, 1, 0)
  const damaged = async (change: (bytes: Buffer) => Uint8Array): Promise<string> => {
    const path = await written(tensor)
    writeFileSync(path, change(readFileSync(path)))
    return path
  }
  const flip = (at: number) =>
    damaged(bytes => {
      bytes[at < 0 ? bytes.length + at : at] ^= 4
      return bytes
    })

  it('that is foreign, of another version, unfinished, cut short or damaged is refused', async () => {
    const refused = async (path: string, reason: RegExp) => {
      const failure = await openCells(path).catch(error => error)
      expect(failure).toBeInstanceOf(DataError)
      expect(failure.message).toMatch(reason)
      expect(failure.message).toContain(path)
    }
    await refused(join(folder, 'nowhere.polyad'), /there is no such file/)
    await refused(await damaged(() => Buffer.from('a,b,n\n1,2,3\n')), /is not a file of cells/)
    await refused(await damaged(() => Buffer.alloc(0)), /is not a file of cells/)
    await refused(await damaged(bytes => bytes.fill(0, 0, 64)), /is incomplete/)
    await refused(await damaged(bytes => bytes.subarray(0, 40)), /is cut short/)
    await refused(await damaged(bytes => bytes.subarray(0, bytes.length - 1)), /is cut short: it has \d+ of \d+ bytes/)
    await refused(await flip(8), /of version 5 of the format/)
    await refused(await flip(20), /checksum of its header/)
    await refused(await flip(-10), /checksum of its directory/)
  })

  it('that was changed and sealed again is refused where kernels could not work on it', async () => {
    type Changed = ReturnType<typeof openedCells>
    const resealed = (change: (opened: Changed) => unknown) =>
      damaged(bytes => {
        const opened = openedCells(new Uint8Array(bytes))
        const directory = change(opened) ?? opened.directory
        return sealedCells(bytes, opened.sections, JSON.stringify(directory))
      })
    const changes: ((directory: Record<string, unknown>) => object)[] = [
      () => [],
      ({ modes: _, ...rest }) => rest,
      directory => ({ ...directory, modes: [null, null] }),
      directory => ({ ...directory, modes: [{ name: 'a', size: 2 ** 31, ordered: false }] }),
      directory => ({ ...directory, cells: -1 }),
      directory => ({ ...directory, total: null }),
      directory => ({ ...directory, missing: [1, 2] }),
      directory => ({ ...directory, constants: {} }),
      directory => ({
        ...directory,
        marginals: [
          [0, 2 ** 40, 1],
          [0, 8, 1],
        ],
      }),
      directory => ({ ...directory, plan: { ...(directory.plan as object), tableRows: [1, 1] } }),
      directory => ({ ...directory, plan: { ...(directory.plan as object), columns: [0, 7] } }),
      directory => ({ ...directory, plan: { ...(directory.plan as object), depth: 2 ** 31 } }),
      directory => ({ ...directory, plan: { ...(directory.plan as object), lanes: 5 } }),
      directory => ({ ...directory, lanes: [{ labels: [], chunks: [[64, 1e9, 1, 1]] }] }),
    ]
    for (const change of changes) {
      const path = await resealed(({ directory }) => change(directory as unknown as Record<string, unknown>))
      const failure = await openCells(path).catch(error => error)
      expect(failure).toBeInstanceOf(DataError)
      expect(failure.message).toMatch(
        /is damaged: (its directory is not as Polyad writes it|.* would be beyond its end)/,
      )
    }
    // A row that no table has, a block without an end, and a value that is no count, with checksums that are right.
    type Chunk = ReturnType<typeof chunkLayout>
    const spoils: ((view: DataView, chunk: Chunk) => void)[] = [
      (view, chunk) => view.setUint32(chunk.words, 0x7fffffff, true),
      (view, chunk) => view.setUint32(chunk.starts - 4, 0, true),
      (view, chunk) => view.setUint32(chunk.starts, 1, true),
      (view, chunk) => view.setUint8(chunk.kinds, 77),
      view => view.setFloat64(0, Number.NaN, true),
    ]
    for (const spoil of spoils) {
      const path = await resealed(({ directory, sections }) => {
        const [[at, cells, words]] = directory.lanes[0].chunks
        const chunk = chunkLayout({ cells, words })
        spoil(new DataView(sections.buffer, at - 64), chunk)
        directory.lanes[0].chunks[0][3] = crc32(sections.subarray(at - 64, at - 64 + chunk.bytes))
      })
      const reason = `${path} is damaged: the cells in chunk 1 of lane 1 are not as Polyad writes them`
      const session = await openCells(path, { threads: 1, memory: 0 })
      await expect(session.pass(start)).rejects.toThrow(reason)
      await session.close()
      expect(() => loadCells(path)).toThrow(reason)
    }
  })

  it('that is closed in the middle of a pass ends it with a reason', async () => {
    const session = await openCells(await written(randomTensor({ shape: [30, 20], cells: 300 })), { memory: 0 })
    const pass = session.pass(randomStart([30, 20], 2, 1, 0))
    const ended = expect(pass).rejects.toThrow(new EngineError('the session was closed while a pass was under way'))
    await session.close()
    await ended
  })

  it('whose cells are damaged is refused when they are read', async () => {
    const path = await flip(100)
    const session = await openCells(path, { threads: 1, memory: 0 })
    await expect(session.pass(start)).rejects.toThrow(`${path} is damaged: the checksum of chunk 1 of lane 1 differs`)
    await expect(session.pass(start)).rejects.toThrow(EngineError)
    await session.close()
    await expect(openCells(path, { threads: 1, memory: 1e9 })).rejects.toThrow('is damaged')
    expect(() => loadCells(path)).toThrow('is damaged')
  })

  it('that is changed or cut short in the middle is noticed; one that is removed is read to the end', async () => {
    const other = randomTensor({ shape: [300, 200, 100], cells: 30_000 })
    const parameters = randomStart(other.shape, 3, 1, 0)
    for (const threads of [1, 2]) {
      const path = await written(other)
      const session = await openCells(path, { threads, memory: 0 })
      const first = digest(await session.pass(parameters))
      rmSync(path)
      expect(digest(await session.pass(parameters))).toBe(first)
      await session.close()
      await expect(openCells(path)).rejects.toThrow('there is no such file')
      for (const spoil of [(name: string) => truncateSync(name, 5000), scribble]) {
        const victim = await written(other)
        const opened = await openCells(victim, { threads, memory: 0 })
        await opened.pass(parameters)
        spoil(victim)
        await expect(opened.pass(parameters)).rejects.toThrow(/was changed while it was in use/)
        await opened.close()
      }
    }
  })
})

const scribble = (path: string): void => {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.from('x'), 0, 1, 3000)
  closeSync(file)
}
