import type { CellsMeaning, CellsWriter, Counts, Label, ModeOptions } from '@polyad/core'
import type { Tables } from '../duckdb/client.ts'
import { takeApart } from './cell-keys.ts'
import { cellsDigest } from './cells-digest.ts'
import { type GroupedCells, type ModeSource, modeOptions, spellings } from './count-cells.ts'
import { dictionaryOf } from './dictionary.ts'
import { keepFrequent } from './labels.ts'
import { sendCells } from './read-cells.ts'
import type { Relation } from './relation.ts'

/** Cells that lie in a writer, not yet in order. */
export interface StreamedCells {
  /** For each mode all of its labels. */
  readonly labels: readonly (readonly Label[])[]
  /** For each mode those that are kept, what becomes of each of its codes, and how many labels were merged. */
  readonly kept: readonly { readonly labels: readonly Label[]; readonly recode: Int32Array; readonly merged: number }[]
  /** The sum of all values. */
  readonly total: number
}

/** Brings the cells that were counted over and into a writer, a piece at a time: never are all of them in memory. */
export const streamCells = async (
  tables: Tables,
  relation: Relation,
  modes: readonly ModeSource[],
  sampling: boolean,
  { keys, late, present }: GroupedCells,
  writer: CellsWriter,
): Promise<StreamedCells> => {
  const sums = modes.map((_, n) => new CodeSums(keys.texts[n].length))
  let total = 0
  const add = (codes: readonly Int32Array[], values: Float64Array) => {
    codes.forEach((own, n) => void sums[n].add(own, values))
    for (let cell = 0; cell < values.length; cell++) total += values[cell]
    writer.add(codes, values)
  }
  const lateTexts = await sendCells(tables, keys, late, present, sampling, {
    coded: (words, [values]) => {
      const codes = modes.map(() => new Int32Array(values.length))
      takeApart(keys, words, codes, 0)
      add(codes, values as Float64Array)
    },
    // Late codes come after those of the texts that were known.
    late: (codes, [values]) =>
      add(
        codes.map((own, n) => own.map(code => (code < 0 ? code : code + keys.texts[n].length))),
        values as Float64Array,
      ),
  })
  const all = modes.map((_, n) => [...keys.texts[n], ...lateTexts[n]])
  const dictionaries = modes.map(({ column, binning }, n) => {
    const texts = [...new Set(all[n].filter((_, code) => sums[n].occurs(code)))]
    const { labels, positions } = dictionaryOf({ column: column.name, binning }, texts)
    const position = new Map(texts.map((text, i) => [text, positions[i]]))
    return { labels, recode: Int32Array.from(all[n], text => position.get(text) ?? -1) }
  })
  const labels = await Promise.all(modes.map((mode, n) => spellings(tables, relation, mode, dictionaries[n].labels)))
  const kept = modes.map(({ top }, n) => {
    const { recode } = dictionaries[n]
    if (top === undefined || labels[n].length <= top) return { labels: labels[n], recode, merged: 0 }
    const { position, ...rest } = keepFrequent(sums[n].by(recode, labels[n].length), labels[n], top)
    return { ...rest, recode: recode.map(index => (index < 0 ? index : position[index])) }
  })
  return { labels, kept, total }
}

/** Has the writer put the cells in order and write the file, with a record and the digest of the data. */
export const finishCells = (
  { labels, kept }: StreamedCells,
  modes: readonly ModeSource[],
  writer: CellsWriter,
  scale: number,
  record: Readonly<Record<string, unknown>>,
): Promise<Counts> => {
  const named = modes.map((mode, n): ModeOptions => modeOptions(mode, labels[n], kept[n].labels))
  const shape = kept.map(each => each.labels.length)
  const hash = cellsDigest(named, shape)
  const meaning: CellsMeaning = {
    modes: named,
    shape,
    recode: kept.map(({ recode }) => (recode.every((index, code) => index === code) ? undefined : recode)),
    scale,
    onBytes: bytes => void hash.update(bytes),
    // The record is written last, when the cells have gone by.
    record: { ...record, toJSON: () => ({ ...record, digest: hash.digest('hex') }) },
  }
  return writer.finish(meaning)
}

/** The sums of the values by code. */
class CodeSums {
  #sums: Float64Array
  #seen: Uint8Array

  constructor(codes: number) {
    this.#sums = new Float64Array(codes)
    this.#seen = new Uint8Array(codes)
  }

  add(codes: Int32Array, values: Float64Array): void {
    let most = this.#sums.length - 1
    for (let cell = 0; cell < codes.length; cell++) if (codes[cell] > most) most = codes[cell]
    if (most >= this.#sums.length) this.#grow(2 * most + 1)
    for (let cell = 0; cell < codes.length; cell++) {
      const code = codes[cell]
      if (code < 0) continue
      this.#sums[code] += values[cell]
      this.#seen[code] = 1
    }
  }

  occurs(code: number): boolean {
    return this.#seen[code] === 1
  }

  /** The sums of those codes together that have the same index. */
  by(recode: Int32Array, size: number): Float64Array {
    const sums = new Float64Array(size)
    recode.forEach((index, code) => {
      if (index >= 0) sums[index] += this.#sums[code]
    })
    return sums
  }

  #grow(size: number): void {
    const [sums, seen] = [new Float64Array(size), new Uint8Array(size)]
    sums.set(this.#sums)
    seen.set(this.#seen)
    this.#sums = sums
    this.#seen = seen
  }
}
