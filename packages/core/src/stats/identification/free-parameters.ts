import type { ConstraintSetting } from '../../fit/descent/constraints.ts'
import type { Parameters } from '../../model/parameters.ts'

/**
 * A model's shares and probabilities in one order (the shares, then every factor), and which of them can move. A column is what
 * sums to 1: the shares, or a class's probabilities of a mode. Of its entries that are not at 0 or 1, the largest follows from
 * the others, which are the free parameters: as logits against it, in which the log-likelihood is closest to a parabola. Columns that are
 * equal have the same free parameters, those of the first of them.
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
  /** Positions of those that are known: by constraints, or because there is no other label. */
  readonly known: readonly number[]
  /** Whether it equals an earlier column, and has no free parameters of its own. */
  readonly follows: boolean
  /** For every column that equals this one, the positions of its entries that move, in the order of those here. */
  readonly alike: readonly (readonly number[])[]
}

/** How near to 0 or 1 a parameter may be at it: closer than data of fewer than a million observations could put it. */
export const BOUNDARY = 1e-6

/**
 * @param open positions of parameters that are near 0 and yet not there
 * @param constraints which the parameters obey
 */
export const freeParameters = (
  parameters: Parameters,
  tolerance = BOUNDARY,
  open: ReadonlySet<number> = new Set(),
  { fixed, tied }: Pick<ConstraintSetting, 'fixed' | 'tied'> = { fixed: [], tied: [] },
): FreeParameters => {
  const { rank, shares, factors } = parameters
  const values = allValues(parameters)
  const offsets = factors.map((_, n) => factors.slice(0, n).reduce((sum, own) => sum + own.length, rank))
  const fixedAt = new Set(fixed.map(({ mode, class: k, label }) => offsets[mode] + label * rank + k))
  const isZero = (at: number) => values[at] <= tolerance && !open.has(at)
  const column = (mode: number, of: number | undefined, entries: readonly number[]): Column => {
    const above = entries.filter(at => !isZero(at) && !fixedAt.has(at))
    // What alone is left follows from the others.
    const moving = above.length > 1 ? above.sort((a, b) => values[a] - values[b] || a - b) : []
    const moves = new Set(moving)
    // A class without a share has probabilities that nothing depends on.
    const nothing = entries.length === 1 || (of !== undefined && isZero(of))
    const known = entries.filter(at => entries.length === 1 || fixedAt.has(at))
    // Beside what is fixed, what alone is left is not at 1.
    const whole = !entries.some(at => fixedAt.has(at))
    const boundary = nothing ? [] : entries.filter(at => !moves.has(at) && !fixedAt.has(at) && (whole || isZero(at)))
    return { mode, class: of, entries, moving: nothing ? [] : moving, boundary, known, follows: false, alike: [] }
  }
  const columns = [column(-1, undefined, [...shares.keys()])]
  factors.forEach((factor, mode) => {
    const labels = factor.length / rank
    for (let k = 0; k < rank; k++) {
      const entries = Array.from({ length: labels }, (_, j) => offsets[mode] + j * rank + k)
      columns.push(column(mode, k, entries))
    }
  })
  for (const group of tied) {
    const places = group.map(({ mode, class: k }) => 1 + mode * rank + k)
    // The column of a class without a share tells nothing of what it equals: the first that moves has the parameters.
    const [lead, ...others] = places.filter(place => columns[place].moving.length > 0)
    if (lead === undefined) continue
    const labelsOf = (place: number) => group[places.indexOf(place)].labels
    const partOf = (at: number) => labelsOf(lead).indexOf((at - columns[lead].entries[0]) / rank)
    const follow = (place: number) =>
      columns[lead].moving.map(at => columns[place].entries[0] + labelsOf(place)[partOf(at)] * rank)
    columns[lead] = { ...columns[lead], alike: others.map(follow) }
    for (const place of others) columns[place] = { ...columns[place], follows: true }
  }
  return { values, columns, count: columns.reduce((sum, each) => sum + freeOf(each).length, 0) }
}

/** The positions of a column's free parameters. */
const freeOf = ({ moving, follows }: Column): readonly number[] => (follows ? [] : moving.slice(0, -1))

/** The shares and then every factor. */
export const allValues = ({ shares, factors }: Parameters): Float64Array =>
  Float64Array.from([shares, ...factors].flatMap(table => [...table]))

/** The free parameters one after the other, each with its column. */
export const eachFree = ({ columns }: FreeParameters): { readonly at: number; readonly column: Column }[] =>
  columns.flatMap(column => freeOf(column).map(at => ({ at, column })))

/** What the moving entries of a column sum to: 1, less what is held near 0. */
const sumOf = (values: Float64Array, { moving }: Column): number => moving.reduce((sum, at) => sum + values[at], 0)

/** The derivatives of the logarithms of all parameters (columns) by the free ones (rows): δ − θ within a column. */
export const logDerivatives = (free: FreeParameters): Float64Array => {
  const { values, count } = free
  const map = new Float64Array(count * values.length)
  eachFree(free).forEach(({ at, column }, row) => {
    const share = values[at] / sumOf(values, column)
    column.moving.forEach((other, i) => {
      for (const place of [other, ...column.alike.map(each => each[i])])
        map[row * values.length + place] = (other === at ? 1 : 0) - share
    })
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
 * What the curvature of the logits adds to the second derivatives: for a column whose entries were seen `mass` times in all, together with
 * those that equal it, the information of that many draws from it, θ(δ − θ) each.
 * @param mass how often the entries at these positions were seen
 */
export const curvature = (free: FreeParameters, mass: (positions: readonly number[]) => number): Float64Array => {
  const { values, count } = free
  const matrix = new Float64Array(count * count)
  let first = 0
  for (const column of free.columns) {
    const own = freeOf(column)
    const [sum, seen] = [sumOf(values, column), own.length > 0 ? mass([...column.moving, ...column.alike.flat()]) : 0]
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
