import { partAt } from '../../model/given-table.ts'
import { isNumber, type MultivariateNormalSpec } from '../../model/items/item.ts'
import { tupleOf } from '../../model/items/number-labels.ts'
import type { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import { posteriorInto } from '../../model/posterior.ts'
import { cholesky, solve } from '../../numeric/symmetric.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { PlacedItem, PlacedItems } from '../model-data/placed-item.ts'
import type { BivariateResidual } from './residual-lists.ts'

/** What a value of a mode says beyond its class, for every class and label: of a number its distance from the mean, in standard deviations; of categories which it is. */
interface Deviations {
  readonly size: number
  /** Whether a label lacks something, so that nothing can be said of it. */
  readonly lacks?: (label: number) => boolean
  /** Of class k and label j, at (j · rank + k) · size. */
  readonly values: Float64Array
  /** The variance within class k, size × size, at k · size². */
  readonly variances: Float64Array
}

/** Modes that are numbers. */
export const numberModes = (items: Model['items']): boolean[] =>
  items.map(item => item !== undefined && isNumber(item.spec))

/**
 * Association that is left within classes, of every two modes of which at least one is a number. Of two numbers it is their correlation within
 * classes, weighted by the posteriors; of a number and categories the differences of its mean between them. X² is 1 per degree of freedom if the model is
 * true, as for tables.
 * @param parameters of the modes of the cells, the first of which are those of the items
 * @param variables the modes of each variable, of which a cell has one
 */
export const numberPairs = (
  cells: Tensor,
  parameters: Parameters,
  items: PlacedItems,
  names: readonly string[],
  variables: readonly (readonly number[])[] = items.map((_, n) => [n]),
): BivariateResidual[] => {
  const numbers = variables.map(([n]) => isNumber(items[n]?.spec ?? CATEGORIES))
  const all = variables.map((_, v) => v)
  const pairs = all.flatMap(a => all.filter(b => b > a && (numbers[a] || numbers[b])).map(b => [a, b] as const))
  if (pairs.length === 0) return []
  const { rank } = parameters
  const deviations = items.map((item, n) => deviationsOf(parameters.factors[n], rank, item))
  const sums = pairs.map(([a, b]) => {
    const size = deviations[variables[a][0]].size * deviations[variables[b][0]].size
    const [covariance, variance] = [new Float64Array(size), new Float64Array(size * size)]
    // How much of each class has both, by the mode of the second variable and, within it, of the first.
    return { size, covariance, variance, weight: 0, ofClasses: new Map<number, Float64Array>() }
  })
  const posterior = new Float64Array(rank)
  const own = new Int32Array(variables.length)
  for (let cell = 0; cell < cells.cells; cell++) {
    posteriorInto(parameters, cells.indices, cell, posterior)
    const y = cells.values[cell]
    for (let v = 0; v < own.length; v++) own[v] = partAt(cells, variables[v], cell)
    for (let p = 0; p < pairs.length; p++) {
      const [a, b] = pairs[p]
      const [n, m] = [own[a], own[b]]
      if (n === MISSING || m === MISSING) continue
      const [i, j] = [cells.indices[n][cell], cells.indices[m][cell]]
      const [of, by] = [deviations[n], deviations[m]]
      if (of.lacks?.(i) || by.lacks?.(j)) continue
      const sum = sums[p]
      sum.weight += y
      const parts = m * items.length + n
      let ofClass = sum.ofClasses.get(parts)
      if (ofClass === undefined) {
        ofClass = new Float64Array(rank)
        sum.ofClasses.set(parts, ofClass)
      }
      for (let k = 0; k < rank; k++) {
        const weight = y * posterior[k]
        if (weight === 0) continue
        for (let u = 0; u < of.size; u++)
          for (let v = 0; v < by.size; v++)
            sum.covariance[u * by.size + v] +=
              weight * of.values[(i * rank + k) * of.size + u] * by.values[(j * rank + k) * by.size + v]
        ofClass[k] += weight
      }
    }
  }
  for (const { variance, ofClasses } of sums)
    for (const [parts, weights] of ofClasses) {
      const [of, by] = [deviations[parts % items.length], deviations[Math.floor(parts / items.length)]]
      weights.forEach((weight, k) => void addProduct(variance, of, by, k, weight))
    }
  return pairs.map(([a, b], p) => {
    const { size, covariance, variance, weight } = sums[p]
    const factor = cholesky(variance, size)
    const chiSquared =
      factor === undefined
        ? Number.NaN
        : solve(factor, size, covariance).reduce((sum, each, i) => sum + each * covariance[i], 0)
    return Object.freeze({
      modes: Object.freeze([names[a], names[b]] as const),
      chiSquared,
      degreesOfFreedom: size,
      residual: chiSquared / size,
      ...(numbers[a] && numbers[b] && size === 1 && weight > 0 && { correlation: covariance[0] / weight }),
    })
  })
}

const CATEGORIES = { kind: 'categorical' } as const

const addProduct = (into: Float64Array, a: Deviations, b: Deviations, k: number, weight: number): void => {
  const size = a.size * b.size
  for (let u = 0; u < a.size; u++)
    for (let x = 0; x < a.size; x++) {
      const own = weight * a.variances[(k * a.size + u) * a.size + x]
      for (let v = 0; v < b.size; v++)
        for (let y = 0; y < b.size; y++)
          into[(u * b.size + v) * size + x * b.size + y] += own * b.variances[(k * b.size + v) * b.size + y]
    }
}

const deviationsOf = (factor: Float64Array, rank: number, item: PlacedItems[number]): Deviations => {
  const labels = factor.length / rank
  if (item?.spec.kind === 'multivariate-normal') return joinedDeviations(item, item.spec, rank)
  if (item !== undefined && isNumber(item.spec)) {
    const values = new Float64Array(factor.length)
    for (let k = 0; k < rank; k++) {
      const { mean, sd } = item.model.moments(item.theta, k)
      for (let j = 0; j < labels; j++) values[j * rank + k] = (Number(item.labels[j]) - mean) / sd
    }
    return { size: 1, values, variances: new Float64Array(rank).fill(1) }
  }
  // The last category follows from the others.
  const size = Math.max(1, labels - 1)
  const values = new Float64Array(factor.length * size)
  const variances = new Float64Array(rank * size * size)
  for (let k = 0; k < rank; k++) {
    const p = (j: number) => factor[j * rank + k]
    for (let j = 0; j < labels; j++)
      for (let u = 0; u < size; u++) values[(j * rank + k) * size + u] = (j === u ? 1 : 0) - p(u)
    for (let u = 0; u < size; u++)
      for (let v = 0; v < size; v++) variances[(k * size + u) * size + v] = p(u) * ((u === v ? 1 : 0) - p(v))
  }
  return { size, values, variances }
}

/** Of joined numbers, those of each; their variances are their correlations within the class. Labels that lack some are left out. */
const joinedDeviations = (
  { model, theta, labels }: PlacedItem,
  { variables }: MultivariateNormalSpec,
  rank: number,
): Deviations => {
  const size = variables.length
  const tuples = labels.map(label => tupleOf(label, size) ?? variables.map(() => Number.NaN))
  const values = new Float64Array(labels.length * rank * size)
  const variances = new Float64Array(rank * size * size)
  const parameters = model.describe(theta).filter(({ name }) => name === 'correlation')
  for (let k = 0; k < rank; k++) {
    variables.forEach(({ name }, u) => {
      const { mean, sd } = model.moments(theta, k, u)
      tuples.forEach((tuple, j) => {
        values[(j * rank + k) * size + u] = (tuple[u] - mean) / sd
      })
      variables.forEach(({ name: other }, v) => {
        const own = parameters.find(
          ({ class: of = k, of: pair = [] }) => of === k && pair.includes(name) && pair.includes(other),
        )
        variances[(k * size + u) * size + v] = u === v ? 1 : (own?.value ?? 0)
      })
    })
  }
  return { size, values, variances, lacks: j => tuples[j].some(Number.isNaN) }
}
