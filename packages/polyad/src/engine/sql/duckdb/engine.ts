import type { Engine } from '@polyad/core'
import type { TablesOptions } from '../../../duckdb/client.ts'
import { sqlEngine } from '../sql-engine.ts'
import { openDuckdb } from './connection.ts'
import { duckdbDialect } from './dialect.ts'

/**
 * The SQL engine for a tensor in memory, whose cells are sent to a DuckDB of their own: to compare it with other engines. Data that is in a
 * database or in files already is opened with `openSqlTable`.
 * @example
 * const { loss } = await fit(answers, { rank: 2, starts: 2, engine: duckdbEngine() })
 * Math.round(loss) // -3652
 */
export const duckdbEngine = (options: TablesOptions = {}): Engine =>
  sqlEngine('duckdb', async () => ({ dialect: duckdbDialect, connection: await openDuckdb(options) }))
