import { OptionError } from '@polyad/core'
import { type ClosableSession, closable, throwIfStopped } from '@polyad/core/engine'
import { defined } from '@polyad/core/options'
import { withRemote } from '../source/relation/remote.ts'
import { readUnlessStopped } from '../source/stoppable-reading.ts'
import { tensorNotes } from '../table/reading/read-view.ts'
import { orderNotes } from '../table/values/label-order.ts'
import { choice, type Note } from '../table/values/note.ts'
import type { Recipe } from '../table/view/recipe.ts'
import { type Address, isAddress, parseAddress } from './sql/address.ts'
import { clickhouseDatabases } from './sql/clickhouse/database.ts'
import { countTable } from './sql/count-table.ts'
import type { DatabaseKind, OpenDatabase, SqlTableOptions } from './sql/database-kind.ts'
import { WORKING } from './sql/dialect.ts'
import { duckdbDatabases, openFiles } from './sql/duckdb/database.ts'
import { retried } from './sql/retry.ts'
import { sweepWorking } from './sql/working-table.ts'

/** A table that stays in its database, counted there. */
export interface SqlTable {
  /** What `fit`, `chooseRank` and `evaluate` take; closing it removes what was made in the database, and closes the connection. */
  readonly session: ClosableSession
  readonly rows: number
  readonly dropped: number
  readonly notes: readonly Note[]
  readonly recipe: Recipe
  readonly source: Readonly<Record<string, unknown>>
}

/** All kinds of databases there are. */
export const DATABASES: readonly DatabaseKind[] = [duckdbDatabases, clickhouseDatabases]

const kindOf = ({ scheme }: Address): DatabaseKind => {
  const kind = DATABASES.find(({ schemes }) => schemes.includes(scheme))
  if (kind !== undefined) return kind
  const known = DATABASES.flatMap(({ schemes }) => schemes).join(', ')
  throw new OptionError(`databases are addressed by ${known}://… (got ${scheme}://)`)
}

/** Opens the database that an address names; where a table is to be made, `output` is its address. */
export const openDatabaseOf = async (
  text: string,
  options: SqlTableOptions = {},
  output?: string,
): Promise<OpenDatabase> => {
  const address = parseAddress(text)
  const kind = kindOf(address)
  const made = output === undefined || output === text ? address : parseAddress(output)
  if (!kind.schemes.includes(made.scheme))
    throw new OptionError(
      `${made.shown} is in another database than the rows, and rows do not leave their database: name a table in it`,
    )
  const database = await kind.open(address, options, output === undefined ? undefined : made)
  await sweepWorking(database)
  return database
}

/**
 * Removes the working tables that runs have left in a database, also those of runs in progress; returns their names.
 * @example
 * const clean = () => cleanDatabase('duckdb:///folder/survey.duckdb') // the names of the tables that it removes
 */
export const cleanDatabase = async (text: string, options: SqlTableOptions = {}): Promise<string[]> => {
  const address = parseAddress(text)
  const { dialect, connection } = await kindOf(address).connect(address, options)
  try {
    const rows = await retried(connection, options, () => connection.rows(dialect.leftovers(WORKING)))
    const tables = rows.map(([table]) => String(table))
    for (const table of tables)
      for (const sql of dialect.drop(table)) await retried(connection, options, () => connection.run(sql))
    return tables
  } finally {
    await connection.close()
  }
}

/**
 * Opens a table of a database, or files through DuckDB, for fits inside the database: cells are counted there, every pass is a statement, and only labels
 * and sums are returned.
 * @example
 * const { session } = await openSqlTable('survey.csv', { count: 'n' })
 * const { model } = await fit(session, { rank: 2, starts: 1 })
 * await session.close()
 * model.rank // 2
 */
export const openSqlTable = async (
  data: string | readonly string[],
  options: SqlTableOptions = {},
): Promise<SqlTable> => {
  const { signal } = options
  // Once the table is open, whoever works on it decides what a signal ends.
  const opening = new AbortController()
  const stop = () => opening.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const open = () => countWhereItIs(data, { ...options, signal: opening.signal })
    return await readUnlessStopped(signal, open, ({ session }) => session.close())
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

const countWhereItIs = async (
  data: string | readonly string[],
  options: SqlTableOptions & { readonly signal: AbortSignal },
): Promise<SqlTable> => {
  const paths = typeof data === 'string' ? [data] : data
  const addresses = paths.filter(isAddress)
  if (addresses.length > 0 && paths.length > 1)
    throw new OptionError(
      'a table of a database cannot be read together with other data: name one address, and no files',
    )
  const files = withRemote(paths, options)
  const database =
    addresses.length === 1 ? await openDatabaseOf(addresses[0], options) : await openFiles(files.paths, files.options)
  // A statement that is given up is ended in the database too, and what was made there is removed.
  const cancel = () => void database.connection.cancel?.().catch(() => {})
  options.signal.addEventListener('abort', cancel, { once: true })
  try {
    const plan = await database.plan(options)
    throwIfStopped(options.signal)
    const { session, rows, dropped, merged } = await countTable(database, plan, options)
    const { data: counts } = session
    return {
      session: closable({ ...session, close: () => session.close().finally(() => database.connection.close()) }),
      rows,
      dropped,
      notes: [
        ...plan.notes,
        ...(plan.count === undefined ? [] : [choice(`counting by column ${plan.count}: N = ${counts.total}`)]),
        ...orderNotes(
          counts.modes.flatMap(({ name, labels }, n) =>
            plan.modes[n].ordered === undefined && labels !== undefined
              ? [{ column: { name }, binning: undefined, labels }]
              : [],
          ),
        ),
        ...tensorNotes(counts, dropped, merged),
      ],
      recipe: plan.recipe(merged),
      source: {
        files: addresses.length === 1 ? [parseAddress(addresses[0]).shown] : paths,
        engine: `sql (${database.dialect.name})`,
        ...defined({ sql: options.sql }),
        ...(plan.where === undefined ? {} : { where: plan.where, rowsBefore: plan.rowsBefore }),
        ...defined({ count: plan.count }),
        rows,
      },
    }
  } catch (error) {
    await database.connection.close()
    throw error
  } finally {
    options.signal.removeEventListener('abort', cancel)
  }
}
