import { type Random, random } from '../numeric/philox.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../options.ts'
import { type Label, MISSING } from '../tensor/mode.ts'
import { isNumber } from './items/item.ts'
import type { Parameters } from './parameters.ts'
import type { RowModel } from './posterior.ts'

export interface SampleOptions {
  readonly seed?: number
}

const SAMPLE_OPTIONS = { seed: { check: is.whole(0), default: 1 } } as const satisfies OptionTable<SampleOptions>

export interface Sample {
  /** The rows drawn, labels in the order of the modes. */
  readonly rows: readonly (readonly Label[])[]
  /** The class each row was drawn from. */
  readonly classes: readonly number[]
}

/** Draws rows with their labels. */
export const sampleRows = (model: RowModel, count: number, options: SampleOptions): Sample => {
  const { modes, parameters, items } = model
  const { seed } = checkedOptions('sample', SAMPLE_OPTIONS, options)
  wholeNumber('count', count, 0)
  const source = random(seed, 'sample')
  const draw = rowDrawer(parameters, source)
  const classes: number[] = []
  const rows: Label[][] = []
  const row = new Int32Array(modes.length)
  for (let i = 0; i < count; i++) {
    const of = draw(row)
    classes.push(of)
    rows.push(
      modes.map((mode, n) => {
        const item = items[n]
        return item !== undefined && isNumber(item.spec)
          ? model.itemModel(n)!.draw(item.theta, of, source.uniform)
          : mode.label(row[n])
      }),
    )
  }
  return { rows, classes }
}

/**
 * A function that draws a row, a class by its share and then a label in every mode by the class's column, and gives the class. Modes that are
 * given stay as they are in the row, and say how likely each class is.
 */
export const rowDrawer = (
  { rank, shares, factors }: Parameters,
  { uniform }: Random,
  given: readonly number[] = [],
): ((row: Int32Array) => number) => {
  const drawClass = drawer(shares)
  const drawGiven = (row: Int32Array): number => {
    const weights = shares.slice()
    for (const n of given) {
      if (row[n] !== MISSING) for (let k = 0; k < rank; k++) weights[k] *= factors[n][row[n] * rank + k]
    }
    return drawer(weights)(uniform())
  }
  const modes = factors.flatMap((_, n) => (given.includes(n) ? [] : [n]))
  const drawn = labelDrawers({ rank, factors: modes.map(n => factors[n]) }).map((labels, i) => ({
    n: modes[i],
    labels,
  }))
  return row => {
    const k = given.length === 0 ? drawClass(uniform()) : drawGiven(row)
    for (const { n, labels } of drawn) row[n] = labels[k](uniform())
    return k
  }
}

/** For every mode and class, what draws a label. */
export const labelDrawers = ({ rank, factors }: Pick<Parameters, 'rank' | 'factors'>) =>
  factors.map(factor =>
    Array.from({ length: rank }, (_, k) => drawer(factor.filter((_, position) => position % rank === k))),
  )

/** A function from a uniform number to a position, drawn in proportion to the given numbers. */
export const drawer = (sizes: Float64Array): ((uniform: number) => number) => {
  const sums = new Float64Array(sizes.length)
  let sum = 0
  let last = 0
  sizes.forEach((size, i) => {
    sum += size
    sums[i] = sum
    if (size > 0) last = i
  })
  return uniform => {
    const target = uniform * sum
    let low = 0
    let high = last
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle] > target) high = middle
      else low = middle + 1
    }
    return low
  }
}
