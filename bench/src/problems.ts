import { MISSING, type Random, random, type Tensor, tensorFromColumns } from '../../packages/core/dist/index.js'

/** Random problems of several kinds, from a dozen cells to some thousands, on which the search and its verdict are judged. */

export interface Problem {
  readonly tensor: Tensor
  readonly rank: number
}

interface Draw {
  readonly shape: number[]
  /** Classes that the data is drawn from. */
  readonly truth: number
  readonly observations: number
  /** How unlike the classes are: the larger, the more alike. */
  readonly concentration: number
  readonly missing?: number
}

const between = ({ below }: Random, low: number, high: number): number => low + below(high - low + 1)

/** A point on the simplex, nearer to its corners the smaller the concentration. */
const column = ({ uniform }: Random, size: number, concentration: number): number[] => {
  const raw = Array.from({ length: size }, () => uniform() ** (1 / concentration))
  const sum = raw.reduce((a, b) => a + b, 0)
  return raw.map(value => value / sum)
}

const pick = ({ uniform }: Random, probabilities: readonly number[]): number => {
  let rest = uniform()
  const at = probabilities.findIndex(p => {
    rest -= p
    return rest < 0
  })
  return at < 0 ? probabilities.length - 1 : at
}

const draw = (source: Random, { shape, truth, observations, concentration, missing = 0 }: Draw): Tensor => {
  const shares = column(source, truth, 2)
  const profiles = Array.from({ length: truth }, () => shape.map(size => column(source, size, concentration)))
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

const shapes = (source: Random, modes: [number, number], sizes: [number, number]): number[] =>
  Array.from({ length: between(source, ...modes) }, () => between(source, ...sizes))

/** How problems of each kind are made. */
export const KINDS: Readonly<Record<string, (source: Random) => Problem>> = {
  planted: source => {
    const rank = between(source, 2, 5)
    const shape = shapes(source, [4, 8], [2, 5])
    return {
      rank,
      tensor: draw(source, { shape, truth: rank, observations: between(source, 300, 3000), concentration: 0.4 }),
    }
  },
  hard: source => {
    const rank = between(source, 3, 5)
    const shape = shapes(source, [4, 7], [2, 4])
    return {
      rank,
      tensor: draw(source, { shape, truth: rank, observations: between(source, 200, 1500), concentration: 2 }),
    }
  },
  binary: source => {
    const rank = between(source, 2, 5)
    const shape = shapes(source, [5, 10], [2, 2])
    return {
      rank,
      tensor: draw(source, { shape, truth: rank, observations: between(source, 100, 1000), concentration: 1 }),
    }
  },
  sparse: source => {
    const rank = between(source, 2, 5)
    const shape = shapes(source, [3, 4], [8, 30])
    return {
      rank,
      tensor: draw(source, { shape, truth: rank, observations: between(source, 100, 1000), concentration: 0.5 }),
    }
  },
  overfitted: source => {
    const truth = between(source, 1, 3)
    const shape = shapes(source, [4, 7], [2, 4])
    const tensor = draw(source, { shape, truth, observations: between(source, 100, 800), concentration: 1 })
    return { rank: truth + between(source, 1, 3), tensor }
  },
  missing: source => {
    const rank = between(source, 2, 4)
    const shape = shapes(source, [5, 9], [2, 4])
    const missing = 0.05 + 0.3 * source.uniform()
    return {
      rank,
      tensor: draw(source, {
        shape,
        truth: rank,
        observations: between(source, 200, 1500),
        concentration: 0.7,
        missing,
      }),
    }
  },
}

export const problem = (kind: string, seed: number): Problem => {
  const number = Object.keys(KINDS).indexOf(kind)
  return KINDS[kind](random(seed, 'data', number + 1))
}
