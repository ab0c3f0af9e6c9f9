import { congruence } from '../../numeric/symmetric.ts'
import type { AddScore } from '../errors/survey-design.ts'
import type { ClassifiedRows, MeasurementStep } from './measurement-step.ts'

/** The equations that a third step solves: that a sum of scores over the rows is zero, which depends on how often assignments are wrong. */
export interface ThirdEquations {
  /** How many parameters it estimates. */
  readonly size: number
  /** The inverse of the derivatives of the sum of the scores, with their sign changed: symmetric. */
  readonly bread: Float64Array
  /** Adds the score of a row per unit of weight; a row that the third step does not use has none. */
  readonly addScore: (row: number, into: Float64Array) => void
  /** The derivatives of the sum of the scores by P[assigned to s | class t], from `(t * classes + s) * size` on. */
  readonly slopes: Float64Array
  /** The same by the sizes of the classes, from `t * size` on, if it takes them from the first step. */
  readonly bySizes?: Float64Array
}

/** The variance of a sum of scores times weights over the rows, where they were not drawn one by one. */
export type SumVariance = (size: number, addScore: AddScore) => Float64Array

/**
 * The covariance of a third step's estimates, H⁻¹·Var(Σ w·f)·H⁻¹. The score f of a row has three parts: its own in the third step; what it
 * adds to the frequencies of wrong assignments, D; and what it adds to the model's parameters θ, by which D is computed:
 *
 *   f = ψ + (∂Σψ/∂D)·(its part of D) + (∂Σψ/∂D)·(∂D/∂θ)·I⁻¹·(its score in the first step)
 *
 * So the variance allows for all three steps and for what they have in common. If the model was fitted to other rows, its covariance is
 * added instead of the last part. If it is known, the first part is all there is.
 */
export const threeStepCovariance = (
  rows: ClassifiedRows,
  third: ThirdEquations,
  first: MeasurementStep | undefined,
  variance?: SumVariance,
): Float64Array => {
  const { size, bread, addScore } = third
  const parts = first === undefined ? undefined : earlierSteps(rows, third, first)
  const score = new Float64Array(size)
  const scoreOf = (row: number): Float64Array => {
    score.fill(0)
    addScore(row, score)
    parts?.addScore(row, score)
    return score
  }
  const own =
    variance === undefined
      ? squaresOf(rows, size, scoreOf)
      : variance(size, (row, into) => {
          const each = scoreOf(row)
          for (let a = 0; a < size; a++) into[a] += rows.weights[row] * each[a]
        })
  const { elsewhere } = parts ?? {}
  const matrix = elsewhere === undefined ? own : own.map((each, i) => each + elsewhere[i])
  return congruence(bread, size, matrix, size)
}

/** Σ w²·f·fᵀ. */
const squaresOf = ({ squares }: ClassifiedRows, size: number, scoreOf: (row: number) => Float64Array): Float64Array => {
  const matrix = new Float64Array(size * size)
  squares.forEach((square, row) => {
    if (square === 0) return
    const score = scoreOf(row)
    for (let a = 0; a < size; a++) {
      const part = square * score[a]
      for (let b = 0; b <= a; b++) matrix[a * size + b] += part * score[b]
    }
  })
  for (let a = 0; a < size; a++) for (let b = 0; b < a; b++) matrix[b * size + a] = matrix[a * size + b]
  return matrix
}

