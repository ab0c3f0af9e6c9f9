import { DataError } from '../../errors.ts'
import { exp } from '../../numeric/exp.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { log } from '../../numeric/log.ts'
import { advise, words } from '../../wording.ts'
import { estimateCovariance } from '../errors/sandwich.ts'
import type { AssignedRows } from './assigned-rows.ts'
import type { ThirdEquations } from './three-steps.ts'

export interface ThirdStep {
  readonly estimates: Float64Array
  readonly shares: Float64Array
  /** Of a number within each class; not a number where the weights make it negative. */
  readonly variances: Float64Array | undefined
  /** The equations that the estimates solve; rows are those with an outcome. */
  readonly equations: () => ThirdEquations
  /** The derivatives of the estimates by the parameters of the equations, where these are others. */
  readonly map?: () => Float64Array
}

/**
 * By weights (Bolck, Croon and Hagenaars): every row counts for class t as much as row s of the inverse of the classification says, s the
 * class it was assigned to; some weights are negative. With the identity for the classification it is the uncorrected analysis.
 */
export const byWeights = (rows: AssignedRows): ThirdStep => {
  const { classes, width, assigned, outcome, weights } = rows
  const corrected = inverseOf(rows.classification, classes)
  if (corrected === undefined)
    throw new DataError('the classes overlap too much to correct for wrong assignments: use fewer classes')
  const size = classes * width
  const value = (i: number, j: number) => (width === 1 ? outcome[i] : outcome[i] === j ? 1 : 0)
  const own = (i: number, t: number) => corrected[assigned[i] * classes + t]
  const masses = new Float64Array(classes)
  const sums = new Float64Array(size)
  assigned.forEach((_, i) => {
    for (let t = 0; t < classes; t++) {
      const weight = weights[i] * own(i, t)
      masses[t] += weight
      for (let j = 0; j < width; j++) sums[t * width + j] += weight * value(i, j)
    }
  })
  const without = masses.findIndex(mass => !(mass > 0))
  if (without >= 0)
    throw new DataError(
      words`class ${without + 1} has no members left after the correction: ${advise('use', 'method', 'ml')}, or fewer classes`,
    )
  const estimates = sums.map((sum, at) => sum / masses[Math.floor(at / width)])
  const variances = new Float64Array(classes)
  if (width === 1)
    assigned.forEach((_, i) => {
      for (let t = 0; t < classes; t++)
        variances[t] += (weights[i] * own(i, t) * (outcome[i] - estimates[t]) ** 2) / masses[t]
    })
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  return {
    estimates,
    shares: masses.map(mass => mass / total),
    variances: width === 1 ? variances.map(each => (each >= 0 ? each : Number.NaN)) : undefined,
    equations: () => ({
      size,
      bread: Float64Array.from({ length: size * size }, (_, at) =>
        at % (size + 1) === 0 ? 1 / masses[Math.floor(at / (size + 1) / width)] : 0,
      ),
      addScore: (i, into) => {
        for (let at = 0; at < size; at++)
          into[at] += own(i, Math.floor(at / width)) * (value(i, at % width) - estimates[at])
      },
      slopes: slopesByWeights(rows, corrected, size, (i, at) => value(i, at % width) - estimates[at]),
    }),
  }
}

/** With W = D⁻¹, dW = −W·dD·W: the derivatives of the sums of scores by D, where the score of a row for class t is W_st·residual. */
const slopesByWeights = (
  { classes, assigned, weights, width }: AssignedRows,
  corrected: Float64Array,
  size: number,
  residual: (row: number, at: number) => number,
): Float64Array => {
  const sums = new Float64Array(classes * size)
  assigned.forEach((s, i) => {
    for (let at = 0; at < size; at++) sums[s * size + at] += weights[i] * residual(i, at)
  })
  const slopes = new Float64Array(classes * classes * size)
  for (let t = 0; t < classes; t++)
    for (let at = 0; at < size; at++) {
      let sum = 0
      for (let s = 0; s < classes; s++) sum += corrected[s * classes + t] * sums[s * size + at]
      for (let other = 0; other < classes; other++)
        slopes[(t * classes + other) * size + at] = -sum * corrected[other * classes + Math.floor(at / width)]
    }
  return slopes
}

