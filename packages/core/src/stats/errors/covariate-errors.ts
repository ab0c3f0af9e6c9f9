import { orStopped } from '../../errors.ts'
import type { CovariateDesign } from '../../fit/covariates/design.ts'
import { logitInformation } from '../../fit/covariates/logit.ts'
import type { ConstraintSetting } from '../../fit/descent/constraints.ts'
import type { Parameters } from '../../model/parameters.ts'
import { posteriorInto } from '../../model/posterior.ts'
import { congruence } from '../../numeric/symmetric.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { runCooperatively } from '../../thread/cooperative.ts'
import { eventLoopTurn } from '../../thread/event-loop.ts'
import { curvature, derivatives, type FreeParameters, freeParameters } from '../identification/free-parameters.ts'
import type { PlacedItems } from '../model-data/placed-item.ts'
import { columnScores } from './cell-scores.ts'
import type { SampleSize } from './covariance.ts'
import { itemScores, undeterminedItems, withoutTables } from './item-scores.ts'
import { covarianceSteps, SINGULAR, type StandardErrorKind, scalingFactor } from './sandwich.ts'
import { type DesignIndex, designVariance, type ScoreVariance } from './survey-design.ts'
import { coefficientErrors, undeterminedCoefficients } from './undetermined-coefficients.ts'

/** More products than this take minutes. */
const MOST_PRODUCTS = 1e11
/** Once a fit is told to stop, this many are still made: a second or so. */
const LAST_PRODUCTS = 1e9
const STOPPED = 'the fit was stopped before they were computed'
/** Products between two turns of the event loop. */
const TURN = 1e8

/** A membership model whose errors are asked for: the memberships of every combination, the reference's coefficients being zero. */
export interface Memberships {
  readonly design: CovariateDesign
  readonly memberships: Float64Array
  /** The reference class of the logit. */
  readonly reference: number
  readonly kind: StandardErrorKind
  /** The constraints on the answers' probabilities. */
  readonly constraints?: ConstraintSetting | undefined
  /** The items with parameters of their own, by mode. */
  readonly items?: PlacedItems
  /** How the observations were drawn, where not one by one and all with the same chance. */
  readonly drawn?: DrawnRows | undefined
  /** Ends what would take long. */
  readonly signal?: PlatformSignal | undefined
}

/** The information about free parameters: by the scores, and by the second derivatives. */
interface FreeInformation {
  readonly empirical: Float64Array
  readonly observed: () => Float64Array
}

/** Clusters, in modes of the data between the answers and the combination of the covariates; or the squares of the cells' weights. */
export type DrawnRows =
  | { readonly tensor: Tensor; readonly designIndex: DesignIndex }
  | { readonly squares: Float64Array; readonly observations: number | undefined }

export interface CovariateErrors {
  /** Of the coefficients, one list of terms per class: not a number for the reference, and where an estimate has run off to infinity. */
  readonly coefficients: Float64Array
  /**
   * Of the coefficients, likewise ordered: not a number for the reference. Of those that have run off to infinity, some are taken as known, so
   * that every combination that is determined has its variance.
   */
  readonly ofCoefficients: Float64Array
  /** The directions in which coefficients have run off, over all of them. */
  readonly flat?: readonly Float64Array[]
  /**
   * Of the shares, the mean memberships over the covariates as they were observed, of every factor of categories, and then of the parameters of all
   * items; zeros for what is not determined.
   */
  readonly covariance: Float64Array
  /** How many parameters were free. */
  readonly free: number
  /** Where observations were not drawn one by one: what the sample is, and the variances if they had been. */
  readonly sample: SampleSize | undefined
}

/**
 * How exactly the data determines a fit with covariates: coefficients and probabilities together. Else why not, in words.
 * @param tensor the answers, and last the combination of the covariates
 */
