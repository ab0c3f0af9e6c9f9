import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { conformance, randomTensor } from '../../packages/core/src/engine/conformance.ts'
import type { Engine, Statistics } from '../../packages/core/src/engine/engine.ts'
import { newArenaPool } from '../../packages/core/src/engine/wasm/arena.ts'
import { layOut } from '../../packages/core/src/engine/wasm/layout.ts'
import { Placement } from '../../packages/core/src/engine/wasm/placement.ts'
import { openSession } from '../../packages/core/src/engine/wasm/session.ts'
import { wasmEngine } from '../../packages/core/src/engine/wasm/wasm-engine.ts'
import type { LaneWorkers } from '../../packages/core/src/engine/wasm/workers.ts'
import { mStepOf } from '../../packages/core/src/fit/descent/m-step.ts'
import { run } from '../../packages/core/src/fit/descent/run.ts'
import { randomStart } from '../../packages/core/src/model/random.ts'
import type { Tensor } from '../../packages/core/src/tensor/tensor.ts'

/** An engine that uses threads however small the problem is. */
const threaded = (threads: number, here: boolean, shared: boolean, workers: LaneWorkers = {}): Engine => {
  const pool = newArenaPool()
  const engine: Engine = {
    name: 'threaded',
    open: async tensor => {
      const { plan, arrangement, lane } = layOut(tensor)
      const placement = await Placement.place(pool, plan, lane, { threads, here, shared, workers })
      const traits = { precision: 1e-14, reproducible: true, nanosPerPass: () => 1e6 }
      return openSession({ placement, arrangement, traits, parallelRuns: undefined, open: engine.open }, tensor)
    },
  }
  return engine
}

const startOf = (tensor: Tensor, rank: number, seed = 1) => randomStart(tensor.shape, rank, seed, 0)

const digest = ({ sizes, factors, logLikelihood }: Statistics): string => {
  const hash = createHash('sha256')
  for (const table of [sizes, ...factors, Float64Array.of(logLikelihood)]) hash.update(new Uint8Array(table.buffer))
  return hash.digest('hex')
}

/** A script for a thread that does something else than its work. */
const script = (text: string): LaneWorkers => ({
  heapMegabytes: 32,
  workerUrl: `data:text/javascript,${encodeURIComponent(text)}`,
})

/** Answers that all is ready, then does this at the first pass. */
const failing = (deed: string): LaneWorkers =>
  script(`import { parentPort } from 'node:worker_threads'
parentPort.on('message', message => {
  if (message.kind === 'prepare') parentPort.postMessage({ kind: 'ready', map: { parts: [], compacted: [], measures: [], length: 0 } })
  if (message.kind === 'job') { ${deed} }
})`)

const threadsNow = (): number | undefined =>
  existsSync('/proc/self/task') ? readdirSync('/proc/self/task').length : undefined

describe('worker threads', () => {
  it.each(conformance)('$name', async ({ check }) => {
    await check(threaded(2, false, true))
  })

  const some = conformance.filter(({ name }) =>
    /missing entries|a wide mode|underflow|probability zero|alone|closed/.test(name),
  )
  it.each(some)('without shared memory: $name', async ({ check }) => {
    await check(threaded(2, false, false))
  })
})

describe('the number of threads', () => {
  const cases: [string, Tensor][] = [
    ['three modes', randomTensor({ shape: [300, 200, 100], cells: 120_000, missing: 0.01 })],
    ['two wide modes', randomTensor({ shape: [60_000, 700], cells: 90_000, real: true })],
    ['binary items', randomTensor({ shape: new Array(16).fill(2), cells: 80_000, missing: 0.02 })],
  ]
  it.each(cases)('does not change a bit: %s', async (_, tensor) => {
    const digests = new Set<string>()
    const measures = new Set<string>()
    const [first, other, larger] = [startOf(tensor, 7), startOf(tensor, 7, 2), startOf(tensor, 9, 2)]
    // Threads, whether the calling one works too, whether they share memory: every kind, and every number.
    for (const [threads, here, shared] of [
      [1, true, true],
      [2, true, true],
      [2, false, true],
      [2, true, false],
      [3, false, true],
      [4, true, false],
      [7, true, true],
    ] as const) {
      const session = await (threads === 1 ? wasmEngine({ threads }) : threaded(threads, here, shared)).open(tensor)
      // Other ranks and other values in between leave no trace.
      await session.pass(larger)
      const doubled = await session.reweight!(tensor.values.map(value => 2 * value))
      await doubled.pass(other)
      const statistics = await session.pass(first)
      const { entropy, sumYYOverP, assigned } = await doubled.measure(first)
      await doubled.close()
      digests.add(digest(statistics))
      measures.add(JSON.stringify([entropy, sumYYOverP, [...assigned]]))
      await session.close()
    }
    expect(digests.size).toBe(1)
    expect(measures.size).toBe(1)
  })
})

