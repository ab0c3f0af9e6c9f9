import { is } from '../../options.ts'
import { type Read, reader } from '../../reader.ts'
import type { KeptBlock, KeptSteps } from './block.ts'
import type { KeptPoint } from './evaluator.ts'
import type { Learned } from './quasi-newton.ts'

/** How far a descent has come, between two steps: all that its further course depends on. */
export interface KeptDescent {
  readonly point: KeptPoint
  readonly learned?: Learned | undefined
  readonly trace: Float64Array
  readonly path: Float64Array
  readonly liftsLeft: number
}

/**
 * The same from a checkpoint.
 * @param size of a point @param masses how many it has @param pairs how many there is room for
 * @param sizes how many parameters each block has
 * @param metrics how many numbers its metric has
 */
export const keptDescentOf =
  (
    size: number,
    masses: number,
    pairs: number,
    sizes: readonly number[] = [],
    metrics: readonly number[] = sizes.map(each => each * each),
  ) =>
  (value: unknown): KeptDescent => {
    const slots = reader.list(reader.by<number>(is.whole(0, pairs - 1)))
    const { learned } = reader.object(value, 'descent')
    const { length } = pairs === 0 ? [] : reader.fields({ used: slots })(learned, 'descent.learned').used
    return reader.fields<KeptDescent>({
      point: pointOf(size, masses, pairs === 0 ? 0 : 2 + 2 * length, sizes, metrics),
      learned: pairs === 0 ? reader.by(NOTHING) : learnedOf(slots, pairs, length, sizes),
      trace: someReals,
      path: someReals,
      liftsLeft: finite,
    })(value, 'descent')
  }

const { finite, number, reals, vector } = reader

const NOTHING = { rule: 'absent without acceleration', allows: (value: unknown) => value === undefined }

const someReals = reader.by<Float64Array>({
  rule: 'binary numbers, at least one',
  allows: value => value instanceof Float64Array && value.length > 0,
})

const pointOf = (
  size: number,
  masses: number,
  arrays: number,
  sizes: readonly number[],
  metrics: readonly number[],
): Read<KeptPoint> =>
  reader.fields<KeptPoint>({
    values: reals(size, is.finite),
    update: reals(size, is.finite),
    mass: reals(masses),
    objective: finite,
    loss: finite,
    count: finite,
    arrays: vector(arrays, reals(size)),
    blocks: reader.tuple(sizes.map((each, b) => blockOf(each, metrics[b]))),
  })

const blockOf = (size: number, metric: number): Read<KeptBlock> =>
  reader.fields<KeptBlock>({
    at: reals(size, is.finite),
    gradient: reals(size, is.finite),
    expected: reader.optional(reals()),
    metric: reader.optional(reals(metric)),
    age: finite,
  })

const learnedOf = (used: Read<number[]>, pairs: number, length: number, sizes: readonly number[]): Read<Learned> =>
  reader.fields<Learned>({
    used,
    curvatures: reals(pairs),
    scales: reals(pairs),
    slopes: reals(pairs + 1),
    products: reals(pairs * pairs),
    known: reader.flag,
    reach: number,
    untaught: number,
    patience: number,
    blocks: reader.tuple(sizes.map(size => stepsOf(size, length))),
  })

const stepsOf = (size: number, length: number): Read<KeptSteps> =>
  reader.fields<KeptSteps>({
    at: reals(size),
    gradient: reals(size),
    steps: vector(length, reals(size)),
    changes: vector(length, reals(size)),
  })
