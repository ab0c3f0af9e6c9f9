import { existsSync, statSync } from 'node:fs'
import { DataError, OptionError } from '@polyad/core'
import { openTables, type Tables } from '../../duckdb/client.ts'
import { identifier, literal } from '../../duckdb/sql-text.ts'
import { explain } from '../../source/faults.ts'
import { openRelation, type Relation } from '../../source/relation.ts'
import { readingOf } from '../../source/values.ts'
import { type Address, decoded } from './address.ts'
import type { DatabaseKind, OpenDatabase, SqlTableOptions } from './database-kind.ts'
import { duckdbConnection } from './duckdb-connection.ts'
import { duckdbDialect } from './duckdb-dialect.ts'
import { planDuckdb } from './duckdb-plan.ts'

/** Databases in DuckDB's own files. They are opened for reading only, unless a table is to be made in them. */
export const duckdbDatabases: DatabaseKind = {
  schemes: ['duckdb'],
  open: async (address, options) => {
    const { file, table } = duckdbPlace(address, options.write === true)
    const tables = await openTables(options)
    try {
      const relation = await attach(tables, address, file, table, options)
      return {
        dialect: duckdbDialect,
        connection: duckdbConnection(tables, address.shown),
        from: relation.from,
        name: relation.name,
        plan: asked => planDuckdb(tables, relation, asked),
        tables,
      }
    } catch (error) {
      await tables.close()
      throw explain(error, { name: address.shown })
    }
  },
}

/** Files as DuckDB reads them: a lake is worked on where it lies. */
export const openFiles = async (paths: readonly string[], options: SqlTableOptions): Promise<OpenDatabase> => {
  const tables = await openTables(options)
  try {
    const relation = await openRelation(tables, paths, { ...options, missing: readingOf(options).missing })
    return {
      dialect: duckdbDialect,
      connection: duckdbConnection(tables, relation.name),
      from: relation.from,
      name: relation.name,
      plan: asked => planDuckdb(tables, relation, asked),
      tables,
    }
  } catch (error) {
    await tables.close()
    throw error
  }
}

/** What the user's database is called among those that DuckDB has attached. */
const ATTACHED = 'polyad_attached'

/** The file of an address, and below it the names of a schema and a table. */
const duckdbPlace = ({ rest, shown }: Address, write: boolean): { file: string; table: readonly string[] } => {
  const parts = rest.split('/').map(decoded)
  for (let end = parts.length; end > 0; end--) {
    const file = parts.slice(0, end).join('/')
    if (existsSync(file) && statSync(file).isFile()) return { file, table: parts.slice(end) }
  }
  if (write && parts.length > 1) return { file: parts.slice(0, -1).join('/'), table: parts.slice(-1) }
  throw new DataError(`${shown}: there is no such file; an address is duckdb:///folder/file.duckdb/table`)
}

const attach = async (
  tables: Tables,
  { shown }: Address,
  file: string,
  table: readonly string[],
  { sql, write = false }: SqlTableOptions & { readonly write?: boolean },
): Promise<Relation> => {
  await tables.run(`ATTACH ${literal(file)} AS ${ATTACHED}${write ? '' : ' (READ_ONLY)'}`)
  const relation = { parts: [], text: false, shown: new Map<string, string>(), notes: [] }
  if (sql !== undefined) {
    if (table.length > 0) throw new OptionError('sql names its tables itself: give the address of the database alone')
    await tables.run(`USE ${ATTACHED}`)
    return { ...relation, from: `(${sql.trim().replace(/;$/, '')})`, name: 'the query' }
  }
  if (table.length < 1 || table.length > 2) {
    const rows = await tables.rows(
      `SELECT CASE schema_name WHEN 'main' THEN '' ELSE schema_name || '/' END || table_name FROM duckdb_tables() WHERE database_name = '${ATTACHED}' ORDER BY 1`,
    )
    throw new OptionError(`${shown}: name a table below the file: ${rows.map(([name]) => name).join(', ')}`)
  }
  return { ...relation, from: [ATTACHED, ...table].map(identifier).join('.'), name: shown }
}
