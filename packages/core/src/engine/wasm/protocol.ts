import type { Parameters } from '../../model/parameters.ts'
import type { ValueSet } from './lane-group.ts'
import type { PassKind } from './lane-store.ts'
import type { Part } from './lane-sums.ts'
import type { Lane, LaneValues, Plan } from './layout.ts'
import type { StoredLane } from './stored-lane.ts'

/** The role of threads that have lanes. */
export const LANES = 'lanes'

/** What a session says to its workers. */
export type ToWorker =
  | { readonly kind: 'open'; readonly plan: Plan }
  | { readonly kind: 'lane'; readonly lane: Lane | StoredLane }
  /** Other values for the cells of the worker's lanes, in their order. */
  | { readonly kind: 'values'; readonly set: ValueSet; readonly values: readonly LaneValues[] }
  | { readonly kind: 'drop'; readonly set: ValueSet }
  /** Prepares for passes; answered by `ready`. With shared memory, parameters will come through `input`. */
  | { readonly kind: 'prepare'; readonly of: PassKind; readonly input: SharedInput | undefined }
  /** The memory of sweeps to help with: where memory is shared. */
  | { readonly kind: 'sweeps'; readonly memory: WebAssembly.Memory }
  /** With shared memory: from here on the worker waits on `control` and hears no messages until told to listen. */
  | { readonly kind: 'serve' }
  /** Without shared memory: does a job; answered by `done` with its numbers. */
  | { readonly kind: 'job'; readonly job: Job; readonly parameters: Parameters }
  /** Without shared memory: gives up the job that is under way, which is then answered at once by numbers that mean nothing. */
  | { readonly kind: 'stop' }

/** What a worker says to its session. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly map: OutputMap; readonly output: Float64Array | undefined }
  /** A job is done; without shared memory with its numbers. */
  | { readonly kind: 'done'; readonly output: Float64Array | undefined }

/**
 * What a worker can be asked for. `LISTEN` sends it back to its messages; `SWEEP` calls it to a sweep that is under way, for
 * whose end nobody waits here.
 */
export const PASS = 0
export const MEASURE = 1
export const LISTEN = 2
export const SWEEP = 3
export type Job = typeof PASS | typeof MEASURE

/** A round as one number: so its job is known as soon as it is. */
export const roundOf = (count: number, job: number): number => (count << 2) | job
export const jobOf = (round: number): number => round & 3

/** Where the results of a worker's jobs lie, in doubles from the start of its output. */
export interface OutputMap {
  readonly parts: readonly Part[]
  readonly compacted: readonly CompactedTable[]
  /** For each of its lanes, where the measures lie: in the same place as the results of a pass. */
  readonly measures: readonly { readonly lane: number; readonly at: number }[]
  readonly length: number
}

/** The statistics of a compacted mode of a lane. */
export interface CompactedTable {
  readonly mode: number
  readonly labels: Uint32Array
  readonly at: number
}

export interface SharedInput {
  readonly control: Int32Array
  readonly parameters: Parameters
  /** Which of the workers this is, from 0. */
  readonly worker: number
}

/** Places in `control`: the round, whether the session sleeps until it gets a message, the round to give up, each worker's last round. */
export const ROUND = 0
export const ASLEEP = 1
export const STOPPED = 2
export const FINISHED = 3

/** Without shared memory: steps of a job after which a worker hears messages, some tens of milliseconds. */
export const HEARING_STEPS = 64

/** How often a number is read again before going to sleep over it: the next round mostly comes sooner than a thread wakes. */
export const SPINS = 4000
