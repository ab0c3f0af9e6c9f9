import { type Counts, DataError } from '@polyad/core'
import type { CellsDescription, CellsWriter } from '@polyad/core/engine'
import { type CodedRows, type LabelList, labelArray, weightScale } from '@polyad/core/model'
import type { Tables } from '../../duckdb/client.ts'
import { dictionaryOf } from '../../table/values/dictionary.ts'
import { keepFrequent, sortTexts } from '../../table/values/labels.ts'
import { dataHash } from '../../table/view/tensor-digest.ts'
import { modeOptions } from '../../table/view/tensor-of-cells.ts'
import type { Relation } from '../relation/relation.ts'
import { type CellKeys, cellKeys, codedRows, prepareKeys, takeApart, wordsSql } from './cell-keys.ts'
import { codeRows, GatheredRows, MOST_STRINGS } from './code-rows.ts'
import { type CountSource, keyedRows, type ModeSource, spellings } from './keyed-rows.ts'
import { type LabelsOfTexts, labelsOfTexts } from './labels-of-texts.ts'
import { sampleModes } from './sampled-modes.ts'

/** Cells that lie in a writer, not yet in order. */
export interface StreamedCells {
  /** For each mode all of its labels. */
  readonly labels: readonly LabelList[]
  /** For each mode those that are kept, what becomes of each of its codes, and how many labels were merged. */
  readonly kept: readonly { readonly labels: LabelList; readonly recode: Int32Array; readonly merged: number }[]
  /** What sampling weights were multiplied by, and what they sum to. */
  readonly sampling?: { readonly scale: number; readonly population: number } | undefined
}

/** Codes of rows of which cells are made at once: with what sorting them needs they take about 60 MB. */
const BATCH = 2 ** 22

/**
 * Brings rows over into a writer, a batch at a time: never are all of them in memory. Whole numbers come as codes, in any order, and the
 * writer sorts them. Fractions are sorted by DuckDB, so that equal ones are counted together.
 */
export const streamCells = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountSource,
  writer: CellsWriter,
): Promise<StreamedCells> => {
  const { dictionaries, sums, sampling } = await (count.fractions || count.sampling ? streamSorted : streamCodes)(
    tables,
    relation,
    modes,
    count,
    writer,
  )
  const labels = await Promise.all(modes.map((mode, n) => spellings(tables, relation, mode, dictionaries[n].labels)))
  const kept = modes.map(({ top }, n) => {
    const recode = dictionaries[n].positions
    if (top === undefined || labels[n].length <= top) return { labels: labels[n], recode, merged: 0 }
    const byLabel = new Float64Array(labels[n].length)
    recode.forEach((index, code) => {
      byLabel[index] += sums[n][code]
    })
    const { position, ...rest } = keepFrequent(byLabel, labelArray(labels[n]), top)
    return { ...rest, recode: recode.map(index => position[index]) }
  })
  return { labels, kept, sampling }
}

/** What is known of rows that are in a writer: for each mode its labels with the position of each code's, and the sum of each code. */
interface Streamed {
  readonly dictionaries: readonly LabelsOfTexts[]
  readonly sums: readonly Float64Array[]
  readonly sampling?: StreamedCells['sampling']
}

/** Rows as codes, in any order. */
const streamCodes = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountSource,
  writer: CellsWriter,
): Promise<Streamed> => {
  const { modes: sampled } = await sampleModes(tables, relation, modes)
  const sums: Float64Array[] = modes.map(() => new Float64Array(1024))
  const gathered = new GatheredRows(modes.length)
  const hand = () => {
    const { indices, values } = gathered.takeCells()
    if (values.length === 0) return
    indices.forEach((codes, n) => {
      sums[n] = addSums(sums[n], codes, values)
    })
    writer.add(indices, values)
  }
  const take = (piece: CodedRows) => {
    gathered.add(piece)
    if (gathered.rows * modes.length >= BATCH) hand()
  }
  const { texts } = await codeRows(tables, relation, modes, count, sampled, take, MOST_STRINGS)
  hand()
  return { dictionaries: modes.map((mode, n) => labelsOfTexts(mode, texts[n])), sums }
}

