import type { Tables, TablesOptions } from '../../duckdb/client.ts'
import type { TableOptions } from '../../source/read-table.ts'
import type { Address } from './address.ts'
import type { RetryOptions } from './retry.ts'
import type { Database } from './session.ts'
import type { TablePlan } from './table-plan.ts'

export interface SqlTableOptions extends TableOptions, TablesOptions, RetryOptions {}

/** A database that was opened for an address. */
export interface OpenDatabase extends Database {
  /** SQL of the table that the address names, and what to call it. */
  readonly from: string
  readonly name: string
  /** How that table is to be read. */
  plan(options: TableOptions): Promise<TablePlan>
  /** DuckDB itself, where it is one of its own: rows of it can be understood by DuckDB's rules. */
  readonly tables?: Tables
}

/** A kind of database, by the scheme of its addresses. */
export interface DatabaseKind {
  readonly schemes: readonly string[]
  /** Opens the database of an address; with `write`, so that tables can be made in it. */
  open(address: Address, options: SqlTableOptions & { readonly write?: boolean }): Promise<OpenDatabase>
}