/** Passes of the third step's EM, and the part of the log-likelihood per observation below which a pass gains nothing. */
const EM = { passes: 20_000, gain: 1e-13 }

/**
 * A class and category is at zero, which EM nears but never reaches, if less than this part of an observation falls to it; or if so small a
 * probability still shrinks by so much with every pass, as in samples so large that EM ends before. It has no standard error.
 */
const BOUNDARY = { observations: 1e-3, probability: 1e-6, shrinking: 0.99 }

/**
 * Categories by maximum likelihood (Vermunt): Σ w·log Σ_t q_tj·D_ts over the rows assigned to s with category j, for the joint
 * probabilities q of class and category. Where the weights of the other correction give no negative probability, it is the same.
 */
export const categoriesByLikelihood = (rows: AssignedRows): ThirdStep => {
  const { classes, width, classification } = rows
  const size = classes * width
  const weights = tabled(rows)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const q = startOf(rows)
  let earlier = q.slice()
  /** P[class t | assigned to s, category j], for all t. */
  const posterior = new Float64Array(classes)
  const posteriorOf = (s: number, j: number): number => {
    let sum = 0
    for (let t = 0; t < classes; t++) sum += posterior[t] = q[t * width + j] * classification[t * classes + s]
    for (let t = 0; t < classes; t++) posterior[t] = sum > 0 ? posterior[t] / sum : 0
    return sum
  }
  climb(total, () => {
    const next = new Float64Array(size)
    let likelihood = 0
    eachCell(classes, width, weights, (s, j, weight) => {
      likelihood += weight * log(posteriorOf(s, j))
      for (let t = 0; t < classes; t++) next[t * width + j] += (weight * posterior[t]) / total
    })
    earlier = q.slice()
    q.set(next)
    return likelihood
  })
  for (const at of q.keys()) {
    const shrinks = q[at] < BOUNDARY.probability && q[at] < BOUNDARY.shrinking * earlier[at]
    if (shrinks || q[at] * rows.observations < BOUNDARY.observations) q[at] = 0
  }
  const shares = Float64Array.from({ length: classes }, (_, t) => sumOf(q.subarray(t * width, (t + 1) * width)))
  const estimates = q.map((each, at) => each / shares[Math.floor(at / width)])
  // The logits of q against its largest entry, of those that are not at zero.
  const moving = [...q.keys()]
    .filter(at => q[at] > 0)
    .sort((a, b) => q[a] - q[b] || a - b)
    .slice(0, -1)
  const n = moving.length
  /** P[class and category | the row] of the parameter at a position. */
  const has = (at: number, j: number) => (at % width === j ? posterior[Math.floor(at / width)] : 0)
  const equations = (): ThirdEquations => {
    const hessian = new Float64Array(n * n)
    moving.forEach((a, i) => {
      moving.forEach((b, k) => {
        hessian[i * n + k] = total * (a === b ? q[a] : 0) - total * q[a] * q[b]
      })
    })
    const slopes = new Float64Array(classes * classes * n)
    eachCell(classes, width, weights, (s, j, weight) => {
      const sum = posteriorOf(s, j)
      moving.forEach((a, i) => {
        moving.forEach((b, k) => {
          hessian[i * n + k] -= weight * ((a === b ? has(a, j) : 0) - has(a, j) * has(b, j))
        })
      })
      // By D_ts the score changes by q_tj/Σ q·D times what it would be in class t less what it is.
      for (let t = 0; t < classes; t++) {
        const times = (weight * q[t * width + j]) / sum
        moving.forEach((a, i) => {
          slopes[(t * classes + s) * n + i] += times * ((a === t * width + j ? 1 : 0) - has(a, j))
        })
      }
    })
    return {
      size: n,
      bread: breadOf(hessian, n),
      slopes,
      addScore: (row, into) => {
        const j = rows.outcome[row]
        posteriorOf(rows.assigned[row], j)
        moving.forEach((a, i) => {
          into[i] += has(a, j) - q[a]
        })
      },
    }
  }
  // θ = q/Σq within a class: dθ_tj/dη_ti = θ_tj·(δ_ji − θ_ti).
  const map = () => {
    const derivatives = new Float64Array(size * n)
    for (let at = 0; at < size; at++) {
      moving.forEach((other, i) => {
        if (Math.floor(other / width) !== Math.floor(at / width)) return
        derivatives[at * n + i] = estimates[at] * ((at === other ? 1 : 0) - estimates[other])
      })
    }
    return derivatives
  }
  return { estimates, shares, variances: undefined, equations, map }
}

