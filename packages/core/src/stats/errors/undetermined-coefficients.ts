import type { LogitDesign } from '../../fit/covariates/logit.ts'
import { cholesky, congruence, eigen } from '../../numeric/symmetric.ts'

/** Information that is this part of what it could be is none: the likelihood no longer changes in this direction. */
const FLAT = 1e-10
/** Information below this is no rounding: the likelihood curves the other way. */
const CURVED_AWAY = -1e-6
/** Parts of a direction of length 1 below this are none. */
const NO_PART = 1e-5

/** Coefficients that have run off to infinity, by their places in the information. */
export interface UndeterminedCoefficients {
  /** Those that are taken as known, one for every flat direction, so that the others have their errors. */
  readonly fixed: ReadonlySet<number>
  /** All that a flat direction is part of: none of them is determined. */
  readonly undetermined: ReadonlySet<number>
  /** Independent flat directions, over all coefficients. */
  readonly directions: readonly Float64Array[]
}

/**
 * Finds the directions in which coefficients of a logit have run off to infinity. A category whose members are all of one class is such a
 * direction: its own term, or if it is the reference the intercept and all differences from it. So what is determined does not depend on
 * the choice of the reference category.
 * @param information about the coefficients of several classes, one list of terms each
 */
export const undeterminedCoefficients = (
  information: Float64Array,
  { values, counts, terms }: Pick<LogitDesign, 'values' | 'counts' | 'terms'>,
  classes: number,
): UndeterminedCoefficients => {
  const width = terms.length
  const size = classes * width
  if (!information.every(Number.isFinite)) return { fixed: new Set(), undetermined: new Set(), directions: [] }
  const most = new Float64Array(width * width)
  for (let z = 0; z < counts.length; z++)
    for (let p = 0; p < width; p++)
      for (let q = 0; q < width; q++) most[p * width + q] += counts[z] * values[z * width + p] * values[z * width + q]
  const lengths = Float64Array.from({ length: width }, (_, p) => Math.sqrt(most[p * (width + 1)]))
  const map = new Float64Array(size * size)
  const root = lowerInverse(cholesky(most, width), width, lengths)
  for (let k = 0; k < classes; k++)
    for (let p = 0; p < width; p++)
      for (let q = 0; q < width; q++) map[(k * width + p) * size + k * width + q] = root[p * width + q]
  // Information as a part of what it could be: in units in which that is 1 in every direction.
  const { values: parts, vectors } = eigen(congruence(map, size, information, size), size)
  const flat: Float64Array[] = []
  parts.forEach((part, e) => {
    if (!(part < FLAT && part > CURVED_AWAY)) return
    const direction = new Float64Array(size)
    for (let i = 0; i < size; i++)
      for (let j = 0; j < size; j++) direction[j] += vectors[e * size + i] * map[i * size + j]
    direction.forEach((each, j) => {
      direction[j] = each * lengths[j % width]
    })
    const length = Math.hypot(...direction)
    flat.push(direction.map(each => each / length))
  })
  const undetermined = new Set(
    Array.from({ length: size }, (_, i) => i).filter(i => flat.some(direction => Math.abs(direction[i]) > NO_PART)),
  )
  const directions = flat.map(direction => direction.map((each, j) => each / lengths[j % width]))
  return { fixed: pivotsOf(flat), undetermined, directions }
}

/** Errors of the coefficients of all classes, one list of terms per class. */
export interface CoefficientErrors {
  /** Not a number for the reference, and where an estimate has run off to infinity. */
  readonly coefficients: Float64Array
  /** Not a number for the reference; zero for what is taken as known. */
  readonly ofCoefficients: Float64Array
  readonly flat: readonly Float64Array[]
}

/**
 * The errors of all coefficients, from the covariance of those that are not taken as known.
 * @param kept their places among the coefficients of the other classes
 */
export const coefficientErrors = (
  { undetermined, directions }: UndeterminedCoefficients,
  kept: readonly number[],
  covariance: Float64Array,
  others: readonly number[],
  width: number,
  classes: number,
): CoefficientErrors => {
  const all = classes * width
  const placeOf = (i: number) => others[Math.floor(i / width)] * width + (i % width)
  const ofCoefficients = new Float64Array(all * all).fill(Number.NaN)
  const places = Array.from({ length: others.length * width }, (_, i) => placeOf(i))
  for (const a of places) for (const b of places) ofCoefficients[a * all + b] = 0
  kept.forEach((a, i) => {
    kept.forEach((b, j) => {
      ofCoefficients[placeOf(a) * all + placeOf(b)] = covariance[i * kept.length + j]
    })
  })
  const coefficients = Float64Array.from({ length: all }, (_, i) => Math.sqrt(ofCoefficients[i * (all + 1)]))
  for (const i of undetermined) coefficients[placeOf(i)] = Number.NaN
  const flat = directions.map(direction => {
    const whole = new Float64Array(all)
    direction.forEach((each, i) => {
      whole[placeOf(i)] = each
    })
    return whole
  })
  return { coefficients, ofCoefficients, flat }
}

/** One place for each of independent directions, in which it is largest once those before are taken out. */
const pivotsOf = (directions: readonly Float64Array[]): Set<number> => {
  const pivots = new Set<number>()
  directions.forEach((direction, e) => {
    let pivot = 0
    direction.forEach((each, i) => {
      if (Math.abs(each) > Math.abs(direction[pivot])) pivot = i
    })
    pivots.add(pivot)
    for (const other of directions.slice(e + 1)) {
      const times = other[pivot] / direction[pivot]
      direction.forEach((each, i) => {
        other[i] = i === pivot ? 0 : other[i] - times * each
      })
    }
  })
  return pivots
}

/** L⁻¹ of a lower triangular matrix; without one, of the lengths of the terms alone. */
const lowerInverse = (factor: Float64Array | undefined, n: number, lengths: Float64Array): Float64Array => {
  const result = new Float64Array(n * n)
  for (let j = 0; j < n; j++)
    for (let i = j; i < n; i++) {
      if (factor === undefined) {
        if (i === j) result[i * n + j] = 1 / lengths[i]
        continue
      }
      let sum = i === j ? 1 : 0
      for (let k = j; k < i; k++) sum -= factor[i * n + k] * result[k * n + j]
      result[i * n + j] = sum / factor[i * n + i]
    }
  return result
}
