import type { TablesOptions } from '../../duckdb/client.ts'
import type { StoredModel } from '../../output/model-store.ts'
import type { RelationOptions } from '../../source/relation/relation.ts'
import type { TableOptions } from '../../table/reading/read-view.ts'
import type { Address } from './address.ts'
import type { ModelView } from './model-view.ts'
import type { RetryOptions } from './retry.ts'
import type { Database } from './session.ts'
import type { TablePlan } from './table-plan.ts'

export interface SqlTableOptions extends TableOptions, Omit<RelationOptions, 'missing'>, TablesOptions, RetryOptions {
  /** For ClickHouse: the database in which working tables are made. Default: that of the table. */
  readonly scratch?: string
}

/** A database that was opened for an address. */
export interface OpenDatabase extends Database {
  /** SQL of the table that the address names, and what to call it. */
  readonly from: string
  readonly name: string
  /** How that table is to be read. */
  plan(options: SqlTableOptions): Promise<TablePlan>
  /** What a model needs to look at the rows of that table. */
  look(stored: StoredModel): Promise<ModelView>
  /** SQL of the table that is to be made, where one was asked for. */
  readonly target?: string
}

/** A kind of database, by the scheme of its addresses. */
export interface DatabaseKind {
  readonly schemes: readonly string[]
  /** Opens a way to the database alone, whatever table the address names. */
  connect(address: Address, options: SqlTableOptions): Promise<Database>
  /** Opens the database of an address; where a table is to be made, `output` says which. */
  open(address: Address, options: SqlTableOptions, output?: Address): Promise<OpenDatabase>
}
