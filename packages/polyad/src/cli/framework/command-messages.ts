import type { Leftover } from '../../duckdb/leftovers.ts'
import type { LateEnd } from '../terminal/io.ts'

/** What the thread of a command is started with. */
export interface CommandStart {
  readonly words: readonly string[]
  /** When the process began, in milliseconds since 1970. */
  readonly began: number
  readonly terminals: Readonly<Record<OutputName, boolean>>
  /** How many columns standard output and standard error have, in this order: kept up to date. */
  readonly columns: Int32Array
}

export type OutputName = 'stdout' | 'stderr'
export const OUTPUTS: readonly OutputName[] = ['stdout', 'stderr']

/** From the thread of a command to the one that watches it. */
export type CommandMessage =
  | { readonly kind: 'text'; readonly to: OutputName; readonly text: string }
  | { readonly kind: 'limit'; readonly seconds: number }
  /** How it ends if its time is over before it has answered: made ahead, since by then the thread may be busy. */
  | { readonly kind: 'late'; readonly late: LateEnd }
  | { readonly kind: 'stoppable' }
  | { readonly kind: 'found' }
  | { readonly kind: 'kept'; readonly path: string }
  /** All that it had to say is said. */
  | { readonly kind: 'over'; readonly code: number }
  | { readonly kind: 'leftover'; readonly leftover: Leftover; readonly there: boolean }

/** The other way round: a signal that the process has got. */
export interface SignalMessage {
  readonly signal: NodeJS.Signals
}
