import { DataError } from '../../errors.ts'
import type { CovariateDesign } from '../../fit/covariates/design.ts'
import { exp } from '../../numeric/exp.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { log } from '../../numeric/log.ts'
import { maximize } from '../../numeric/newton.ts'
import { cholesky } from '../../numeric/symmetric.ts'
import type { ClassifiedRows } from './measurement-step.ts'
import { rareCategoryAdvice } from './rare-category.ts'
import type { ThirdEquations } from './three-steps.ts'

/** The outcome of every row, as a generalized linear model takes it. */
export interface OutcomeValues {
  readonly kind: 'number' | 'category'
  /** A number, or the position of a category. */
  readonly value: (row: number) => number
  /** How many predictors there are: 1 of a number, and of categories one for each but the first. */
  readonly width: number
}

/** An outcome regressed on class and covariates. Coefficients have one order: predictor by predictor, the classes and then the terms. */
export interface OutcomeStep extends Pick<OutcomeValues, 'kind' | 'width'> {
  readonly classes: number
  /** How many coefficients a predictor has. */
  readonly terms: number
  readonly coefficients: Float64Array
  /** Of the rows that are used. */
  readonly shares: Float64Array
  readonly equations: ThirdEquations
  /** The mean or the probabilities of every class, over the covariates of all rows, and their derivatives by the coefficients. */
  readonly adjusted: () => { readonly values: Float64Array; readonly map: Float64Array }
}

/**
 * The gain of a Newton step, per observation, below which there is only rounding left; where a coefficient runs off to infinity; and where it
 * does if there is nothing left that determines it.
 */
const NEWTON = { gain: 1e-15, bound: 60, separated: 10 }

/**
 * Solves Σ w·Σ_t W_st·(T(y) − μ(η_t)) ⊗ v_t = 0, with W = D⁻¹, v_t the indicator of class t and then the covariates' terms, and η = v·β: the
 * canonical link, by which a number is linear, and a category a multinomial logit against the first.
 */
