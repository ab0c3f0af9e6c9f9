import type { Point } from './point.ts'

/**
 * How far a model is from satisfying the Karush–Kuhn–Tucker conditions of min f/M over the shares and the simplices: the
 * largest |min(x, g)| over all parameters x, with g the gradient of the Lagrangian. Zero at a stationary point, where
 * each parameter has no slope or sits at zero with a slope upwards.
 *
 * The pass gives the gradient: for a share it is 1 − u/x, with u the update; for an entry of a factor it is the mass of
 * its column times 1 − u/x. A parameter that is exactly zero has an update of zero too, which says nothing of its slope.
 */
export const stationarity = ({ rank, shape, values, update, mass }: Point): number => {
  let worst = 0
  const take = (x: number, u: number, weight: number) => {
    if (x === 0) return
    const violation = Math.abs(Math.min(x, weight * (1 - u / x)))
    if (!(violation <= worst)) worst = violation
  }
  for (let k = 0; k < rank; k++) take(values[k], update[k], 1)
  let offset = rank
  shape.forEach((labels, n) => {
    const end = offset + labels * rank
    for (let row = offset; row < end; row += rank) {
      for (let k = 0; k < rank; k++) take(values[row + k], update[row + k], mass[n * rank + k])
    }
    offset = end
  })
  return worst
}

/** How far an update would move a model: the largest change of any parameter. For updates that follow no gradient. */
export const movement = ({ values, update }: Point): number => {
  let worst = 0
  for (let i = 0; i < values.length; i++) {
    const change = Math.abs(update[i] - values[i])
    if (!(change <= worst)) worst = change
  }
  return worst
}
