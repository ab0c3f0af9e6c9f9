import { OptionError, show } from '../../errors.ts'
import { convergedItem } from '../../model/items/converged.ts'
import { fittedItem } from '../../model/items/fitted-item.ts'
import { type FittedItem, type ItemModel, isNumber, type ParametricSpec } from '../../model/items/item.ts'
import { sigmaPoints } from '../../model/items/sigma-points.ts'
import { onGrid } from '../../model/items/specs.ts'
import { type Label, labelsOf, type Mode } from '../../tensor/mode.ts'

/** How a variable with parameters of its own is brought up to date. */
export interface ItemUpdate {
  /** Before the new data. */
  readonly theta: Float64Array
  /** What is left of the old data: how much each class has of it. */
  readonly mass: Float64Array
  /** The probabilities of the labels of both. */
  table(theta: Float64Array): Float64Array
  /** The parameters by what is left of the old data and the expected counts of the labels in the new. @param from where it begins */
  maximize(counts: Float64Array, from: Float64Array): Float64Array
  fitted(theta: Float64Array): FittedItem
}

/** Standard deviations from the mean beyond which a normal distribution has nothing. */
const REACH = 9
/** Values in a standard deviation: sums over so fine a grid are those over all numbers. */
const FINE = 2
/** Of a count: what may be left of its distribution, and how many values there are at most. */
const COUNTED = { left: 1e-12, most: 1e6 }

/** Values that stand for all of a class. */
const representatives = (
  item: ItemModel,
  spec: ParametricSpec,
  theta: Float64Array,
  of: number,
  origin: number,
): { readonly values: readonly Label[]; readonly parts: readonly number[] } => {
  if (spec.kind === 'multivariate-normal') {
    const points = sigmaPoints(item, spec, theta, of)
    return { values: points, parts: points.map(() => 1 / points.length) }
  }
  const own = new Float64Array(item.rank)
  const { mean, sd } = item.moments(theta, of)
  const [values, parts]: [number[], number[]] = [[], []]
  const add = (value: number) => {
    item.probability(value, theta, own)
    values.push(value)
    parts.push(own[of])
    return own[of]
  }
  if (spec.kind === 'normal') {
    const apart = spec.step * Math.max(1, Math.floor(sd / (FINE * spec.step)))
    const middle = onGrid(mean, origin, spec.step)
    const places = Math.ceil((REACH * sd + spec.step) / apart)
    for (let i = -places; i <= places; i++) add(middle + i * apart)
  } else {
    for (let value = 0, left = 1; value < COUNTED.most; value++) {
      const p = add(value)
      left -= p
      if (value > mean && (left < COUNTED.left || p < COUNTED.left ** 2)) break
    }
  }
  const sum = parts.reduce((total, part) => total + part, 0)
  return { values, parts: parts.map(part => part / sum) }
}

/**
 * The old data is what the parameters say of it: as many observations as are left, distributed as in the model. So a model stays as it is if nothing new
 * comes. Of a normal distribution that is the sums of its values and of their squares.
 * @param mass how much each class has left
 */
export const itemUpdate = (
  fitted: FittedItem,
  rank: number,
  mode: Mode,
  old: readonly Label[],
  mass: Float64Array,
): ItemUpdate => {
  const { spec, theta } = fitted
  const labels = labelsOf(mode)
  if (!isNumber(spec) && labels.length > old.length) {
    const added = labels.filter(label => !old.includes(label)).map(show)
    throw new OptionError(
      `${show(mode.name)} is a scale, on which the place of a new category (${added.join(', ')}) is not known: fit again, to the old and the new data`,
    )
  }
  const item = fitted.over(labels, rank)
  const table = (at: Float64Array) => {
    const into = new Float64Array(labels.length * rank)
    item.table(at, into)
    return into
  }
  const { over, combined } = isNumber(spec)
    ? numbersLeft(fitted, item, Number(old[0]), labels, mass)
    : { over: item, combined: addedTo(table(theta).map((p, i) => mass[i % rank] * p)) }
  const maximize = (counts: Float64Array, from: Float64Array) => convergedItem(over, combined(counts), from)
  return { theta, mass, table, maximize, fitted: at => fittedItem(spec, at) }
}

const addedTo = (left: Float64Array) => (counts: Float64Array) => counts.map((count, i) => count + left[i])

/** The item over values that stand for the old data and then the labels of the new, and the expected counts of both. */
const numbersLeft = (
  fitted: FittedItem,
  item: ItemModel,
  origin: number,
  labels: readonly Label[],
  mass: Float64Array,
) => {
  const { rank } = item
  const classes = Array.from(mass, (_, k) => representatives(item, fitted.spec, fitted.theta, k, origin))
  const before = classes.flatMap(({ parts }, k) =>
    parts.flatMap(part => Array.from(mass, (own, l) => (l === k ? part * own : 0))),
  )
  const values = classes.flatMap(each => each.values)
  const over = fitted.over([...values, ...labels], rank)
  return { over, combined: (counts: Float64Array) => Float64Array.from([...before, ...counts]) }
}
