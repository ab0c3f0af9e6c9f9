import duckdb, { type Connection, type DataChunk } from '@duckdb/node-bindings'
import type { PackedTexts } from '@polyad/core/model'
import { chunksAhead, endToEnd, numbersOf, textBytes } from './database.ts'
import { type CodedPiece, type CodingPlan, TOO_MANY } from './messages.ts'
import { TextCodes, TooManyTexts } from './text-codes.ts'

/** Rows that a chunk of DuckDB has at most. */
const CHUNK = 2048

/**
 * Streams the rows of a statement and puts codes in the place of texts, a piece of about so many rows at a time. Returns the texts of every
 * mode in the order of their codes. The next chunk is read while one is worked on.
 */
export async function* codedRows(
  connection: Connection,
  sql: string,
  { pieces, numbers, most, expected }: CodingPlan,
  size: number,
): AsyncGenerator<CodedPiece, readonly PackedTexts[]> {
  const firsts = pieces.map((_, n) => pieces.slice(0, n).reduce((sum, count) => sum + count, 0))
  const texts = pieces.map((count, n) => new TextCodes(count, most, expected[n]))
  const codes = pieces.map(() => new Int32Array(size + CHUNK))
  const columns = pieces.reduce((sum, count) => sum + count, 0)
  let parts: (Int32Array | Float64Array)[][] = []
  let rows = 0
  const take = (): CodedPiece => {
    const piece = {
      codes: codes.map((own, n) => narrowed(own.subarray(0, rows), texts[n].size)),
      numbers: Array.from({ length: numbers }, (_, k) =>
        endToEnd(
          parts.map(part => part[k]),
          rows,
        ),
      ),
    }
    parts = []
    rows = 0
    return piece
  }
  for await (const chunk of chunksAhead(connection, sql)) {
    const count = duckdb.data_chunk_get_size(chunk)
    texts.forEach((own, n) => {
      try {
        codeColumn(own, chunk, firsts[n], pieces[n], count, codes[n], rows)
      } catch (error) {
        throw error instanceof TooManyTexts ? new Error(`${TOO_MANY}${n}`) : error
      }
    })
    if (numbers > 0)
      parts.push(
        Array.from({ length: numbers }, (_, k) => numbersOf(duckdb.data_chunk_get_vector(chunk, columns + k), count)),
      )
    rows += count
    if (rows >= size) yield take()
  }
  if (rows > 0) yield take()
  return texts.map(own => own.pack())
}

const codeColumn = (
  texts: TextCodes,
  chunk: DataChunk,
  first: number,
  pieces: number,
  rows: number,
  into: Int32Array,
  from: number,
): void => {
  const vectors = Array.from({ length: pieces }, (_, p) => duckdb.data_chunk_get_vector(chunk, first + p))
  const data = vectors.map(vector => duckdb.vector_get_data(vector, 16 * rows))
  const valid = duckdb.vector_get_validity(vectors[0], 8 * Math.ceil(rows / 64)) as Uint8Array | null
  const words = data.map(({ buffer, byteOffset }) => new Uint32Array(buffer, byteOffset, 4 * rows))
  texts.code(words, valid, rows, into, from, row => Buffer.concat(data.map(piece => textBytes(piece, row))))
}

/** Codes up to a number in as few bytes as they need. */
const narrowed = (codes: Int32Array, most: number): Uint8Array | Uint16Array | Int32Array =>
  most < 2 ** 8 ? Uint8Array.from(codes) : most < 2 ** 16 ? Uint16Array.from(codes) : codes.slice()
