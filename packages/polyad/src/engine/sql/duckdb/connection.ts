import { EngineError } from '@polyad/core'
import { advise } from '@polyad/core/options'
import { openTables, TableFault, type Tables, type TablesOptions } from '../../../duckdb/client.ts'
import { type Connection, DatabaseFault, type Statement, textsOf } from '../connection.ts'

/** A connection to DuckDB by way of the process that runs it. It is the caller's to close, or is closed with the connection. */
export const duckdbConnection = (tables: Tables, name: string): Connection => ({
  name,
  run: (statement, sent) => faults(() => tables.run(textOf(statement), sent)),
  rows: (statement, sent) => faults(() => tables.rows(textOf(statement), sent)),
  columns: (statement, onPiece, sent) => faults(() => tables.pieces(textOf(statement), onPiece, sent)),
  close: () => tables.close(),
})

/** There is one server, and it takes several texts as one. */
const textOf = (statement: Statement): string => textsOf(statement, 0).join(';\n')

/** DuckDB in memory, without a user's database. */
export const openDuckdb = async (options: TablesOptions = {}): Promise<Connection> =>
  duckdbConnection(await openTables(options), 'DuckDB')

/** What DuckDB refuses it will refuse again: its tables are in its own process, and nothing comes back by waiting. */
const faults = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TableFault || error instanceof EngineError)
      throw new DatabaseFault(firstLines(error.message), { transient: false, cause: error, ...adviceOn(error.message) })
    throw error
  }
}

/**
 * DuckDB stops at the limit that it was given, so more helps, if the machine has it. A process that was killed had more than the machine: its own message says so.
 */
const adviceOn = (message: string) =>
  message.startsWith('Out of Memory') && !message.includes('failed to offload')
    ? { advice: advise('it reached its memory limit: raise', 'memory') }
    : {}

/** DuckDB's words without the statement, which it quotes below them. */
const firstLines = (message: string): string => message.split(/\n\s*\n|\nLINE /)[0].trim()
