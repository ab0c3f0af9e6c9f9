import type { Design } from '../../fit/covariates/design.ts'
import type { Parameters } from '../../model/parameters.ts'
import { posteriorInto } from '../../model/posterior.ts'
import { cholesky, congruence, inverse } from '../../numeric/symmetric.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'

/** A probability this near to zero sits there: it is taken as known, and has no error. */
const BOUNDARY = 1e-6

/** More products than this take minutes. */
const MOST_PRODUCTS = 1e11
/** Once a fit is told to stop, this many are still made: a second or so. */
const LAST_PRODUCTS = 1e9
/** Products between two turns of the event loop. */
const TURN = 1e8

/** Pivots down to this part of their diagonal entry are no rounding: sums of squares lose half of the digits. */
const PIVOT = 1e-10

/** Information that is this part of what it could be is none: the likelihood no longer changes with the coefficient. */
const FLAT = 1e-10

/** A membership model whose errors are asked for: the memberships of every combination, the reference's coefficients being zero. */
export interface Memberships {
  readonly design: Design
  readonly memberships: Float64Array
  /** The class that the others are held against. */
  readonly reference: number
  /** Ends what would take long. */
  readonly signal?: AbortSignal | undefined
}

export interface CovariateErrors {
  /** Of the coefficients, one list of terms per class: not a number for the reference, and where an estimate has run off to infinity. */
  readonly coefficients: Float64Array
  /** Of the coefficients, likewise ordered: not a number where one of the two has no error. */
  readonly ofCoefficients: Float64Array
  /** Of the shares, the mean memberships over the covariates as they were observed, and then of every factor. */
  readonly covariance: Float64Array
  /** How many parameters were free. */
  readonly free: number
}

/**
 * How exactly the data determines a fit with covariates, from the empirical information: the squares of the scores of all parameters,
 * those of the answers included, summed over the observations. Else why not, in words.
 * @param tensor the answers, and last the combination of the covariates
 */
export const covariateErrors = async (
  tensor: Tensor,
  { rank, factors }: Parameters,
  { design, memberships, reference, signal }: Memberships,
): Promise<CovariateErrors | string> => {
  const width = design.terms.length
  const others = Array.from({ length: rank }, (_, k) => k).filter(k => k !== reference)
  const free = factors.map(factor => freeEntries(factor, rank))
  const size = others.length * width + free.reduce((sum, own) => sum + own.length, 0)
  if ((tensor.cells * size * size) / 2 > MOST_PRODUCTS)
    return `${size} free parameters and ${tensor.cells} cells are too many for the information`
  const perTurn = Math.ceil(TURN / (size * size))
  const information = new Float64Array(size * size)
  const scores = Array.from({ length: BATCH }, () => new Float64Array(size))
  let waiting = 0
  const posterior = new Float64Array(rank)
  // The membership is all that the shares would be.
  const explained = { rank, shares: new Float64Array(rank).fill(1), factors: [...factors, memberships] }
  const { indices, values, cells } = tensor
  const patterns = indices[factors.length]
  for (let cell = 0; cell < cells; cell++) {
    if (cell % perTurn === 0) {
      if (signal?.aborted && ((cells - cell) * size * size) / 2 > LAST_PRODUCTS)
        return 'the fit was stopped before they were computed'
      if (cell > 0) await eventLoopTurn()
    }
    const z = patterns[cell]
    if (posteriorInto(explained, indices, cell, posterior) === Number.NEGATIVE_INFINITY)
      return 'the model makes cells of the data impossible: it was not fitted to them'
    const score = scores[waiting]
    const root = Math.sqrt(values[cell])
    let at = 0
    for (const k of others) {
      const excess = root * (posterior[k] - memberships[z * rank + k])
      for (let p = 0; p < width; p++) score[at++] = excess * design.values[z * width + p]
    }
    for (let n = 0; n < factors.length; n++) {
      const j = indices[n][cell]
      const factor = factors[n]
      for (const entry of free[n]) {
        const k = entry % rank
        score[at++] = j === MISSING ? 0 : root * posterior[k] * ((entry - k === j * rank ? 1 : 0) - factor[entry])
      }
    }
    // Four cells at a time: the matrix is read and written once for them.
    if (++waiting < BATCH && cell < cells - 1) continue
    addSquares(information, scores, size)
    for (const each of scores) each.fill(0)
    waiting = 0
  }
  const squares = new Float64Array(width)
  for (let i = 0; i < design.values.length; i++)
    squares[i % width] += design.weights[Math.floor(i / width)] * design.values[i] * design.values[i]
  // A coefficient that has run off to infinity is taken as known, so that the others have their errors.
  const known = Array.from({ length: size }, (_, i) => i).filter(
    i => i >= others.length * width || information[i * size + i] > FLAT * squares[i % width],
  )
  const kept = Float64Array.from({ length: known.length ** 2 }, (_, i) => {
    const [a, b] = [known[Math.floor(i / known.length)], known[i % known.length]]
    return information[Math.max(a, b) * size + Math.min(a, b)]
  })
  const factor = cholesky(kept, known.length, PIVOT)
  if (factor === undefined)
    return 'the scores of the cells do not span all parameters: take fewer classes or covariates'
  const covariance = inverse(factor, known.length)
  const coefficients = rank * width
  const ofCoefficients = new Float64Array(coefficients ** 2).fill(Number.NaN)
  const explaining = known.flatMap((i, at) =>
    i < others.length * width ? [{ at, i: others[Math.floor(i / width)] * width + (i % width) }] : [],
  )
  for (const a of explaining)
    for (const b of explaining) ofCoefficients[a.i * coefficients + b.i] = covariance[a.at * known.length + b.at]
  const map = derivatives({ rank, factors, design, memberships }, known, others, free)
  return {
    coefficients: Float64Array.from({ length: coefficients }, (_, i) =>
      Math.sqrt(ofCoefficients[i * (coefficients + 1)]),
    ),
    ofCoefficients,
    covariance: congruence(map, map.length / known.length, covariance, known.length),
    free: known.length,
  }
}

