import duckdb, { type Connection, type DataChunk, type Result, type Vector } from '@duckdb/node-bindings'
import type { ResultPiece } from './messages.ts'

/**
 * DuckDB by its own interface. The package that is usually put around it knows every type there is, and takes longer to
 * load than a small table to be read; the statements here give few.
 */

export interface OpenDatabase {
  readonly connection: Connection
  readonly close: () => void
}

/** How deep an expression may be: as many terms as a table may have columns, and some for each of them. */
const DEEPEST = 20_000

export const openDatabase = async (settings: Readonly<Record<string, string>>): Promise<OpenDatabase> => {
  const config = duckdb.create_config()
  for (const [name, value] of Object.entries(settings)) duckdb.set_config(config, name, value)
  const database = await duckdb.open(':memory:', config)
  const connection = await duckdb.connect(database)
  // What is read must not depend on where the machine is. It is a setting of an extension, which is not there before.
  await runStatements(connection, "SET TimeZone = 'UTC'")
  // A condition on every column of a table with a thousand columns is deeper than what is allowed by default.
  await runStatements(connection, `SET max_expression_depth TO ${DEEPEST}`)
  const close = () => {
    duckdb.disconnect_sync(connection)
    duckdb.close_sync(database)
  }
  return { connection, close }
}

/** Runs statements; the result is that of the last. */
export const runStatements = (connection: Connection, sql: string): Promise<Result> => duckdb.query(connection, sql)

/** How far the statement under way has come, in percent. */
export const progressOf = (connection: Connection): number => duckdb.query_progress(connection).percentage

/** A result as rows of plain values. */
export const rowsOf = async (result: Result): Promise<unknown[][]> => {
  const rows: unknown[][] = []
  for await (const chunk of chunksOf(result)) {
    const size = duckdb.data_chunk_get_size(chunk)
    const columns = vectorsOf(chunk).map(vector => valuesOf(vector, size))
    for (let row = 0; row < size; row++) rows.push(columns.map(column => column[row]))
  }
  return rows
}

/** The result of a statement in pieces of so many rows or a few more: columns of INTEGER, DOUBLE and VARCHAR without NULL. */
export async function* piecesOf(connection: Connection, sql: string, rows: number): AsyncGenerator<ResultPiece> {
  const prepared = await duckdb.prepare(connection, sql)
  try {
    let chunks: DataChunk[] = []
    let size = 0
    for await (const chunk of chunksOf(await duckdb.execute_prepared_streaming(prepared))) {
      chunks.push(chunk)
      size += duckdb.data_chunk_get_size(chunk)
      if (size < rows) continue
      yield joined(chunks, size)
      chunks = []
      size = 0
    }
    if (size > 0) yield joined(chunks, size)
  } finally {
    duckdb.destroy_prepare_sync(prepared)
  }
}

/** The columns of several chunks, end to end. */
const joined = (chunks: readonly DataChunk[], size: number): ResultPiece =>
  Array.from({ length: duckdb.data_chunk_get_column_count(chunks[0]) }, (_, column) => {
    if (typeOf(duckdb.data_chunk_get_vector(chunks[0], column)) === duckdb.Type.VARCHAR) {
      return chunks.flatMap(
        chunk => valuesOf(duckdb.data_chunk_get_vector(chunk, column), duckdb.data_chunk_get_size(chunk)) as string[],
      )
    }
    const parts = chunks.map(chunk =>
      numbersOf(duckdb.data_chunk_get_vector(chunk, column), duckdb.data_chunk_get_size(chunk)),
    )
    return endToEnd(parts, size)
  })

/** Numbers of several vectors in one array. */
export const endToEnd = (parts: readonly (Int32Array | Float64Array)[], size: number): Int32Array | Float64Array => {
  const all = parts[0] instanceof Int32Array ? new Int32Array(size) : new Float64Array(size)
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}