export const outcomeStep = (
  rows: ClassifiedRows,
  design: CovariateDesign,
  pattern: Int32Array,
  { kind, value, width }: OutcomeValues,
): OutcomeStep => {
  const { classes, assigned, weights } = rows
  const corrected = inverseOf(rows.classification, classes)
  if (corrected === undefined)
    throw new DataError('the classes overlap too much to correct for wrong assignments: use fewer classes')
  const q = design.terms.length
  // The classes take the place of the intercept.
  const terms = classes + q - 1
  const size = width * terms
  const x = (z: number, p: number) => design.values[z * q + p + 1]
  /** What a row counts, and its outcome, added up by combination and assigned class. */
  const counts = new Float64Array(design.patterns * classes)
  const sums = new Float64Array(design.patterns * classes * width)
  const statistic = (row: number, j: number) => (kind === 'number' ? value(row) : value(row) === j + 1 ? 1 : 0)
  pattern.forEach((z, row) => {
    if (z < 0) return
    const at = z * classes + assigned[row]
    counts[at] += weights[row]
    for (let j = 0; j < width; j++) sums[at * width + j] += weights[row] * statistic(row, j)
  })
  const beta = new Float64Array(size)
  const eta = new Float64Array(width)
  const mu = new Float64Array(width)
  /** The predictors of a class and combination, and the mean of the statistics. Returns the logarithm of what they are divided by. */
  const meanOf = (t: number, z: number): number => {
    let most = 0
    for (let j = 0; j < width; j++) {
      eta[j] = beta[j * terms + t]
      for (let p = 0; p < q - 1; p++) eta[j] += beta[j * terms + classes + p] * x(z, p)
      mu[j] = eta[j]
      most = Math.max(most, eta[j])
    }
    if (kind === 'number') return 0
    let all = exp(-most)
    for (let j = 0; j < width; j++) all += mu[j] = exp(mu[j] - most)
    for (let j = 0; j < width; j++) mu[j] /= all
    return most + log(all)
  }
  const varianceOf = (j: number, l: number) => (kind === 'number' ? 1 : j === l ? mu[j] * (1 - mu[j]) : -mu[j] * mu[l])
  /** Adds a multiple of residual ⊗ v_t. */
  const addTerms = (
    residual: (j: number) => number,
    t: number,
    z: number,
    times: number,
    into: Float64Array,
    from = 0,
  ) => {
    for (let j = 0; j < width; j++) {
      const part = times * residual(j)
      into[from + j * terms + t] += part
      for (let p = 0; p < q - 1; p++) into[from + j * terms + classes + p] += part * x(z, p)
    }
  }
  /** How much of a combination falls to each class. Some is negative. */
  const masses = Float64Array.from({ length: counts.length }, (_, i) => {
    const [z, t] = [Math.floor(i / classes), i % classes]
    let mass = 0
    for (let s = 0; s < classes; s++) mass += counts[z * classes + s] * corrected[s * classes + t]
    return mass
  })
  const informationBy = (masses: Float64Array): Float64Array => {
    const matrix = new Float64Array(size * size)
    for (let z = 0; z < design.patterns; z++) {
      for (let t = 0; t < classes; t++) {
        const weight = masses[z * classes + t]
        if (weight === 0) continue
        meanOf(t, z)
        const v = (m: number) => (m < classes ? (m === t ? 1 : 0) : x(z, m - classes))
        for (let j = 0; j < width; j++)
          for (let l = 0; l < width; l++) {
            const part = weight * varianceOf(j, l)
            for (let m = 0; m < terms; m++) {
              if (v(m) === 0) continue
              for (let o = 0; o < terms; o++) matrix[(j * terms + m) * size + l * terms + o] += part * v(m) * v(o)
            }
          }
      }
    }
    return matrix
  }
  const score = (): Float64Array => {
    const sum = new Float64Array(size)
    for (let z = 0; z < design.patterns; z++) {
      for (let t = 0; t < classes; t++) {
        meanOf(t, z)
        for (let s = 0; s < classes; s++) {
          const at = z * classes + s
          if (counts[at] === 0) continue
          addTerms(j => sums[at * width + j] - counts[at] * mu[j], t, z, corrected[s * classes + t], sum)
        }
      }
    }
    return sum
  }
  /** Σ over the rows and classes of the weight times T·η − the logarithm of what makes it a probability, or half the square of η. */
  const valueAt = (at: Float64Array): number => {
    beta.set(at)
    let sum = 0
    for (let z = 0; z < design.patterns; z++) {
      for (let t = 0; t < classes; t++) {
        const mass = masses[z * classes + t]
        const norm = meanOf(t, z)
        for (let j = 0; j < width; j++) {
          let expected = 0
          for (let s = 0; s < classes; s++) expected += sums[(z * classes + s) * width + j] * corrected[s * classes + t]
          sum += expected * eta[j]
        }
        sum -= mass * norm
      }
    }
    return sum
  }
  const total = counts.reduce((sum, each) => sum + each, 0)
  const refused = (what: string) => {
    const used = Float64Array.from({ length: design.patterns }, (_, z) =>
      counts.subarray(z * classes, (z + 1) * classes).reduce((sum, each) => sum + each, 0),
    )
    return new DataError(`${what}: ${rareCategoryAdvice(design, used)}`)
  }
  const undetermined = () => refused('the outcome does not determine the effects of classes and covariates')
  // Only weights adjust for covariates, so there is no other method to use.
  const unbounded = () =>
    refused(
      'the regression of the outcome has no maximum, because corrected weights are negative for some combinations of covariates',
    )
  const solve = () => {
    // Its equations are linear: one step solves them, and a second one its rounding.
    if (kind === 'number') {
      for (let step = 0; step < 2; step++) {
        const inverse = inverseOf(informationBy(masses), size, 1e-13)
        if (inverse === undefined) throw undetermined()
        const own = score()
        for (let i = 0; i < size; i++) for (let k = 0; k < size; k++) beta[i] += inverse[i * size + k] * own[k]
      }
      return
    }
    const positive = masses.map(Math.abs)
    const objective = {
      value: valueAt,
      slope: score,
      information: () => informationBy(masses),
      metric: () => cholesky(informationBy(positive), size),
    }
    const { end } = maximize(new Float64Array(size), objective, { ...NEWTON, gain: NEWTON.gain * total })
    const negative = masses.some(mass => mass < 0)
    if (end === 'rounding') return
    const separated = end === 'infinite' || (end === 'flat' && beta.some(each => Math.abs(each) > NEWTON.separated))
    if (separated && !negative)
      throw new DataError(
        'the regression of the outcome has no solution: a category hardly occurs in some class; merge categories, or leave covariates out',
      )
    if (end === 'flat' && !separated) throw undetermined()
    throw unbounded()
  }
  solve()
  // A point without slope that is no maximum is none of a regression either.
  const information = informationBy(masses)
  const bread = inverseOf(information, size, 1e-13)
  if (bread === undefined) throw undetermined()
  if (cholesky(information, size) === undefined) throw unbounded()
  /** dW = −W·dD·W. */
  const slopesOf = (): Float64Array => {
    const slopes = new Float64Array(classes * classes * size)
    const own = new Float64Array(size)
    for (let at = 0; at < counts.length; at++) {
      if (counts[at] === 0) continue
      const [z, s] = [Math.floor(at / classes), at % classes]
      for (let other = 0; other < classes; other++) {
        own.fill(0)
        for (let t = 0; t < classes; t++) {
          meanOf(t, z)
          addTerms(j => sums[at * width + j] - counts[at] * mu[j], t, z, corrected[other * classes + t], own)
        }
        for (let t = 0; t < classes; t++)
          for (let i = 0; i < size; i++) slopes[(t * classes + other) * size + i] -= corrected[s * classes + t] * own[i]
      }
    }
    return slopes
  }

  const adjusted = (): { values: Float64Array; map: Float64Array } => {
    const each = kind === 'number' ? 1 : width + 1
    const values = new Float64Array(classes * each)
    const map = new Float64Array(classes * each * size)
    for (let z = 0; z < design.patterns; z++) {
      let part = 0
      for (let s = 0; s < classes; s++) part += counts[z * classes + s] / total
      for (let t = 0; t < classes; t++) {
        meanOf(t, z)
        for (let j = 0; j < width; j++) {
          const row = t * each + (kind === 'number' ? j : j + 1)
          values[row] += part * mu[j]
          for (let l = 0; l < width; l++) addOne(map, row * size, l, part * varianceOf(j, l), t, z)
        }
      }
    }
    // The first category has what the others leave.
    for (let t = 0; kind === 'category' && t < classes; t++) {
      values[t * each] = 1
      for (let j = 1; j < each; j++) {
        values[t * each] -= values[t * each + j]
        for (let i = 0; i < size; i++) map[t * each * size + i] -= map[(t * each + j) * size + i]
      }
    }
    return { values, map }
  }

  const addOne = (into: Float64Array, from: number, l: number, times: number, t: number, z: number): void => {
    into[from + l * terms + t] += times
    for (let p = 0; p < q - 1; p++) into[from + l * terms + classes + p] += times * x(z, p)
  }
  return {
    kind,
    width,
    classes,
    terms,
    coefficients: beta,
    shares: Float64Array.from(
      { length: classes },
      (_, t) => counts.reduce((sum, each, i) => sum + each * corrected[(i % classes) * classes + t], 0) / total,
    ),
    equations: {
      size,
      bread,
      addScore: (row, into) => {
        const z = pattern[row]
        if (z < 0) return
        for (let t = 0; t < classes; t++) {
          meanOf(t, z)
          addTerms(j => statistic(row, j) - mu[j], t, z, corrected[assigned[row] * classes + t], into)
        }
      },
      slopes: slopesOf(),
    },
    adjusted,
  }
}
