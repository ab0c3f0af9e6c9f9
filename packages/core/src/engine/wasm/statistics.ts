import type { Statistics } from '../engine.ts'
import type { RecordShape } from './lane-tables.ts'
import type { Plan } from './layout.ts'

/** Copies a record of padded rows into statistics; compacted modes are left as they are. */
export const readRecord = (
  source: Float64Array,
  at: number,
  shape: RecordShape,
  plan: Plan,
  into: Statistics,
): void => {
  const { rank } = into
  copyRows(source, at, shape.padded, into.sizes, 1, rank)
  into.logLikelihood = source[at + shape.logLikelihood]
  plan.shape.forEach((size, n) => {
    if (shape.tables[n] !== -1) copyRows(source, at + shape.tables[n], shape.padded, into.factors[n], size, rank)
  })
}

/** Below this many numbers a loop is faster than making the view that a block copy needs. */
const SHORT = 256

const copyRows = (
  source: Float64Array,
  at: number,
  padded: number,
  target: Float64Array,
  rows: number,
  rank: number,
): void => {
  if (padded === rank && rows * rank > SHORT) {
    target.set(source.subarray(at, at + rows * rank))
    return
  }
  for (let row = 0, to = 0, from = at; row < rows; row++, from += padded) {
    for (let k = 0; k < rank; k++) target[to++] = source[from + k]
  }
}

/** Adds the rows of a lane's labels to a mode's statistics, four numbers at a time; the row of missing entries belongs to no label. */
export const addCompacted = (
  target: Float64Array,
  labels: Uint32Array,
  table: Float64Array,
  rank: number,
  padded: number,
): void => {
  const fours = rank - (rank % 4)
  for (let row = 0, from = 0; row < labels.length; row++, from += padded) {
    const to = labels[row] * rank
    if (to >= target.length) continue
    let k = 0
    for (; k < fours; k += 4) {
      const a = target[to + k] + table[from + k]
      const b = target[to + k + 1] + table[from + k + 1]
      const c = target[to + k + 2] + table[from + k + 2]
      const d = target[to + k + 3] + table[from + k + 3]
      target[to + k] = a
      target[to + k + 1] = b
      target[to + k + 2] = c
      target[to + k + 3] = d
    }
    for (; k < rank; k++) target[to + k] += table[from + k]
  }
}
