import { EngineError, type StopSignal, throwIfStopped } from '../../errors.ts'
import { loadPart } from '../../load-part.ts'
import type { Parameters } from '../../model/parameters.ts'
import { pause } from '../../thread/cooperative.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import { type Measures, newStatistics, type Statistics } from '../engine.ts'
import { entropyOf } from '../entropy.ts'
import { SweepPool } from '../sweeps/sweeps.ts'
import type { ArenaPool } from './arena.ts'
import { BLOCK_CELLS } from './context.ts'
import { FIXED_RANKS, SINGLE_RANKS } from './generated/kernels.ts'
import type { ValueSet } from './lane-group.ts'
import { CALL_BLOCKS, type PausablePass } from './lane-pass.ts'
import { LaneStore, type PassKind } from './lane-store.ts'
import { paddedRank, paddedSingle, recordShape } from './lane-tables.ts'
import type { Lane, LaneValues, Plan } from './layout.ts'
import { clearCompacted, type PlacedPart, runHere, stepsHere, totalInto } from './passes.ts'
import { type Job, MEASURE, PASS } from './protocol.ts'
import { addCompacted } from './statistics.ts'
import type { StoredLane } from './stored-lane.ts'
import type { LaneWorkers, WorkerResult, Workers } from './workers.ts'

export interface PlacementOptions {
  /** How many threads work, the calling one included where it takes part. */
  readonly threads: number
  /** Whether the calling thread takes lanes of its own: quicker for short passes, but nothing else runs there meanwhile. */
  readonly here: boolean
  /** Whether threads share memory with this one. */
  readonly shared: boolean
  readonly workers: LaneWorkers
  /** Looked at between lanes. */
  readonly signal?: StopSignal | undefined
}

/** Cells times classes that this thread does before the event loop gets its turn: some tens of milliseconds. */
const TURN = 10_000_000

/** The lanes of a tensor where they are worked on: on this thread, on others, or on both. One job at a time. */
export class Placement {
  readonly plan: Plan
  /** Set where the workers can help with sweeps. */
  readonly sweeps: SweepPool | undefined
  readonly #store: LaneStore
  readonly #workers: Workers | undefined
  /** Whether passes of this thread have to wait for a file. */
  readonly #waits: boolean
  #busy = false
  #closed = false

  private constructor(plan: Plan, store: LaneStore, workers: Workers | undefined) {
    this.plan = plan
    this.#store = store
    this.#workers = workers
    this.#waits = store.waits
    const helpers = workers?.helpers
    this.sweeps = helpers && new SweepPool(helpers)
  }

  static async place(
    pool: ArenaPool,
    plan: Plan,
    laneOf: (number: number) => Lane | StoredLane,
    { threads, here, shared, workers: options, signal }: PlacementOptions,
  ): Promise<Placement> {
    const lanes = spreadLanes(plan.lanes, threads)
    const store = new LaneStore(pool, plan)
    try {
      // The calling thread has the first lanes, since compacted modes are added up in the order of the lanes.
      for (const lane of here ? lanes[0] : []) {
        await store.add(laneOf(lane))
        await pause(signal)
      }
      const others = here ? lanes.slice(1) : lanes
      if (others.length === 0) return new Placement(plan, store, undefined)
      const { Workers } = await loadPart(import('./workers.ts'))
      return new Placement(plan, store, await Workers.start(options, plan, others, laneOf, shared, signal))
    } catch (error) {
      store.release()
      throw error
    }
  }

