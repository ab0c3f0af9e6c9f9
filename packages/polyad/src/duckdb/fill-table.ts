import duckdb, { type Connection, type Vector } from '@duckdb/node-bindings'
import type { Codes, SentColumn, SentTable } from './sent-table.ts'
import { identifier } from './sql-text.ts'

/** One column of a table in DuckDB, and how so many of its values from a row on are written to a vector. */
interface FilledColumn {
  readonly name: string
  readonly type: 'UTINYINT' | 'USMALLINT' | 'INTEGER' | 'DOUBLE' | 'VARCHAR'
  write(vector: Vector, from: number, count: number): void
}

/** Rows that DuckDB takes at a time. */
const CHUNK = 2048

/** Makes temporary tables of what was sent, by appending chunks: nothing of it goes through the text of a statement. */
export const fillTables = async (connection: Connection, tables: readonly SentTable[]): Promise<void> => {
  const filled = tables.map(({ columns }) => columns.flatMap(columnsOf))
  const statements = tables.map(({ name }, t) => {
    const described = filled[t].map(column => `${identifier(column.name)} ${column.type}`)
    return `CREATE OR REPLACE TEMP TABLE ${identifier(name)} (${described.join(', ')})`
  })
  await duckdb.query(connection, statements.join('; '))
  tables.forEach((table, t) => {
    append(connection, table, filled[t])
  })
}

const append = (connection: Connection, { name, rows }: SentTable, filled: readonly FilledColumn[]): void => {
  const appender = duckdb.appender_create_ext(connection, 'temp', null, name)
  const chunk = duckdb.create_data_chunk(filled.map(({ type }) => duckdb.create_logical_type(duckdb.Type[type])))
  for (let from = 0; from < rows; from += CHUNK) {
    const count = Math.min(CHUNK, rows - from)
    duckdb.data_chunk_reset(chunk)
    filled.forEach((column, c) => {
      column.write(duckdb.data_chunk_get_vector(chunk, c), from, count)
    })
    duckdb.data_chunk_set_size(chunk, count)
    duckdb.append_data_chunk(appender, chunk)
  }
  duckdb.appender_close_sync(appender)
}

const TYPES = { 1: 'UTINYINT', 2: 'USMALLINT', 4: 'INTEGER' } as const

const columnsOf = (column: SentColumn): FilledColumn[] => {
  const { name, values } = column
  if ('width' in column) return spreadColumns(name, column.values, column.width)
  if (!ArrayBuffer.isView(values)) {
    const write = (vector: Vector, from: number, count: number) => {
      for (let i = 0; i < count; i++) duckdb.vector_assign_string_element(vector, i, values[from + i])
    }
    return [{ name, type: 'VARCHAR', write }]
  }
  const numbers = values as Codes | Float64Array
  const bytes = numbers.BYTES_PER_ELEMENT
  const type = numbers instanceof Float64Array ? 'DOUBLE' : TYPES[bytes as 1 | 2 | 4]
  const write = (vector: Vector, from: number, count: number) =>
    duckdb.copy_data_to_vector(
      vector,
      0,
      numbers.buffer as ArrayBuffer,
      numbers.byteOffset + from * bytes,
      count * bytes,
    )
  return [{ name, type, write }]
}

/** The numbers of a row in columns of their own. */
const spreadColumns = (name: string, values: Float64Array, width: number): FilledColumn[] => {
  const column = new Float64Array(CHUNK)
  return Array.from({ length: width }, (_, k) => ({
    name: `${name}${k}`,
    type: 'DOUBLE' as const,
    write: (vector: Vector, from: number, count: number) => {
      for (let i = 0, at = from * width + k; i < count; i++, at += width) column[i] = values[at]
      duckdb.copy_data_to_vector(vector, 0, column.buffer, 0, count * 8)
    },
  }))
}