/** Adds values to the sums of their codes, in an array that has room for all of them. */
const addSums = (sums: Float64Array, codes: Int32Array, values: Float64Array): Float64Array => {
  let largest = 0
  for (let cell = 0; cell < codes.length; cell++) if (codes[cell] > largest) largest = codes[cell]
  let own = sums
  if (largest >= own.length) {
    own = new Float64Array(2 * (largest + 1))
    own.set(sums)
  }
  for (let cell = 0; cell < codes.length; cell++) if (codes[cell] >= 0) own[codes[cell]] += values[cell]
  return own
}

/**
 * Brings the rows over in the order of their cells and into a writer, a piece at a time: never are all of them in memory. DuckDB sorts
 * them through temporary files. It does not count them: that would take memory for every cell.
 */
const streamSorted = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  count: CountSource,
  writer: CellsWriter,
): Promise<Streamed> => {
  const keys = cellKeys(await allTexts(tables, relation, modes))
  const sums = keys.texts.map(texts => new Float64Array(texts.length))
  await tables.run(prepareKeys(keys).join('; '))
  const rows = presentRows(relation, modes, count, keys)
  const sampling = count.sampling ? await scaleOf(tables, rows) : undefined
  const merger = new RowMerger(
    keys.words.length,
    count.fractions || count.sampling,
    sampling?.scaled,
    (words, values) => {
      const codes = modes.map(() => new Int32Array(values.length))
      takeApart(keys, words, codes, 0)
      codes.forEach((own, n) => {
        for (let cell = 0; cell < own.length; cell++) if (own[cell] >= 0) sums[n][own[cell]] += values[cell]
      })
      writer.add(codes, values)
    },
  )
  // Equal fractions side by side can be counted together.
  const names = keys.words.map((_, w) => `w${w}`)
  const order = count.fractions || count.sampling ? [...names, 'value'] : names
  await tables.columns(`SELECT ${[...names, 'value'].join(', ')} FROM ${rows} ORDER BY ${order.join(', ')}`, piece =>
    merger.add(piece.slice(0, -1) as Int32Array[], piece[piece.length - 1] as Float64Array),
  )
  merger.finish()
  return { dictionaries: modes.map((mode, n) => dictionaryOf(mode, keys.texts[n])), sums, sampling }
}

/** For each mode the texts of all rows, in the order of their labels. */
const allTexts = async (tables: Tables, relation: Relation, modes: readonly ModeSource[]) => {
  const lists = modes.map((_, n) => `list(DISTINCT m${n}) FILTER (m${n} IS NOT NULL)`)
  const rows = keyedRows(relation, modes, { column: undefined, weight: '1' }, [])
  const [found] = (await tables.rows(`SELECT ${lists.join(', ')} FROM ${rows}`)) as (readonly string[] | null)[][]
  return found.map((texts, n) => {
    const odd = texts?.find(text => text.includes('\0'))
    if (odd !== undefined)
      throw new DataError(
        `column ${JSON.stringify(modes[n].column.name)} has a value with a zero byte (${JSON.stringify(odd)})`,
      )
    return sortTexts(texts ?? [])
  })
}

/** How sampling weights are scaled, from the rows that have anything. */
const scaleOf = async (tables: Tables, rows: string) => {
  let [population, weighed] = [0, 0]
  const each = `SELECT value, CAST(count(*) AS DOUBLE) FROM ${rows} WHERE value > 0 GROUP BY value ORDER BY value`
  await tables.columns(each, ([weights, counts]) => {
    for (let i = 0; i < weights.length; i++) {
      population += Number(weights[i]) * Number(counts[i])
      weighed += Number(counts[i])
    }
  })
  return { ...weightScale(population, weighed), population }
}

