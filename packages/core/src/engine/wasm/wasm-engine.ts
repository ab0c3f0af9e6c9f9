import { knownOptions, wholeNumber } from '../../options.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { runCooperatively } from '../../thread/cooperative.ts'
import { canShareMemory, countCores } from '../../thread/machine.ts'
import { checkWorkerOptions, WORKER_OPTIONS, type WorkerOptions } from '../../thread/worker-options.ts'
import type { ClosableSession, Engine, Traits } from '../engine.ts'
import { newArenaPool } from './arena.ts'
import { layoutSteps, type Plan } from './layout.ts'
import { estimatedNanos } from './pass-time.ts'
import { placeLanes } from './place-lanes.ts'
import { openSession } from './session.ts'

export interface WasmEngineOptions extends WorkerOptions {
  /** How many threads work on a large problem. Default: the cores of the machine. The result is the same for any number. */
  readonly threads?: number
  /** Whether threads share memory. Default: where they can. The result is the same either way. */
  readonly sharedMemory?: boolean
}

/** The names of the options of the engine. */
export const WASM_ENGINE_OPTIONS = ['threads', 'sharedMemory', ...WORKER_OPTIONS] as const

/** So many cells are placed, in some tens of milliseconds, before anybody could wish to stop it. */
const QUICK = 100_000
/** Below about this much work a pass is over before another thread has begun, in nanoseconds. */
const SHORT = 400_000
/** Above this much for each thread the calling one is left free, for a page or a server to go on with. */
const LONG = 20_000_000
/** The rank by which the number of threads is decided: whether a pass is short depends on the rank, which comes later. */
const USUAL_RANK = 8

/**
 * The fast engine: WebAssembly SIMD kernels, on the calling thread for small problems and on worker threads for large
 * ones. The same data and parameters give the same bits on any number of threads, in Node and in browsers.
 * @example
 * const session = await wasmEngine({ threads: 2 }).open(answers)
 * const two = await fit(session, { rank: 2 })
 * const three = await fit(session, { rank: 3 })
 * await session.close()
 */
export const wasmEngine = (options: WasmEngineOptions = {}): Engine<Tensor, ClosableSession> => {
  knownOptions('wasmEngine', options, WASM_ENGINE_OPTIONS)
  checkWorkerOptions(options)
  const { threads, sharedMemory } = threadOptions(options)
  const pool = newArenaPool()
  const engine: Engine<Tensor, ClosableSession> = {
    name: 'wasm',
    async open(tensor, given) {
      const signal = tensor.cells > QUICK ? given : undefined
      const layout = await runCooperatively(layoutSteps(tensor), signal)
      const { plan, arrangement } = layout
      const traits = traitsOf(tensor.cells, plan)
      const { small, ...placing } = threadsFor(options, plan, traits)
      const { placement, notes } = await placeLanes(pool, plan, layout.lane, { ...placing, signal }, options)
      const parallelRuns = small && threads > 1 ? { threads, sharedMemory, workers: options } : undefined
      const single = singleTraits(traits)
      return openSession({ placement, arrangement, traits, parallelRuns, notes, open: engine.open, single }, tensor)
    },
  }
  return engine
}

const threadOptions = ({ threads, sharedMemory = true }: WasmEngineOptions) => ({
  threads: threads === undefined ? countCores() : wholeNumber('threads', threads, 1, 1024),
  sharedMemory: sharedMemory && canShareMemory(),
})

/** On which threads passes are done. */
export const threadsFor = (options: WasmEngineOptions, plan: Plan, traits: Traits) => {
  const { threads, sharedMemory: shared } = threadOptions(options)
  const work = traits.nanosPerPass(USUAL_RANK)
  const small = threads === 1 || plan.lanes === 1 || work < SHORT
  // A page whose own thread computes does not respond to its user.
  const page = 'document' in globalThis
  return { small, threads: small ? 1 : threads, here: small || (!page && work / threads < LONG), shared }
}

/** The time decides where a pass runs, never what it gives. */
export const traitsOf = (cells: number, { columns }: Plan): Traits => ({
  precision: 1e-14,
  reproducible: true,
  nanosPerPass: rank => estimatedNanos(cells, columns.length, rank),
})

/** What is known of passes in single precision. */
export const singleTraits = (traits: Traits): Traits => ({
  ...traits,
  precision: 1e-7,
  nanosPerPass: rank => 0.7 * traits.nanosPerPass(rank),
})
