import type { Tables } from '../../duckdb/client.ts'
import type { ColumnPiece } from '../../duckdb/messages.ts'
import { type CellKeys, takeApart } from './cell-keys.ts'

/** Counted cells as they come over, with codes in place of labels. */
export interface Cells {
  /** How many cells have codes. They come first, and in their order; then those that had a text without one. */
  readonly coded: number
  readonly indices: readonly Int32Array[]
  readonly values: Float64Array
  /** Of sampling weights, the weight that every row of a cell has. */
  readonly weights: Float64Array | undefined
  /** For each mode the texts that the codes of the other cells stand for. */
  readonly lateTexts: readonly (readonly string[])[]
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
  const weights = sampling ? new Float64Array(coded + late) : undefined
  const numbers = sampling ? 'value, weight' : 'value'
  let from = 0
  const take = (given: ColumnPiece) => {
    values.set(given[0], from)
    weights?.set(given[1], from)
    from += given[0].length
  }
  const words = keys.words.map((_, w) => `w${w}`).join(', ')
  await tables.columns(
    `SELECT ${words}, ${numbers} FROM cells WHERE rest IS NULL AND ${condition} ORDER BY ${words}`,
    piece => {
      takeApart(keys, piece.slice(0, keys.words.length) as Int32Array[], indices, from)
      take(piece.slice(keys.words.length))
    },
  )
  if (late === 0) return { coded, indices, values, weights, lateTexts: keys.texts.map(() => []) }
  // An ENUM numbers the texts in DuckDB, so that only whole numbers are sent.
  const types = keys.texts.map(
    (_, n) =>
      `CREATE OR REPLACE TYPE late${n} AS ENUM (SELECT DISTINCT rest[${n + 1}] FROM cells WHERE rest[${n + 1}] IS NOT NULL)`,
  )
  const texts = keys.texts.map((_, n) => `enum_range(NULL::late${n})::VARCHAR[]`)
  const [lateTexts] = (await tables.rows([...types, `SELECT ${texts.join(', ')}`].join('; '))) as string[][][]
  const codes = keys.texts.map((_, n) => `CAST(coalesce(enum_code(CAST(rest[${n + 1}] AS late${n})), -1) AS INTEGER)`)
  await tables.columns(`SELECT ${codes.join(', ')}, ${numbers} FROM cells WHERE rest IS NOT NULL`, piece => {
    indices.forEach((column, n) => {
      column.set(piece[n], from)
    })
    take(piece.slice(indices.length))
  })
  return { coded, indices, values, weights, lateTexts }
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
