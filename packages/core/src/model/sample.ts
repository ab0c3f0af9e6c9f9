import { random } from '../numeric/philox.ts'
import { knownOptions, wholeNumber } from '../options.ts'
import type { Label, Mode } from '../tensor/mode.ts'
import type { Parameters } from './parameters.ts'

export interface SampleOptions {
  readonly seed?: number
}

export interface Sample {
  /** The rows drawn, labels in the order of the modes. */
  readonly rows: readonly (readonly Label[])[]
  /** The class each row was drawn from. */
  readonly classes: readonly number[]
}

/** Draws rows: a class by its share, then a label in every mode by the class's column. */
export const sampleRows = (
  modes: readonly Mode[],
  { rank, shares, factors }: Parameters,
  count: number,
  options: SampleOptions,
): Sample => {
  knownOptions('sample', options, ['seed'])
  wholeNumber('count', count, 0)
  const { uniform } = random(wholeNumber('seed', options.seed ?? 1, 0), 'sample')
  const drawClass = drawer(shares)
  const drawLabel = factors.map(factor =>
    Array.from({ length: rank }, (_, k) => drawer(factor.filter((_, position) => position % rank === k))),
  )
  const classes: number[] = []
  const rows: Label[][] = []
  for (let i = 0; i < count; i++) {
    const k = drawClass(uniform())
    classes.push(k)
    rows.push(modes.map((mode, n) => mode.label(drawLabel[n][k](uniform()))))
  }
  return { rows, classes }
}

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
