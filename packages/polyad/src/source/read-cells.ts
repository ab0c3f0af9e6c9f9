import type { Tables } from '../duckdb/client.ts'
import type { ColumnPiece } from '../duckdb/messages.ts'
import { type CellKeys, takeApart } from './cell-keys.ts'

/** Counted cells as they come over, with codes in place of labels. */
export interface Cells {
  /** How many cells have codes. They come first, and in their order; then those that had a text without one. */
  readonly coded: number
  readonly indices: readonly Int32Array[]
  readonly values: Float64Array
  /** Of sampling weights, the sums of their squares. */
  readonly squares: Float64Array | undefined
  /** For each mode the texts that the codes of the other cells stand for. */
  readonly lateTexts: readonly (readonly string[])[]
}

/** What receives cells as they come over: their codes and numbers, in arrays of its own. */
export interface CellSink {
  /** Cells whose labels all have codes, in the order of these; as words, to be taken apart. */
  coded(words: readonly Int32Array[], numbers: ColumnPiece): void
  /** Cells with a label that has none: for each mode the position of its text among the late ones, or −1. */
  late(codes: readonly Int32Array[], numbers: ColumnPiece): void
}

/** Brings the counted cells over, piece by piece; returns for each mode the texts that late codes stand for. */
export const sendCells = async (
  tables: Tables,
  keys: CellKeys,
  late: number,
  condition: string,
  sampling: boolean,
  sink: CellSink,
): Promise<readonly (readonly string[])[]> => {
  const numbers = sampling ? 'value, square' : 'value'
  const words = keys.words.map((_, w) => `w${w}`).join(', ')
  await tables.columns(
    `SELECT ${words}, ${numbers} FROM cells WHERE rest IS NULL AND ${condition} ORDER BY ${words}`,
    piece => sink.coded(piece.slice(0, keys.words.length) as Int32Array[], piece.slice(keys.words.length)),
  )
  if (late === 0) return keys.texts.map(() => [])
  // An ENUM numbers the texts in DuckDB, so that only whole numbers are sent.
  const types = keys.texts.map(
    (_, n) =>
      `CREATE TYPE late${n} AS ENUM (SELECT DISTINCT rest[${n + 1}] FROM cells WHERE rest[${n + 1}] IS NOT NULL)`,
  )
  const texts = keys.texts.map((_, n) => `enum_range(NULL::late${n})::VARCHAR[]`)
  const [lateTexts] = (await tables.rows([...types, `SELECT ${texts.join(', ')}`].join('; '))) as string[][][]
  const codes = keys.texts.map((_, n) => `CAST(coalesce(enum_code(CAST(rest[${n + 1}] AS late${n})), -1) AS INTEGER)`)
  await tables.columns(`SELECT ${codes.join(', ')}, ${numbers} FROM cells WHERE rest IS NOT NULL`, piece =>
    sink.late(piece.slice(0, codes.length) as Int32Array[], piece.slice(codes.length)),
  )
  return lateTexts
}

/** Brings the counted cells over, each piece straight to its place. */
export const readCells = async (
  tables: Tables,
  keys: CellKeys,
  coded: number,
  late: number,
  condition: string,
  sampling: boolean,
): Promise<Cells> => {
  const indices = keys.texts.map(() => new Int32Array(coded + late))
  const values = new Float64Array(coded + late)
  const squares = sampling ? new Float64Array(coded + late) : undefined
  let from = 0
  const take = (given: ColumnPiece) => {
    values.set(given[0], from)
    squares?.set(given[1], from)
    from += given[0].length
  }
  const lateTexts = await sendCells(tables, keys, late, condition, sampling, {
    coded: (words, numbers) => {
      takeApart(keys, words, indices, from)
      take(numbers)
    },
    late: (codes, numbers) => {
      indices.forEach((column, n) => {
        column.set(codes[n], from)
      })
      take(numbers)
    },
  })
  return { coded, indices, values, squares, lateTexts }
}

/** The texts that occur in a mode's cells; `place` then puts the positions of their labels in the place of codes. */
export const labelCells = ({ coded, indices, lateTexts }: Cells, { texts }: CellKeys, n: number) => {
  const first = indices[n].subarray(0, coded)
  const late = indices[n].subarray(coded)
  const occurs = new Uint8Array(texts[n].length)
  for (let cell = 0; cell < coded; cell++) if (first[cell] >= 0) occurs[first[cell]] = 1
  const all = new Set(texts[n].filter((_, code) => occurs[code] === 1))
  for (const text of lateTexts[n]) all.add(text)
  const replace = (column: Int32Array, own: readonly string[], position: ReadonlyMap<string, number>) => {
    const positions = Int32Array.from(own, text => position.get(text) ?? -1)
    if (positions.every((place, code) => place === code)) return
    for (let cell = 0; cell < column.length; cell++) if (column[cell] >= 0) column[cell] = positions[column[cell]]
  }
  return {
    texts: [...all],
    place: (positions: Int32Array) => {
      const position = new Map([...all].map((text, i) => [text, positions[i]]))
      replace(first, texts[n], position)
      replace(late, lateTexts[n], position)
    },
  }
}
