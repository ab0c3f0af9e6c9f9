import { DataError } from '../../errors.ts'
import type { CovariateDesign } from '../../fit/covariates/design.ts'
import { logitOf } from '../../fit/covariates/logit.ts'
import { log } from '../../numeric/log.ts'
import { maximize, type Objective } from '../../numeric/newton.ts'
import { random } from '../../numeric/philox.ts'
import { advise, words } from '../../wording.ts'

/** Correction for wrong assignments: 'ml' (maximum likelihood), 'bch' (Bolck–Croon–Hagenaars weights) or 'none'. */
export type RegressMethod = 'ml' | 'bch' | 'none'

/** What a third step knows of the membership of rows: for every combination z of covariates, how many were assigned to each class s. */
export interface AssignedCombinations {
  readonly classes: number
  readonly design: CovariateDesign
  /** At `z * classes + s`. */
  readonly counts: Float64Array
  /** P[assigned to s | class t], at `t * classes + s`. */
  readonly classification: Float64Array
  /** Its inverse: how much a row that was assigned to s counts for class t, at `s * classes + t`. */
  readonly corrected: Float64Array
}

/** The gain of a Newton step, per observation, below which there is nothing left to gain. */
const GAIN = 1e-15

/** If weights are negative and a coefficient is beyond this, the objective rises without end. Else each is at most about 35 from others. */
const INFINITE = 150

/**
 * The likelihood may have several maxima, also where some memberships are 0 or 1, so it has random starts too: with slopes this wide, ten
 * found as high a maximum as 30 starts of scipy's BFGS in each of 300 samples of 120 observations. Large data, whose products are more than this, has fewer.
 */
const STARTS = { most: 10, slope: 8, products: 1e8 }
/** A maximum that is higher by less than this, per observation, is the same. */
const SAME = 1e-9

/** The logit of membership by a third step: its coefficients, one list of terms per class, zero for the first, and its memberships. */
export const fitMembership = (
  data: AssignedCombinations,
  method: Exclude<RegressMethod, 'none'>,
): { readonly coefficients: Float64Array; readonly memberships: Float64Array } => {
  const { classes, design, counts } = data
  const width = design.terms.length
  const total = counts.reduce((sum, each) => sum + each, 0)
  const memberships = new Float64Array(design.patterns * classes)
  const objective = objectiveOf(data, method, memberships)
  const [gain, unbounded] = [GAIN * total, Number.POSITIVE_INFINITY]
  const negative = method === 'bch' && objective.expectedCounts.some(each => each < -gain)
  const climb = (start: Float64Array) => maximize(start, objective, { gain, bound: negative ? INFINITE : unbounded })
  const first = startOf(data, width)
  let best = climb(first)
  if (best.end === 'infinite')
    throw new DataError(
      words`the regression has no solution: corrected weights are negative for some combinations of covariates; ${advise('use', 'method', 'ml')}, or fewer terms`,
    )
  if (method === 'ml') {
    const uncorrected = maximize(first, objectiveOf(asAssigned(data), 'bch', memberships), {
      gain,
      bound: unbounded,
    }).at
    for (const start of [uncorrected, ...randomStarts(first, design.patterns)]) {
      const other = climb(start)
      if (other.end === 'rounding' && (best.end !== 'rounding' || other.value > best.value + SAME * total)) best = other
    }
  }
  if (best.end !== 'rounding')
    throw new DataError(
      words`the regression did not converge: its last step was larger than rounding. Use fewer terms or classes${method === 'bch' ? words`, or ${advise('use', 'method', 'ml')}` : ''}`,
    )
  objective.value(best.at)
  const coefficients = new Float64Array(classes * width)
  coefficients.set(best.at, width)
  return { coefficients, memberships }
}

/** What is maximized. Its memberships are those of the last point. */
const objectiveOf = (
  data: AssignedCombinations,
  method: Exclude<RegressMethod, 'none'>,
  memberships: Float64Array,
): Objective & { readonly expectedCounts: Float64Array } => {
  const logit = logitOf(data.design, data.classes)
  const expectedCounts = new Float64Array(memberships.length)
  const slope = new Float64Array(logit.size)
  if (method === 'bch') countsByWeights(data, expectedCounts)
  return {
    expectedCounts,
    value: beta => {
      logit.memberships(beta, memberships)
      if (method === 'ml') return likelihoodOf(data, memberships)
      return expectedCounts.reduce((sum, each, i) => (each === 0 ? sum : sum + each * log(memberships[i])), 0)
    },
    slope: () => {
      if (method === 'ml') countsByPosterior(data, memberships, expectedCounts)
      logit.slope(expectedCounts, memberships, slope)
      return slope
    },
    information: () => (method === 'ml' ? observedInformation : completeInformation)(data, memberships, 0),
    metric: () => logit.information(memberships),
  }
}

/** As if all assignments were right. */
const asAssigned = (data: AssignedCombinations): AssignedCombinations => ({
  ...data,
  corrected: data.corrected.map((_, i) => (i % (data.classes + 1) === 0 ? 1 : 0)),
})

const randomStarts = (first: Float64Array, patterns: number): Float64Array[] => {
  const { uniform } = random(1, 'slopes')
  const count = Math.min(STARTS.most, Math.floor(STARTS.products / (patterns * first.length ** 2)))
  return Array.from({ length: count }, () => first.map(each => each + STARTS.slope * (2 * uniform() - 1)))
}

