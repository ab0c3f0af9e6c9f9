import { log } from '../numeric/log.ts'
import { MISSING } from '../tensor/mode.ts'
import type { Counts, Tensor } from '../tensor/tensor.ts'
import type { Parameters } from './parameters.ts'

/** A model of some modes given others, which it does not explain: covariates, groups, known classes. */
export interface GivenModel {
  /** A factor for every mode of the data; those of the given modes, times the shares, say how likely each class is beforehand. */
  readonly parameters: Parameters
  /** The modes that are given. */
  readonly given: readonly number[]
  /** The modes of each variable: itself, or parts of it, of which a row has one at most. */
  readonly variables: readonly (readonly number[])[]
}

/** A model given the combinations of the last mode as one of the joint table, in which these are as frequent as in the data. */
export const jointModel = ({ rank, shares, factors }: Parameters, { marginals, total }: Counts): Parameters => {
  const last = factors.length - 1
  const frequency = (i: number) => marginals[last][Math.floor(i / rank)] / total
  return { rank, shares, factors: [...factors.slice(0, last), factors[last].map((p, i) => p * frequency(i))] }
}

/** How likely each class of each cell is, given the modes that are not explained: one row per cell. */
export const priorsOf = (
  { cells, indices }: Tensor,
  { parameters: { rank, shares, factors }, given }: GivenModel,
): Float64Array => {
  const priors = new Float64Array(cells * rank)
  for (let cell = 0; cell < cells; cell++) {
    const own = priors.subarray(cell * rank, (cell + 1) * rank)
    own.set(shares)
    for (const n of given) {
      const index = indices[n][cell]
      if (index !== MISSING) for (let k = 0; k < rank; k++) own[k] *= factors[n][index * rank + k]
    }
    const sum = own.reduce((total, each) => total + each, 0)
    for (let k = 0; k < rank; k++) own[k] /= sum
  }
  return priors
}

/** The mode in which a row has an answer to a variable; −1 if it has none. */
export const partAt = ({ indices }: Pick<Tensor, 'indices'>, parts: readonly number[], cell: number): number =>
  parts.find(n => indices[n][cell] !== MISSING) ?? MISSING

/**
 * The observed table of some variables among the rows that have them all, and how much of every class there is for each list of parts: the
 * expected table is their sum.
 */
export interface GivenTable {
  readonly total: number
  readonly observed: ReadonlyMap<string, { readonly labels: readonly number[]; readonly count: number }>
  expected(labels: readonly number[]): number
}

export const givenTable = (
  tensor: Tensor,
  { parameters: { rank, factors }, variables }: GivenModel,
  priors: Float64Array,
): GivenTable => {
  const observed = new Map<string, { labels: number[]; count: number }>()
  const sizes = new Map<string, { parts: number[]; classes: Float64Array }>()
  let total = 0
  for (let cell = 0; cell < tensor.cells; cell++) {
    const parts = variables.map(modes => partAt(tensor, modes, cell))
    if (parts.includes(MISSING)) continue
    const labels = parts.map(n => tensor.indices[n][cell])
    const y = tensor.values[cell]
    total += y
    const seen = observed.get(labels.join()) ?? { labels, count: 0 }
    seen.count += y
    observed.set(labels.join(), seen)
    const own = sizes.get(parts.join()) ?? { parts, classes: new Float64Array(rank) }
    for (let k = 0; k < rank; k++) own.classes[k] += y * priors[cell * rank + k]
    sizes.set(parts.join(), own)
  }
  const lists = [...sizes.values()]
  return {
    total,
    observed,
    expected: labels => {
      let sum = 0
      for (const { parts, classes } of lists)
        for (let k = 0; k < rank; k++)
          sum += parts.reduce((product, n, v) => product * factors[n][labels[v] * rank + k], classes[k])
      return sum
    },
  }
}

/**
 * The likelihood-ratio statistic against the model that has a table of its own for each combination of what is given; undefined if a row
 * lacks an answer, or if more than one mode is given.
 */
export const givenGSquared = (
  tensor: Tensor,
  logLikelihood: number,
  { given, variables }: Pick<GivenModel, 'given' | 'variables'>,
): number | undefined => {
  if (given.length !== 1 || tensor.missing[given[0]]) return undefined
  for (let cell = 0; cell < tensor.cells; cell++)
    if (variables.some(parts => partAt(tensor, parts, cell) === MISSING)) return undefined
  const ofGiven = tensor.marginals[given[0]].reduce((sum, n) => (n > 0 ? sum + n * log(n) : sum), 0)
  return Math.max(0, 2 * (tensor.constants.yLogY - ofGiven - logLikelihood))
}
