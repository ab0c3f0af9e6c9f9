import { DataError, OptionError, show } from '../errors.ts'
import { log } from '../numeric/log.ts'
import { labelOf, MISSING, type Mode } from '../tensor/mode.ts'
import { entryOf, type Row } from '../tensor/rows.ts'
import { classWeights } from './class-weights.ts'
import type { Parameters } from './parameters.ts'

export interface Posterior {
  /** P[class | what is known of the row], one per class; sums to 1. */
  readonly probabilities: readonly number[]
  /** The most probable class, counted from 0 (coefficients and `reference` count from 1); the first of several that are equally probable. */
  readonly class: number
  /** The probability of that class. */
  readonly probability: number
  /** log P[what is known of the row]; −∞ where the model makes it impossible; the probabilities are then the shares. */
  readonly logLikelihood: number
  /** The modes whose label the model has never seen; they were treated as missing. */
  readonly unseen: readonly string[]
}

/** The indices of a row's labels, as one-cell columns; what is missing or unseen becomes `MISSING`. */
export const locate = (modes: readonly Mode[], row: Row): { indices: Int32Array[]; unseen: string[] } => {
  if (typeof row !== 'object' || row === null)
    throw new DataError(`a row must be an object or an array (got ${show(row)})`)
  if (Array.isArray(row)) {
    if (row.length !== modes.length) {
      throw new DataError(`a row as an array must have ${modes.length} entries, one per mode (got ${row.length})`)
    }
  } else if (!modes.some(({ name }, n) => Object.hasOwn(row, name) || entryOf(row, name, n) !== undefined)) {
    throw new DataError(`the row has none of the modes ${modes.map(({ name }) => name).join(', ')}`)
  }
  const unseen: string[] = []
  const indices = modes.map((mode, n) => {
    const label = labelOf(entryOf(row, mode.name, n))
    const index = label === undefined ? MISSING : mode.indexOf(label)
    if (index === undefined) unseen.push(mode.name)
    return Int32Array.of(index ?? MISSING)
  })
  return { indices, unseen }
}

/** A cell's p = Σ w as a mantissa and a power of two; `out` holds the w. */
const expectation = (parameters: Parameters, indices: readonly Int32Array[], cell: number, out: Float64Array) => {
  const exponent = classWeights(parameters, indices, cell, out)
  let sum = 0
  for (let k = 0; k < out.length; k++) sum += out[k]
  return { sum, exponent }
}

/** log p of a cell; −∞ where the model makes it impossible. */
export const logProbability = (
  parameters: Parameters,
  indices: readonly Int32Array[],
  cell: number,
  out: Float64Array = new Float64Array(parameters.rank),
): number => {
  const { sum, exponent } = expectation(parameters, indices, cell, out)
  return exponent === 0 ? log(sum) : log(sum) + exponent * Math.LN2
}

/** p of a cell. */
export const probabilityOf = (parameters: Parameters, indices: readonly Int32Array[], cell: number): number => {
  const { sum, exponent } = expectation(parameters, indices, cell, new Float64Array(parameters.rank))
  return exponent === 0 ? sum : sum * 2 ** exponent
}

/**
 * Ψ of one cell (paper, eq. 12), written into `out`; returns log p.
 * @example
 * const posterior = new Float64Array(model.rank)
 * const logP = posteriorInto(model.parameters, answers.indices, 0, posterior) // the first cell of the tensor
 */
export const posteriorInto = (
  parameters: Parameters,
  indices: readonly Int32Array[],
  cell: number,
  out: Float64Array,
): number => {
  const logP = logProbability(parameters, indices, cell, out)
  if (logP === Number.NEGATIVE_INFINITY) out.set(parameters.shares)
  let sum = 0
  for (let k = 0; k < out.length; k++) sum += out[k]
  for (let k = 0; k < out.length; k++) out[k] /= sum
  return logP
}

export const posteriorOf = (parameters: Parameters, modes: readonly Mode[], row: Row): Posterior => {
  const { indices, unseen } = locate(modes, row)
  const out = new Float64Array(parameters.rank)
  const logLikelihood = posteriorInto(parameters, indices, 0, out)
  const best = mostProbable(out)
  return Object.freeze({
    probabilities: Object.freeze([...out]),
    class: best,
    probability: out[best],
    logLikelihood,
    unseen: Object.freeze(unseen),
  })
}

/**
 * The position of the largest number; the first of several that are equally large.
 * @example
 * mostProbable([0.2, 0.5, 0.3]) // 1
 */
export const mostProbable = (probabilities: ArrayLike<number>): number => {
  let best = 0
  for (let k = 1; k < probabilities.length; k++) if (probabilities[k] > probabilities[best]) best = k
  return best
}

/** The position of a mode given by name or position. */
export const modePosition = (modes: readonly Mode[], mode: string | number): number => {
  const position = typeof mode === 'number' ? mode : modes.findIndex(({ name }) => name === mode)
  if (Number.isInteger(position) && position >= 0 && position < modes.length) return position
  throw new OptionError(`there is no mode ${show(mode)}: the modes are ${modes.map(({ name }) => name).join(', ')}`)
}
