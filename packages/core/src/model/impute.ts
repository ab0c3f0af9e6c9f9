import { OptionError } from '../errors.ts'
import { type Random, random } from '../numeric/philox.ts'
import { checkedOptions, is, type OptionTable } from '../options.ts'
import { type Label, labelOf, MISSING } from '../tensor/mode.ts'
import { entryOf, type Row } from '../tensor/rows.ts'
import { checkModel } from './check-model.ts'
import { isNumber } from './items/item.ts'
import type { Model } from './model.ts'
import type { Parameters } from './parameters.ts'
import { givenValue, locate, posteriorInto } from './posterior.ts'

export interface ImputeOptions {
  /** How many times every missing value is drawn. Default 5. */
  readonly draws?: number
  readonly seed?: number
}

/** The options of `imputeRows`. */
export const IMPUTE_OPTIONS = {
  draws: { check: is.whole(1), default: 5 },
  seed: { check: is.whole(0), default: 1 },
} as const satisfies OptionTable<ImputeOptions>

export interface Imputations {
  /** For every draw all rows, complete: labels in the order of the modes. A label that the model has never seen stays. */
  readonly draws: readonly (readonly (readonly Label[])[])[]
  /** For every row the modes that were filled. */
  readonly imputed: readonly (readonly string[])[]
}

/**
 * Missing values drawn from what a model says of them given the rest of their row: not the most probable label, which would make the data
 * look more regular than it is. The values of a row are drawn together. The model's parameters are taken as known.
 * @example
 * const { draws, imputed } = imputeRows(model, [{ age: '30+', vote: null, trust: 'high' }], { draws: 3 })
 * draws.length // 3
 * imputed[0] // ['vote']
 */
export const imputeRows = (model: Model, rows: readonly Row[], options: ImputeOptions = {}): Imputations => {
  const { draws: count, seed } = checkedOptions('imputeRows', IMPUTE_OPTIONS, options)
  const { modes, parameters, structure, items } = checkModel('model', model)
  checkImputable(items)
  const codes = new Int32Array(modes.length)
  const known = rows.map(row => ({
    row,
    ...locate(modes, row, structure),
    shares: structure.prior(givenValue(row), parameters.shares).probabilities,
  }))
  const isFilled = ({ indices, unseen }: (typeof known)[number], n: number) =>
    indices[n][0] === MISSING && !unseen.includes(modes[n].name)
  const draws = Array.from({ length: count }, (_, d) =>
    known.map((each, i) => {
      drawMissing(
        { ...parameters, shares: each.shares },
        each.indices,
        0,
        rowRandom(seed, d + 1, i, modes.length),
        codes,
      )
      return modes.map((mode, n) =>
        each.unseen.includes(mode.name) ? labelOf(entryOf(each.row, mode.name, n))! : mode.label(codes[n]),
      )
    }),
  )
  return { draws, imputed: known.map(each => modes.flatMap(({ name }, n) => (isFilled(each, n) ? [name] : []))) }
}

/**
 * Refuses models with variables that are numbers.
 * @example
 * checkImputable(model.items)
 */
export const checkImputable = (items: Model['items']): void => {
  if (items.some(item => item !== undefined && isNumber(item.spec)))
    throw new OptionError(
      'missing values cannot be filled in by a model with variables that are numbers: use categories',
    )
}

/**
 * The random numbers of a row (from 0) in a draw (from 1): the same wherever, and in whatever order, rows are filled.
 * @example
 * const { uniform } = rowRandom(1, 2, 0, model.modes.length)
 */
export const rowRandom = (seed: number, draw: number, row: number, modes: number): Random =>
  random(seed, 'impute', draw, row * Math.ceil((modes + 1) / 2))

/**
 * The labels of a cell with what is missing drawn: a class by its posterior, and then labels by the class. Written into `out`.
 * @example
 * const codes = new Int32Array(model.modes.length)
 * drawMissing(model.parameters, [Int32Array.of(1), Int32Array.of(MISSING), Int32Array.of(0)], 0, random(1, 'impute'), codes)
 */
export const drawMissing = (
  parameters: Parameters,
  indices: readonly Int32Array[],
  cell: number,
  { uniform }: Random,
  out: Int32Array,
): void => {
  const { rank, factors } = parameters
  const posterior = new Float64Array(rank)
  posteriorInto(parameters, indices, cell, posterior)
  const k = drawn(uniform(), posterior, 0, 1)
  factors.forEach((factor, n) => {
    const known = indices[n][cell]
    out[n] = known === MISSING ? drawn(uniform(), factor, k, rank) : known
  })
}

/** The position among every `step`-th number from `first` on, which sum to 1, that a uniform number falls to. */
const drawn = (uniform: number, sizes: Float64Array, first: number, step: number): number => {
  let left = uniform
  let last = 0
  for (let at = first, j = 0; at < sizes.length; at += step, j++) {
    if (sizes[at] <= 0) continue
    last = j
    left -= sizes[at]
    if (left < 0) break
  }
  return last
}
