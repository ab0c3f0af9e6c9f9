import { DataError } from '@polyad/core'
import { type CodedCells, type CodedRows, cellsOfCodes, type PackedTexts } from '@polyad/core/model'
import { advise, words } from '@polyad/core/options'
import { TableFault, type Tables } from '../../duckdb/client.ts'
import { type CodedPiece, TOO_MANY } from '../../duckdb/messages.ts'
import { PIECE_BYTES } from '../../duckdb/text-codes.ts'
import { grouped } from '../../table/values/note.ts'
import type { Relation } from '../relation/relation.ts'
import { rowsAtMost } from './estimate-cells.ts'
import { badValues, type CountSource, checkRows, keyedRows, type ModeSource } from './keyed-rows.ts'
import type { Sampled } from './sampled-modes.ts'

/** A text is asked for in so many pieces at most; what is longer is looked up by itself, which takes a hundred times as long. */
const MOST_PIECES = 16

/** A mode has at most so many texts; in a file of cells, where they are strings, at most so many. */
export const MOST_TEXTS = 2 ** 25 - 1
export const MOST_STRINGS = 2 ** 24 - 1

/** What is known of the rows when all have come. */
export interface RowFigures {
  readonly rows: number
  /** For each mode its texts, in the order of their codes. */
  readonly texts: readonly PackedTexts[]
}

/** Streams the rows of a table as codes, from 1 and 0 for a missing value, and what each counts. Refuses rows that cannot be used. */
export const codeRows = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountSource,
  sampled: readonly Sampled[],
  onRows: (rows: CodedRows) => void,
  most = MOST_TEXTS,
): Promise<RowFigures> => {
  const bad = modes.flatMap(badValues)
  const pieces = sampled.map(({ bytes }) => Math.min(MOST_PIECES, Math.max(1, Math.ceil(bytes / PIECE_BYTES))))
  const weighted = count.column !== undefined
  const numbers = [...(weighted ? ['weight'] : []), ...(bad.length === 0 ? [] : ['CAST(bad AS INTEGER)'])]
  const columns = [...modes.flatMap((_, n) => pieceSql(`m${n}`, pieces[n])), ...numbers]
  const figures = { rows: 0, faults: 0 }
  const take = ({ codes, numbers: given }: CodedPiece): void => {
    const size = codes[0].length
    const weights = weighted ? (given[0] as Float64Array) : undefined
    figures.rows += size
    if (bad.length > 0) for (const one of given[given.length - 1]) figures.faults += one
    onRows({ codes, values: weights })
  }
  const rows = sampled.some(({ unseen }) => unseen > IDENTIFIER) ? await rowsAtMost(tables, relation) : 0
  const crowded = rows <= most ? undefined : await crowdedMode(tables, relation, modes, sampled, most)
  if (crowded !== undefined) throw tooMany(crowded.mode, crowded.labels, most)
  // To keep the rows in their order takes memory, and here it is of no use.
  await tables.run('SET preserve_insertion_order = false')
  const sql = `SELECT ${columns.join(', ')} FROM ${keyedRows(relation, modes, count, bad)}`
  const expected = sampled.map(({ unseen }) => (unseen > IDENTIFIER ? Math.min(most, unseen * rows) : 0))
  const plan = { pieces, numbers: numbers.length, expected, most }
  const packed = await tables.codes(sql, plan, take).catch(async (error: unknown) => {
    if (!(error instanceof TableFault && error.message.startsWith(TOO_MANY))) throw error
    const mode = modes[Number(error.message.slice(TOO_MANY.length))]
    throw tooMany(mode, (await labelsAbout(tables, relation, [mode]))[0], most)
  })
  await tables.run('RESET preserve_insertion_order')
  const none = packed.every(({ ends }) => ends.length === 0)
  await checkRows(tables, relation, bad, { ...figures, dropped: none ? figures.rows : 0 })
  return { rows: figures.rows, texts: packed }
}

/** SQL of the pieces of a text; one that is short is itself a piece. */
const pieceSql = (text: string, pieces: number): string[] => {
  if (pieces === 1) return [text]
  return Array.from({ length: pieces }, (_, p) => {
    const [from, to] = [p * PIECE_BYTES + 1, p === pieces - 1 ? '' : `${(p + 1) * PIECE_BYTES}`]
    return `encode(${text})[${from}:${to}]`
  })
}

/** If so many of the first rows have a text that no other has, a column may be an identifier. */
const IDENTIFIER = 0.25
/** The sketch that counts texts is off by a few percent. */
const SKETCH = 1.1

/** A mode with too many labels, and about how many. */
const crowdedMode = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  sampled: readonly Sampled[],
  most: number,
): Promise<{ readonly mode: ModeSource; readonly labels: number } | undefined> => {
  const suspects = modes.filter((_, n) => sampled[n].unseen > IDENTIFIER)
  const about = await labelsAbout(tables, relation, suspects)
  const found = about.findIndex(labels => labels > SKETCH * most)
  return found < 0 ? undefined : { mode: suspects[found], labels: about[found] }
}

/** About how many labels modes have: a sketch, for which nothing of the table is held. */
const labelsAbout = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
): Promise<readonly number[]> => {
  const rows = keyedRows(relation, modes, { column: undefined, weight: '1' }, [])
  const sketches = modes.map((_, n) => `CAST(approx_count_distinct(m${n}) AS DOUBLE)`)
  return (await tables.rows(`SELECT ${sketches.join(', ')} FROM ${rows}`))[0] as number[]
}

/** What is said of a column with more labels than a mode can have. */
const tooMany = ({ column: { name } }: ModeSource, labels: number, most: number): DataError =>
  new DataError(
    words`column ${JSON.stringify(name)} has about ${grouped(Math.round(labels))} different values, more than the ${grouped(most)} that a variable can have; leave it out, or ${advise('cut its numbers or dates with', 'bins', `${name}:q5`)}`,
    { column: name },
  )

/** Rows as they come, with the largest code of each mode. */
export class GatheredRows {
  readonly #largest: number[]
  #pieces: CodedRows[] = []
  #rows = 0

  constructor(modes: number) {
    this.#largest = Array.from({ length: modes }, () => 0)
  }

  get rows(): number {
    return this.#rows
  }

  add(piece: CodedRows): void {
    piece.codes.forEach((codes, n) => {
      let largest = this.#largest[n]
      for (let row = 0; row < codes.length; row++) if (codes[row] > largest) largest = codes[row]
      this.#largest[n] = largest
    })
    this.#pieces.push(piece)
    this.#rows += piece.codes[0].length
  }

  /** The rows, which are gone from here. */
  take(): CodedRows[] {
    const pieces = this.#pieces
    this.#pieces = []
    this.#rows = 0
    return pieces
  }

  /** The cells of the rows by their codes less one, in the order of the codes. The rows are gone. */
  takeCells(): CodedCells {
    const modes = this.#largest.map(size => ({
      size: Math.max(1, size),
      positions: Int32Array.from({ length: Math.max(1, size) + 1 }, (_, code) => code - 1),
    }))
    return cellsOfCodes(this.take(), modes)
  }
}
