import { type Random, random } from '../../packages/core/dist/entries/numeric.js'
import { between, draw, type Problem, shapes } from './draw.js'
import { FAMILIES } from './families.js'

/** Random problems of several kinds, from a dozen cells to some thousands, on which the search and its verdict are judged. */

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

/** A problem of a kind or a family. The numbers decide what is drawn: a kind keeps its problems when others are added. */
export const problem = (name: string, seed: number): Problem => {
  const kind = Object.keys(KINDS).indexOf(name)
  if (kind >= 0) return KINDS[name](random(seed, 'data', kind + 1))
  return FAMILIES[name](random(seed, 'data', Object.keys(FAMILIES).indexOf(name) + 101))
}
