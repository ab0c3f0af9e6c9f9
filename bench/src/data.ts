import { random } from '../../packages/core/dist/entries/numeric.js'
import { type Tensor, tensorFromColumns } from '../../packages/core/dist/index.js'

/** How many classes the data is drawn from, and how much of every factor is common to all of them. */
const CLASSES = 8
const COMMON = 0.5

/** A column of cumulative chances: partly even, partly a class's own exponential weights. */
const cumulative = (size: number, uniform: () => number): Float64Array => {
  const own = Float64Array.from({ length: size }, () => -Math.log(1 - uniform()))
  const total = own.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  return own.map(weight => {
    sum += COMMON / size + ((1 - COMMON) * weight) / total
    return sum
  })
}

const draw = (chances: Float64Array, u: number): number => {
  let low = 0
  let high = chances.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (chances[middle] > u) high = middle
    else low = middle + 1
  }
  return low
}

export interface Columns {
  readonly shape: number[]
  readonly columns: Int32Array[]
}

/** Rows drawn from a mixture of classes over modes of these sizes, in no order and with repetitions. */
export const drawRows = (shape: number[], rows: number, seed: number): Columns => {
  const { uniform, below } = random(seed, 'data')
  const chances = Array.from({ length: CLASSES }, () => shape.map(size => cumulative(size, uniform)))
  const columns = shape.map(() => new Int32Array(rows))
  for (let row = 0; row < rows; row++) {
    const own = chances[below(CLASSES)]
    for (let n = 0; n < shape.length; n++) columns[n][row] = draw(own[n], uniform())
  }
  return { shape, columns }
}

/** Answers to yes/no items: four classes, each with its own chances between 0.1 and 0.9. */
export const drawAnswers = (items: number, respondents: number, seed: number): Columns => {
  const { uniform, below } = random(seed, 'data')
  const chances = Array.from({ length: 4 }, () => Array.from({ length: items }, () => 0.1 + 0.8 * uniform()))
  const columns = Array.from({ length: items }, () => new Int32Array(respondents))
  for (let row = 0; row < respondents; row++) {
    const own = chances[below(4)]
    for (let item = 0; item < items; item++) columns[item][row] = uniform() < own[item] ? 1 : 0
  }
  return { shape: new Array(items).fill(2), columns }
}

export const toTensor = ({ shape, columns }: Columns): Tensor => tensorFromColumns(columns, undefined, { shape })

/** The tensors of the benchmarks. */
export const DATA: Record<string, () => Columns> = {
  T3: () => drawRows([1000, 1000, 1000], 2_000_000, 1),
  T4: () => drawRows([300, 300, 300, 300], 1_000_000, 2),
  T2: () => drawRows([20_000, 20_000], 2_000_000, 3),
  S20: () => drawAnswers(20, 100_000, 4),
}
