import { defined } from '../../defined.ts'
import { AbortError, EngineError, type StopSignal } from '../../errors.ts'
import type { Parameters } from '../../model/parameters.ts'
import { pause } from '../../thread/cooperative.ts'
import { startThread, type Thread, type ThreadScript } from '../../thread/thread.ts'
import type { WorkerOptions } from '../../thread/worker-options.ts'
import { waysOf } from '../../thread/worker-ways.ts'
import type { SweepHelpers } from '../sweeps/sweeps.ts'
import { type ValueSet, valueSet } from './lane-group.ts'
import { isSameKind, type PassKind } from './lane-store.ts'
import type { Lane, LaneValues, Plan } from './layout.ts'
import {
  ASLEEP,
  FINISHED,
  type FromWorker,
  type Job,
  LANES,
  LISTEN,
  type OutputMap,
  ROUND,
  roundOf,
  SPINS,
  STOPPED,
  SWEEP,
  type ToWorker,
} from './protocol.ts'
import type { StoredLane } from './stored-lane.ts'

/** Where the workers come from, and how much memory each may have beside its lanes. */
export interface LaneWorkers extends WorkerOptions, Pick<ThreadScript, 'heapMegabytes'> {}

/** What a worker returns when a job is done. */
export interface WorkerResult {
  readonly map: OutputMap
  readonly output: Float64Array
}

/** The worker threads of a session, each with its lanes. */
export class Workers {
  readonly #threads: Thread[] = []
  readonly #lanes: readonly (readonly number[])[]
  readonly #shape: readonly number[]
  /** The numbers by which rounds are begun and ended in shared memory; undefined without it. */
  readonly #control: Int32Array | undefined
  readonly #maps: OutputMap[] = []
  readonly #outputs: (Float64Array | undefined)[] = []
  #buffer: SharedArrayBuffer | undefined
  #parameters: Parameters | undefined
  #prepared: PassKind | undefined
  #ready = 0
  /** How many rounds there were, and the last of them. */
  #rounds = 0
  #round = 0
  /** Whether the workers hear messages, which with shared memory they do not while they wait for rounds. */
  #listening = true
  #failure: EngineError | undefined
  /** Called whenever something happened that a waiting call should look at. */
  #wake = () => {}

  /** @param lanes for each worker, the numbers of its lanes */
  private constructor(plan: Plan, lanes: readonly (readonly number[])[], shared: boolean) {
    this.#lanes = lanes
    this.#shape = plan.shape
    this.#control = shared ? new Int32Array(new SharedArrayBuffer(4 * (FINISHED + lanes.length))) : undefined
  }

  static async start(
    { heapMegabytes, ...options }: LaneWorkers,
    plan: Plan,
    lanes: readonly (readonly number[])[],
    laneOf: (number: number) => Lane | StoredLane,
    shared: boolean,
    signal: StopSignal | undefined,
  ): Promise<Workers> {
    const workers = new Workers(plan, lanes, shared)
    const script = { role: LANES, ...waysOf(options), ...defined({ heapMegabytes }) }
    try {
      lanes.forEach((_, worker) => {
        const events = {
          message: (message: unknown) => workers.#receive(worker, message as FromWorker),
          failure: (error: EngineError) => workers.#fail(error),
        }
        workers.#threads.push(startThread(script, events))
      })
      workers.#send({ kind: 'open', plan })
      for (const [worker, own] of lanes.entries()) {
        for (const number of own) {
          workers.#sendLane(worker, laneOf(number))
          await pause(signal)
        }
      }
      // All lanes are in place once a rank could be prepared.
      await workers.prepare({ rank: 1, set: valueSet(0, 0), single: false })
    } catch (cause) {
      const error =
        cause instanceof EngineError ? cause : new EngineError('the worker threads cannot be started', { cause })
      workers.#fail(error)
      throw cause instanceof AbortError ? cause : error
    }
    return workers
  }

  /** Prepares for jobs of a kind. */
  async prepare(kind: PassKind): Promise<void> {
    if (this.#prepared !== undefined && isSameKind(this.#prepared, kind)) return
    this.#prepared = undefined
    this.#listen()
    this.#ready = 0
    const control = this.#control
    if (control !== undefined) this.#parameters = this.#shareParameters(kind.rank)
    this.#threads.forEach((thread, worker) => {
      const input = control && { control, parameters: this.#parameters!, worker }
      thread.post({ kind: 'prepare', of: kind, input } satisfies ToWorker)
    })
    await this.#until(() => this.#ready === this.#lanes.length)
    this.#prepared = kind
  }

