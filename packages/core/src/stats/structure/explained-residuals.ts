import { withMemberships } from '../../fit/search/replicate.ts'
import { type GivenModel, givenPairMisfits, givenTable, priorsOf } from '../../model/given-table.ts'
import { wholeNumber } from '../../options.ts'
import { type BivariateResidual, type CellResidual, Largest, largestFirst, WHOLE_TABLE } from '../judge/residuals.ts'
import type { ExplainedFit } from './structured-result.ts'
import type { FoundModel } from './structured-search.ts'

/** The residuals of a fit whose membership is explained. */
export interface ExplainedResiduals {
  /** The variables that the cells are of: parts of a variable are one again. */
  readonly variables: readonly string[]
  readonly cells: readonly CellResidual[]
  /** Largest first. */
  readonly pairs: readonly BivariateResidual[]
}

/** A model as a table given covariates, groups and known classes: the modes of the answers, then perhaps known classes, then combinations. */
export const givenModel = ({ data, start }: FoundModel): GivenModel & { readonly names: readonly string[] } => {
  const { items, parts, known, design } = data
  const own = items.modes.flatMap(({ name }, n) => (name === known?.name ? [] : [{ n, name }]))
  const variableOf = (name: string) => parts.find(part => part.name === name)?.mode ?? name
  const names = [...new Set(own.map(({ name }) => variableOf(name)))]
  const last = items.modes.length
  return {
    names,
    parameters: withMemberships(start, design),
    given: known === undefined ? [last] : [last - 1, last],
    variables: names.map(variable => own.flatMap(({ n, name }) => (variableOf(name) === variable ? [n] : []))),
  }
}

/**
 * The cells that deviate most, and the residuals of every two variables, of a fit whose membership is explained. Expected counts are given
 * the covariates, groups and known classes of every row: summed over the rows that have the answers.
 * @example
 * const { explained } = await fitStructured(answers, { rank: 2, covariates: ['age'], starts: 2 })
 * explainedResiduals(explained!, { limit: 3 }).variables // ['vote', 'trust']
 */
export const explainedResiduals = (
  { basis }: Pick<ExplainedFit, 'basis'>,
  { limit = 20 }: { readonly limit?: number } = {},
): ExplainedResiduals => {
  wholeNumber('limit', limit, 0)
  const { tensor } = basis.data
  const model = givenModel(basis)
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
    const labels = modes.toReversed().map(mode => {
      const label = rest % mode.size
      rest = Math.floor(rest / mode.size)
      return label
    }).reverse() // biome-ignore format: one chain
    if (!observed.has(labels.join())) judge(labels, 0)
  }
  return Object.freeze({
    variables: Object.freeze(model.names),
    cells: Object.freeze(largest.list().map(each => Object.freeze(each))),
    pairs: Object.freeze(explainedPairs(basis).sort(largestFirst)),
  })
}

/** The residuals of every two variables, in order. */
export const explainedPairs = (basis: FoundModel): BivariateResidual[] => {
  const model = givenModel(basis)
  return givenPairMisfits(basis.data.tensor, model).map(({ modes: [a, b], chiSquared, degreesOfFreedom }) =>
    Object.freeze({
      modes: Object.freeze([model.names[a], model.names[b]] as const),
      chiSquared,
      degreesOfFreedom,
      residual: chiSquared / degreesOfFreedom,
    }),
  )
}
