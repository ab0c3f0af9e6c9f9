import type { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import { eigen, eigenvalues } from '../../numeric/symmetric.ts'
import { BOUNDARY, type Column, type FreeParameters, freeParameters } from './free-parameters.ts'
import { type Identification, identify, type LocalRank } from './identification.ts'

/** One parameter up and another of its column down by as much; in several columns at once if these are equal. */
type Direction = readonly Move[]

interface Move {
  readonly up: Entry
  readonly down: Entry
}

interface Entry {
  /** −1 for a share. */
  readonly mode: number
  readonly label: number
  readonly class: number
}

/** Beyond this many directions eigenvalues take more than about a second. */
const MOST_DIRECTIONS = 400

/** A singular value below this is none: products of columns are exact to about 1e-15, so singular values to its root. */
const NONE = 1e-6
const ROUNDING = 3e-8

/**
 * Identification of a fitted model, in general and at its parameters. If the rank is deficient only at the parameters, the reason is a boundary (parameters
 * at 0 or 1, an empty class) or classes that are alike.
 * @example
 * identifyModel(model).atFit?.rank // 9
 */
export const identifyModel = (model: Model): Identification => {
  const known = identified.get(model) ?? computeIdentification(model)
  identified.set(model, known)
  return known
}

/** Models never change, and a fit is evaluated more than once: by its likelihood as soon as it is there, and then by its cells. */
const identified = new WeakMap<Model, Identification>()

const computeIdentification = (model: Model): Identification => {
  const general = identify(
    model.modes.map(({ size }) => size),
    model.rank,
  )
  // There are as many directions as parameters.
  if (general.parameters > MOST_DIRECTIONS) return general
  const free = freeParameters(model.parameters)
  // Nowhere is it above the rank at random parameters.
  const local = rankOfDirections(model, freeDirections(free, true), general.rank)
  if (local === undefined) return general
  const zeros = ({ boundary: some }: Column) => some.filter(at => free.values[at] < 0.5).length
  const boundary = free.columns.reduce((sum, column) => sum + zeros(column), 0)
  const isLower = general.verdict === 'identified' && local.rank < general.parameters
  return Object.freeze({
    ...general,
    verdict: !isLower ? general.verdict : boundary > 0 ? 'boundary' : 'not identified',
    atFit: Object.freeze({ ...local, boundary }),
  })
}

/** The directions in which free parameters move, or all parameters of columns without ties: every entry of a column against its largest. */
export const freeDirections = ({ columns, values }: FreeParameters, all = false): Direction[] => {
  const rank = columns[0].entries.length
  const places = new Map<number, Entry>()
  for (const { mode, class: of, entries } of columns)
    for (const at of entries)
      places.set(
        at,
        of === undefined ? { mode, label: 0, class: at } : { mode, label: (at - entries[0]) / rank, class: of },
      )
  return columns.flatMap(({ entries, moving, follows, alike }) => {
    const some = all ? [...entries].sort((a, b) => values[a] - values[b] || a - b) : follows ? [] : moving
    const lists = [some, ...(all ? [] : alike)]
    return some
      .slice(0, -1)
      .map((_, i) => lists.map(list => ({ up: places.get(list[i])!, down: places.get(list[list.length - 1])! })))
  })
}

/** The rank of the Jacobian in some directions, if it is known to be no more than `most`; undefined where they are too many. */
export const rankOfDirections = (
  model: Model,
  directions: readonly Direction[],
  most = directions.length,
): LocalRank | undefined => {
  const n = directions.length
  if (n > MOST_DIRECTIONS) return undefined
  if (n === 0) return { rank: 0, gap: Number.POSITIVE_INFINITY, classes: [], modes: [] }
  const products = scaledProducts(model.parameters, directions)
  const singular = [...eigenvalues(products, n)].map(value => Math.sqrt(Math.max(0, value)))
  const rank = Math.min(most, singular.filter(value => value > NONE).length)
  const gap = rank === 0 ? 0 : singular[rank - 1] / Math.max(ROUNDING, singular[rank] ?? 0)
  return { rank, gap, ...(rank === n ? { classes: [], modes: [] } : involved(model, directions, products, rank)) }
}

/** A parameter takes part in what can be changed where its part of those directions is above this, relative to the largest. */
const TAKES_PART = 1e-6

const involved = ({ modes }: Model, directions: readonly Direction[], products: Float64Array, rank: number) => {
  const n = directions.length
  const { vectors } = eigen(products, n)
  const part = directions.map((_, i) => {
    let sum = 0
    for (let row = rank; row < n; row++) sum += vectors[row * n + i] ** 2
    return sum
  })
  const least = TAKES_PART * Math.max(...part)
  const taking = directions
    .filter((_, i) => part[i] > least)
    .flat()
    .flatMap(({ up, down }) => [up, down])
  const classes = [...new Set(taking.map(entry => entry.class))].sort((a, b) => a - b)
  const used = new Set(taking.map(entry => entry.mode))
  return { classes, modes: modes.filter((_, n) => used.has(n)).map(({ name }) => name) }
}

/** The products of the Jacobian's columns, each of length 1, or of 0 where a direction changes nothing. */
const scaledProducts = (parameters: Parameters, directions: readonly Direction[]): Float64Array => {
  const product = entryProducts(parameters)
  const n = directions.length
  const matrix = new Float64Array(n * n)
  directions.forEach((a, i) => {
    directions.forEach((b, j) => {
      if (j > i) return
      let sum = 0
      for (const { up, down } of a)
        for (const other of b)
          sum += product(up, other.up) - product(up, other.down) - product(down, other.up) + product(down, other.down)
      matrix[i * n + j] = sum
      matrix[j * n + i] = sum
    })
  })
  const length = directions.map((_, i) => Math.sqrt(Math.max(0, matrix[i * n + i])) || 1)
  return matrix.map((entry, at) => entry / (length[Math.floor(at / n)] * length[at % n]))
}

/**
 * The product, over all cells of the table, of the derivatives of their probabilities by two parameters. Both are products of
 * vectors, one per mode, so that theirs is a product of inner products: the table itself, however large, is never made.
 */
const entryProducts = ({ rank, shares: all, factors }: Parameters): ((a: Entry, b: Entry) => number) => {
  const shares = all.map(share => (share <= BOUNDARY ? 0 : share))
  const inner = factors.map(factor => {
    const products = new Float64Array(rank * rank)
    for (let row = 0; row < factor.length; row += rank) {
      for (let at = 0; at < products.length; at++) {
        products[at] += factor[row + Math.floor(at / rank)] * factor[row + (at % rank)]
      }
    }
    return products
  })
  /** The product of the inner products of two classes in all modes but two (or one, or none of them left out: −1). */
  const kept = new Map<number, number>()
  const others = (k: number, l: number, n: number, m: number): number => {
    const [first, last] = n < m ? [n, m] : [m, n]
    const key = (((first + 1) * (factors.length + 1) + last + 1) * rank + k) * rank + l
    const known = kept.get(key)
    if (known !== undefined) return known
    const value = inner.reduce((all, each, q) => (q === n || q === m ? all : all * each[k * rank + l]), 1)
    kept.set(key, value)
    return value
  }
  return (a, b) => {
    const [k, l] = [a.class, b.class]
    const weight = (a.mode < 0 ? 1 : shares[k]) * (b.mode < 0 ? 1 : shares[l])
    const rest = others(k, l, a.mode, b.mode)
    if (a.mode === b.mode) return a.mode < 0 || a.label === b.label ? weight * rest : 0
    // Where a's mode has the label of a, b has its class's probability of it, and the other way round.
    const seenByB = a.mode < 0 ? 1 : factors[a.mode][a.label * rank + l]
    const seenByA = b.mode < 0 ? 1 : factors[b.mode][b.label * rank + k]
    return weight * rest * seenByB * seenByA
  }
}

/** Names beyond this many are counted instead. */
const NAMED = 6

/**
 * Which classes and modes can be changed, in words.
 * @example
 * whereText({ classes: [0, 2], modes: ['age', 'vote'] }) // 'classes 1 and 3 in age, vote'
 */
export const whereText = ({ classes, modes }: Pick<LocalRank, 'classes' | 'modes'>): string => {
  const which =
    classes.length > NAMED
      ? `${classes.length} classes`
      : listed(
          classes.map(k => `${k + 1}`),
          'class',
          'classes',
        )
  const where = modes.length > NAMED ? `${modes.length} variables` : modes.join(', ')
  return where === '' ? which : `${which} in ${where}`
}

const listed = (items: readonly string[], one: string, many: string): string =>
  items.length === 1 ? `${one} ${items[0]}` : `${many} ${items.slice(0, -1).join(', ')} and ${items[items.length - 1]}`
