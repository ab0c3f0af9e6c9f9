import type { LogitDesign } from '../../fit/covariates/logit.ts'
import { eigen } from '../../numeric/symmetric.ts'

/**
 * Whether a coefficient is finite at the maximum of the likelihood. 'undetermined': it is a difference of infinite coefficients, or its term is collinear
 * with others.
 */
export type CoefficientLimit = 'finite' | 'infinity' | '-infinity' | 'undetermined'

/** A sum of multiples of coefficients, by their places. */
export type Combination = readonly { readonly times: number; readonly place: number }[]

/** What the data determines of coefficients of which some are infinite. */
export interface Determined {
  readonly limit: (combination: Combination) => CoefficientLimit
  /** Independent combinations of some coefficients that are all finite: as many as the data determines. */
  readonly finite: (places: readonly number[]) => readonly Combination[]
}

/** A part of a direction below this is none. */
const NO_PART = 1e-5
/** Sweeps of coordinate descent, and the distance from a cone that is rounding. */
const CONE = { sweeps: 2000, rounding: 1e-4 }

/**
 * Of coefficients that run off to infinity along directions in which the likelihood no longer changes. Which way they go is told by the
 * memberships: in every combination of the covariates the most probable class gains on the others, or stays level with them. The directions
 * that allow this are a cone. A combination of coefficients goes to infinity if it grows along all of these directions, so the answer is the
 * same whatever the reference class and categories.
 * @param flat independent directions, over the coefficients of all classes, one list of terms per class
 */
export const determinedBy = (
  { values, counts, patterns, terms }: LogitDesign,
  flat: readonly Float64Array[],
  memberships: Float64Array,
): Determined => {
  const width = terms.length
  const classes = memberships.length / patterns
  const lengths = terms.map((_, p) =>
    Math.sqrt(counts.reduce((sum, count, z) => sum + count * values[z * width + p] ** 2, 0)),
  )
  const lengthOf = (place: number) => lengths[place % width]
  // Terms in units of their lengths, and directions of length 1.
  const directions = flat.map(direction => {
    const scaled = direction.map((each, place) => each * lengthOf(place))
    const length = Math.hypot(...scaled)
    return scaled.map(each => each / length)
  })
  /** What a combination gains along every direction: zeros if all of it is rounding. */
  const gains = (combination: Combination) => {
    const own = combination.map(({ times, place }) => ({ place, times: times / lengthOf(place) }))
    const most = own.reduce((sum, { times }) => sum + Math.abs(times), 0)
    const gain = directions.map(direction => own.reduce((sum, { times, place }) => sum + times * direction[place], 0))
    return Math.hypot(...gain) > NO_PART * most ? gain : gain.map(() => 0)
  }
  let cone: readonly Float64Array[] | undefined
  const limit = (combination: Combination): CoefficientLimit => {
    const gain = gains(combination)
    if (gain.every(each => each === 0)) return 'finite'
    cone ??= constraintsOf()
    if (inCone(cone, gain)) return 'infinity'
    return inCone(
      cone,
      gain.map(each => -each),
    )
      ? '-infinity'
      : 'undetermined'
  }
  /** What is ≥ 0 for every direction that the likelihood allows: one row for each different inequality. */
  const constraintsOf = (): Float64Array[] => {
    const rows = new Map<string, Float64Array>()
    for (let z = 0; z < patterns; z++) {
      if (counts[z] === 0) continue
      let first = 0
      for (let k = 1; k < classes; k++) if (memberships[z * classes + k] > memberships[z * classes + first]) first = k
      for (let k = 0; k < classes; k++) {
        if (k === first) continue
        const row = Float64Array.from(
          gains(
            terms.flatMap((_, p) => {
              const times = values[z * width + p]
              return [
                { times, place: first * width + p },
                { times: -times, place: k * width + p },
              ]
            }),
          ),
        )
        const length = Math.hypot(...row)
        if (length === 0) continue
        const unit = row.map(each => each / length)
        rows.set(Array.from(unit, each => each.toFixed(5)).join(), unit)
      }
    }
    return [...rows.values()]
  }
  const finite = (places: readonly number[]): Combination[] => {
    const n = places.length
    const square = new Float64Array(n * n)
    for (const direction of directions)
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) square[i * n + j] += direction[places[i]] * direction[places[j]]
    const { values: sizes, vectors } = eigen(square, n)
    return [...sizes.keys()]
      .filter(e => sizes[e] < NO_PART ** 2)
      .map(e => places.map((place, i) => ({ place, times: vectors[e * n + i] * lengthOf(place) })))
  }
  return { limit, finite }
}

/** Whether a vector is a sum of positive multiples of others: by the least squares of such sums. */
const inCone = (rows: readonly Float64Array[], vector: readonly number[]): boolean => {
  const length = Math.hypot(...vector)
  const rest = vector.map(each => each / length)
  const parts = new Float64Array(rows.length)
  for (let sweep = 0; sweep < CONE.sweeps; sweep++) {
    let moved = 0
    rows.forEach((row, r) => {
      const step = Math.max(
        -parts[r],
        row.reduce((sum, each, e) => sum + each * rest[e], 0),
      )
      parts[r] += step
      row.forEach((each, e) => {
        rest[e] -= step * each
      })
      moved = Math.max(moved, Math.abs(step))
    })
    if (Math.hypot(...rest) < CONE.rounding) return true
    if (moved < CONE.rounding ** 2) return false
  }
  return false
}
