import type { Point } from './point.ts'

/**
 * A parameter below this is a zero: the pass cannot tell its slope, since what it gathers there is lost to underflow.
 */
export const ZERO = 1e-150

/**
 * The slopes of the Lagrangian of min f/M over the shares and the simplices. The pass gives them: for a share x it is
 * 1 − u/x, with u the update; for an entry of a factor it is the mass of its column times 1 − u/x.
 */
export const eachSlope = (
  { rank, shape, values, update, mass }: Point,
  visit: (index: number, x: number, slope: number) => void,
): void => {
  for (let k = 0; k < rank; k++) visit(k, values[k], 1 - update[k] / values[k])
  let offset = rank
  shape.forEach((labels, n) => {
    const end = offset + labels * rank
    for (let row = offset; row < end; row += rank) {
      for (let k = 0; k < rank; k++) {
        const i = row + k
        visit(i, values[i], mass[n * rank + k] * (1 - update[i] / values[i]))
      }
    }
    offset = end
  })
}

/**
 * How far a model is from satisfying the Karush–Kuhn–Tucker conditions: the largest |min(x, slope)| over all parameters x
 * but zeros, of whose slopes this pass says nothing. Zero at a stationary point, where each parameter has no slope or sits at
 * zero with a slope upwards.
 */
export const stationarity = (point: Point): number => {
  let worst = 0
  eachSlope(point, (_, x, slope) => {
    if (x < ZERO) return
    worst = Math.max(worst, Math.abs(Math.min(x, slope)))
  })
  return worst
}

/** How far an update would move a model: the largest change of any parameter. For updates that follow no gradient. */
export const movement = ({ values, update }: Point): number => {
  let worst = 0
  for (let i = 0; i < values.length; i++) worst = Math.max(worst, Math.abs(update[i] - values[i]))
  return worst
}