/** The chunks of a statement's result. The next one is read while one is worked on. */
export async function* chunksAhead(connection: Connection, sql: string): AsyncGenerator<DataChunk> {
  const prepared = await duckdb.prepare(connection, sql)
  try {
    const result = await duckdb.execute_prepared_streaming(prepared)
    let next = duckdb.fetch_chunk(result)
    for (;;) {
      const chunk = await next
      if (chunk === null || duckdb.data_chunk_get_size(chunk) === 0) return
      next = duckdb.fetch_chunk(result)
      // It is looked at in its turn: until then a failure is not to end the process.
      next.catch(() => {})
      yield chunk
    }
  } finally {
    duckdb.destroy_prepare_sync(prepared)
  }
}

async function* chunksOf(result: Result): AsyncGenerator<DataChunk> {
  for (;;) {
    const chunk = await duckdb.fetch_chunk(result)
    if (chunk === null || duckdb.data_chunk_get_size(chunk) === 0) return
    yield chunk
  }
}

const vectorsOf = (chunk: DataChunk): Vector[] =>
  Array.from({ length: duckdb.data_chunk_get_column_count(chunk) }, (_, c) => duckdb.data_chunk_get_vector(chunk, c))

const typeOf = (vector: Vector) => duckdb.get_type_id(duckdb.vector_get_column_type(vector))

/** The numbers of a vector where they lie. */
export const numbersOf = (vector: Vector, size: number): Int32Array | Float64Array => {
  const whole = typeOf(vector) === duckdb.Type.INTEGER
  const { buffer, byteOffset } = duckdb.vector_get_data(vector, size * (whole ? 4 : 8))
  return whole ? new Int32Array(buffer, byteOffset, size) : new Float64Array(buffer, byteOffset, size)
}

/** The values of a vector, null where there is none. */
const valuesOf = (vector: Vector, size: number): unknown[] => {
  const valueAt = readerOf(vector, size)
  const validity = duckdb.vector_get_validity(vector, 8 * Math.ceil(size / 64)) as Uint8Array | null
  return Array.from({ length: size }, (_, row) =>
    validity === null || (validity[row >> 3] >> (row & 7)) & 1 ? valueAt(row) : null,
  )
}

const readerOf = (vector: Vector, size: number): ((row: number) => unknown) => {
  const type = typeOf(vector)
  switch (type) {
    case duckdb.Type.BOOLEAN: {
      const bytes = duckdb.vector_get_data(vector, size)
      return row => bytes[row] !== 0
    }
    case duckdb.Type.INTEGER:
    case duckdb.Type.DOUBLE: {
      const numbers = numbersOf(vector, size)
      return row => numbers[row]
    }
    case duckdb.Type.VARCHAR:
      return textReader(duckdb.vector_get_data(vector, size * TEXT))
    case duckdb.Type.LIST: {
      const { buffer, byteOffset } = duckdb.vector_get_data(vector, size * 16)
      const places = new DataView(buffer, byteOffset, size * 16)
      const entries = valuesOf(duckdb.list_vector_get_child(vector), duckdb.list_vector_get_size(vector))
      return row => {
        const first = Number(places.getBigUint64(row * 16, true))
        return entries.slice(first, first + Number(places.getBigUint64(row * 16 + 8, true)))
      }
    }
    default:
      throw new Error(`a column of a result has the type ${duckdb.Type[type]}, which cannot be read`)
  }
}

/** Bytes of a text in a vector: its length, and the text itself where it is short, else four letters and where it is. */
const TEXT = 16
const SHORT = 12

const textReader =
  (data: Uint8Array): ((row: number) => string) =>
  row =>
    textBytes(data, row).toString('utf8')

/** The bytes of a text or BLOB of a vector. */
export const textBytes = (data: Uint8Array, row: number): Buffer => {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const at = row * TEXT
  const length = bytes.readUInt32LE(at)
  if (length <= SHORT) return bytes.subarray(at + 4, at + 4 + length)
  const text = duckdb.get_data_from_pointer(data.buffer as ArrayBuffer, data.byteOffset + at + 8, length)
  return Buffer.from(text.buffer, text.byteOffset, length)
}
