import { EngineError } from '../../errors.ts'
import type { Parameters } from '../../model/parameters.ts'
import type { ThreadScript } from '../../thread/thread.ts'
import { type Measures, newStatistics, type Statistics } from '../engine.ts'
import { entropyOf } from '../entropy.ts'
import { SweepPool } from '../sweeps/sweeps.ts'
import type { ArenaPool } from './arena.ts'
import { FIXED_RANKS } from './generated/kernels.ts'
import type { ValueSet } from './lane-group.ts'
import { LaneStore } from './lane-store.ts'
import { paddedRank, recordShape } from './lane-tables.ts'
import type { Lane, LaneValues, Plan } from './layout.ts'
import { clearCompacted, measureSteps, type PlacedPart, runHere, stepsHere, totalInto } from './passes.ts'
import { MEASURE, PASS } from './protocol.ts'
import { addCompacted } from './statistics.ts'
import type { StoredLane } from './stored-lane.ts'
import { Workers } from './workers.ts'

export interface PlacementOptions {
  /** How many threads work, the calling one included where it takes part. */
  readonly threads: number
  /** Whether the calling thread takes lanes of its own: quicker for short passes, but nothing else runs there meanwhile. */
  readonly here: boolean
  /** Whether threads share memory with this one. */
  readonly shared: boolean
  readonly script: ThreadScript
}

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
    { threads, here, shared, script }: PlacementOptions,
  ): Promise<Placement> {
    const lanes = spreadLanes(plan.lanes, threads)
    const store = new LaneStore(pool, plan)
    try {
      // The calling thread has the first lanes, since compacted modes are added up in the order of the lanes.
      if (here) for (const lane of lanes[0]) await store.add(laneOf(lane))
      const others = here ? lanes.slice(1) : lanes
      const workers = others.length === 0 ? undefined : await Workers.start(script, plan, others, laneOf, shared)
      return new Placement(plan, store, workers)
    } catch (error) {
      store.release()
      throw error
    }
  }

  async pass(set: ValueSet, parameters: Parameters, into: Statistics | undefined): Promise<Statistics> {
    const { plan } = this
    const { rank } = parameters
    const result = into ?? newStatistics(plan.shape, rank)
    if (this.#workers !== undefined || this.#waits) return this.#alone(() => this.#pass(set, parameters, result))
    // Over cells in the memory of this thread a pass is done before anything else can begin.
    this.#check()
    const passes = this.#store.prepare(rank, set)
    clearCompacted(plan, result)
    return totalInto(runHere(passes, parameters, result), passes[0].shape, plan, result)
  }

  async #pass(set: ValueSet, parameters: Parameters, result: Statistics): Promise<Statistics> {
    const { plan } = this
    const workers = this.#workers
    const { rank } = parameters
    if (workers !== undefined) await workers.prepare(rank, set)
    const passes = this.#store.prepare(rank, set)
    const shape = recordShape(plan, paddedRank(rank, FIXED_RANKS))
    clearCompacted(plan, result)
    workers?.begin(PASS, parameters)
    const parts: PlacedPart[] = []
    for (const wait of stepsHere(passes, parameters, result, parts)) await wait
    if (workers === undefined) return totalInto(parts, shape, plan, result)
    for (const { map, output: memory } of await workers.finish()) {
      for (const { mode, labels, at } of map.compacted) {
        const table = memory.subarray(at, at + labels.length * shape.padded)
        addCompacted(result.factors[mode], labels, table, rank, shape.padded)
      }
      for (const part of map.parts) parts.push({ ...part, memory })
    }
    return totalInto(parts, shape, plan, result)
  }

  async measure(set: ValueSet, parameters: Parameters): Promise<Measures> {
    const { rank } = parameters
    const statistics = newStatistics(this.plan.shape, rank)
    const padded = paddedRank(rank, FIXED_RANKS)
    const assigned = new Float64Array(rank * rank)
    let sumYYOverP = 0
    // Lane after lane in their order, wherever they are: so the sums are the same bits on any number of threads.
    const add = (numbers: Float64Array, at: number) => {
      sumYYOverP += numbers[at]
      for (let a = 0; a < rank; a++) {
        for (let b = 0; b < rank; b++) assigned[a * rank + b] += numbers[at + 2 + a * padded + b]
      }
    }
    const here = async () => {
      for (const pass of this.#store.prepare(rank, set)) {
        for (const wait of measureSteps(pass, parameters, (_, numbers) => add(numbers, 0))) await wait
      }
    }
    if (this.#workers === undefined && !this.#waits) {
      await this.pass(set, parameters, statistics)
      await here()
    } else {
      await this.#alone(async () => {
        await this.#pass(set, parameters, statistics)
        const workers = this.#workers
        workers?.begin(MEASURE, parameters)
        await here()
        if (workers === undefined) return
        for (const { map, output } of await workers.finish()) for (const { at } of map.measures) add(output, at)
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
    await this.#workers?.end(new EngineError('the session was closed while a pass was under way'))
  }

  #check(): void {
    if (this.#closed) throw new EngineError('the session is closed')
    if (this.#busy) throw new EngineError('a pass is under way in this session, which does one at a time')
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#check()
    this.#busy = true
    try {
      return await work()
    } finally {
      this.#busy = false
    }
  }
}

/** The lanes of each thread: neighbours, as equal in number as they can be; no thread without one. */
export const spreadLanes = (lanes: number, threads: number): number[][] => {
  const used = Math.min(lanes, threads)
  return Array.from({ length: used }, (_, thread) => {
    const first = Math.floor((lanes * thread) / used)
    const end = Math.floor((lanes * (thread + 1)) / used)
    return Array.from({ length: end - first }, (_, i) => first + i)
  })
}
