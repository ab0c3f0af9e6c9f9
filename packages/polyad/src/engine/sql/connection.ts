import type { Mention } from '@polyad/core/options'
import type { ResultPiece } from '../../duckdb/messages.ts'
import type { SentTable } from '../../duckdb/sent-table.ts'

export type { ResultPiece } from '../../duckdb/messages.ts'
export type { Codes, SentColumn, SentTable } from '../../duckdb/sent-table.ts'

/** A statement by the servers that it is for: as a text alone, for the first of them. */
export type Statement = string | Scoped

export interface Scoped {
  /** 'each': for every shard, on its own tables. 'added': the same, and the one row that each shard gives is added up, column by column. */
  readonly scope: 'each' | 'added'
  /**
   * The text for a shard, by its number from 0; of several texts, that belong together, one is done after the other by each server, and all of
   * them again if one has failed.
   */
  texts(shard: number): readonly string[]
}

/** A statement of one or more texts for every shard. */
export const onEach = (...texts: readonly string[]): Scoped => ({ scope: 'each', texts: () => texts })

/** What a server is given. */
export const textsOf = (statement: Statement, shard: number): readonly string[] =>
  typeof statement === 'string' ? [statement] : statement.texts(shard)

/**
 * A way to a database. It carries statements and results, decides nothing and retries nothing. One statement at a time: the engine
 * waits for one before it gives the next. Errors are `DatabaseFault`s.
 */
export interface Connection {
  /** What to call the server (or file) in messages, without a password. */
  readonly name: string
  /** Runs a statement whose result is not wanted; the tables sent with it can be selected from by their names. */
  run(statement: Statement, sent?: readonly SentTable[]): Promise<void>
  /** A small result, as rows of numbers, texts and null. */
  rows(statement: Statement, sent?: readonly SentTable[]): Promise<readonly (readonly unknown[])[]>
  /** Calls back with every piece of a large result without NULL: columns are INTEGER, DOUBLE or text, as the dialect casts them. */
  columns(statement: Statement, onPiece: (piece: ResultPiece) => void, sent?: readonly SentTable[]): Promise<void>
  /** Makes the connection anew where it was lost, to another server with the same rows if need be; called before a statement is tried again. */
  renew?(): Promise<void>
  /** How often another server has taken the place of one that failed: tables that were made there are not on it. */
  readonly moves?: number
  /** Ends the statement under way, whose caller has given it up: the next one does not have to wait for its result. */
  cancel?(): Promise<void>
  close(): Promise<void>
}

/** A statement that failed, in the database's words and without passwords. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault'
  /** Whether the same statement may succeed later: a lost connection, a server that starts, memory or disk that was short. */
  readonly transient: boolean
  /** The server or shard that failed, where it is not the connection's own. */
  readonly place: string | undefined
  /** The database's own number of the error, where it has one. */
  readonly code: number | undefined
  /** What to do about it. */
  readonly advice: Mention | undefined

  constructor(
    message: string,
    { transient, place, code, advice, ...options }: ErrorOptions & Partial<DatabaseFault> & { transient: boolean },
  ) {
    super(message, options)
    this.advice = advice
    this.transient = transient
    this.place = place
    this.code = code
  }
}
