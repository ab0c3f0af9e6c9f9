import { copyPoint, normalize, type Point } from './point.ts'
import { eachSlope, ZERO } from './stationarity.ts'

/**
 * EM multiplies: it cannot leave a zero, and from next to nothing it grows so slowly that the loss seems to have settled,
 * though the zero may be wrong. So zeros are checked before a run may end, and those that are wrong are lifted.
 */

/** What a zero is set to for the test: it changes nothing, and what the pass gathers for it is exact relative to it. */
const PROBE = 1e-60

/** What a wrong zero is lifted to: the largest of these that lowers the objective. */
const LIFTS = [1e-3, 1e-6, 1e-9]
/** A parameter below this that grows is helped along. */
const SMALL = 1e-6

export interface ZeroTest {
  /** The steepest descent at any zero: how far the zeros are from satisfying the Karush–Kuhn–Tucker conditions. */
  readonly residual: number
  /** The zeros where the loss would fall by more than the tolerance. */
  readonly wrong: readonly number[]
}

/** The slopes at all zeros, by one pass from next to them. Without zeros no pass is needed; where none may be made, they are unknown. */
export const testZeros = async (
  point: Point,
  room: Point,
  tolerance: number,
  possible: boolean,
  evaluate: (point: Point) => Promise<void>,
): Promise<ZeroTest> => {
  const zeros = zerosOf(point)
  if (zeros.length === 0) return { residual: 0, wrong: [] }
  if (!possible) return { residual: Number.POSITIVE_INFINITY, wrong: [] }
  copyPoint(point, room)
  for (const i of zeros) room.values[i] = PROBE
  await evaluate(room)
  let residual = 0
  const wrong: number[] = []
  eachSlope(room, (i, x, slope) => {
    if (x !== PROBE || !(slope < 0)) return
    residual = Math.max(residual, -slope)
    if (slope < -tolerance) wrong.push(i)
  })
  return { residual, wrong }
}

/** Zeros, but not those of a label that no class has: it has no data, and is rightly zero. */
const zerosOf = ({ rank, values }: Point): number[] => {
  const zeros: number[] = []
  for (let row = 0; row < values.length; row += rank) {
    let largest = 0
    for (let k = 0; k < rank; k++) largest = Math.max(largest, values[row + k])
    if (largest === 0) continue
    for (let i = row; i < row + rank; i++) if (values[i] < ZERO) zeros.push(i)
  }
  return zeros
}

/** Parameters next to zero that should grow by more than the tolerance says. */
export const slowlyGrowing = (point: Point, tolerance: number): number[] => {
  const growing: number[] = []
  eachSlope(point, (i, x, slope) => {
    if (x >= ZERO && x < SMALL && slope < -tolerance) growing.push(i)
  })
  return growing
}

/** Lifts parameters off zero; true where that lowers the objective, and `into` is then the point to go on from. */
export const lift = async (
  point: Point,
  into: Point,
  parameters: readonly number[],
  evaluate: (point: Point) => Promise<void>,
): Promise<boolean> => {
  for (const height of LIFTS) {
    copyPoint(point, into)
    for (const i of parameters) into.values[i] = Math.max(height, point.values[i])
    normalize(into)
    await evaluate(into)
    if (into.objective < point.objective) return true
  }
  return false
}
