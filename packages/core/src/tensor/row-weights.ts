import { DataError } from '../errors.ts'
import { is } from '../options.ts'
import { withValues } from './reshape.ts'
import type { Tensor } from './tensor.ts'

/** Rows with sampling weights, those of the same cell and weight together: nothing else is left of the rows. */
export interface RowWeights {
  /** Which cell of the tensor they are in. */
  readonly cells: Int32Array
  /** The weight of each, divided by the mean of all. */
  readonly weights: Float64Array
  /** How many there are. */
  readonly counts: Float64Array
  /** The weights as they are in the data, from which they are scaled again if rows are left out. Default: `weights`. */
  readonly raw?: Float64Array
}

/** The option of rows with weights: whether they are in cells of the data is checked with it. */
export const ROW_WEIGHTS = {
  check: is.thing(
    'an object of cells, weights and counts, three lists of numbers of one length',
    ({ cells, weights, counts }: Partial<RowWeights>) =>
      [cells, weights, counts].every(list => ArrayBuffer.isView(list) && list.length === cells?.length),
  ),
} as const

/** Sampling weights that average 1. */
export interface ScaledWeights {
  readonly weights: Float64Array
  /** What they were multiplied by. */
  readonly scale: number
  /** What they sum to as they are in the data. */
  readonly population: number
}

/** So many bits of the sum of all weights are exact, below the 53 of a number. */
const BITS = 51

/**
 * Divides sampling weights by their mean, over rows of which there are so many each. They are rounded to multiples of a power of 2 that is so
 * small (2⁻⁵¹ times the number of rows) that it does not matter, and so large that all of their sums are exact: so the same rows have the same
 * sums, to the last bit, however they are grouped. No weight above zero becomes zero.
 * @example
 * const { weights } = scaleWeights(Float64Array.of(6, 2), Float64Array.of(1, 1))
 * Array.from(weights) // [1.5, 0.5]
 */
export const scaleWeights = (raw: Float64Array, counts: Float64Array): ScaledWeights => {
  const order = Uint32Array.from(raw.keys()).sort((a, b) => raw[a] - raw[b])
  let [population, rows] = [0, 0]
  for (let from = 0, to = 0; from < order.length; from = to) {
    const weight = raw[order[from]]
    let count = 0
    for (to = from; to < order.length && raw[order[to]] === weight; to++) count += counts[order[to]]
    population += weight * count
    if (weight > 0) rows += count
  }
  const { scale, scaled } = weightScale(population, rows)
  return { weights: raw.map(weight => (weight > 0 ? scaled(weight) : 0)), scale, population }
}

/**
 * How weights are scaled that sum to `population` over so many rows with a weight above zero. The sum must be made in ascending order of the distinct weights,
 * so that it has the same bits everywhere.
 * @example
 * weightScale(8, 2).scaled(6) // 1.5
 */
export const weightScale = (
  population: number,
  rows: number,
): { readonly scale: number; readonly scaled: (weight: number) => number } => {
  const scale = population > 0 ? rows / population : 1
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY))
    throw new DataError(
      `the weights sum to ${population}, which cannot be scaled: ${scale > 0 ? 'multiply' : 'divide'} them all by a constant`,
    )
  let unit = 2 ** -BITS
  while (unit * 2 ** BITS < rows) unit *= 2
  return { scale, scaled: weight => Math.max(1, Math.round((weight * scale) / unit)) * unit }
}

/**
 * The same rows by their cells in another tensor; rows that it does not have are left out.
 * @param places of every cell, its cell there, or −1
 * @example
 * const rows = { cells: Int32Array.of(0, 1), weights: Float64Array.of(0.5, 1.5), counts: Float64Array.of(2, 1) }
 * rowsWithin(rows, Int32Array.of(-1, 0)).weights.length // 1
 */
export const rowsWithin = ({ cells, weights, counts, raw }: RowWeights, places: Int32Array): RowWeights => {
  const kept = [...cells.keys()].filter(group => places[cells[group]] >= 0)
  const pick = (values: Float64Array) => Float64Array.from(kept, group => values[group])
  return {
    cells: Int32Array.from(kept, group => places[cells[group]]),
    weights: pick(weights),
    counts: pick(counts),
    ...(raw !== undefined && { raw: pick(raw) }),
  }
}

/** The data of rows with sampling weights. */
export interface WeighedRows extends Pick<ScaledWeights, 'scale' | 'population'> {
  readonly tensor: Tensor
  /** The same cells with the sums of the squares of the weights. */
  readonly squares: Tensor
  readonly rowWeights: RowWeights
}

/**
 * The data of rows with sampling weights, divided by their mean over these rows: for rows of which some were left out.
 * @param tensor with the cells of the rows; its values do not matter
 * @example
 * const rows = { cells: Int32Array.of(0, 1), weights: Float64Array.of(3, 1), counts: Float64Array.of(1, 1) }
 * const two = tensorFromColumns([[0, 1]], [1, 1])
 * Array.from(weighRows(two, rows).tensor.values) // [1.5, 0.5]
 */
export const weighRows = (tensor: Tensor, { cells, counts, ...given }: RowWeights): WeighedRows => {
  const raw = given.raw ?? given.weights
  const { weights, scale, population } = scaleWeights(raw, counts)
  const sums = (of: (weight: number) => number) => {
    const values = new Float64Array(tensor.cells)
    cells.forEach((cell, group) => {
      values[cell] += of(weights[group]) * counts[group]
    })
    return withValues(tensor, values)
  }
  return {
    tensor: sums(weight => weight),
    squares: sums(weight => weight * weight),
    rowWeights: { cells, weights, counts, raw },
    scale,
    population,
  }
}

/**
 * How many rows each cell has: by their weights, or without any what it counts.
 * @example
 * rowsOfCells(answers)[0] === answers.values[0] // true
 */
export const rowsOfCells = ({ values }: Tensor, rows?: RowWeights): Float64Array => {
  if (rows === undefined) return values
  const all = new Float64Array(values.length)
  rows.cells.forEach((cell, group) => {
    all[cell] += rows.counts[group]
  })
  return all
}
