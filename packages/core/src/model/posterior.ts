import { DataError, OptionError, show } from '../errors.ts'
import { log } from '../numeric/log.ts'
import { checkedOptions, is, type OptionTable } from '../options.ts'
import { labelOf, MISSING, type Mode } from '../tensor/mode.ts'
import { entryOf, type Row } from '../tensor/rows.ts'
import { classWeights } from './class-weights.ts'
import type { FittedItem, ItemModel } from './items/item.ts'
import { withTuples } from './joined-row.ts'
import type { Parameters } from './parameters.ts'
import type { HiddenStructure, SplitPart } from './structures/structure.ts'

export interface Posterior {
  /** P[class | what is known of the row], one per class; sums to 1. */
  readonly probabilities: readonly number[]
  /** The most probable class, counted from 0 (coefficients and `reference` count from 1); the first of several that are equally probable. */
  readonly class: number
  /** The probability of that class. */
  readonly probability: number
  /** log P[what is known of the row]; −∞ where the model makes it impossible; the probabilities are then the shares. */
  readonly logLikelihood: number
  /** The modes and covariates whose value the model has never seen; they were treated as missing. If all modes are, the probabilities are the shares. */
  readonly unseen: readonly string[]
  /** The covariates without a usable value: the class sizes of the model then stand for them. */
  readonly lacking: readonly string[]
}

export interface PosteriorOptions {
  /** Throws if a row has a label that the model has never seen, in place of treating it as missing. Default false. */
  readonly strict?: boolean
}

/** The options of `posterior` and `classify`. */
const POSTERIOR_OPTIONS = {
  strict: { check: is.flag, default: false },
} as const satisfies OptionTable<PosteriorOptions>

/** So many labels are named in an error. */
const SHOWN = 6

/** The error for a value that the model has never seen. */
const unseenError = (
  modes: readonly Mode[],
  { given, parts = [] }: Pick<HiddenStructure, 'given' | 'parts'>,
  row: Row,
  [name]: readonly string[],
): DataError => {
  const own = parts.find(part => part.mode === name)?.name ?? name
  const n = modes.findIndex(mode => mode.name === own)
  const { labels = [] } = modes[n] ?? given.find(column => column.name === name)
  const known = labels.slice(0, SHOWN).map(show).join(', ') || `0 to ${modes[n].size - 1}`
  return new DataError(
    `${show(name)} must be a label of the model, such as ${known} (got ${show(entryOf(row, name, n))})`,
  )
}

/** The indices of a row's labels, as one-cell columns; what is missing or unseen becomes `MISSING`. */
export const locate = (
  modes: readonly Mode[],
  row: Row,
  { given = [], parts = [] }: Partial<Pick<HiddenStructure, 'given' | 'parts'>> = {},
): { indices: Int32Array[]; unseen: string[] } => {
  if (typeof row !== 'object' || row === null)
    throw new DataError(`a row must be an object or an array (got ${show(row)})`)
  if (Array.isArray(row)) {
    if (row.length !== modes.length) {
      throw new DataError(`a row as an array must have ${modes.length} entries, one per mode (got ${row.length})`)
    }
  } else if (
    ![...modes, ...given, ...parts.map(({ mode }) => ({ name: mode }))].some(
      ({ name }, n) => Object.hasOwn(row, name) || entryOf(row, name, n) !== undefined,
    )
  ) {
    throw new DataError(`the row has none of the modes ${modes.map(({ name }) => name).join(', ')}`)
  }
  const unseen: string[] = []
  const partOf = new Map(parts.map(part => [part.name, part]))
  const indices = modes.map((mode, n) => {
    const label = labelOf(valueAt(row, mode.name, n, partOf.get(mode.name)))
    const index = label === undefined ? MISSING : mode.indexOf(label)
    if (index === undefined) unseen.push(partOf.get(mode.name)?.mode ?? mode.name)
    return Int32Array.of(index ?? MISSING)
  })
  return { indices, unseen }
}

/** What a row has for a mode. A part of a variable is the variable of rows with the labels that it is for. */
const valueAt = (row: Row, name: string, n: number, part: SplitPart | undefined): unknown => {
  const own = entryOf(row, name, n)
  if (own !== undefined || part === undefined || Array.isArray(row)) return own
  const isFor = part.where.every(({ column, label }) => String(labelOf(entryOf(row, column, n))) === String(label))
  return isFor ? entryOf(row, part.mode, n) : undefined
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

/** What of a model the probabilities of a row depend on. */
export interface RowModel {
  readonly modes: readonly Mode[]
  readonly parameters: Parameters
  readonly structure: HiddenStructure
  readonly items: readonly (FittedItem | undefined)[]
  itemModel(mode: number): ItemModel | undefined
}

/**
 * The indices of a row's labels, and the factors that they are in: a number that was never seen has a row of its own.
 * @example
 * locateRow(model, { vote: 'yes' }).unseen // []
 */
export const locateRow = (model: RowModel, given: Row) => {
  const { modes, parameters, structure } = model
  const row = withTuples(given, model.items)
  const located = locate(modes, row, structure)
  const factors = [...parameters.factors]
  const unseen = located.unseen.filter(name => {
    const n = modes.findIndex(mode => mode.name === name)
    const [item, own] = [model.items[n], new Float64Array(parameters.rank)]
    const isNumber = item && model.itemModel(n)?.probability(labelOf(entryOf(row, name, n))!, item.theta, own)
    if (isNumber) [factors[n], located.indices[n][0]] = [own, 0]
    return !isNumber
  })
  return { ...located, unseen, factors, row }
}

/** What a row has for a given column; a row that is an array has modes only. */
export const givenValue =
  (row: Row) =>
  (name: string): unknown =>
    Array.isArray(row) ? undefined : entryOf(row, name, 0)

export const posteriorOf = (model: RowModel, row: Row, options?: PosteriorOptions): Posterior => {
  const { modes, parameters, structure } = model
  const { strict = false } = options === undefined ? {} : checkedOptions('posterior', POSTERIOR_OPTIONS, options)
  const located = locateRow(model, row)
  const value = givenValue(row)
  const { probabilities: shares, lacking } = structure.prior(value, parameters.shares)
  const unseen = [...located.unseen, ...lacking.filter(name => labelOf(value(name)) !== undefined)]
  if (strict && unseen.length > 0) throw unseenError(modes, structure, located.row, unseen)
  const { indices, factors } = located
  const out = new Float64Array(parameters.rank)
  const logLikelihood = posteriorInto({ ...parameters, factors, shares }, indices, 0, out)
  const best = mostProbable(out)
  return Object.freeze({
    probabilities: Object.freeze([...out]),
    class: best,
    probability: out[best],
    logLikelihood,
    unseen: Object.freeze(unseen),
    lacking,
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
