import { DataError } from '@polyad/core'
import { type CodedRows, cellsOfCodes } from '@polyad/core/model'
import { TableFault, type Tables } from '../../duckdb/client.ts'
import { type CodedPiece, TOO_MANY } from '../../duckdb/messages.ts'
import { type PackedTexts, PIECE_BYTES } from '../../duckdb/text-codes.ts'
import { dictionaryOf } from '../../table/values/dictionary.ts'
import { grouped } from '../../table/values/note.ts'
import type { Counted } from '../../table/view/view.ts'
import type { Relation } from '../relation/relation.ts'
import { badValues, type CountSource, checkRows, keyedRows, type ModeSource, spellings } from './keyed-rows.ts'
import type { Sampled } from './sampled-modes.ts'

/** A text is asked for in so many pieces at most; what is longer is looked up by itself, which takes a hundred times as long. */
const MOST_PIECES = 16

/** A mode has at most so many texts. */
export const MOST_TEXTS = 2 ** 24 - 1

/**
 * Counts cells of rows that DuckDB only reads: it streams their texts, which get codes on the way, and the rows come over as codes. For tables
 * with many labels, or with hardly a row twice: there grouping costs more than sorting whole numbers does.
 */
export const countCodes = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountSource,
  sampled: readonly Sampled[],
): Promise<Counted> => {
  const bad = modes.flatMap(badValues)
  const pieces = sampled.map(({ bytes }) => Math.min(MOST_PIECES, Math.max(1, Math.ceil(bytes / PIECE_BYTES))))
  const weighted = count.column !== undefined
  const columns = [
    ...modes.flatMap((_, n) => pieceSql(`m${n}`, pieces[n])),
    ...(weighted ? ['weight'] : []),
    ...(bad.length === 0 ? [] : ['CAST(bad AS INTEGER)']),
  ]
  const rows: CodedRows[] = []
  const figures = { rows: 0, faults: 0, weighed: 0 }
  const take = ({ codes, numbers }: CodedPiece): void => {
    const size = codes[0].length
    const weights = weighted ? (numbers[0] as Float64Array) : undefined
    figures.rows += size
    if (bad.length > 0) for (const one of numbers[numbers.length - 1]) figures.faults += one
    if (count.sampling && weights !== undefined)
      for (let row = 0; row < size; row++) if (weights[row] > 0 && codes.some(own => own[row] !== 0)) figures.weighed++
    rows.push({ codes, values: weights })
  }
  await tables.run('SET preserve_insertion_order = false')
  const plan = { pieces, numbers: columns.length - pieces.reduce((sum, own) => sum + own, 0), most: MOST_TEXTS }
  const packed = await tables
    .codes(`SELECT ${columns.join(', ')} FROM ${keyedRows(relation, modes, count, bad)}`, plan, take)
    .catch(async (error: unknown) => {
      const mode = error instanceof TableFault && error.message.startsWith(TOO_MANY)
      throw mode ? await tooMany(tables, relation, modes[Number(error.message.slice(TOO_MANY.length))]) : error
    })
  await tables.run('RESET preserve_insertion_order')
  if (figures.faults > 0 || figures.rows === 0) await checkRows(tables, relation, bad, { ...figures, dropped: 0 })
  const none = packed.every(({ ends }) => ends.length === 0)
  await checkRows(tables, relation, bad, { ...figures, dropped: none ? figures.rows : 0 })
  const dictionaries = modes.map((mode, n) => dictionaryOf(mode, textsOf(packed[n])))
  const labels = await Promise.all(modes.map((mode, n) => spellings(tables, relation, mode, dictionaries[n].labels)))
  const coded = dictionaries.map(({ labels, positions }) => {
    const all = new Int32Array(positions.length + 1).fill(-1)
    all.set(positions, 1)
    return { positions: all, size: labels.length }
  })
  const { indices, values, each, dropped } = cellsOfCodes(rows, coded, count.fractions || count.sampling)
  return {
    ...{ rows: figures.rows, dropped, weighed: figures.weighed, labels, indices, values },
    weights: count.sampling ? each : undefined,
    ordered: !weighted,
  }
}

/** SQL of the pieces of a text; one that is short is itself a piece. */
const pieceSql = (text: string, pieces: number): string[] => {
  if (pieces === 1) return [text]
  return Array.from({ length: pieces }, (_, p) => {
    const [from, to] = [p * PIECE_BYTES + 1, p === pieces - 1 ? '' : `${(p + 1) * PIECE_BYTES}`]
    return `encode(${text})[${from}:${to}]`
  })
}

/** Packed texts as strings. */
export const textsOf = ({ bytes, ends }: PackedTexts): string[] => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from(ends, (end, i) => buffer.toString('utf8', i === 0 ? 0 : ends[i - 1], end))
}

/** What is said of a column with more labels than a mode can have. */
export const tooMany = async (tables: Tables, relation: Relation, mode: ModeSource): Promise<DataError> => {
  const rows = keyedRows(relation, [mode], { column: undefined, weight: '1' }, [])
  const [[about]] = (await tables.rows(`SELECT CAST(approx_count_distinct(m0) AS DOUBLE) FROM ${rows}`)) as number[][]
  const { name } = mode.column
  return new DataError(
    `column ${JSON.stringify(name)} has about ${grouped(about)} different values, and a mode has at most ${grouped(MOST_TEXTS)} labels: leave the column out, cut it into bins, or merge its values in a query`,
    { column: name },
  )
}
