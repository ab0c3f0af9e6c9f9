import type { Parameters } from '../../model/parameters.ts'

/**
 * A model's shares and probabilities in one order (the shares, then every factor), and which of them can move. A column is what
 * sums to 1: the shares, or a class's probabilities of a mode. Of its entries that are not at 0 or 1, the largest follows from
 * the others, which are the free parameters: as logits against it, in which the log-likelihood is closest to a parabola.
 */
export interface FreeParameters {
  /** All of them, as the model has them. */
  readonly values: Float64Array
  readonly columns: readonly Column[]
  /** How many are free. */
  readonly count: number
}

export interface Column {
  /** −1 for the shares. */
  readonly mode: number
  /** Undefined for the shares. */
  readonly class: number | undefined
  /** Positions of all its entries. */
  readonly entries: readonly number[]
  /** Positions of those that move, the largest last; empty where none does. */
  readonly moving: readonly number[]
  /** Positions of those at 0 or 1 although they could be elsewhere. */
  readonly boundary: readonly number[]
}

/** How near to 0 or 1 a parameter may be at it: closer than data of fewer than a million observations could put it. */
export const BOUNDARY = 1e-6

/** @param open positions of parameters that are near 0 and yet not there */
export const freeParameters = (
  parameters: Parameters,
  tolerance = BOUNDARY,
  open: ReadonlySet<number> = new Set(),
): FreeParameters => {
  const { rank, shares, factors } = parameters
  const values = allValues(parameters)
  const isZero = (at: number) => values[at] <= tolerance && !open.has(at)
  const column = (mode: number, of: number | undefined, entries: readonly number[]): Column => {
    const above = entries.filter(at => !isZero(at))
    // What alone is left is at 1.
    const moving = above.length > 1 ? above.sort((a, b) => values[a] - values[b] || a - b) : []
    const moves = new Set(moving)
    // A class without a share has probabilities that nothing depends on.
    const fixed = entries.length === 1 || (of !== undefined && isZero(of))
    return {
      mode,
      class: of,
      entries,
      moving: fixed ? [] : moving,
      boundary: fixed ? [] : entries.filter(at => !moves.has(at)),
    }
  }
  const columns = [column(-1, undefined, [...shares.keys()])]
  let offset = rank
  factors.forEach((factor, mode) => {
    const labels = factor.length / rank
    for (let k = 0; k < rank; k++) {
      const entries = Array.from({ length: labels }, (_, j) => offset + j * rank + k)
      columns.push(column(mode, k, entries))
    }
    offset += factor.length
  })
  return { values, columns, count: columns.reduce((sum, { moving }) => sum + Math.max(0, moving.length - 1), 0) }
}

/** The shares and then every factor. */
export const allValues = ({ shares, factors }: Parameters): Float64Array =>
  Float64Array.from([shares, ...factors].flatMap(table => [...table]))

/** The free parameters one after the other, each with its column. */
export const eachFree = ({ columns }: FreeParameters): { readonly at: number; readonly column: Column }[] =>
  columns.flatMap(column => column.moving.slice(0, -1).map(at => ({ at, column })))

/** What the moving entries of a column sum to: 1, less what is held near 0. */
const sumOf = (values: Float64Array, { moving }: Column): number => moving.reduce((sum, at) => sum + values[at], 0)

/** The derivatives of the logarithms of all parameters (columns) by the free ones (rows): δ − θ within a column. */
export const logDerivatives = (free: FreeParameters): Float64Array => {
  const { values, count } = free
  const map = new Float64Array(count * values.length)
  eachFree(free).forEach(({ at, column }, row) => {
    const share = values[at] / sumOf(values, column)
    for (const other of column.moving) map[row * values.length + other] = (other === at ? 1 : 0) - share
  })
  return map
}

/** The derivatives of all parameters (rows) by the free ones (columns). */
export const derivatives = (free: FreeParameters): Float64Array => {
  const { values, count } = free
  const logs = logDerivatives(free)
  const map = new Float64Array(values.length * count)
  for (let row = 0; row < count; row++) {
    for (let at = 0; at < values.length; at++) map[at * count + row] = values[at] * logs[row * values.length + at]
  }
  return map
}

/**
 * What the curvature of the logits adds to the second derivatives: for a column whose entries were seen `mass` times in all,
 * the information of that many draws from it, θ(δ − θ) each.
 */
export const curvature = (free: FreeParameters, mass: (column: Column) => number): Float64Array => {
  const { values, count } = free
  const matrix = new Float64Array(count * count)
  let first = 0
  for (const column of free.columns) {
    const own = column.moving.slice(0, -1)
    const [sum, seen] = [sumOf(values, column), own.length > 0 ? mass(column) : 0]
    own.forEach((a, i) => {
      own.forEach((b, j) => {
        const share = values[a] / sum
        matrix[(first + i) * count + first + j] = seen * share * ((i === j ? 1 : 0) - values[b] / sum)
      })
    })
    first += own.length
  }
  return matrix
}
