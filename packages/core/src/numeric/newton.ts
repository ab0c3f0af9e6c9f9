import { cholesky, solve } from './symmetric.ts'

/** A smooth function of several variables that is to be maximized. All but `value` are taken at the point `value` was last called with. */
export interface Objective {
  readonly value: (at: Float64Array) => number
  readonly slope: () => Float64Array
  /** The second derivatives with their sign changed. */
  readonly information: () => Float64Array
  /** Cholesky's factor of what takes the place of the information where that is not positive definite. */
  readonly metric: () => Float64Array | undefined
}

export interface Maximum {
  readonly at: Float64Array
  readonly value: number
  /**
   * 'rounding': the last step gained nothing but rounding. 'infinite': a variable is beyond the bound. 'unfinished': steps ended before.
   * 'flat': there is no step, since the function does not determine all variables.
   */
  readonly end: 'rounding' | 'infinite' | 'unfinished' | 'flat'
}

export interface NewtonOptions {
  /** The gain of a step below which there is only rounding left. */
  readonly gain: number
  /** A variable beyond this is on its way to infinity. */
  readonly bound: number
}

const STEPS = 500
/**
 * A pivot of the information below this part of its diagonal entry is rounding. Smaller than usual, because a variable that runs off to infinity halves its pivot
 * with each step, and only whole steps get it there in time.
 */
const PIVOT = 1e-14
const HALVINGS = 40
/** No variable changes by more in one step: a step is a parabola's, and far away the function is none. */
const LONGEST = 5
/** The last step is made if no variable changes by more: one that does is on its way to infinity. */
const SHORT = 1e-3
/** Where no part of a step is better, it may have promised this many times the least gain: values have rounding of their own. */
const ROUNDED = 1e4

/** Climbs by Newton's steps, each halved until it is better, and says how it ended. */
export const maximize = (
  start: Float64Array,
  { value, slope, information, metric }: Objective,
  { gain, bound }: NewtonOptions,
): Maximum => {
  const n = start.length
  let at = start
  let reached = value(at)
  const ended = (end: Maximum['end']): Maximum => ({ at, value: value(at), end })
  for (let step = 0; step < STEPS; step++) {
    const gradient = slope()
    const factor = cholesky(information(), n, PIVOT) ?? metric()
    if (factor === undefined) return ended('flat')
    const direction = solve(factor, n, gradient)
    const expected = direction.reduce((sum, each, i) => sum + each * gradient[i], 0)
    const longest = direction.reduce((most, each) => Math.max(most, Math.abs(each)), 0)
    if (!(expected > gain)) {
      // So short a step needs no comparison: it gains digits that values do not show.
      if (longest < SHORT) at = at.map((each, i) => each + direction[i])
      return ended(expected >= 0 ? 'rounding' : 'unfinished')
    }
    let better: Float64Array | undefined
    let part = Math.min(1, LONGEST / longest)
    for (let halved = 0; halved < HALVINGS && better === undefined; halved++, part /= 2) {
      const next = at.map((each, i) => each + part * direction[i])
      const found = value(next)
      if (found > reached) [better, reached] = [next, found]
    }
    if (better === undefined) return ended(expected <= ROUNDED * gain ? 'rounding' : 'unfinished')
    at = better
    if (at.some(each => Math.abs(each) > bound)) return ended('infinite')
  }
  return ended('unfinished')
}
