import type { ResultPiece } from '../../duckdb/messages.ts'
import type { SentTable } from '../../duckdb/sent-table.ts'

export type { ResultPiece } from '../../duckdb/messages.ts'
export type { Codes, SentColumn, SentTable } from '../../duckdb/sent-table.ts'

/**
 * A way to a database. It carries statements and results, decides nothing and retries nothing. One statement at a time: the engine
 * waits for one before it gives the next. Errors are `DatabaseFault`s.
 */
export interface Connection {
  /** What to call the server (or file) in messages, without a password. */
  readonly name: string
  /** Runs a statement whose result is not wanted; the tables sent with it can be selected from by their names. */
  run(sql: string, sent?: readonly SentTable[]): Promise<void>
  /** A small result, as rows of numbers, texts and null. */
  rows(sql: string, sent?: readonly SentTable[]): Promise<readonly (readonly unknown[])[]>
  /** Calls back with every piece of a large result without NULL: columns are INTEGER, DOUBLE or text, as the dialect casts them. */
  columns(sql: string, onPiece: (piece: ResultPiece) => void, sent?: readonly SentTable[]): Promise<void>
  /** Makes the connection anew where it was lost; called before a statement is tried again. */
  renew?(): Promise<void>
  close(): Promise<void>
}

/** A statement that failed, in the database's words and without passwords. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault'
  /** Whether the same statement may succeed later: a lost connection, a server that starts, memory or disk that was short. */
  readonly transient: boolean
  /** The server or shard that failed, where it is not the connection's own. */
  readonly place: string | undefined

  constructor(
    message: string,
    { transient, place, ...options }: ErrorOptions & { transient: boolean; place?: string },
  ) {
    super(message, options)
    this.transient = transient
    this.place = place
  }
}