  /**
   * A pass over a set of values. In single precision the log-likelihood is not a number if a cell is too improbable for it.
   * @param signal looked at within the pass: for those that may take long
   */
  async pass(
    set: ValueSet,
    parameters: Parameters,
    into: Statistics | undefined,
    signal?: StopSignal,
    single = false,
  ): Promise<Statistics> {
    const { plan } = this
    const { rank } = parameters
    const kind = { rank, set, single }
    const result = into ?? newStatistics(plan.shape, rank)
    if (this.#workers !== undefined || this.#waits || signal !== undefined)
      return this.#alone(() => this.#pass(kind, parameters, result, signal))
    // While kernels are loaded, other sessions on these cells go on.
    if (!this.#store.isLoaded(kind)) await this.#store.load(kind)
    return this.#passHere(kind, parameters, result)
  }

  /** Over cells in the memory of this thread a pass is done before anything else can begin. */
  #passHere(kind: PassKind, parameters: Parameters, result: Statistics): Statistics {
    this.#check()
    const passes = this.#store.prepare(kind)
    clearCompacted(this.plan, result)
    return totalInto(runHere(passes, parameters, result), passes[0].shape, this.plan, result)
  }

  async #pass(
    kind: PassKind,
    parameters: Parameters,
    result: Statistics,
    signal: StopSignal | undefined,
  ): Promise<Statistics> {
    const { plan } = this
    const { rank, single } = kind
    throwIfStopped(signal)
    await this.#workers?.prepare(kind)
    await this.#store.load(kind)
    const passes = this.#store.prepare(kind)
    const shape = recordShape(plan, single ? paddedSingle(rank, SINGLE_RANKS) : paddedRank(rank, FIXED_RANKS))
    clearCompacted(plan, result)
    const parts: PlacedPart[] = []
    for (const { map, output: memory } of await this.#do(
      PASS,
      parameters,
      stepsHere(passes, parameters, result, parts),
      signal,
    )) {
      for (const { mode, labels, at } of map.compacted) {
        const table = memory.subarray(at, at + labels.length * shape.padded)
        addCompacted(result.factors[mode], labels, table, rank, shape.padded)
      }
      for (const part of map.parts) parts.push({ ...part, memory })
    }
    return totalInto(parts, shape, plan, result)
  }

  /** Does a job on all threads: this one has the steps. Gives the outputs of the others. */
  async #do(
    job: Job,
    parameters: Parameters,
    steps: PausablePass,
    signal: StopSignal | undefined,
  ): Promise<readonly WorkerResult[]> {
    const workers = this.#workers
    throwIfStopped(signal)
    workers?.begin(job, parameters)
    const stop = () => workers?.stop()
    signal?.addEventListener?.('abort', stop)
    try {
      let work = 0
      for (const wait of steps) {
        if (wait !== undefined) await wait
        if (signal === undefined) continue
        work += CALL_BLOCKS * BLOCK_CELLS * parameters.rank
        if (work >= TURN) {
          work = 0
          await eventLoopTurn()
        }
        if (signal.aborted) break
      }
      if (signal?.aborted) stop()
      const outputs = (await workers?.finish()) ?? []
      throwIfStopped(signal)
      return outputs
    } finally {
      signal?.removeEventListener?.('abort', stop)
    }
  }

  async measure(set: ValueSet, parameters: Parameters, signal?: StopSignal): Promise<Measures> {
    const { rank } = parameters
    const statistics = newStatistics(this.plan.shape, rank)
    const padded = paddedRank(rank, FIXED_RANKS)
    const assigned = new Float64Array(rank * rank)
    const kind = { rank, set, single: false }
    let sumYYOverP = 0
    // Lane after lane in their order, wherever they are: so the sums are the same bits on any number of threads.
    const add = (numbers: Float64Array, at: number) => {
      sumYYOverP += numbers[at]
      for (let a = 0; a < rank; a++) {
        for (let b = 0; b < rank; b++) assigned[a * rank + b] += numbers[at + 2 + a * padded + b]
      }
    }
    const addHere = (_: number, numbers: Float64Array) => add(numbers, 0)
    if (this.#workers === undefined && !this.#waits && signal === undefined) {
      await this.#store.load(kind)
      await this.#store.loadMeasures()
      this.#passHere(kind, parameters, statistics)
      for (const pass of this.#store.prepare(kind)) pass.measure(parameters, addHere)
    } else {
      await this.#alone(async () => {
        await this.#pass(kind, parameters, statistics, signal)
        await this.#store.loadMeasures()
        const passes = this.#store.prepare(kind)
        const steps = function* (): PausablePass {
          for (const pass of passes) yield* pass.steps.measure(parameters, addHere)
        }
        for (const { map, output } of await this.#do(MEASURE, parameters, steps(), signal))
          for (const { at } of map.measures) add(output, at)
      })
    }
    return {
      logLikelihood: statistics.logLikelihood,
      sumYYOverP,
      entropy: entropyOf(statistics, parameters),
      assigned,
    }
  }

  addValues(set: ValueSet, valuesOf: (lane: number) => LaneValues): void {
    this.#check()
    this.#store.addValues(set, valuesOf)
    this.#workers?.addValues(set, valuesOf)
  }

  dropValues(set: ValueSet): void {
    if (this.#closed) return
    this.#store.dropValues(set)
    this.#workers?.dropValues(set)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#store.release()
    await this.#workers?.end(closedMeanwhile())
  }

  #check(): void {
    if (this.#closed) throw new EngineError('the session is closed')
    if (this.#busy) throw new EngineError('a pass is under way in this session, which does one at a time')
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#check()
    this.#busy = true
    let result: T
    try {
      result = await work()
    } catch (error) {
      throw this.#closed && !(error instanceof EngineError) ? closedMeanwhile() : error
    } finally {
      this.#busy = false
    }
    // Its memory may have been somebody else's before it ended.
    if (this.#closed) throw closedMeanwhile()
    return result
  }
}

const closedMeanwhile = () => new EngineError('the session was closed while a pass was under way')

/** The lanes of each thread: neighbours, as equal in number as they can be; no thread without one. */
export const spreadLanes = (lanes: number, threads: number): number[][] => {
  const used = Math.min(lanes, threads)
  return Array.from({ length: used }, (_, thread) => {
    const first = Math.floor((lanes * thread) / used)
    const end = Math.floor((lanes * (thread + 1)) / used)
    return Array.from({ length: end - first }, (_, i) => first + i)
  })
}
