import type { ItemScores } from './item.ts'

/** No entry of a table is smaller, so that its logarithm and what is divided by it are finite. */
export const LEAST = 1e-300

/** A table and, for every parameter that its columns depend on, the derivatives of its logarithms: all J × K. */
export interface Columns {
  readonly table: Float64Array
  readonly scores: readonly Float64Array[]
}

/** Computes the columns of some values. It allocates nothing: the tables of long lists of values are computed once a pass. */
export type FillColumns = (values: Float64Array, theta: Float64Array, into: Columns) => void

/**
 * The tables of items whose columns each depend on a few parameters of their own, such as a mean and a standard deviation. Those of the last θ
 * are kept, because `slope` is asked at the θ of the last `table`.
 */
export class ClassColumns {
  readonly #fill: FillColumns
  readonly #values: Float64Array
  readonly #rows: readonly (readonly number[])[]
  readonly #last: Columns
  #theta: Float64Array | undefined

  /** @param rows for every class, the positions in θ of what its column depends on */
  constructor(values: Float64Array, rows: readonly (readonly number[])[], fill: FillColumns) {
    this.#fill = fill
    this.#values = values
    this.#rows = rows
    this.#last = this.#room(values.length)
  }

  table(theta: Float64Array, into: Float64Array): void {
    into.set(this.#at(theta).table)
  }

  slope(theta: Float64Array, expected: Float64Array, into: Float64Array): void {
    const { scores } = this.#at(theta)
    const rank = this.#rows.length
    into.fill(0)
    const sums = new Float64Array(rank)
    scores.forEach((each, i) => {
      sums.fill(0)
      for (let at = 0; at < each.length; ) {
        for (let k = 0; k < rank; k++, at++) sums[k] += expected[at] * each[at]
      }
      for (let k = 0; k < rank; k++) into[this.#rows[k][i]] += sums[k]
    })
  }

  scores(theta: Float64Array): ItemScores[] {
    const { scores } = this.#at(theta)
    const rank = this.#rows.length
    return this.#rows.map((rows, k) => {
      const column = new Float64Array(this.#values.length * rows.length)
      for (let i = 0; i < rows.length; i++) {
        for (let j = 0; j < this.#values.length; j++) column[j * rows.length + i] = scores[i][j * rank + k]
      }
      return { rows, scores: column }
    })
  }

  /** The probabilities of a value that need not be among those of the table. */
  probability(value: number, theta: Float64Array, into: Float64Array): void {
    const { table, scores } = this.#room(1)
    this.#fill(Float64Array.of(value), theta, { table, scores })
    into.set(table)
  }

  #room(values: number): Columns {
    const array = () => new Float64Array(values * this.#rows.length)
    return { table: array(), scores: this.#rows[0].map(array) }
  }

  #at(theta: Float64Array): Columns {
    if (this.#theta === undefined || this.#theta.some((each, i) => each !== theta[i])) {
      this.#fill(this.#values, theta, this.#last)
      this.#theta = theta.slice()
    }
    return this.#last
  }
}

/** The expected count of every class. */
export const classTotals = (expected: Float64Array, rank: number): Float64Array => {
  const totals = new Float64Array(rank)
  for (let at = 0; at < expected.length; ) for (let k = 0; k < rank; k++, at++) totals[k] += expected[at]
  return totals
}

/** How often every label was seen, in all classes together. */
export const marginalOf = (expected: Float64Array, rank: number): Float64Array => {
  const counts = new Float64Array(expected.length / rank)
  for (let j = 0, at = 0; j < counts.length; j++) for (let k = 0; k < rank; k++, at++) counts[j] += expected[at]
  return counts
}

/**
 * The moments of values that were seen so often; of the values if none was.
 * @param first the place of the first value's count, and `rank` how far it is to that of the next
 */
export const momentsOf = (
  values: Float64Array,
  counts: Float64Array,
  first = 0,
  rank = 1,
): { readonly mean: number; readonly sd: number } => {
  let [total, mean, square] = [0, 0, 0]
  for (let j = 0, at = first; j < values.length; j++, at += rank) total += counts[at]
  for (let j = 0, at = first; j < values.length; j++, at += rank)
    mean += (total > 0 ? counts[at] / total : 1 / values.length) * values[j]
  for (let j = 0, at = first; j < values.length; j++, at += rank) {
    const distance = values[j] - mean
    square += (total > 0 ? counts[at] / total : 1 / values.length) * distance * distance
  }
  return { mean, sd: Math.sqrt(square) }
}

/** The share of the total below which a class is taken to have this much, so that the information is positive definite. */
const SMALL_CLASS = 1e-8

/** The totals of the classes, none of them nearly zero. */
export const informative = (totals: Float64Array): Float64Array => {
  const least = SMALL_CLASS * totals.reduce((sum, each) => sum + each, 0) || 1
  return totals.map(each => Math.max(each, least))
}

/** Where a uniform number falls among the values if each takes as much of the line as its count: the index, and the part of it that is passed. */
export const locate = (counts: Float64Array, uniform: number): { readonly index: number; readonly part: number } => {
  let rest = uniform * counts.reduce((sum, each) => sum + each, 0)
  let index = 0
  while (index < counts.length - 1 && !(rest < counts[index])) rest -= counts[index++]
  const part = counts[index] > 0 ? rest / counts[index] : uniform
  return { index, part: Math.min(1, Math.max(0, part)) }
}