/** SQL of the rows that have anything: the words of their cells, and their weights. */
const presentRows = (relation: Relation, modes: readonly ModeSource[], count: CountSource, keys: CellKeys): string => {
  const words = wordsSql(keys).map((word, w) => `${word} AS w${w}`)
  const names = keys.words.map((_, w) => `w${w}`)
  const weight = count.column === undefined ? '1::DOUBLE' : 'CAST(weight AS DOUBLE)'
  const rows = codedRows(keys, keyedRows(relation, modes, count, []))
  const present = names.map(name => `${name} <> 0`).join(' OR ')
  return `(SELECT * FROM (SELECT ${words.join(', ')}, ${weight} AS value FROM ${rows}) WHERE ${present})`
}

/** Cells handed on at once. */
const PIECE = 131_072

/**
 * Makes one cell of rows of the same words that follow each other. Sums of whole numbers are exact; of fractions only equal ones are
 * counted together, and the library adds the rest in a fixed order.
 */
class RowMerger {
  readonly #fractions: boolean
  readonly #scaled: (weight: number) => number
  readonly #tell: (words: Int32Array[], values: Float64Array) => void
  readonly #words: Int32Array[]
  readonly #values = new Float64Array(PIECE)
  /** The rows that are not handed on yet: their weight, or its sum, and how many there are. */
  readonly #current: Int32Array
  #weight = 0
  #rows = 0
  #cells = 0

  constructor(
    words: number,
    fractions: boolean,
    scaled: ((weight: number) => number) | undefined,
    tell: (words: Int32Array[], values: Float64Array) => void,
  ) {
    this.#fractions = fractions
    this.#scaled = scaled ?? (weight => weight)
    this.#tell = tell
    this.#words = Array.from({ length: words }, () => new Int32Array(PIECE))
    this.#current = new Int32Array(words)
  }

  add(words: readonly Int32Array[], weights: Float64Array): void {
    const current = this.#current
    for (let row = 0; row < weights.length; row++) {
      let same = this.#rows > 0
      for (let w = 0; w < current.length; w++) same &&= words[w][row] === current[w]
      if (same && !this.#fractions) this.#weight += weights[row]
      else if (!same || weights[row] !== this.#weight) {
        this.#end()
        for (let w = 0; w < current.length; w++) current[w] = words[w][row]
        this.#weight = weights[row]
        this.#rows = 0
      }
      this.#rows++
    }
  }

  finish(): void {
    this.#end()
    this.#send()
  }

  /** Takes the rows as a cell, unless they weigh nothing. */
  #end(): void {
    if (this.#rows === 0 || this.#weight === 0) return
    for (let w = 0; w < this.#current.length; w++) this.#words[w][this.#cells] = this.#current[w]
    const weight = this.#scaled(this.#weight)
    this.#values[this.#cells++] = this.#fractions ? weight * this.#rows : weight
    if (this.#cells === PIECE) this.#send()
  }

  #send(): void {
    const size = this.#cells
    if (size > 0)
      this.#tell(
        this.#words.map(word => word.slice(0, size)),
        this.#values.slice(0, size),
      )
    this.#cells = 0
  }
}

/** Has the writer put the cells in order and write the file, with a record and the digest of the data. */
export const finishCells = (
  { labels, kept }: StreamedCells,
  modes: readonly ModeSource[],
  writer: CellsWriter,
  record: Readonly<Record<string, unknown>>,
): Promise<Counts> => {
  const named = modes.map((mode, n) => modeOptions(mode, labels[n], kept[n].labels))
  const shape = kept.map(each => each.labels.length)
  const hash = dataHash(named, shape)
  const meaning: CellsDescription = {
    modes: named.map(mode => ({ ...mode, labels: labelArray(mode.labels) })),
    shape,
    recode: kept.map(({ recode }) => (recode.every((index, code) => index === code) ? undefined : recode)),
    onBytes: bytes => void hash.update(bytes),
    // The record is written last, when the cells have gone by.
    record: { ...record, toJSON: () => ({ ...record, digest: hash.hex() }) },
  }
  return writer.finish(meaning)
}
