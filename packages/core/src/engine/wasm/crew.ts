import { EngineError } from '../../errors.ts'
import type { Parameters } from '../../model/parameters.ts'
import { startThread, type Thread, type ThreadScript } from '../../thread/thread.ts'
import type { Layout } from './layout.ts'
import {
  ASLEEP,
  FINISHED,
  type FromWorker,
  LOOKS,
  type Offer,
  PASS,
  type SharedInput,
  type ToWorker,
} from './protocol.ts'

/** The script of the workers. From the sources themselves, as under a test runner, it is the built one that can run. */
export const laneScript: ThreadScript = {
  url: new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/engine/wasm/worker.js' : './worker.js',
    import.meta.url,
  ),
  browser: () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
}

/** The worker threads of a session, each with its lanes. */
export interface Crew {
  readonly offers: readonly Offer[]
  /** Starts a pass in all workers. */
  begin(parameters: Parameters): void
  /** Waits until all are done; gives each one's output. */
  finish(): Promise<readonly Float64Array[]>
  /** Ends all threads; a pass that is under way fails with this error. */
  end(error: EngineError): Promise<void>
}

/** @param lanes for each worker, its lanes */
export const hireCrew = async (
  script: ThreadScript,
  layout: Layout,
  rank: number,
  lanes: readonly (readonly number[])[],
  shared: boolean,
): Promise<Crew> => {
  const input = shared ? shareInput(layout.plan.shape, rank, lanes.length) : undefined
  const outputs: (Float64Array | undefined)[] = lanes.map(() => undefined)
  const offers: Offer[] = []
  const threads: Thread[] = []
  let failure: EngineError | undefined
  let pass = 0
  let ready = 0
  /** Called whenever something happened that a waiting pass should look at. */
  let wake = () => {}

  const fail = (error: EngineError) => {
    failure ??= error
    for (const thread of threads.splice(0)) void thread.end()
    wake()
  }
  const receive = (worker: number, message: FromWorker) => {
    if (message.kind === 'failed') {
      const cause = Object.assign(new Error(message.error.message), { stack: message.error.stack })
      fail(new EngineError(`a worker thread failed: ${message.error.message}`, { cause }))
    } else if (message.kind === 'ready') {
      offers[worker] = message.offer
      outputs[worker] = message.offer.output
      ready++
    } else if (message.output !== undefined) outputs[worker] = message.output
    wake()
  }
  const until = async (done: () => boolean): Promise<void> => {
    for (const thread of threads) thread.hold(true)
    while (failure === undefined && !done()) {
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
    wake = () => {}
    for (const thread of threads) thread.hold(false)
    if (failure !== undefined) throw failure
  }

  try {
    lanes.forEach((_, worker) => {
      threads.push(startThread(script, { message: message => receive(worker, message as FromWorker), failure: fail }))
    })
    for (const [worker, own] of lanes.entries()) sendLanes(threads[worker], layout, rank, own, input, worker)
    await until(() => ready === lanes.length)
  } catch (cause) {
    const error =
      cause instanceof EngineError ? cause : new EngineError('the worker threads cannot be started', { cause })
    fail(error)
    throw error
  }

  const isDone =
    input === undefined
      ? () => outputs.every(output => output !== undefined)
      : () => lanes.every((_, worker) => Atomics.load(input.control, FINISHED + worker) === pass)

  return {
    offers,
    begin({ weights, factors }) {
      if (failure !== undefined) throw failure
      pass = (pass + 1) | 0
      if (input === undefined) {
        outputs.fill(undefined)
        for (const thread of threads) thread.post({ kind: 'pass', weights, factors } satisfies ToWorker)
        return
      }
      input.weights.set(weights)
      for (let n = 0; n < factors.length; n++) input.factors[n].set(factors[n])
      Atomics.store(input.control, PASS, pass)
      Atomics.notify(input.control, PASS)
    },
    async finish() {
      if (input === undefined) await until(isDone)
      else {
        for (let look = 0; look < LOOKS && !isDone(); look++);
        if (!isDone()) {
          // Said before looking again: a worker that finishes in between either sees it or is seen.
          Atomics.store(input.control, ASLEEP, 1)
          try {
            await until(isDone)
          } finally {
            Atomics.store(input.control, ASLEEP, 0)
          }
        }
      }
      if (failure !== undefined) throw failure
      return outputs as Float64Array[]
    },
    async end(error) {
      failure ??= error
      wake()
      await Promise.all(threads.splice(0).map(thread => thread.end()))
    },
  }
}

const shareInput = (shape: readonly number[], rank: number, workers: number): Omit<SharedInput, 'worker'> => ({
  control: new Int32Array(new SharedArrayBuffer(4 * (FINISHED + workers))),
  weights: new Float64Array(new SharedArrayBuffer(8 * rank)),
  factors: shape.map(size => new Float64Array(new SharedArrayBuffer(8 * size * rank))),
})

/** Builds lane after lane and sends each on its way; the copies here are gone as soon as they are sent. */
const sendLanes = (
  thread: Thread,
  layout: Layout,
  rank: number,
  lanes: readonly number[],
  input: Omit<SharedInput, 'worker'> | undefined,
  worker: number,
): void => {
  const post = (message: ToWorker, transfer?: Transferable[]) => thread.post(message, transfer)
  post({ kind: 'open', plan: layout.plan, rank })
  for (const number of lanes) {
    const lane = layout.lane(number)
    const buffers = [lane.words, lane.starts, lane.values, lane.kinds, ...lane.labels]
    post(
      { kind: 'lane', lane },
      buffers.flatMap(array => (array === undefined ? [] : [array.buffer])),
    )
  }
  post({ kind: 'start', shared: input === undefined ? undefined : { ...input, worker } })
}