/** Without effects: the classes as large as the weights make them. */
const startOf = ({ classes, counts, corrected }: AssignedCombinations, width: number): Float64Array => {
  const sizes = new Float64Array(classes)
  counts.forEach((each, i) => {
    for (let t = 0; t < classes; t++) sizes[t] += each * corrected[(i % classes) * classes + t]
  })
  const total = sizes.reduce((sum, each) => sum + each, 0)
  const share = (t: number) => Math.max(sizes[t] / total, 0.01 / classes)
  const beta = new Float64Array((classes - 1) * width)
  for (let t = 1; t < classes; t++) beta[(t - 1) * width] = log(share(t) / share(0))
  return beta
}

/** Σ w·log Σ_t π_t·D_ts. */
const likelihoodOf = ({ classes, counts, classification }: AssignedCombinations, memberships: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 0) continue
    const [z, s] = [Math.floor(i / classes), i % classes]
    let p = 0
    for (let t = 0; t < classes; t++) p += memberships[z * classes + t] * classification[t * classes + s]
    sum += counts[i] * log(p)
  }
  return sum
}

/** How much of each combination falls to each class: by the weights. */
const countsByWeights = ({ classes, counts, corrected }: AssignedCombinations, into: Float64Array): void => {
  into.fill(0)
  counts.forEach((each, i) => {
    const [z, s] = [Math.floor(i / classes), i % classes]
    for (let t = 0; t < classes; t++) into[z * classes + t] += each * corrected[s * classes + t]
  })
}

/** And by the probability of the classes given covariates and assignment. */
const countsByPosterior = (data: AssignedCombinations, memberships: Float64Array, into: Float64Array): void => {
  const { classes, counts } = data
  const own = new Float64Array(classes)
  into.fill(0)
  counts.forEach((each, i) => {
    if (each === 0) return
    const z = Math.floor(i / classes)
    posteriorOf(data, memberships, z, i % classes, own)
    for (let t = 0; t < classes; t++) into[z * classes + t] += each * own[t]
  })
}

/** P[class | covariates, assigned to s], and what it is divided by. */
export const posteriorOf = (
  { classes, classification }: Pick<AssignedCombinations, 'classes' | 'classification'>,
  memberships: Float64Array,
  z: number,
  s: number,
  into: Float64Array,
): number => {
  let sum = 0
  for (let t = 0; t < classes; t++) sum += into[t] = memberships[z * classes + t] * classification[t * classes + s]
  for (let t = 0; t < classes; t++) into[t] /= sum
  return sum
}

/**
 * The second derivatives of the likelihood with their sign changed, about the coefficients of all classes but the reference: those of a
 * logit whose classes are known, less what is lost by knowing the assignment alone.
 */
export const observedInformation = (
  data: AssignedCombinations,
  memberships: Float64Array,
  reference: number,
): Float64Array => {
  const { classes, counts } = data
  const own = new Float64Array(classes)
  return informationBy(data, reference, (i, z, k, l) => {
    if (k === -1) {
      posteriorOf(data, memberships, z, i % classes, own)
      return 0
    }
    const [p, q] = [memberships[z * classes + k], memberships[z * classes + l]]
    const complete = k === l ? p * (1 - q) : -p * q
    return counts[i] * (complete - (k === l ? own[k] * (1 - own[l]) : -own[k] * own[l]))
  })
}

/** Of a logit whose classes are known. */
export const completeInformation = (
  data: AssignedCombinations,
  memberships: Float64Array,
  reference: number,
): Float64Array => {
  const { classes, counts } = data
  return informationBy(data, reference, (i, z, k, l) => {
    if (k === -1) return 0
    const [p, q] = [memberships[z * classes + k], memberships[z * classes + l]]
    return counts[i] * (k === l ? p * (1 - q) : -p * q)
  })
}

/** Σ part_kl ⊗ x·xᵀ over combinations and assignments; `part` is first called with −1 for each of them. */
const informationBy = (
  { classes, design, counts }: AssignedCombinations,
  reference: number,
  part: (i: number, z: number, k: number, l: number) => number,
): Float64Array => {
  const width = design.terms.length
  const others = Array.from({ length: classes }, (_, k) => k).filter(k => k !== reference)
  const size = others.length * width
  const matrix = new Float64Array(size * size)
  const sums = new Float64Array(others.length ** 2)
  for (let z = 0; z < design.patterns; z++) {
    sums.fill(0)
    for (let i = z * classes; i < (z + 1) * classes; i++) {
      if (counts[i] === 0) continue
      part(i, z, -1, -1)
      others.forEach((k, a) => {
        others.forEach((l, b) => {
          sums[a * others.length + b] += part(i, z, k, l)
        })
      })
    }
    const x = design.values.subarray(z * width, (z + 1) * width)
    for (let a = 0; a < others.length; a++) {
      for (let b = 0; b < others.length; b++) {
        const times = sums[a * others.length + b]
        for (let p = 0; p < width; p++) {
          if (x[p] === 0) continue
          const row = (a * width + p) * size + b * width
          for (let q = 0; q < width; q++) matrix[row + q] += times * x[p] * x[q]
        }
      }
    }
  }
  return matrix
}
