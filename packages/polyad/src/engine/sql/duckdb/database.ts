import { existsSync, statSync } from 'node:fs'
import { DataError, OptionError } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { openTables, type Tables } from '../../../duckdb/client.ts'
import { identifier, literal } from '../../../duckdb/sql-text.ts'
import { explain } from '../../../source/relation/faults.ts'
import { openRelation, type Relation } from '../../../source/relation/relation.ts'
import { readingOf } from '../../../table/view/reading.ts'
import { type Address, decoded } from '../address.ts'
import type { DatabaseKind, OpenDatabase, SqlTableOptions } from '../database-kind.ts'
import { viewDuckdb } from '../model-view.ts'
import { attachment, attachOthers } from './attachments.ts'
import { duckdbConnection } from './connection.ts'
import { duckdbDialect } from './dialect.ts'
import { planDuckdb } from './plan.ts'

/** Databases in DuckDB's own files. They are opened for reading only, unless a table is to be made in them. */
export const duckdbDatabases: DatabaseKind = {
  schemes: ['duckdb'],
  connect: async (address, options) => {
    const { file } = duckdbPlace(address, false)
    return attached(address, options, async tables => {
      await attachOthers(tables, address.attached)
      if (file !== undefined) await tables.run(attachSql(file, false))
      return { dialect: duckdbDialect, connection: duckdbConnection(tables, address.shown) }
    })
  },
  open: async (address, options, output) => {
    if (options.scratch !== undefined)
      throw new OptionError('scratch', 'is for ClickHouse: DuckDB has its working tables in memory and temporary files')
    const own = output === undefined ? undefined : duckdbPlace(output, true)
    const place = duckdbPlace(address, address === output)
    return attached(address, options, async tables => {
      await attachOthers(tables, address.attached)
      const relation = await attach(tables, address, place, options, own?.file === place.file)
      const target = await targetOf(tables, own, place.file)
      return opened(tables, relation, address.shown, target)
    })
  },
}

/** What is made of a new process of DuckDB, which is closed if that fails. */
const attached = async <T>(
  { shown }: Address,
  options: SqlTableOptions,
  open: (tables: Tables) => Promise<T>,
): Promise<T> => {
  const tables = await openTables(options)
  try {
    return await open(tables)
  } catch (error) {
    await tables.close()
    throw explain(error, { name: shown })
  }
}

const attachSql = (file: string, write: boolean): string =>
  `ATTACH ${literal(file)} AS ${ATTACHED}${write ? '' : ' (READ_ONLY)'}`

/** Files as DuckDB reads them: a lake is worked on where it lies. */
export const openFiles = async (
  paths: readonly string[],
  options: SqlTableOptions,
  output?: Address,
): Promise<OpenDatabase> => {
  const tables = await openTables(options)
  try {
    const missing = output === undefined ? readingOf(options).missing : []
    const relation = await openRelation(tables, paths, { ...options, missing })
    const target = await targetOf(tables, output === undefined ? undefined : duckdbPlace(output, true))
    return opened(tables, output === undefined ? relation : { ...relation, text: false }, relation.name, target)
  } catch (error) {
    await tables.close()
    throw error
  }
}

/** What the user's database is called among those that DuckDB has attached. */
const ATTACHED = 'polyad_attached'

/** And what that is called in which a table is to be made, where it is another. */
const OUTPUT = 'polyad_output'

interface Place {
  /** Undefined if the table is in a database that is attached. */
  readonly file: string | undefined
  readonly table: readonly string[]
}

const opened = (tables: Tables, relation: Relation, name: string, target: string | undefined): OpenDatabase => ({
  dialect: duckdbDialect,
  connection: duckdbConnection(tables, name),
  from: relation.from,
  name: relation.name,
  plan: asked => planDuckdb(tables, relation, asked),
  look: stored => viewDuckdb(tables, relation, stored),
  ...defined({ target }),
})

/** SQL of a table to be made, after its database was attached, unless it is the one that is read from. */
const targetOf = async (tables: Tables, place: Place | undefined, read?: string): Promise<string | undefined> => {
  if (place === undefined) return undefined
  if (place.file !== undefined && place.file !== read) await tables.run(`ATTACH ${literal(place.file)} AS ${OUTPUT}`)
  return [place.file === read ? ATTACHED : OUTPUT, ...place.table].map(identifier).join('.')
}

/** The file of an address, and below it the names of a schema and a table. */
const duckdbPlace = ({ rest, shown, attached: others }: Address, write: boolean): Place => {
  const parts = rest.split('/').map(decoded)
  for (let end = parts.length; end > 0; end--) {
    const file = parts.slice(0, end).join('/')
    if (existsSync(file) && statSync(file).isFile()) return { file, table: parts.slice(end) }
  }
  if (others.length > 0 && !write) return { file: undefined, table: parts.filter(part => part !== '') }
  if (write && parts.length > 1) return { file: parts.slice(0, -1).join('/'), table: parts.slice(-1) }
  throw new DataError(`${shown}: there is no such file; an address is duckdb:///folder/file.duckdb/table`)
}

const attach = async (
  tables: Tables,
  { shown, attached: others }: Address,
  { file, table }: Place,
  { sql }: SqlTableOptions,
  write: boolean,
): Promise<Relation> => {
  if (file !== undefined) await tables.run(attachSql(file, write))
  const catalog = file === undefined ? attachment(others[0]).name : ATTACHED
  const relation = { parts: [], text: false, shown: new Map<string, string>(), notes: [] }
  if (sql !== undefined) {
    if (table.length > 0)
      throw new OptionError('sql', 'names its tables itself: give the address of the database alone')
    await tables.run(`USE ${identifier(catalog)}`)
    return { ...relation, from: `(${sql.trim().replace(/;$/, '')})`, name: 'the query' }
  }
  if (table.length < 1 || table.length > 2) {
    const rows = await tables.rows(
      `SELECT CASE schema_name WHEN 'main' THEN '' ELSE schema_name || '/' END || table_name FROM duckdb_tables() WHERE database_name = ${literal(catalog)} ORDER BY 1`,
    )
    throw new OptionError(`${shown}: name a table after the file: ${rows.map(([name]) => name).join(', ')}`)
  }
  return { ...relation, from: [catalog, ...table].map(identifier).join('.'), name: shown }
}
