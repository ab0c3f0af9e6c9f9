import type { CarriedError } from '../../thread/thread.ts'
import type { Lane, Plan } from './layout.ts'
import type { Part } from './merge.ts'

/** What a session says to its workers. */
export type ToWorker =
  | { readonly kind: 'open'; readonly plan: Plan; readonly rank: number }
  | { readonly kind: 'lane'; readonly lane: Lane }
  /** All lanes are there. With shared memory the worker then waits on `control` and hears no more messages. */
  | { readonly kind: 'start'; readonly shared: SharedInput | undefined }
  | { readonly kind: 'pass'; readonly weights: Float64Array; readonly factors: readonly Float64Array[] }

/** What a worker says to its session. */
export type FromWorker =
  | { readonly kind: 'ready'; readonly offer: Offer }
  /** A pass is done; without shared memory with its numbers. */
  | { readonly kind: 'done'; readonly output: Float64Array | undefined }
  | { readonly kind: 'failed'; readonly error: CarriedError }

/** Where the results of a worker's passes lie, in doubles from the start of its output. */
export interface Offer {
  readonly parts: readonly Part[]
  readonly listed: readonly ListedTable[]
  /** The output where memory is shared, else it comes with every pass. */
  readonly output: Float64Array | undefined
}

/** The statistics of a listed mode of a lane. */
export interface ListedTable {
  readonly lane: number
  readonly mode: number
  readonly labels: Uint32Array
  readonly at: number
}

export interface SharedInput {
  /** Number of the current pass, whether the session sleeps until told, and each worker's last finished pass. */
  readonly control: Int32Array
  readonly weights: Float64Array
  readonly factors: readonly Float64Array[]
  /** Which of the workers this is, from 0. */
  readonly worker: number
}

/** Places in `control`. */
export const PASS = 0
export const ASLEEP = 1
export const FINISHED = 2

/** Looks at a number before going to sleep over it: the next pass mostly comes sooner than a thread can be woken. */
export const LOOKS = 4000