/** What the first two steps add to the scores of the third. */
const earlierSteps = (
  rows: ClassifiedRows,
  third: ThirdEquations,
  first: MeasurementStep,
): { addScore: ThirdEquations['addScore']; elsewhere: Float64Array | undefined } => {
  const { classes, posteriors, assigned, weights } = rows
  const { size } = third
  const { places, all, free, logs } = first
  const effects = effectsOfPosteriors(rows, third)
  /** Calls back for every class and parameter that a row's score in the first step has a part of. */
  const eachPlace = (row: number, visit: (k: number, place: number) => void): void => {
    for (let k = 0; k < classes; k++) {
      visit(k, k)
      for (const column of places) if (column[row] >= 0) visit(k, column[row] + k)
    }
  }
  // (∂Σψ/∂D)·(∂D/∂ log θ): a posterior Ψ_k changes by Ψ_k·(S_k − Σ Ψ_l·S_l), S_k the score of the row if it were of class k.
  const slopes = new Float64Array(size * all)
  const change = new Float64Array(classes * size)
  for (let row = 0; row < assigned.length; row++) {
    if (weights[row] === 0) continue
    const own = posteriors.subarray(row * classes, (row + 1) * classes)
    const effect = (k: number, a: number) => effects[(assigned[row] * classes + k) * size + a]
    for (let a = 0; a < size; a++) {
      let mean = 0
      for (let k = 0; k < classes; k++) mean += own[k] * effect(k, a)
      for (let k = 0; k < classes; k++) change[k * size + a] = weights[row] * own[k] * (effect(k, a) - mean)
    }
    eachPlace(row, (k, place) => {
      for (let a = 0; a < size; a++) slopes[a * all + place] += change[k * size + a]
    })
  }
  const byFree = product(slopes, transposed(logs, free, all), size, all, free)
  const here = first.measurement === 'estimated here'
  // Of the logarithm of each parameter, what it adds to the third step's score.
  const table = here ? product(product(byFree, first.bread, size, free, free), logs, size, free, all) : undefined
  return {
    addScore: (row, into) => {
      const own = posteriors.subarray(row * classes, (row + 1) * classes)
      for (let k = 0; k < classes; k++) {
        const from = (assigned[row] * classes + k) * size
        for (let a = 0; a < size; a++) into[a] += own[k] * effects[from + a]
      }
      if (table === undefined) return
      eachPlace(row, (k, place) => {
        for (let a = 0; a < size; a++) into[a] += own[k] * table[a * all + place]
      })
    },
    elsewhere: here ? undefined : congruence(byFree, size, first.covariance, free),
  }
}

/** What the posterior of class t does to the sum of the scores, for a row that was assigned to s: from `(s * classes + t) * size` on. */
const effectsOfPosteriors = (
  { classes, classification, masses }: ClassifiedRows,
  { size, slopes, bySizes }: ThirdEquations,
): Float64Array => {
  const effects = new Float64Array(classes * classes * size)
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  for (let t = 0; t < classes; t++) {
    for (let a = 0; a < size; a++) {
      let mean = 0
      for (let s = 0; s < classes; s++) mean += classification[t * classes + s] * slopes[(t * classes + s) * size + a]
      for (let s = 0; s < classes; s++)
        effects[(s * classes + t) * size + a] = (slopes[(t * classes + s) * size + a] - mean) / masses[t]
    }
  }
  if (bySizes === undefined) return effects
  for (let a = 0; a < size; a++) {
    let mean = 0
    for (let t = 0; t < classes; t++) mean += (masses[t] / total) * bySizes[t * size + a]
    for (let s = 0; s < classes; s++)
      for (let t = 0; t < classes; t++) effects[(s * classes + t) * size + a] += (bySizes[t * size + a] - mean) / total
  }
  return effects
}

/** A·B of matrices with these many rows, inner and columns. */
const product = (a: Float64Array, b: Float64Array, rows: number, inner: number, columns: number): Float64Array => {
  const result = new Float64Array(rows * columns)
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      const entry = a[i * inner + k]
      if (entry === 0) continue
      for (let j = 0; j < columns; j++) result[i * columns + j] += entry * b[k * columns + j]
    }
  }
  return result
}

const transposed = (matrix: Float64Array, rows: number, columns: number): Float64Array =>
  Float64Array.from({ length: rows * columns }, (_, at) => matrix[(at % rows) * columns + Math.floor(at / rows)])
