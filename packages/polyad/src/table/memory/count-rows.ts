import { type Label, MISSING } from '@polyad/core'
import { dictionaryOf } from '../values/dictionary.ts'
import { spelledLabels } from '../values/labels.ts'
import { type Reading, spellingOf } from '../view/reading.ts'
import { checkCounted } from '../view/value-fault.ts'
import type { Counted, CountPlan, ModePlan, ReadColumn } from '../view/view.ts'
import { binOf } from './bin-texts.ts'
import { numberOf } from './numbers.ts'
import { compareTexts, countTexts, lower, readTexts } from './read-texts.ts'
import type { TextColumn } from './text-dictionary.ts'

/** The values of a column under a reading. */
export type ValuesOf = (column: ReadColumn, reading: Reading) => TextColumn

/** Rows that are told apart by several columns: for every row its group, and for every group the first row of it. */
export interface Groups {
  readonly of: Int32Array
  readonly first: readonly number[]
}

/** Groups rows by whole numbers ≥ −1, below the sizes. Keys of several columns are one number as long as that is exact. */
export const groupRows = (columns: readonly Int32Array[], sizes: readonly number[], rows: number): Groups => {
  const keys = new Float64Array(rows)
  let range = 1
  let groups = number(keys)
  columns.forEach((column, n) => {
    const size = sizes[n] + 1
    if (range * size > Number.MAX_SAFE_INTEGER) {
      groups = number(keys)
      for (let row = 0; row < rows; row++) keys[row] = groups.of[row]
      range = groups.first.length
    }
    for (let row = 0; row < rows; row++) keys[row] = keys[row] * size + column[row] + 1
    range *= size
  })
  return number(keys)
}

const number = (keys: Float64Array): Groups => {
  const known = new Map<number, number>()
  const first: number[] = []
  const of = new Int32Array(keys.length)
  for (let row = 0; row < keys.length; row++) {
    let group = known.get(keys[row])
    if (group === undefined) {
      group = first.push(row) - 1
      known.set(keys[row], group)
    }
    of[row] = group
  }
  return { of, first }
}

/** Counts the distinct combinations of labels in rows. Values have been found to fit their bins. */
export const countRows = (
  name: string,
  rows: number,
  valuesOf: ValuesOf,
  modes: readonly ModePlan[],
  { column, sampling, fractions }: CountPlan,
  reading: Reading,
): Counted => {
  const keys = modes.map(mode => keysOf(mode, valuesOf(mode.column, reading), reading))
  const { weights, kinds } = column === undefined ? NONE : weightsOf(valuesOf(column, reading))
  // Fractions are added up later, in a fixed order: here equal ones are counted together.
  const apart = fractions || sampling
  const by = [...keys.map(({ codes }) => codes), ...(apart ? [kinds] : [])]
  const { of, first } = groupRows(by, [...keys.map(({ texts }) => texts.length), weights.length], rows)
  const counts = new Float64Array(first.length)
  const sums = new Float64Array(first.length)
  for (let row = 0; row < rows; row++) {
    counts[of[row]]++
    if (column !== undefined && !apart) sums[of[row]] += weights[kinds[row]]
  }
  const weightOf = (group: number) => weights[kinds[first[group]]]
  const amountOf = (group: number) => {
    if (column === undefined) return counts[group]
    return apart ? weightOf(group) * counts[group] : sums[group]
  }
  const cells = [...first.keys()].filter(group => keys.some(({ codes }) => codes[first[group]] >= 0))
  const total = (groups: readonly number[]) => groups.reduce((sum, group) => sum + counts[group], 0)
  const dropped = rows - total(cells)
  checkCounted(name, rows, dropped)
  const dictionaries = modes.map((mode, n) => dictionaryOf(mode, keys[n].texts))
  return {
    rows,
    dropped,
    labels: modes.map((mode, n) => spelled(mode, dictionaries[n].labels, valuesOf, reading)),
    indices: keys.map(({ codes }, n) =>
      Int32Array.from(cells, group => dictionaries[n].positions[codes[first[group]]] ?? MISSING),
    ),
    values: Float64Array.from(cells, amountOf),
    weights: sampling ? Float64Array.from(cells, weightOf) : undefined,
  }
}

const NONE = { weights: [] as readonly number[], kinds: new Int32Array(0) }

/** The different weights of a column, and for each row which is its. */
const weightsOf = ({ texts, codes }: TextColumn): { weights: readonly number[]; kinds: Int32Array } => {
  const known = new Map<number, number>()
  const kinds = Int32Array.from(texts, text => {
    const weight = numberOf(text) ?? Number.NaN
    const kind = known.get(weight) ?? known.size
    known.set(weight, kind)
    return kind
  })
  return { weights: [...known.keys()], kinds: codes.map(code => kinds[code]) }
}

/** The texts by which rows are told apart in a mode. */
const keysOf = ({ binning, missingAs }: ModePlan, values: TextColumn, { ignoreCase }: Reading): TextColumn => {
  if (binning !== undefined) return readTexts(values, text => String(binOf(text, binning)))
  return missingAs === undefined ? values : withMissing(values, ignoreCase ? lower(missingAs) : missingAs)
}

/** Labels as they are most often written, where case was ignored. */
const spelled = (
  { column, binning, missingAs }: ModePlan,
  labels: readonly Label[],
  valuesOf: ValuesOf,
  reading: Reading,
): readonly Label[] => {
  if (!reading.ignoreCase || binning !== undefined || typeof labels[0] === 'number') return labels
  const written = spellings(valuesOf(column, spellingOf(reading)), valuesOf(column, reading))
  return spelledLabels(labels, written, missingAs)
}

/** A column in which missing values are a text like others. */
const withMissing = ({ texts, codes }: TextColumn, missing: string): TextColumn => {
  if (!codes.includes(-1)) return { texts, codes }
  const known = texts.indexOf(missing)
  const code = known < 0 ? texts.length : known
  return { texts: known < 0 ? [...texts, missing] : texts, codes: codes.map(own => (own < 0 ? code : own)) }
}

/** For every text in small letters how it is most often written; of equally frequent ones the last in order. */
const spellings = (written: TextColumn, small: TextColumn): ReadonlyMap<string, string> => {
  const counts = countTexts(written)
  const best = new Map<string, number>()
  written.texts.forEach((text, code) => {
    const key = lower(text)
    const rival = best.get(key)
    const more = rival === undefined ? 1 : counts[code] - counts[rival] || compareTexts(text, written.texts[rival])
    if (more > 0) best.set(key, code)
  })
  // What means missing in small letters is no label.
  return new Map(small.texts.flatMap(key => (best.has(key) ? [[key, written.texts[best.get(key) as number]]] : [])))
}
