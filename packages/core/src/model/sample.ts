import { type Random, random } from '../numeric/philox.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../options.ts'
import { buildTensor } from '../tensor/build.ts'
import { type Label, MISSING, type Mode } from '../tensor/mode.ts'
import type { RowWeights } from '../tensor/row-weights.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { Parameters } from './parameters.ts'
import { posteriorInto } from './posterior.ts'

export interface SampleOptions {
  readonly seed?: number
}

const SAMPLE_OPTIONS = { seed: { check: is.whole(0), default: 1 } } as const satisfies OptionTable<SampleOptions>

export interface Sample {
  /** The rows drawn, labels in the order of the modes. */
  readonly rows: readonly (readonly Label[])[]
  /** The class each row was drawn from. */
  readonly classes: readonly number[]
}

/** Draws rows with their labels. */
export const sampleRows = (
  modes: readonly Mode[],
  parameters: Parameters,
  count: number,
  options: SampleOptions,
): Sample => {
  const { seed } = checkedOptions('sample', SAMPLE_OPTIONS, options)
  wholeNumber('count', count, 0)
  const draw = rowDrawer(parameters, random(seed, 'sample'))
  const classes: number[] = []
  const rows: Label[][] = []
  const row = new Int32Array(modes.length)
  for (let i = 0; i < count; i++) {
    classes.push(draw(row))
    rows.push(modes.map((mode, n) => mode.label(row[n])))
  }
  return { rows, classes }
}

/**
 * A function that draws a row, a class by its share and then a label in every mode by the class's column, and gives the class. Modes that are
 * given stay as they are in the row, and say how likely each class is.
 */
const rowDrawer = (
  { rank, shares, factors }: Parameters,
  { uniform }: Random,
  given: readonly number[] = [],
): ((row: Int32Array) => number) => {
  const drawClass = drawer(shares)
  const drawGiven = (row: Int32Array): number => {
    const weights = shares.slice()
    for (const n of given) {
      if (row[n] !== MISSING) for (let k = 0; k < rank; k++) weights[k] *= factors[n][row[n] * rank + k]
    }
    return drawer(weights)(uniform())
  }
  const modes = factors.flatMap((_, n) => (given.includes(n) ? [] : [n]))
  const drawn = labelDrawers({ rank, factors: modes.map(n => factors[n]) }).map((labels, i) => ({
    n: modes[i],
    labels,
  }))
  return row => {
    const k = given.length === 0 ? drawClass(uniform()) : drawGiven(row)
    for (const { n, labels } of drawn) row[n] = labels[k](uniform())
    return k
  }
}

/** For every mode and class, what draws a label. */
const labelDrawers = ({ rank, factors }: Pick<Parameters, 'rank' | 'factors'>) =>
  factors.map(factor =>
    Array.from({ length: rank }, (_, k) => drawer(factor.filter((_, position) => position % rank === k))),
  )

/**
 * Data of the same size drawn from a model: for every observation another, which lacks what the one in its place lacks.
 * @param given modes that stay as they are: classes are drawn given them
 */
export const drawTensor = (
  { modes, cells, indices, values, total }: Tensor,
  parameters: Parameters,
  source: Random,
  given: readonly number[] = [],
): Tensor => {
  const draw = rowDrawer(parameters, source, given)
  const row = new Int32Array(modes.length)
  const columns = modes.map(() => new Int32Array(total))
  let at = 0
  for (let cell = 0; cell < cells; cell++) {
    for (let left = values[cell]; left > 0; left--, at++) {
      for (const n of given) row[n] = indices[n][cell]
      draw(row)
      for (let n = 0; n < row.length; n++) columns[n][at] = indices[n][cell] === MISSING ? MISSING : row[n]
    }
  }
  return buildTensor(modes, columns, new Float64Array(total).fill(1))
}

/**
 * Data of rows with weights, drawn from a model: every row keeps its weight and what it lacks. Its class is drawn by its posteriors, so that
 * classes keep the weights that their members have, and its answers by the class.
 */
export const drawWeighted = (
  { modes, indices }: Tensor,
  parameters: Parameters,
  { cells, weights, counts }: RowWeights,
  source: Random,
): Tensor => {
  const { rank } = parameters
  const { uniform } = source
  const drawLabel = labelDrawers(parameters)
  const rows = counts.reduce((sum, count) => sum + count, 0)
  const columns = modes.map(() => new Int32Array(rows))
  const values = new Float64Array(rows)
  const posterior = new Float64Array(rank)
  let at = 0
  for (let group = 0; group < cells.length; group++) {
    const cell = cells[group]
    // What the model makes impossible is drawn by the shares.
    posteriorInto(parameters, indices, cell, posterior)
    const drawClass = drawer(posterior)
    for (let left = counts[group]; left > 0; left--, at++) {
      const k = drawClass(uniform())
      values[at] = weights[group]
      for (let n = 0; n < columns.length; n++) {
        const label = drawLabel[n][k](uniform())
        columns[n][at] = indices[n][cell] === MISSING ? MISSING : label
      }
    }
  }
  return buildTensor(modes, columns, values)
}

/** As many observations as there are, drawn from among themselves: how often each cell was drawn. */
export const drawValues = ({ cells, values, total }: Tensor, { uniform }: Random): Float64Array => {
  const draw = drawer(values)
  const drawn = new Float64Array(cells)
  for (let i = 0; i < total; i++) drawn[draw(uniform())]++
  return drawn
}

/** A function from a uniform number to a position, drawn in proportion to the given numbers. */
export const drawer = (sizes: Float64Array): ((uniform: number) => number) => {
  const sums = new Float64Array(sizes.length)
  let sum = 0
  let last = 0
  sizes.forEach((size, i) => {
    sum += size
    sums[i] = sum
    if (size > 0) last = i
  })
  return uniform => {
    const target = uniform * sum
    let low = 0
    let high = last
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle] > target) high = middle
      else low = middle + 1
    }
    return low
  }
}