  addValues(set: ValueSet, valuesOf: (lane: number) => LaneValues): void {
    this.#listen()
    this.#prepared = undefined
    this.#lanes.forEach((own, worker) => {
      const values = own.map(valuesOf)
      const buffers = values.flatMap(each => [each.values.buffer, each.kinds.buffer])
      this.#threads[worker].post({ kind: 'values', set, values } satisfies ToWorker, buffers)
    })
  }

  dropValues(set: ValueSet): void {
    if (this.#failure !== undefined) return
    this.#listen()
    this.#prepared = undefined
    this.#send({ kind: 'drop', set })
  }

  /** Where memory is shared: how they help with sweeps. */
  get helpers(): SweepHelpers | undefined {
    const control = this.#control
    if (control === undefined) return undefined
    return {
      join: memory => {
        this.#listen()
        this.#prepared = undefined
        this.#send({ kind: 'sweeps', memory })
      },
      call: () => {
        this.#serve()
        this.#signal(control, SWEEP)
      },
    }
  }

  /** Starts a job in all workers; they must have been prepared for it. */
  begin(job: Job, parameters: Parameters): void {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#control === undefined) {
      this.#outputs.fill(undefined)
      // A view is sent with all of the memory that it is a view of.
      const { rank, shares, factors } = parameters
      const copy = { rank, shares: shares.slice(), factors: factors.map(factor => factor.slice()) }
      this.#send({ kind: 'job', job, parameters: copy })
      return
    }
    this.#serve()
    const { shares, factors } = this.#parameters!
    shares.set(parameters.shares)
    for (let n = 0; n < factors.length; n++) factors[n].set(parameters.factors[n])
    this.#signal(this.#control, job)
  }

  /** Has the job that is under way given up: it is then done soon, and its output means nothing. */
  stop(): void {
    if (this.#failure !== undefined) return
    if (this.#control === undefined) this.#send({ kind: 'stop' })
    else Atomics.store(this.#control, STOPPED, this.#round)
  }

  /** Waits until all are done; gives each one's output. */
  async finish(): Promise<WorkerResult[]> {
    const control = this.#control
    if (control === undefined) await this.#until(() => this.#outputs.every(output => output !== undefined))
    else {
      const isDone = () => this.#lanes.every((_, worker) => Atomics.load(control, FINISHED + worker) === this.#round)
      for (let spin = 0; spin < SPINS && !isDone(); spin++);
      if (!isDone()) {
        // Said before looking again: a worker that finishes in between either sees it or is seen.
        Atomics.store(control, ASLEEP, 1)
        try {
          await this.#until(isDone)
        } finally {
          Atomics.store(control, ASLEEP, 0)
        }
      }
    }
    if (this.#failure !== undefined) throw this.#failure
    return this.#maps.map((map, worker) => ({ map, output: this.#outputs[worker]! }))
  }

  /** Ends all threads; a job that is under way fails with this error. */
  async end(error: EngineError): Promise<void> {
    this.#failure ??= error
    this.#wake()
    await Promise.all(this.#threads.splice(0).map(thread => thread.end()))
  }

  #receive(worker: number, message: FromWorker): void {
    if (message.kind === 'ready') {
      this.#maps[worker] = message.map
      this.#outputs[worker] = message.output
      this.#ready++
    } else if (message.output !== undefined) this.#outputs[worker] = message.output
    this.#wake()
  }

  #fail(error: EngineError): void {
    this.#failure ??= error
    for (const thread of this.#threads.splice(0)) void thread.end()
    this.#wake()
  }

  async #until(done: () => boolean): Promise<void> {
    for (const thread of this.#threads) thread.hold(true)
    while (this.#failure === undefined && !done()) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    this.#wake = () => {}
    for (const thread of this.#threads) thread.hold(false)
    if (this.#failure !== undefined) throw this.#failure
  }

  #send(message: ToWorker): void {
    for (const thread of this.#threads) thread.post(message)
  }

  /** The lane's arrays go with it: the copies here are gone as soon as they are sent. */
  #sendLane(worker: number, lane: Lane | StoredLane): void {
    if ('chunks' in lane) {
      this.#threads[worker].post({ kind: 'lane', lane } satisfies ToWorker)
      return
    }
    const arrays = [lane.words, lane.starts, lane.values, lane.kinds, ...lane.labels]
    const buffers = arrays.flatMap(array => (array === undefined ? [] : [array.buffer]))
    this.#threads[worker].post({ kind: 'lane', lane } satisfies ToWorker, buffers)
  }

  /** Sends workers that wait for rounds back to their messages. */
  #listen(): void {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#listening || this.#control === undefined) return
    this.#listening = true
    this.#signal(this.#control, LISTEN)
  }

  /** Sends workers that hear messages to wait for rounds. */
  #serve(): void {
    if (!this.#listening) return
    this.#send({ kind: 'serve' })
    this.#listening = false
  }

  #signal(control: Int32Array, job: number): void {
    this.#round = roundOf(++this.#rounds, job)
    Atomics.store(control, ROUND, this.#round)
    Atomics.notify(control, ROUND)
  }

  /** Parameters in shared memory: that of a larger rank serves a smaller one. */
  #shareParameters(rank: number): Parameters {
    const rows = this.#shape.reduce((sum, size) => sum + size, 1)
    const bytes = 8 * rank * rows
    if (this.#buffer === undefined || this.#buffer.byteLength < bytes) this.#buffer = new SharedArrayBuffer(bytes)
    const buffer = this.#buffer
    let at = 0
    const take = (length: number) => {
      const view = new Float64Array(buffer, at, length)
      at += 8 * length
      return view
    }
    return { rank, shares: take(rank), factors: this.#shape.map(size => take(size * rank)) }
  }
}
