import type { Random } from '../../packages/core/dist/entries/numeric.js'
import { type Tensor, tensorFromColumns } from '../../packages/core/dist/index.js'
import { between, column, draw, drawFrom, type Problem, shapes } from './draw.js'

/** Problems of eleven families that the search was not designed on, as small as they can be and still have many optima. */

/** As many classes as the data was drawn from, or one more. */
const rankOf = (source: Random, truth: number): number => truth + source.below(2)

/** A profile of an ordinal item: a bell around a place on its scale. */
const ordinal = (place: number, width: number, labels: number): number[] => {
  const raw = Array.from({ length: labels }, (_, j) => Math.exp(-0.5 * ((j - place * (labels - 1)) / width) ** 2))
  const sum = raw.reduce((a, b) => a + b, 0)
  return raw.map(value => value / sum)
}

/** A profile in which the label j has a weight of 1 / (j + 1) to begin with. */
const tailed = (source: Random, labels: number): number[] => {
  const raw = column(source, labels, 0.5).map((value, j) => value / (j + 1))
  const sum = raw.reduce((a, b) => a + b, 0)
  return raw.map(value => value / sum)
}

/** The sum of a tensor with equal modes over all orders of its modes. */
const symmetrized = ({ indices, values, shape }: Tensor): Tensor => {
  const orders = shape.length === 2 ? [[0, 1], [1, 0]] : [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] // biome-ignore format: a table
  const columns = shape.map((_, n) => Int32Array.from(orders.flatMap(order => [...indices[order[n]]])))
  return tensorFromColumns(columns, Float64Array.from(orders.flatMap(() => [...values])), { shape: [...shape] })
}

const withMissing =
  (missing: number) =>
  (source: Random): Problem => {
    const truth = between(source, 2, 4)
    const shape = shapes(source, [6, 9], [2, 4])
    const observations = between(source, 300, 1500)
    const tensor = draw(source, { shape, truth, observations, concentration: 0.7, missing })
    return { rank: rankOf(source, truth), tensor }
  }

/** How problems of each family are made. */
export const FAMILIES: Readonly<Record<string, (source: Random) => Problem>> = {
  'two-way': source => {
    const truth = between(source, 2, 4)
    const shape = shapes(source, [2, 2], [6, 15])
    const observations = between(source, 300, 3000)
    return {
      rank: rankOf(source, truth),
      tensor: draw(source, { shape, truth, observations, concentration: 0.5 }),
    }
  },
  'long-tail': source => {
    const truth = between(source, 2, 4)
    const shape = shapes(source, [3, 4], [15, 40])
    const profiles = Array.from({ length: truth }, () => shape.map(size => tailed(source, size)))
    const tensor = drawFrom(source, column(source, truth, 2), profiles, between(source, 300, 1500))
    return { rank: rankOf(source, truth), tensor }
  },
  likert: source => {
    const truth = between(source, 2, 4)
    const items = between(source, 6, 9)
    const profiles = Array.from({ length: truth }, () => {
      const level = source.uniform()
      return Array.from({ length: items }, () => ordinal(0.7 * level + 0.3 * source.uniform(), 1, 5))
    })
    const tensor = drawFrom(source, column(source, truth, 2), profiles, between(source, 300, 1000))
    return { rank: rankOf(source, truth), tensor }
  },
  'binary-200': source => {
    const truth = between(source, 2, 4)
    const shape = shapes(source, [10, 10], [2, 2])
    return {
      rank: rankOf(source, truth),
      tensor: draw(source, { shape, truth, observations: 200, concentration: 1 }),
    }
  },
  '20-labels': source => {
    const truth = between(source, 2, 4)
    const shape = shapes(source, [3, 4], [20, 20])
    const observations = between(source, 300, 1500)
    return {
      rank: rankOf(source, truth),
      tensor: draw(source, { shape, truth, observations, concentration: 0.5 }),
    }
  },
  'rare-class': source => {
    const truth = between(source, 2, 4)
    const shape = shapes(source, [6, 8], [2, 3])
    const profiles = Array.from({ length: truth }, () => shape.map(size => column(source, size, 0.5)))
    const shares = column(source, truth - 1, 2).map(share => 0.98 * share)
    const tensor = drawFrom(source, [0.02, ...shares], profiles, between(source, 500, 2000))
    return { rank: rankOf(source, truth), tensor }
  },
  'missing-40': withMissing(0.4),
  'missing-60': withMissing(0.6),
  'non-integer': source => {
    const truth = between(source, 2, 4)
    const shape = shapes(source, [4, 7], [2, 4])
    const observations = between(source, 200, 1500)
    const { indices, values } = draw(source, { shape, truth, observations, concentration: 1 })
    const tensor = tensorFromColumns(
      indices,
      values.map(value => value * (0.2 + 3 * source.uniform())),
      { shape },
    )
    return { rank: rankOf(source, truth), tensor }
  },
  symmetric: source => {
    const truth = between(source, 2, 4)
    const modes = between(source, 2, 3)
    const shape = new Array<number>(modes).fill(between(source, 5, 9))
    const observations = between(source, 100, 1000)
    const tensor = symmetrized(draw(source, { shape, truth, observations, concentration: 0.5 }))
    return { rank: rankOf(source, truth), tensor }
  },
  'cube-30': source => {
    const rank = between(source, 6, 8)
    const observations = between(source, 2000, 5000)
    return { rank, tensor: draw(source, { shape: [30, 30, 30], truth: rank, observations, concentration: 0.3 }) }
  },
}
