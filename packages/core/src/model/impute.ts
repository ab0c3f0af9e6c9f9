import { random } from '../numeric/philox.ts'
import { checkedOptions, is, type OptionTable } from '../options.ts'
import { type Label, labelOf, MISSING } from '../tensor/mode.ts'
import { entryOf, type Row } from '../tensor/rows.ts'
import { checkModel } from './check-model.ts'
import { filledNumbers, type NumberFiller, numberFiller } from './filled-numbers.ts'
import type { Model } from './model.ts'
import type { Parameters } from './parameters.ts'
import { givenValue, locateRow, posteriorInto } from './posterior.ts'

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
 * Multiple imputation: draws missing values from their distribution given the rest of the row. (The most probable label would make the data too regular.)
 * The values of a row are drawn jointly; a number can be any point of its grid. The parameters of the model are treated as known.
 * @example
 * const { draws, imputed } = imputeRows(model, [{ age: '30+', vote: null, trust: 'high' }], { draws: 3 })
 * draws.length // 3
 * imputed[0] // ['vote']
 */
export const imputeRows = (model: Model, rows: readonly Row[], options: ImputeOptions = {}): Imputations => {
  const { draws: count, seed } = checkedOptions('imputeRows', IMPUTE_OPTIONS, options)
  const { modes, parameters, structure } = checkModel('model', model)
  const numbers = numberFiller(filledNumbers(model), model.rank)
  const codes = new Float64Array(modes.length)
  const known = rows.map(row => ({
    ...locateRow(model, row),
    shares: structure.prior(givenValue(row), parameters.shares).probabilities,
  }))
  const isFilled = ({ indices, unseen }: (typeof known)[number], n: number) =>
    indices[n][0] === MISSING && !unseen.includes(modes[n].name)
  const draws = Array.from({ length: count }, (_, d) =>
    known.map((each, i) => {
      const { factors, shares } = each
      drawMissing({ ...parameters, factors, shares }, each.indices, 0, { seed, draw: d + 1, row: i }, codes, numbers)
      return modes.map((mode, n) => {
        if (isFilled(each, n)) return numbers.isNumber(n) ? codes[n] : mode.label(codes[n])
        const own = labelOf(entryOf(each.row, mode.name, n))!
        const at = mode.indexOf(own)
        return at === undefined ? own : mode.label(at)
      })
    }),
  )
  return { draws, imputed: known.map(each => modes.flatMap(({ name }, n) => (isFilled(each, n) ? [name] : []))) }
}

/** The place of a value among all that are drawn: the same random numbers wherever, and in whatever order, rows are filled. */
export interface DrawnRow {
  readonly seed: number
  /** From 1. */
  readonly draw: number
  /** From 0. */
  readonly row: number
}

/**
 * The labels of a cell with what is missing drawn: a class by its posterior, and then labels by the class. Written into `out`; of a missing number its
 * value.
 * @param of the class, if it is drawn already
 * @example
 * const codes = new Float64Array(model.modes.length)
 * drawMissing(model.parameters, [Int32Array.of(1), Int32Array.of(MISSING), Int32Array.of(0)], 0, { seed: 1, draw: 1, row: 0 }, codes)
 */
export const drawMissing = (
  parameters: Parameters,
  indices: readonly Int32Array[],
  cell: number,
  { seed, draw, row }: DrawnRow,
  out: Float64Array,
  numbers?: NumberFiller,
  of?: number,
): void => {
  const { rank, factors } = parameters
  const { uniform } = random(seed, 'impute', draw, row * Math.ceil((factors.length + 1) / 2))
  const posterior = new Float64Array(rank)
  if (of === undefined) posteriorInto(parameters, indices, cell, posterior)
  const k = of ?? drawn(uniform(), posterior, 0, 1)
  factors.forEach((factor, n) => {
    const known = indices[n][cell]
    if (known !== MISSING) out[n] = known
    else out[n] = numbers?.isNumber(n) ? numbers.draw(n, k, seed, draw, row) : drawn(uniform(), factor, k, rank)
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
