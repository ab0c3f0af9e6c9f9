import { type Random, random } from '../../packages/core/dist/entries/numeric.js'
import { type Tensor, tensorFromColumns } from '../../packages/core/dist/index.js'
import { between, column, pick, shapes } from './draw.js'

/** Random problems with covariates, of several kinds, on which the search and its verdict are judged. */

export interface CovariateProblem {
  readonly tensor: Tensor
  readonly rank: number
  readonly covariates: readonly string[]
}

interface Draw {
  readonly shape: readonly number[]
  /** Classes that the data is drawn from. */
  readonly truth: number
  readonly observations: number
  /** How unlike the classes are: the larger, the more alike. */
  readonly concentration: number
  /** How many covariates are numbers, and how many categories each of the others has. */
  readonly numbers: number
  readonly categories: readonly number[]
  /** How large the coefficients are. */
  readonly effect: number
  readonly missing?: number
}

/** Values that a number may take: 0 to 40, as ages in years. */
const VALUES = 41

const draw = (source: Random, each: Draw): Pick<CovariateProblem, 'tensor' | 'covariates'> => {
  const { shape, truth, observations, concentration, numbers, categories, effect, missing = 0 } = each
  const symmetric = () => effect * (2 * source.uniform() - 1)
  const profiles = Array.from({ length: truth }, () => shape.map(size => column(source, size, concentration)))
  const sizes = [...Array.from({ length: numbers }, () => VALUES), ...categories]
  const intercepts = Array.from({ length: truth }, () => source.uniform() - 0.5)
  // By class and covariate: a slope per standard deviation, or an effect of each category.
  const effects = Array.from({ length: truth }, () =>
    sizes.map((size, c) => Array.from({ length: c < numbers ? 1 : size }, symmetric)),
  )
  const columns = [...shape, ...sizes].map(() => new Int32Array(observations))
  for (let i = 0; i < observations; i++) {
    const own = sizes.map(size => source.below(size))
    const odds = intercepts.map(
      (intercept, k) =>
      Math.exp(own.reduce((sum, value, c) => sum + (c < numbers ? (effects[k][c][0] * (value - 20)) / 12 : effects[k][c][value]), intercept)), // biome-ignore format: one sum
    )
    const k = pick(source, odds, odds.reduce((a, b) => a + b, 0)) // biome-ignore format: one call
    profiles[k].forEach((probabilities, n) => {
      const label = pick(source, probabilities)
      columns[n][i] = source.uniform() < missing ? -1 : label
    })
    own.forEach((value, c) => {
      columns[shape.length + c][i] = value
    })
  }
  const covariates = sizes.map((_, c) => `x${c + 1}`)
  const modes = [
    ...shape.map((size, n) => ({ name: `q${n + 1}`, labels: Array.from({ length: size }, (_, j) => `${j}`) })),
    ...sizes.map((size, c) => ({
      name: covariates[c],
      labels: Array.from({ length: size }, (_, j) => (c < numbers ? j : `c${j}`)),
    })),
  ]
  return { tensor: tensorFromColumns(columns, undefined, { modes, shape: [...shape, ...sizes] }), covariates }
}

/** How problems of each kind are made. */
const KINDS: Readonly<Record<string, (source: Random) => CovariateProblem>> = {
  planted: source => {
    const rank = between(source, 2, 4)
    const shape = shapes(source, [4, 7], [2, 4])
    const how = { truth: rank, observations: between(source, 200, 800), concentration: 0.5, effect: 1 }
    return { rank, ...draw(source, { shape, ...how, numbers: 1, categories: [between(source, 2, 4)] }) }
  },
  hard: source => {
    const rank = between(source, 3, 4)
    const shape = shapes(source, [4, 6], [2, 4])
    const how = { truth: rank, observations: between(source, 150, 400), concentration: 2, effect: 1 }
    return { rank, ...draw(source, { shape, ...how, numbers: 2, categories: [] }) }
  },
  binary: source => {
    const rank = between(source, 2, 4)
    const shape = shapes(source, [5, 8], [2, 2])
    const how = { truth: rank, observations: between(source, 100, 500), concentration: 1, effect: 1 }
    return { rank, ...draw(source, { shape, ...how, numbers: 1, categories: [] }) }
  },
  overfitted: source => {
    const truth = between(source, 1, 2)
    const shape = shapes(source, [4, 6], [2, 4])
    const how = { truth, observations: between(source, 100, 500), concentration: 1, effect: 0.7 }
    return { rank: truth + between(source, 1, 2), ...draw(source, { shape, ...how, numbers: 1, categories: [3] }) }
  },
  categories: source => {
    const rank = between(source, 2, 4)
    const shape = shapes(source, [4, 6], [2, 3])
    const how = { truth: rank, observations: between(source, 200, 600), concentration: 1, effect: 1.5, missing: 0.1 }
    return { rank, ...draw(source, { shape, ...how, numbers: 0, categories: [between(source, 3, 6), 2] }) }
  },
}

export const COVARIATE_KINDS: readonly string[] = Object.keys(KINDS)

export const covariateProblem = (kind: string, seed: number): CovariateProblem =>
  KINDS[kind](random(seed, 'data', 101 + COVARIATE_KINDS.indexOf(kind)))