describe('a run on threads', () => {
  it('goes the same way to the last bit, though they share the steps between passes too', async () => {
    const tensor = randomTensor({ shape: [9000, 30, 2000], cells: 70_000 })
    const ends = new Set<string>()
    for (const [threads, here, shared] of [
      [1, true, true],
      [2, true, true],
      [3, false, true],
      [7, true, true],
      [2, true, false],
    ] as const) {
      // biome-ignore format: a table
      const session = await (threads === 1 ? wasmEngine({ threads }) : threaded(threads, here, shared)).open(tensor)
      expect(session.sweeps !== undefined).toBe(threads > 1 && shared)
      for (const rank of [5, 6, 5]) {
        const { parameters, loss } = await run(session, startOf(tensor, rank), {
          stopping: { tolerance: 0, stationarity: 0, minGain: 0, maxPasses: 20 },
          algorithm: 'accelerated',
          steps: tensor.shape.map(() => mStepOf({ added: 0, width: 0 })),
          warmUp: 4,
        })
        ends.add(
          `${rank} ${digest({ rank, sizes: parameters.shares, factors: parameters.factors, logLikelihood: loss })}`,
        )
      }
      await session.close()
    }
    expect(ends.size).toBe(2)
  })
})

describe('a worker that dies', () => {
  const tensor = randomTensor({ shape: [40, 30], cells: 900 })
  const cases: [string, LaneWorkers, RegExp][] = [
    ['by exiting', failing('process.exit(3)'), /ended with exit code 3/],
    ['by an error', failing("throw new Error('no more')"), /worker thread failed: no more/],
    [
      'by running out of memory',
      failing('const all = []; for (;;) all.push(new Array(1e6).fill(all.length + 0.5))'),
      /out of memory/,
    ],
    ['by reporting a failure', failing("parentPort.postMessage({ failure: { message: 'gone' } })"), /failed: gone/],
  ]
  it.each(cases)(
    '%s ends the pass with an EngineError and leaves no thread',
    async (_, worker, message) => {
      const before = threadsNow()
      const session = await threaded(3, false, false, worker).open(tensor)
      const pass = session.pass(startOf(tensor, 3))
      await expect(pass).rejects.toThrow(message)
      await expect(pass).rejects.toMatchObject({ name: 'EngineError' })
      await expect(session.pass(startOf(tensor, 3))).rejects.toThrow(message)
      await session.close()
      await expect.poll(() => threadsNow() ?? 0).toBeLessThanOrEqual((before ?? 0) + 1)
    },
    120_000,
  )

  it('before it is ready fails the opening', async () => {
    await expect(threaded(2, false, true, script('process.exit(4)')).open(tensor)).rejects.toThrow('exit code 4')
    const missing = script("import '../no-such-file.js'")
    await expect(threaded(2, false, true, missing).open(tensor)).rejects.toMatchObject({ name: 'EngineError' })
  })
})

describe('closing', () => {
  const tensor = randomTensor({ shape: [40, 30], cells: 900 })

  it('during a pass ends it at once with an EngineError', async () => {
    const session = await threaded(2, false, false, failing('for (;;);')).open(tensor)
    const pass = session.pass(startOf(tensor, 2))
    const ended = expect(pass).rejects.toThrow('closed while a pass was under way')
    await expect(session.pass(startOf(tensor, 2))).rejects.toThrow('one at a time')
    await session.close()
    await ended
    await expect(session.pass(startOf(tensor, 2))).rejects.toThrow('the session is closed')
  })

  it('a thousand sessions leaks neither memory nor threads', async () => {
    const engine = wasmEngine()
    const start = startOf(tensor, 3)
    const cycle = async (opened: Engine) => {
      const session = await opened.open(tensor)
      await session.pass(start)
      await session.close()
    }
    for (let i = 0; i < 100; i++) await cycle(engine)
    await cycle(threaded(2, true, true))
    const threads = threadsNow()
    const { rss } = process.memoryUsage()
    for (let i = 0; i < 970; i++) await cycle(engine)
    for (let i = 0; i < 30; i++) await cycle(threaded(2, true, i % 2 === 0))
    await expect.poll(() => threadsNow() ?? 0).toBeLessThanOrEqual(threads ?? 0)
    expect(process.memoryUsage().rss - rss).toBeLessThan(100 * 2 ** 20)
  })
})