export const covariateErrors = async (
  tensor: Tensor,
  parameters: Parameters,
  explained: Memberships,
): Promise<CovariateErrors | string> => {
  const { rank } = parameters
  const { design, reference, kind, drawn } = explained
  const width = design.terms.length
  const others = Array.from({ length: rank }, (_, k) => k).filter(k => k !== reference)
  const items = explained.items ?? parameters.factors.map(() => undefined)
  const own = withoutTables(parameters, items)
  const free: AllFree = {
    ...withoutShares(freeParameters(own, undefined, undefined, explained.constraints)),
    items,
    ofItems: itemScores(items, parameters.factors, 0).count,
  }
  const logits = others.length * width
  const size = logits + free.count + free.ofItems
  if ((tensor.cells * size * size) / 2 > MOST_PRODUCTS)
    return `${size} free parameters and ${tensor.cells} cells are too many for the information`
  const all = await informationOf(tensor, parameters, explained, others, free)
  if (typeof all === 'string') return all
  const ofLogits = Float64Array.from(
    { length: logits ** 2 },
    (_, i) => all.empirical[Math.floor(i / logits) * size + (i % logits)],
  )
  const flat = undeterminedCoefficients(ofLogits, design, others.length)
  const first = logits + free.count
  const { places: itemPlaces } = itemScores(items, parameters.factors, 0)
  const unknown = undeterminedItems(items, itemPlaces, i => all.empirical[(first + i) * (size + 1)], tensor.total)
  const known = Array.from({ length: size }, (_, i) => i).filter(
    i => !flat.fixed.has(i) && !(i >= first && unknown.has(i - first)),
  )
  const among = (matrix: Float64Array) =>
    Float64Array.from(
      { length: known.length ** 2 },
      (_, i) => matrix[known[Math.floor(i / known.length)] * size + known[i % known.length]],
    )
  const variance = drawn && varianceOf(drawn, tensor, parameters, explained, others, free)
  const meat = kind === 'sandwich' ? among(variance?.matrix ?? all.empirical) : undefined
  const steps = covarianceSteps(among(kind === 'empirical' ? all.empirical : all.observed()), known.length, meat)
  // Its products are about twice the cube.
  const stopping = known.length ** 3 > LAST_PRODUCTS ? explained.signal : undefined
  const found = await orStopped(runCooperatively(steps, stopping).then(covariances => ({ covariances })))
  if (found === undefined) return STOPPED
  if (found.covariances === undefined)
    return kind === 'empirical'
      ? 'the scores of the cells do not determine all parameters: use fewer classes or covariates'
      : SINGULAR[kind]
  const { covariance, bread } = found.covariances
  const places = known.flatMap((i, at) => (i < logits ? [{ at, i }] : []))
  const matrix = Float64Array.from(places.flatMap(a => places.map(b => covariance[a.at * known.length + b.at])))
  const ofLogit = coefficientErrors(
    flat,
    places.map(({ i }) => i),
    matrix,
    others,
    width,
    rank,
  )
  const map = allDerivatives(explained, others, free, known)
  const ofAll = (matrix: Float64Array) => congruence(map, free.values.length + free.ofItems, matrix, known.length)
  // The information of weights that average 1 is that of as many observations.
  const observations = drawn !== undefined && 'squares' in drawn ? (drawn.observations ?? tensor.total) : tensor.total
  return {
    ...ofLogit,
    covariance: ofAll(covariance),
    free: known.length,
    sample: variance && {
      ...variance,
      simple: ofAll(bread).map(each => (each * tensor.total) / observations),
      scaling: scalingFactor(bread, among(variance.matrix), known.length),
    },
  }
}

/** The variance of the scores' sum where observations were not drawn one by one. */
const varianceOf = (
  drawn: DrawnRows,
  tensor: Tensor,
  parameters: Parameters,
  explained: Memberships,
  others: readonly number[],
  free: AllFree,
): ScoreVariance => {
  const size = others.length * explained.design.terms.length + free.count + free.ofItems
  if ('designIndex' in drawn) {
    const { score } = cellScorer(drawn.tensor, parameters, explained, others, free)
    return designVariance(
      drawn.tensor,
      size,
      (cell, into) => score(cell, drawn.tensor.values[cell], into),
      drawn.designIndex,
    )
  }
  const { score } = cellScorer(tensor, parameters, explained, others, free)
  const matrix = new Float64Array(size * size)
  const batch = batchOf(matrix, size)
  for (let cell = 0; cell < tensor.cells; cell++) {
    score(cell, Math.sqrt(drawn.squares[cell]), batch.next())
    batch.done()
  }
  batch.end()
  return { matrix, clusters: undefined, strata: undefined }
}

/** All that is free besides coefficients. */
interface AllFree extends FreeParameters {
  readonly items: PlacedItems
  /** How many parameters items have. */
  readonly ofItems: number
}