/** The derivatives of the shares and of all probabilities (rows) by the parameters that are known to be determined (columns). */
const derivatives = (
  {
    rank,
    factors,
    design,
    memberships,
  }: Pick<Parameters, 'rank' | 'factors'> & Pick<Memberships, 'design' | 'memberships'>,
  known: readonly number[],
  others: readonly number[],
  free: readonly (readonly number[])[],
): Float64Array => {
  const width = design.terms.length
  const total = design.weights.reduce((sum, weight) => sum + weight, 0)
  const offsets = factors.map((_, n) => factors.slice(0, n).reduce((sum, own) => sum + own.length, rank))
  const rows = factors.reduce((sum, own) => sum + own.length, rank)
  const places = free.flatMap((own, n) => own.map(entry => ({ n, entry })))
  const map = new Float64Array(rows * known.length)
  known.forEach((i, at) => {
    if (i < others.length * width) {
      const [k, p] = [others[Math.floor(i / width)], i % width]
      for (let z = 0; z < design.patterns; z++) {
        const part = (design.weights[z] / total) * design.values[z * width + p]
        const own = memberships[z * rank + k]
        for (let l = 0; l < rank; l++)
          map[l * known.length + at] += part * memberships[z * rank + l] * ((l === k ? 1 : 0) - own)
      }
      return
    }
    const { n, entry } = places[i - others.length * width]
    const factor = factors[n]
    for (let f = entry % rank; f < factor.length; f += rank) {
      if (factor[f] > BOUNDARY)
        map[(offsets[n] + f) * known.length + at] = factor[f] * ((f === entry ? 1 : 0) - factor[entry])
    }
  })
  return map
}

/** Cells that are taken together. */
const BATCH = 4

/** Adds the squares of four scores below the diagonal. */
const addSquares = (matrix: Float64Array, [a, b, c, d]: readonly Float64Array[], size: number): void => {
  for (let i = 0; i < size; i++) {
    const [ai, bi, ci, di] = [a[i], b[i], c[i], d[i]]
    const row = i * size
    for (let j = 0; j <= i; j++) matrix[row + j] += ai * a[j] + bi * b[j] + (ci * c[j] + di * d[j])
  }
}

/** The free entries of a factor: of every column those above zero but the largest, which follows from them. */
const freeEntries = (factor: Float64Array, rank: number): number[] => {
  const entries: number[] = []
  for (let k = 0; k < rank; k++) {
    let largest = k
    for (let i = k; i < factor.length; i += rank) if (factor[i] > factor[largest]) largest = i
    for (let i = k; i < factor.length; i += rank) if (i !== largest && factor[i] > BOUNDARY) entries.push(i)
  }
  return entries
}
