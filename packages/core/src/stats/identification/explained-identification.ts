import type { Design } from '../../fit/covariates/design.ts'
import { logitOf } from '../../fit/covariates/logit.ts'
import { randomStart } from '../../model/random.ts'
import { realRank } from '../../numeric/linear.ts'
import { random } from '../../numeric/philox.ts'
import { countParameters, type Identification, identify } from './identification.ts'

/** Beyond this many columns, or products, the elimination takes more than about a second. */
const MOST = { columns: 400, products: 1e8 }
/** Random points: at each the rank could by chance be too low. */
const POINTS = 2

/**
 * What answers can tell of a model whose class membership is explained. There is a table of answers for each combination of the
 * covariates that occurs, each with its cells less 1; combinations that do not occur say nothing. What answers alone do
 * not determine, covariates may: then the rank is that of the Jacobian, at random parameters and at the covariates as they are.
 */
export const identifyExplained = (shape: readonly number[], rank: number, design: Design): Identification => {
  const answers = identify(shape, rank)
  const parameters = countParameters(shape, rank) + (rank - 1) * (design.terms.length - 1)
  const cells = design.patterns * (shape.reduce((product, size) => product * size, 1) - 1)
  const known = (dimension: number, method: Identification['method']): Identification =>
    Object.freeze({
      parameters,
      rank: dimension,
      degreesOfFreedom: cells - dimension,
      verdict: method === 'none' ? 'not checked' : dimension === parameters ? 'identified' : 'not identified',
      method,
    })
  // Memberships are determined for each combination, and coefficients by the memberships, since no term follows from others.
  if (answers.verdict === 'identified') return known(parameters, answers.method)
  const products = parameters * design.patterns * rank * design.terms.length
  if (parameters > MOST.columns || products > MOST.products) return known(Math.min(parameters, cells), 'none')
  const ranks = Array.from({ length: POINTS }, (_, point) => realRank(jacobian(shape, rank, design, point)))
  return known(Math.min(cells, Math.max(...ranks)), 'jacobian')
}

/**
 * The Jacobian at a random point, seen through random functionals: products of one for each mode and one for the combinations, a few
 * more than there are columns.
 */
const jacobian = (shape: readonly number[], rank: number, design: Design, point: number): Float64Array[] => {
  const { uniform } = random(1, 'probe', point)
  const draw = (length: number) => Float64Array.from({ length }, () => 2 * uniform() - 1)
  const { values, patterns, terms } = design
  const width = terms.length
  const logit = logitOf(design, rank)
  const memberships = new Float64Array(patterns * rank)
  logit.memberships(draw(logit.size), memberships)
  const { factors } = randomStart(shape, rank, 1, point)
  const columns = logit.size + rank * shape.reduce((sum, size) => sum + size - 1, 0)
  return Array.from({ length: columns + 4 }, () => {
    const row = new Float64Array(columns)
    const seen = shape.map(draw)
    const over = draw(patterns)
    // Of every mode and class, the functional of its probabilities, and their product over the modes.
    const inner = factors.map((factor, n) => {
      const sums = new Float64Array(rank)
      for (let i = 0; i < factor.length; i++) sums[i % rank] += factor[i] * seen[n][Math.floor(i / rank)]
      return sums
    })
    const without = (k: number, left: number) => inner.reduce((all, own, n) => (n === left ? all : all * own[k]), 1)
    const whole = Array.from({ length: rank }, (_, k) => without(k, -1))
    const shares = new Float64Array(rank)
    for (let z = 0; z < patterns; z++) {
      const own = memberships.subarray(z * rank, (z + 1) * rank)
      const mean = whole.reduce((sum, each, k) => sum + own[k] * each, 0)
      for (let k = 0; k < rank; k++) {
        const part = over[z] * own[k]
        shares[k] += part
        if (k === 0) continue
        for (let p = 0; p < width; p++) row[(k - 1) * width + p] += part * (whole[k] - mean) * values[z * width + p]
      }
    }
    let at = logit.size
    shape.forEach((size, n) => {
      for (let k = 0; k < rank; k++) {
        const rest = shares[k] * without(k, n)
        for (let j = 0; j < size - 1; j++) row[at++] = rest * (seen[n][j] - seen[n][size - 1])
      }
    })
    return row
  })
}