const EMPTY = new Float64Array(0)

/** The shares are no parameters: they follow from the coefficients. */
const withoutShares = ({ values, columns: [shares, ...columns], count }: FreeParameters): FreeParameters => ({
  values,
  columns,
  count: count - Math.max(0, shares.moving.length - 1),
})

/**
 * The information about the coefficients and then the free probabilities. With S_k the score of a cell if it were of class k, its own is
 * g = Σ Ψ_k·S_k, and the observed information is that of complete data less Σ y·(Σ Ψ_k·S_k·S_kᵀ − g·gᵀ), what is lost by not knowing
 * the class (Louis).
 */
const informationOf = async (
  tensor: Tensor,
  parameters: Parameters,
  explained: Memberships,
  others: readonly number[],
  free: AllFree,
): Promise<FreeInformation | string> => {
  const { rank } = parameters
  const { design, memberships, kind, signal } = explained
  const { values, cells } = tensor
  const logits = others.length * design.terms.length
  const size = logits + free.count + free.ofItems
  const perTurn = Math.ceil(TURN / (size * size))
  const empirical = new Float64Array(size * size)
  const within = kind === 'empirical' ? undefined : new Float64Array(size * size)
  const gathered = new Float64Array(free.values.length)
  const scorer = cellScorer(tensor, parameters, explained, others, free)
  const batch = batchOf(empirical, size)
  for (let cell = 0; cell < cells; cell++) {
    if (cell % perTurn === 0) {
      if (signal?.aborted && ((cells - cell) * size * size) / 2 > LAST_PRODUCTS) return STOPPED
      if (cell > 0) await eventLoopTurn()
    }
    const visit =
      within === undefined
        ? undefined
        : (share: number, places: Int32Array, entries: Float64Array, count: number) =>
            addSquare(within, places, entries, count, size, values[cell] * share)
    if (!scorer.score(cell, Math.sqrt(values[cell]), batch.next(), visit, within && gathered))
      return 'the model makes cells of the data impossible: it was not fitted to them'
    batch.done()
  }
  batch.end()
  const observed = (): Float64Array => {
    const lost = within!
    mirror(lost, size)
    const result = empirical.map((entry, i) => entry - lost[i])
    const complete = logitInformation(design, memberships, rank, others)
    for (let i = 0; i < logits; i++) for (let j = 0; j < logits; j++) result[i * size + j] += complete[i * logits + j]
    const mass = (positions: readonly number[]) => positions.reduce((sum, at) => sum + gathered[at], 0)
    const curved = curvature(free, mass)
    for (let i = 0; i < free.count; i++)
      for (let j = 0; j < free.count; j++) result[(logits + i) * size + logits + j] += curved[i * free.count + j]
    const ofItems = scorer.items.complete()
    const first = logits + free.count
    for (let i = 0; i < free.ofItems; i++)
      for (let j = 0; j < free.ofItems; j++) result[(first + i) * size + first + j] += ofItems[i * free.ofItems + j]
    return result
  }
  return { empirical, observed }
}

