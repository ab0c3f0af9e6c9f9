import { normalize, type Point } from './point.ts'

/** What a parameter at zero is lifted to: too little to disturb the rest, enough to be felt. */
const LIFT = 1e-6

/** An update that exceeds the parameter by this much is growth and not rounding. */
const GROWTH = 1 + 1e-3

/**
 * EM multiplies: it cannot leave a zero, and from next to nothing it grows so slowly that the loss seems to have
 * settled, though the zero may be wrong. Parameters that are zero, or tiny and growing, are lifted a little, and one
 * pass shows which of them would grow on: those stay lifted, the others go back. Returns whether any stays and the
 * objective has not risen by more than `rounding`; then `into` is the point to go on from. A label that no class has is
 * a label without data, and stays at zero.
 */
export const liftZeros = async (
  point: Point,
  into: Point,
  rounding: number,
  evaluate: (point: Point) => Promise<void>,
): Promise<boolean> => {
  const { values, update, rank } = point
  const lifted: number[] = []
  for (let row = 0; row < values.length; row += rank) {
    let largest = 0
    for (let k = 0; k < rank; k++) largest = Math.max(largest, values[row + k])
    if (largest === 0) continue
    for (let i = row; i < row + rank; i++) {
      const stuck = values[i] === 0 || (values[i] < LIFT && update[i] > GROWTH * values[i])
      if (stuck) lifted.push(i)
    }
  }
  if (lifted.length === 0) return false
  into.values.set(values)
  for (const i of lifted) into.values[i] = LIFT
  await evaluate(into)
  const growing = new Set(lifted.filter(i => into.update[i] > GROWTH * LIFT))
  if (growing.size === 0) return false
  for (const i of lifted) if (!growing.has(i)) into.values[i] = values[i]
  normalize(into)
  await evaluate(into)
  return into.objective <= point.objective + rounding
}
