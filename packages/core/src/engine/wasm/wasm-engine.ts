import { knownOptions, wholeNumber } from '../../options.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { canShareMemory, countCores } from '../../thread/thread.ts'
import type { Engine } from '../engine.ts'
import { newArenaPool } from './arena.ts'
import { laneScript } from './crew.ts'
import { openInline } from './inline-session.ts'
import { type Layout, layOut } from './layout.ts'
import { openThreaded } from './threaded-session.ts'

export interface WasmEngineOptions {
  /** How many threads work on a large problem. Default: the cores of the machine. The result is the same for any number. */
  readonly threads?: number
  /** Whether threads share the factors' memory. Default: where they can. The result is the same either way. */
  readonly sharedMemory?: boolean
}

export interface WasmEngine extends Engine {
  readonly threads: number
  readonly sharedMemory: boolean
  /**
   * Whether passes over a tensor are so short that they run on the calling thread. Many starts of such a problem are
   * best done side by side, each on a thread of its own.
   */
  isSmall(tensor: Tensor, rank: number): boolean
}

/** Below about this much work a pass is over before another thread has begun, in nanoseconds. */
const SHORT = 400_000
/** Above this much for each thread the calling one is left free, for a page or a server to go on with. */
const LONG = 20_000_000

/**
 * The fast engine: WebAssembly SIMD kernels, on the calling thread for small problems and on worker threads for large
 * ones. The same data, rank and parameters give the same bits on any number of threads, in Node and in browsers.
 */
export const wasmEngine = (options: WasmEngineOptions = {}): WasmEngine => {
  knownOptions('wasmEngine', options, ['threads', 'sharedMemory'])
  const threads = options.threads === undefined ? countCores() : wholeNumber('threads', options.threads, 1, 1024)
  const sharedMemory = (options.sharedMemory ?? true) && canShareMemory()
  const pool = newArenaPool()
  return {
    name: 'wasm',
    threads,
    sharedMemory,
    isSmall: (tensor, rank) =>
      leastWork(tensor.cells, rank) < SHORT && expectedWork(layOut(tensor, rank), rank) < SHORT,
    async open(tensor, rank) {
      wholeNumber('rank', rank, 1)
      const layout = layOut(tensor, rank)
      const work = expectedWork(layout, rank)
      if (threads === 1 || layout.plan.lanes === 1 || work < SHORT) return openInline(pool, layout, tensor, rank)
      // A page that computes does not answer its user.
      const page = 'document' in globalThis
      return openThreaded(pool, layout, tensor, rank, {
        threads,
        here: !page && work / threads < LONG,
        shared: sharedMemory,
        script: laneScript,
      })
    },
  }
}

/** About how many nanoseconds a pass takes one thread. It decides where the pass runs, never what it gives. */
const expectedWork = ({ cells, plan }: Layout, rank: number): number => work(cells, plan.columns.length, rank)

const leastWork = (cells: number, rank: number): number => work(cells, 1, rank)

const work = (cells: number, columns: number, rank: number): number =>
  cells * (2 + (0.25 * columns + 0.1) * Math.max(4, rank))