/** The scores of cells. The answers are the first modes of the data, the combination of the covariates is the last. */
const cellScorer = (
  { indices, values }: Tensor,
  { rank, factors }: Parameters,
  { design, memberships }: Memberships,
  others: readonly number[],
  free: AllFree,
) => {
  const width = design.terms.length
  const logits = others.length * width
  const items = itemScores(free.items, factors, free.count)
  const { factors: tables } = withoutTables({ rank, shares: EMPTY, factors }, free.items)
  const { modes } = columnScores(free, tables, rank)
  const columns = modes.map((each, n) => (free.items[n] === undefined ? each : items.columns(n)))
  const patterns = indices[indices.length - 1]
  const answers = indices.slice(0, factors.length)
  // The membership is all that the shares would be.
  const explained = { rank, shares: new Float64Array(rank).fill(1), factors: [...factors, memberships] }
  const all = [...answers, patterns]
  const posterior = new Float64Array(rank)
  // The complete score of a class: where it is not zero, and what it is there.
  const places = Int32Array.from({ length: logits + free.count + free.ofItems }, (_, i) => i)
  const own = new Float64Array(logits + free.count + free.ofItems)
  return {
    items,
    /** Adds a multiple of a cell's score; false if the cell is impossible. Shows those that it would have in each class, with its share. */
    score(
      cell: number,
      times: number,
      into: Float64Array,
      visit?: (share: number, places: Int32Array, entries: Float64Array, count: number) => void,
      gathered?: Float64Array,
    ): boolean {
      if (posteriorInto(explained, all, cell, posterior) === Number.NEGATIVE_INFINITY) return false
      const z = patterns[cell]
      for (let k = 0; k < rank; k++) {
        let count = 0
        for (const l of others) {
          const excess = (k === l ? 1 : 0) - memberships[z * rank + l]
          for (let p = 0; p < width; p++) own[count++] = excess * design.values[z * width + p]
        }
        for (let n = 0; n < answers.length; n++) {
          const j = answers[n][cell]
          if (j === MISSING) continue
          const { rows, scores, first } = columns[n][k]
          if (gathered !== undefined) {
            const into = free.items[n] === undefined ? gathered : items.gathered[n]
            into[first + j * rank] += values[cell] * posterior[k]
          }
          for (let i = 0; i < rows.length; i++) {
            places[count] = logits + rows[i]
            own[count++] = scores[j * rows.length + i]
          }
        }
        for (let i = 0; i < count; i++) into[places[i]] += times * posterior[k] * own[i]
        visit?.(posterior[k], places, own, count)
      }
      return true
    },
  }
}

/** The derivatives of the shares and of all probabilities (rows) by the parameters that are known to be determined (columns). */
const allDerivatives = (
  { design, memberships }: Memberships,
  others: readonly number[],
  free: AllFree,
  known: readonly number[],
): Float64Array => {
  const width = design.terms.length
  const logits = others.length * width
  const rank = memberships.length / design.patterns
  const total = design.counts.reduce((sum, weight) => sum + weight, 0)
  const probabilities = derivatives(free)
  const map = new Float64Array((free.values.length + free.ofItems) * known.length)
  const first = logits + free.count
  known.forEach((i, at) => {
    if (i >= first) {
      map[(free.values.length + i - first) * known.length + at] = 1
      return
    }
    if (i >= logits) {
      for (let row = rank; row < free.values.length; row++)
        map[row * known.length + at] = probabilities[row * free.count + i - logits]
      return
    }
    const [k, p] = [others[Math.floor(i / width)], i % width]
    for (let z = 0; z < design.patterns; z++) {
      const part = (design.counts[z] / total) * design.values[z * width + p]
      const own = memberships[z * rank + k]
      for (let l = 0; l < rank; l++)
        map[l * known.length + at] += part * memberships[z * rank + l] * ((l === k ? 1 : 0) - own)
    }
  })
  return map
}

/** Cells that are taken together: the matrix is read and written once for them. */
const BATCH = 4

/** Adds the squares of vectors to a matrix, some at a time. */
const batchOf = (matrix: Float64Array, size: number) => {
  const vectors = Array.from({ length: BATCH }, () => new Float64Array(size))
  let waiting = 0
  const add = () => {
    const [a, b, c, d] = vectors
    for (let i = 0; i < size; i++) {
      const [ai, bi, ci, di] = [a[i], b[i], c[i], d[i]]
      const row = i * size
      for (let j = 0; j <= i; j++) matrix[row + j] += ai * a[j] + bi * b[j] + (ci * c[j] + di * d[j])
    }
    for (const each of vectors) each.fill(0)
    waiting = 0
  }
  return {
    next: () => vectors[waiting],
    done: () => {
      if (++waiting === BATCH) add()
    },
    end: () => {
      if (waiting > 0) add()
      mirror(matrix, size)
    },
  }
}

/** Adds the square of a vector, of which some entries are listed, below the diagonal. */
const addSquare = (
  matrix: Float64Array,
  places: Int32Array,
  entries: Float64Array,
  count: number,
  size: number,
  times: number,
): void => {
  for (let i = 0; i < count; i++) {
    const part = times * entries[i]
    if (part === 0) continue
    for (let j = 0; j < count; j++)
      if (places[j] <= places[i]) matrix[places[i] * size + places[j]] += part * entries[j]
  }
}

const mirror = (matrix: Float64Array, size: number): void => {
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) matrix[j * size + i] = matrix[i * size + j]
}
