import { withMemberships } from '../../fit/search/replicate.ts'
import { givenPairMisfits } from '../../model/given-pairs.ts'
import { type GivenModel, givenTable, partAt, priorsOf } from '../../model/given-table.ts'
import { isNumber } from '../../model/items/item.ts'
import type { Parameters } from '../../model/parameters.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type PlacedModel, startOf } from '../model-data/placed-model.ts'
import { numberPairs } from './item-residuals.ts'
import { type BivariateResidual, type CellResidual, Largest, WHOLE_TABLE } from './residual-lists.ts'

/** A model as a table given covariates, groups and known classes: the modes of the answers, then perhaps known classes, then combinations. */
export const givenModel = ({ data, placed }: PlacedModel): GivenModel & { readonly names: readonly string[] } => {
  const { items, parts, known, design } = data
  const own = items.modes.flatMap(({ name }, n) => (name === known?.name ? [] : [{ n, name }]))
  const variableOf = (name: string) => parts.find(part => part.name === name)?.mode ?? name
  const names = [...new Set(own.map(({ name }) => variableOf(name)))]
  const last = items.modes.length
  return {
    names,
    parameters: withMemberships(startOf(placed), design),
    given: known === undefined ? [last] : [last - 1, last],
    variables: names.map(variable => own.flatMap(({ n, name }) => (variableOf(name) === variable ? [n] : []))),
  }
}

/**
 * The cells that deviate most, of a model that has more than class sizes and probabilities. Expected counts are given the covariates, groups and
 * known classes of every row: summed over the rows that have the answers.
 */
export const givenCells = (found: PlacedModel, limit: number): readonly CellResidual[] => {
  const { tensor } = found.data
  // A number has no table whose cells would be counted.
  if (found.placed.items?.some(item => item !== undefined && isNumber(item.spec))) return []
  const model = givenModel(found)
  const { observed, expected } = givenTable(tensor, model, priorsOf(tensor, model))
  const modes = model.variables.map(([first]) => tensor.modes[first])
  const largest = new Largest(limit)
  const judge = (labels: readonly number[], count: number) => {
    const mean = expected(labels)
    const residual = (count - mean) / Math.sqrt(mean)
    if (largest.takes(residual))
      largest.add({ labels: labels.map((j, v) => modes[v].label(j)), observed: count, expected: mean, residual })
  }
  for (const { labels, count } of observed.values()) judge(labels, count)
  const size = modes.reduce((product, mode) => product * mode.size, 1)
  for (let at = 0; at < size && size <= WHOLE_TABLE; at++) {
    let rest = at
    const labels = modes
      .toReversed()
      .map(mode => {
        const label = rest % mode.size
        rest = Math.floor(rest / mode.size)
        return label
      })
      .reverse()
    if (!observed.has(labels.join())) judge(labels, 0)
  }
  return Object.freeze(largest.list().map(each => Object.freeze(each)))
}

/** The residuals of every two variables, in order: those of tables, and then those of which one is a number. */
export const givenPairs = (found: PlacedModel): BivariateResidual[] => {
  const { data, placed } = found
  const { names, ...model } = givenModel(found)
  const tables = model.variables.flatMap((modes, v) => (isTable(placed, modes) ? [v] : []))
  const among = { ...model, variables: tables.map(v => model.variables[v]) }
  return [
    ...givenPairMisfits(data.tensor, among).map(({ modes: [a, b], chiSquared, degreesOfFreedom }) =>
      Object.freeze({
        modes: Object.freeze([names[tables[a]], names[tables[b]]] as const),
        chiSquared,
        degreesOfFreedom,
        residual: chiSquared / degreesOfFreedom,
      }),
    ),
    ...(placed.items === undefined
      ? []
      : numberPairs(data.tensor, model.parameters, placed.items, names, model.variables)),
  ]
}

/** Whether a variable, given by its modes, has a table of categories. */
const isTable = ({ items }: PlacedModel['placed'], [n]: readonly number[]): boolean => {
  const item = items?.[n]
  return item === undefined || !isNumber(item.spec)
}

/**
 * The residuals of every variable with every covariate that has categories, groups among them: large if the answers depend on the covariate
 * within classes. Expected counts are sums over the rows that have an answer.
 */
export const covariatePairs = (found: PlacedModel): BivariateResidual[] => {
  const { tensor, design } = found.data
  const model = givenModel(found)
  const priors = priorsOf(tensor, model)
  return design.covariates
    .filter(({ numeric }) => !numeric)
    .flatMap(({ mode, indices }) =>
      model.variables.flatMap((parts, v): BivariateResidual | [] => {
        const size = tensor.shape[parts[0]]
        const degreesOfFreedom = (size - 1) * (mode.size - 1)
        if (degreesOfFreedom === 0 || !isTable(found.placed, parts)) return []
        const chiSquared = pairChiSquared(tensor, model.parameters, priors, parts, indices, mode.size)
        const modes = Object.freeze([model.names[v], mode.name] as const)
        return Object.freeze({ modes, chiSquared, degreesOfFreedom, residual: chiSquared / degreesOfFreedom })
      }),
    )
}

/** X² of a variable, given by its parts, and a covariate, given by its category in each combination. */
const pairChiSquared = (
  { cells, indices, values }: Tensor,
  { rank, factors }: Parameters,
  priors: Float64Array,
  parts: readonly number[],
  categories: Int32Array,
  count: number,
): number => {
  const size = factors[parts[0]].length / rank
  const [observed, expected] = [new Float64Array(size * count), new Float64Array(size * count)]
  const combinations = indices[indices.length - 1]
  for (let cell = 0; cell < cells; cell++) {
    const n = partAt({ indices }, parts, cell)
    if (n === MISSING) continue
    const category = categories[combinations[cell]]
    observed[indices[n][cell] * count + category] += values[cell]
    for (let j = 0; j < size; j++)
      for (let k = 0; k < rank; k++)
        expected[j * count + category] += values[cell] * priors[cell * rank + k] * factors[n][j * rank + k]
  }
  return observed.reduce((sum, o, at) => (expected[at] > 0 ? sum + (o - expected[at]) ** 2 / expected[at] : sum), 0)
}
