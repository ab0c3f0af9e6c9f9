import { type Random, random } from '../../packages/core/dist/entries/numeric.js'
import { MISSING, type Tensor, tensorFromColumns } from '../../packages/core/dist/index.js'

/** Tables drawn at random from a latent class model. */

export interface Problem {
  readonly tensor: Tensor
  readonly rank: number
}

export interface Draw {
  readonly shape: number[]
  /** Classes that the data is drawn from. */
  readonly truth: number
  readonly observations: number
  /** How unlike the classes are: the larger, the more alike. */
  readonly concentration: number
  readonly missing?: number
}

export const between = ({ below }: Random, low: number, high: number): number => low + below(high - low + 1)

/** A point on the simplex, nearer to its corners the smaller the concentration. */
export const column = ({ uniform }: Random, size: number, concentration: number): number[] => {
  const raw = Array.from({ length: size }, () => uniform() ** (1 / concentration))
  const sum = raw.reduce((a, b) => a + b, 0)
  return raw.map(value => value / sum)
}

/** One of several, each as often as its weight says; the weights sum to `total`. */
export const pick = ({ uniform }: Random, weights: readonly number[], total = 1): number => {
  let rest = uniform() * total
  const at = weights.findIndex(weight => {
    rest -= weight
    return rest < 0
  })
  return at < 0 ? weights.length - 1 : at
}

/** Observations of classes whose shares and profiles are given. */
export const drawFrom = (
  source: Random,
  shares: readonly number[],
  profiles: readonly (readonly number[])[][],
  observations: number,
  missing = 0,
): Tensor => {
  const shape = profiles[0].map(({ length }) => length)
  const columns = shape.map(() => new Int32Array(observations))
  for (let i = 0; i < observations; i++) {
    const profile = profiles[pick(source, shares)]
    profile.forEach((probabilities, n) => {
      const label = pick(source, probabilities)
      columns[n][i] = source.uniform() < missing ? MISSING : label
    })
  }
  return tensorFromColumns(columns, undefined, { shape })
}

export const draw = (source: Random, { shape, truth, observations, concentration, missing }: Draw): Tensor => {
  const shares = column(source, truth, 2)
  const profiles = Array.from({ length: truth }, () => shape.map(size => column(source, size, concentration)))
  return drawFrom(source, shares, profiles, observations, missing)
}

export const shapes = (source: Random, modes: [number, number], sizes: [number, number]): number[] =>
  Array.from({ length: between(source, ...modes) }, () => between(source, ...sizes))

/** Answers of some classes to items of so many categories; profiles are bells on a scale if there are more than two. */
export const survey = (rows: number, items: number, categories: number, classes: number, seed: number): Tensor => {
  const source = random(seed, 'data')
  const bell = (place: number) => {
    const raw = Array.from({ length: categories }, (_, j) => Math.exp(-0.5 * (j - place * (categories - 1)) ** 2))
    const sum = raw.reduce((a, b) => a + b, 0)
    return raw.map(value => value / sum)
  }
  const profiles = Array.from({ length: classes }, () =>
    Array.from({ length: items }, () =>
      categories === 2 ? column(source, 2, 1) : bell(0.15 + 0.7 * source.uniform()),
    ),
  )
  return drawFrom(source, column(source, classes, 2), profiles, rows)
}