/**
 * Categories by maximum likelihood with classes of the sizes of the first step: Σ w·log Σ_t π_t·θ_tj·D_ts. It has one maximum, since it is
 * concave in θ.
 */
export const categoriesInClasses = (rows: AssignedRows): ThirdStep => {
  const { classes, width, classification } = rows
  const weights = tabled(rows)
  const shares = sizesOf(rows)
  const posterior = new Float64Array(classes)
  const estimates = new Float64Array(classes * width).fill(1 / width)
  /** P[class t | assigned to s, category j], for all t. */
  const posteriorOf = (s: number, j: number): number => {
    let sum = 0
    for (let t = 0; t < classes; t++)
      sum += posterior[t] = shares[t] * estimates[t * width + j] * classification[t * classes + s]
    for (let t = 0; t < classes; t++) posterior[t] = sum > 0 ? posterior[t] / sum : 0
    return sum
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let earlier = estimates.slice()
  climb(total, () => {
    const next = new Float64Array(classes * width)
    let likelihood = 0
    eachCell(classes, width, weights, (s, j, weight) => {
      likelihood += weight * log(posteriorOf(s, j))
      for (let t = 0; t < classes; t++) next[t * width + j] += weight * posterior[t]
    })
    earlier = estimates.slice()
    for (let t = 0; t < classes; t++) {
      const mass = sumOf(next.subarray(t * width, (t + 1) * width))
      for (let j = 0; j < width; j++) estimates[t * width + j] = next[t * width + j] / mass
    }
    return likelihood
  })
  for (const at of estimates.keys()) {
    const shrinks = estimates[at] < BOUNDARY.probability && estimates[at] < BOUNDARY.shrinking * earlier[at]
    const observations = estimates[at] * shares[Math.floor(at / width)] * rows.observations
    if (shrinks || observations < BOUNDARY.observations) estimates[at] = 0
  }
  const normalize = () => {
    for (let t = 0; t < classes; t++) {
      const own = estimates.subarray(t * width, (t + 1) * width)
      const sum = sumOf(own)
      own.forEach((each, j) => {
        own[j] = each / sum
      })
    }
  }
  normalize()
  // The logits of every class against its largest entry, of those that are not at zero.
  const moving = Array.from({ length: classes }, (_, t) => t).flatMap(t => {
    const own = Array.from({ length: width }, (_, j) => t * width + j).filter(at => estimates[at] > 0)
    return own.sort((a, b) => estimates[a] - estimates[b] || a - b).slice(0, -1)
  })
  const n = moving.length
  const classOf = (at: number) => Math.floor(at / width)
  /** The score of category j if it were of class t. */
  const scoreIn = (t: number, j: number, into: Float64Array): void => {
    moving.forEach((at, i) => {
      into[i] = classOf(at) === t ? (at % width === j ? 1 : 0) - estimates[at] : 0
    })
  }
  const equations = (): ThirdEquations => {
    const hessian = new Float64Array(n * n)
    const slopes = new Float64Array(classes * classes * n)
    const bySizes = new Float64Array(classes * n)
    const [own, whole] = [new Float64Array(n), new Float64Array(n)]
    const wholeOf = (j: number) => {
      whole.fill(0)
      for (let t = 0; t < classes; t++) {
        scoreIn(t, j, own)
        for (let i = 0; i < n; i++) whole[i] += posterior[t] * own[i]
      }
    }
    eachCell(classes, width, weights, (s, j, weight) => {
      posteriorOf(s, j)
      wholeOf(j)
      addOuter(hessian, whole, weight)
      moving.forEach((a, i) => {
        moving.forEach((b, k) => {
          if (classOf(a) !== classOf(b)) return
          hessian[i * n + k] += weight * posterior[classOf(a)] * estimates[a] * ((a === b ? 1 : 0) - estimates[b])
        })
      })
      for (let t = 0; t < classes; t++) {
        scoreIn(t, j, own)
        addOuter(hessian, own, -weight * posterior[t])
        // What depends on π_t·D_ts changes the score by its part times what it would be in class t less what it is.
        const part = weight * posterior[t]
        for (let i = 0; i < n; i++) {
          slopes[(t * classes + s) * n + i] += (part / classification[t * classes + s] || 0) * (own[i] - whole[i])
          bySizes[t * n + i] += (part / shares[t]) * (own[i] - whole[i])
        }
      }
    })
    return {
      size: n,
      bread: breadOf(hessian, n),
      slopes,
      bySizes,
      addScore: (row, into) => {
        posteriorOf(rows.assigned[row], rows.outcome[row])
        wholeOf(rows.outcome[row])
        for (let i = 0; i < n; i++) into[i] += whole[i]
      },
    }
  }
  const likelihood = () => {
    let sum = 0
    eachCell(classes, width, weights, (s, j, weight) => {
      sum += weight * log(posteriorOf(s, j))
    })
    return sum
  }
  // EM is slow at its end: Newton's steps give the last digits, as long as they do not lead down.
  let reached = likelihood()
  for (let step = 0; step < POLISH.steps && n > 0; step++) {
    const { bread, addScore } = equations()
    const score = new Float64Array(n)
    rows.outcome.forEach((_, row) => {
      const own = new Float64Array(n)
      addScore(row, own)
      for (let i = 0; i < n; i++) score[i] += rows.weights[row] * own[i]
    })
    const change = score.map((_, i) => score.reduce((sum, each, k) => sum + bread[i * n + k] * each, 0))
    if (change.some(each => Math.abs(each) > POLISH.most)) break
    const before = estimates.slice()
    moving.forEach((at, i) => {
      estimates[at] *= exp(change[i])
    })
    normalize()
    const now = likelihood()
    if (now < reached - EM.gain * total) {
      estimates.set(before)
      break
    }
    reached = now
  }
  const map = () =>
    Float64Array.from({ length: classes * width * n }, (_, i) => {
      const [at, other] = [Math.floor(i / n), moving[i % n]]
      return classOf(at) === classOf(other) ? estimates[at] * ((at === other ? 1 : 0) - estimates[other]) : 0
    })
  return { estimates, shares, variances: undefined, equations, map }
}

/** How large the classes are by the first two steps: by the posteriors of all rows with an answer. */
const sizesOf = ({ all: { masses } }: AssignedRows): Float64Array => {
  const total = sumOf(masses)
  return masses.map(mass => mass / total)
}

/** Newton's steps after EM, and the change of a logit beyond which they are none. */
const POLISH = { steps: 3, most: 0.1 }

/** Passes of EM until there is nothing left to gain. @param pass returns the log-likelihood before it */
const climb = (total: number, pass: () => number): void => {
  let before = Number.NEGATIVE_INFINITY
  for (let passes = 0; passes < EM.passes; passes++) {
    const likelihood = pass()
    if (likelihood - before <= EM.gain * total) return
    before = likelihood
  }
  throw new DataError(
    words`the likelihood of the third step still rises after ${EM.passes} passes: ${advise('use', 'method', 'bch')}, or fewer classes`,
  )
}

/**
 * Numbers by maximum likelihood: as above, with a normal distribution of its own mean and variance in every class in place of the
 * categories' probabilities. Classes have the sizes of the first step, or sizes that are estimated too.
 */
export const numbersByLikelihood = (rows: AssignedRows, fixed: boolean): ThirdStep => {
  const { classes, assigned, outcome, weights, classification } = rows
  const total = sumOf(weights)
  const mean = outcome.reduce((sum, y, i) => sum + weights[i] * y, 0) / total
  const variance = outcome.reduce((sum, y, i) => sum + weights[i] * (y - mean) ** 2, 0) / total
  const first = byWeights(rows)
  const shares = fixed ? sizesOf(rows) : first.shares.slice()
  const means = first.estimates.slice()
  const variances = first.variances!.map(each => (each > 0.01 * variance ? each : variance))
  const posterior = new Float64Array(classes)
  const posteriorOf = (i: number): number => {
    let most = Number.NEGATIVE_INFINITY
    for (let t = 0; t < classes; t++) {
      const residual = outcome[i] - means[t]
      const prior = shares[t] * classification[t * classes + assigned[i]]
      posterior[t] = log(prior) - (log(variances[t]) + (residual * residual) / variances[t]) / 2
      most = Math.max(most, posterior[t])
    }
    let sum = 0
    for (let t = 0; t < classes; t++) sum += posterior[t] = exp(posterior[t] - most)
    for (let t = 0; t < classes; t++) posterior[t] /= sum
    return most + log(sum)
  }
  climb(total, () => {
    const [mass, linear, square] = [0, 1, 2].map(() => new Float64Array(classes))
    let likelihood = 0
    for (let i = 0; i < outcome.length; i++) {
      likelihood += weights[i] * posteriorOf(i)
      for (let t = 0; t < classes; t++) {
        const [weight, centred] = [weights[i] * posterior[t], outcome[i] - mean]
        mass[t] += weight
        linear[t] += weight * centred
        square[t] += weight * centred * centred
      }
    }
    for (let t = 0; t < classes; t++) {
      const centre = linear[t] / mass[t]
      if (!fixed) shares[t] = mass[t] / total
      means[t] = mean + centre
      variances[t] = square[t] / mass[t] - centre * centre
      if (!(variances[t] > 1e-8 * variance)) {
        throw new DataError(
          words`the outcome hardly varies in class ${t + 1}, which no normal distribution describes: ${advise('use', 'method', 'bch')}, or treat its values as categories`,
        )
      }
    }
    return likelihood
  })
  // The parameters: logits of the shares against the first unless they are fixed, the means, the logarithms of the variances.
  const m = fixed ? 0 : classes - 1
  const [v, n] = [m + classes, m + 2 * classes]
  const [whole, own] = [new Float64Array(n), new Float64Array(n)]
  /** The score of row i if it were of class t, in `own`. */
  const scoreIn = (i: number, t: number): void => {
    const residual = outcome[i] - means[t]
    own.fill(0)
    for (let l = 1; l <= m; l++) own[l - 1] = (l === t ? 1 : 0) - shares[l]
    own[m + t] = residual / variances[t]
    own[v + t] = ((residual * residual) / variances[t] - 1) / 2
  }
  /** The score of row i, in `whole`, and its posterior. */
  const scoreOf = (i: number): void => {
    posteriorOf(i)
    whole.fill(0)
    for (let t = 0; t < classes; t++) {
      scoreIn(i, t)
      for (let a = 0; a < n; a++) whole[a] += posterior[t] * own[a]
    }
  }
  const equations = (): ThirdEquations => {
    const hessian = new Float64Array(n * n)
    const slopes = new Float64Array(classes * classes * n)
    const bySizes = new Float64Array(classes * n)
    for (let i = 0; i < outcome.length; i++) {
      scoreOf(i)
      for (let t = 0; t < classes; t++) {
        const residual = outcome[i] - means[t]
        const [weight, standard] = [weights[i] * posterior[t], (residual * residual) / variances[t]]
        scoreIn(i, t)
        addOuter(hessian, own, -weight)
        hessian[(m + t) * n + m + t] += weight / variances[t]
        hessian[(m + t) * n + v + t] += (weight * residual) / variances[t]
        hessian[(v + t) * n + m + t] += (weight * residual) / variances[t]
        hessian[(v + t) * n + v + t] += (weight * standard) / 2
      }
      addOuter(hessian, whole, weights[i])
      for (let t = 0; t < classes; t++) {
        scoreIn(i, t)
        for (let a = 0; a < n; a++)
          bySizes[t * n + a] += ((weights[i] * posterior[t]) / shares[t]) * (own[a] - whole[a])
      }
      addSlopes(slopes, i)
    }
    for (let a = 1; a <= m; a++)
      for (let b = 1; b <= m; b++)
        hessian[(a - 1) * n + b - 1] += total * ((a === b ? shares[a] : 0) - shares[a] * shares[b])
    return {
      size: n,
      bread: breadOf(hessian, n),
      slopes,
      ...(fixed && { bySizes }),
      addScore: (row, into) => {
        scoreOf(row)
        for (let a = 0; a < n; a++) into[a] += whole[a]
      },
    }
  }
  /** By D_ts the score of row i changes by π_t·f_t/Σ π·f·D times what it would be in class t less what it is. */
  const addSlopes = (slopes: Float64Array, i: number): void => {
    const s = assigned[i]
    const density = (t: number) =>
      log(shares[t]) - (log(variances[t]) + (outcome[i] - means[t]) ** 2 / variances[t]) / 2
    const most = Math.max(...Array.from(shares, (_, t) => density(t)))
    const sum = shares.reduce((all, _, t) => all + classification[t * classes + s] * exp(density(t) - most), 0)
    for (let t = 0; t < classes; t++) {
      const times = (weights[i] * exp(density(t) - most)) / sum
      scoreIn(i, t)
      for (let a = 0; a < n; a++) slopes[(t * classes + s) * n + a] += times * (own[a] - whole[a])
    }
  }
  const map = () => Float64Array.from({ length: classes * n }, (_, at) => (at % n === m + Math.floor(at / n) ? 1 : 0))
  return { estimates: means, shares, variances, equations, map }
}

/** The rows added up by assigned class and category. */
const tabled = ({ classes, width, assigned, outcome, weights }: AssignedRows): Float64Array => {
  const table = new Float64Array(classes * width)
  assigned.forEach((s, i) => {
    table[s * width + outcome[i]] += weights[i]
  })
  return table
}

const eachCell = (
  classes: number,
  width: number,
  weights: Float64Array,
  visit: (s: number, j: number, weight: number) => void,
): void => {
  for (let s = 0; s < classes; s++)
    for (let j = 0; j < width; j++) if (weights[s * width + j] > 0) visit(s, j, weights[s * width + j])
}

/** Where EM begins: at the other correction, which is the maximum where all of it is positive, with a little of everything else. */
const startOf = (rows: AssignedRows): Float64Array => {
  const { estimates, shares } = byWeights(rows)
  const q = estimates.map((each, at) => each * shares[Math.floor(at / rows.width)])
  if (q.every(each => each >= 0)) return q
  const floored = q.map(each => Math.max(each, 1e-3 / q.length))
  const total = sumOf(floored)
  return floored.map(each => each / total)
}

const sumOf = (values: Float64Array): number => values.reduce((sum, each) => sum + each, 0)

const addOuter = (matrix: Float64Array, vector: Float64Array, times: number): void => {
  const n = vector.length
  for (let a = 0; a < n; a++) for (let b = 0; b < n; b++) matrix[a * n + b] += times * vector[a] * vector[b]
}

const breadOf = (hessian: Float64Array, n: number): Float64Array => {
  const found = estimateCovariance(hessian, n)
  if (found !== undefined) return found.bread
  throw new DataError(
    words`the likelihood of the third step has no strict maximum: ${advise('use', 'method', 'bch')}, or fewer classes`,
  )
}
