/** A worker thread of an engine: holds some lanes and does passes over them. */
import type { Parameters } from '../../model/parameters.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import { threadPort } from '../../thread/port.ts'
import { type SharedSweeps, sharedSweeps } from '../sweeps/sweeps.ts'
import { newArenaPool } from './arena.ts'
import { type LanePass, measureLength, type PausablePass } from './lane-pass.ts'
import { LaneStore } from './lane-store.ts'
import {
  ASLEEP,
  FINISHED,
  type FromWorker,
  HEARING_STEPS,
  jobOf,
  LANES,
  LISTEN,
  MEASURE,
  type OutputMap,
  ROUND,
  type SharedInput,
  SPINS,
  STOPPED,
  SWEEP,
  type ToWorker,
} from './protocol.ts'

const port = threadPort(LANES)
const post = (message: FromWorker, transfer?: readonly unknown[]) => port.post(message, transfer)

let store: LaneStore | undefined
let passes: readonly LanePass[] = []
let map: OutputMap = { parts: [], compacted: [], measures: [], length: 0 }
let shared: { readonly input: SharedInput; readonly output: Float64Array } | undefined
let sweeps: SharedSweeps | undefined
/** The last round that was seen. */
let round = 0

/** Whether the job that is under way is to be given up, as a message says. */
let stopped = false
const urgent = (received: unknown): boolean => {
  if ((received as ToWorker).kind !== 'stop') return false
  stopped = true
  return true
}

port.serve(async received => {
  const message = received as ToWorker
  switch (message.kind) {
    case 'open':
      store = new LaneStore(newArenaPool(), message.plan)
      return
    case 'lane':
      return store!.add(message.lane)
    case 'values': {
      const numbers = store!.groups.flatMap(group => group.lanes.map(lane => lane.number))
      store!.addValues(message.set, lane => message.values[numbers.indexOf(lane)])
      return
    }
    case 'drop':
      store!.dropValues(message.set)
      return
    case 'prepare': {
      const { input } = message
      await store!.load(message.of)
      await store!.loadMeasures()
      passes = store!.prepare(message.of)
      map = mapOutput()
      shared = input && { input, output: room(map.length) }
      post({ kind: 'ready', map, output: shared?.output })
      return
    }
    case 'sweeps':
      sweeps = sharedSweeps(message.memory)
      return
    case 'serve':
      return serve(shared!.input, shared!.output)
    case 'job': {
      const output = new Float64Array(map.length)
      let steps = 0
      stopped = false
      for (const wait of work(message.job, message.parameters, output)) {
        if (wait !== undefined) await wait
        if (++steps % HEARING_STEPS === 0) await eventLoopTurn()
        if (stopped) break
      }
      post({ kind: 'done', output }, [output.buffer])
    }
  }
}, urgent)

/** Shared memory for the output: that of a larger rank serves a smaller one. */
let buffer: SharedArrayBuffer | undefined
const room = (length: number): Float64Array => {
  if (buffer === undefined || buffer.byteLength < 8 * length) buffer = new SharedArrayBuffer(8 * length)
  return new Float64Array(buffer, 0, length)
}

/** The order of the output of a pass: for each memory the compacted tables of its lanes as they come, then its parts. */
const mapOutput = (): OutputMap => {
  const parts: OutputMap['parts'][number][] = []
  const compacted: OutputMap['compacted'][number][] = []
  const measures: OutputMap['measures'][number][] = []
  let at = 0
  for (const { lanes, shape, parts: own } of passes) {
    for (const { number, labels } of lanes) {
      measures.push({ lane: number, at: measures.length * measureLength(shape.padded) })
      labels.forEach((own, mode) => {
        if (own === undefined) return
        compacted.push({ mode, labels: own, at })
        at += own.length * shape.padded
      })
    }
    for (const { first, count } of own) {
      parts.push({ first, count, at })
      at += shape.length
    }
  }
  const padded = passes[0].shape.padded
  return { parts, compacted, measures, length: Math.max(at, measures.length * measureLength(padded)) }
}

function* work(job: number, parameters: Parameters, output: Float64Array): PausablePass {
  let at = 0
  const append = (numbers: Float64Array) => {
    output.set(numbers, at)
    at += numbers.length
  }
  for (const pass of passes) {
    if (job === MEASURE) {
      yield* pass.steps.measure(parameters, (_, numbers) => append(numbers))
      continue
    }
    yield* pass.steps.run(parameters, (_mode, _labels, table) => append(table))
    for (const part of pass.parts) append(pass.memory.subarray(part.at, part.at + pass.shape.length))
  }
}

/** Does the jobs that are asked for through shared memory, until it is told to listen. */
const serve = async ({ control, parameters, worker }: SharedInput, output: Float64Array): Promise<void> => {
  for (;;) {
    for (let spin = 0; spin < SPINS && Atomics.load(control, ROUND) === round; spin++);
    Atomics.wait(control, ROUND, round)
    round = Atomics.load(control, ROUND)
    const job = jobOf(round)
    if (job === LISTEN) return
    if (job === SWEEP) {
      sweeps?.help()
      continue
    }
    for (const wait of work(job, parameters, output)) {
      if (wait !== undefined) await wait
      if (Atomics.load(control, STOPPED) === round) break
    }
    Atomics.store(control, FINISHED + worker, round)
    if (Atomics.load(control, ASLEEP) === 1) post({ kind: 'done', output: undefined })
  }
}
