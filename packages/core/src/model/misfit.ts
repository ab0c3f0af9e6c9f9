import { exp } from '../numeric/exp.ts'
import { atOnce, type Interruptible } from '../numeric/interruptible.ts'
import { log } from '../numeric/log.ts'
import { buildTensor } from '../tensor/build.ts'
import { MISSING } from '../tensor/mode.ts'
import type { Counts, Tensor } from '../tensor/tensor.ts'
import type { Parameters } from './parameters.ts'
import { logProbability } from './posterior.ts'

/** How far a model is from the cells of a table, where it takes a look at every cell: plain scans, without an engine. */

/** The power of Cressie and Read: between those of X² (1) and G² (0), and nearer to χ² than either on sparse tables. */
const POWER = 2 / 3

/** Cells of a step. About how many nanoseconds a cell takes, and each of its products (modes × classes): measured with 3 modes and 6 classes. */
const POWERS = { cells: 16_384, cell: 80, product: 6 }

/**
 * Cressie and Read's statistic, 9/5 Σ y·((y/m)^⅔ − 1), m the expected count: cells without counts add nothing. In steps, each of which yields
 * about how many nanoseconds it took.
 */
function* cressieReadSteps(tensor: Tensor, parameters: Parameters): Interruptible<number> {
  const { cells, shape, total } = tensor
  const nanoseconds = POWERS.cell + POWERS.product * shape.length * parameters.rank
  let sum = 0
  for (let from = 0; from < cells; from += POWERS.cells) {
    const to = Math.min(cells, from + POWERS.cells)
    sum = addPowers(tensor, parameters, from, to, sum)
    yield nanoseconds * (to - from)
  }
  return Math.max(0, (2 * (sum - total)) / (POWER * (POWER + 1)))
}

/** Adds y·(y/m)^⅔ of some cells to a sum. */
const addPowers = (
  { indices, values, total }: Tensor,
  parameters: Parameters,
  from: number,
  to: number,
  sum: number,
): number => {
  const out = new Float64Array(parameters.rank)
  // Counts repeat, so the logarithm of the last one is kept.
  let [added, last, share] = [sum, Number.NaN, Number.NaN]
  for (let cell = from; cell < to; cell++) {
    const y = values[cell]
    if (!(y > 0)) continue
    if (y !== last) [last, share] = [y, log(y / total)]
    added += y * exp(POWER * (share - logProbability(parameters, indices, cell, out)))
  }
  return added
}

/** How a model fits the table of counts, by each statistic. They are defined for data that lacks nothing. */
export interface TableFit<T = number> {
  /** The likelihood-ratio statistic, 2 Σ y·log(y/m). */
  readonly gSquared: T
  /** Pearson's statistic over all cells of the table, seen and unseen. */
  readonly chiSquared: T
  /** Cressie and Read's statistic (power ⅔), between the two. It takes a scan of the cells. */
  readonly cressieRead: T
}

/** The statistics of the table of counts, by their names in results. The parametric bootstrap gives each a p-value. */
export const FIT_TESTS = ['gSquared', 'chiSquared', 'cressieRead'] as const satisfies readonly (keyof TableFit)[]

export type FitTest = (typeof FIT_TESTS)[number]

/** Something for every statistic. */
export const eachFitTest = <T>(of: (name: FitTest) => T): TableFit<T> =>
  Object.fromEntries(FIT_TESTS.map(name => [name, of(name)])) as unknown as TableFit<T>

/** Those that follow from the sums of a pass. */
export const fitBySums = (
  { total, constants }: Counts,
  { logLikelihood, sumYYOverP }: { readonly logLikelihood: number; readonly sumYYOverP: number },
) => ({
  gSquared: Math.max(0, 2 * (constants.yLogY - total * log(total) - logLikelihood)),
  // Σ (y−m)²/m over the whole table is Σ y²/m − M, so that the cells without counts need not be visited.
  chiSquared: Math.max(0, sumYYOverP / total - total),
})

/** Those that take a scan of the cells, in steps. */
export function* fitByCells(data: Tensor, parameters: Parameters): Interruptible<FitByCells> {
  return { cressieRead: yield* cressieReadSteps(data, parameters) }
}

type FitBySums = ReturnType<typeof fitBySums>
export type FitByCells = Omit<TableFit, keyof FitBySums>

/** How a model fits the table of two modes. */
export interface PairMisfit {
  /** The positions of the modes. */
  readonly modes: readonly [number, number]
  /** Pearson's X² of the two-way table. */
  readonly chiSquared: number
  /** (I − 1)·(J − 1), of a table of I by J. */
  readonly degreesOfFreedom: number
}

/** Every pair of modes that have more than one label each. @param numbers modes that are not judged by tables */
export const pairMisfits = (tensor: Tensor, parameters: Parameters, numbers?: readonly boolean[]): PairMisfit[] =>
  atOnce(pairMisfitSteps(tensor, parameters, numbers))

/** About how many nanoseconds a cell takes in the table of two modes. */
const LOOK = 10

/** The same in steps, each of which yields about how many nanoseconds it took. */
export function* pairMisfitSteps(
  tensor: Tensor,
  parameters: Parameters,
  numbers: readonly boolean[] = [],
): Interruptible<PairMisfit[]> {
  const { shape, cells } = tensor
  const found: PairMisfit[] = []
  for (let a = 0; a < shape.length; a++) {
    for (let b = a + 1; b < shape.length; b++) {
      const degreesOfFreedom = (shape[a] - 1) * (shape[b] - 1)
      if (degreesOfFreedom === 0 || numbers[a] || numbers[b]) continue
      found.push({ modes: [a, b], chiSquared: pairChiSquared(tensor, parameters, a, b), degreesOfFreedom })
      yield LOOK * cells
    }
  }
  return found
}

/** Up to this many combinations, or this many times the cells, two labels are looked up in a table of all combinations. */
const DENSE = { least: 65_536, perCell: 4 }

/** X² of two modes, among the observations that have both: as over the whole table, Σ o²/e − N needs seen cells only. */
const pairChiSquared = (tensor: Tensor, { rank, shares, factors }: Parameters, a: number, b: number): number => {
  const expected = (i: number, j: number): number => {
    let p = 0
    for (let k = 0; k < rank; k++) p += shares[k] * factors[a][i * rank + k] * factors[b][j * rank + k]
    return p
  }
  let [total, sum] = [0, 0]
  eachPair(tensor, a, b, (i, j, observed) => {
    total += observed
    sum += (observed / expected(i, j)) * observed
  })
  return total === 0 ? 0 : Math.max(0, sum / total - total)
}

/** The two-way table of two modes, cell by cell in a fixed order. */
const eachPair = (
  { shape, cells, indices, values, modes }: Tensor,
  a: number,
  b: number,
  visit: (i: number, j: number, observed: number) => void,
): void => {
  const [left, right] = [indices[a], indices[b]]
  const width = shape[b]
  if (shape[a] * width <= Math.max(DENSE.least, DENSE.perCell * cells)) {
    const table = new Float64Array(shape[a] * width)
    for (let cell = 0; cell < cells; cell++) {
      if (left[cell] !== MISSING && right[cell] !== MISSING) table[left[cell] * width + right[cell]] += values[cell]
    }
    table.forEach((observed, at) => {
      if (observed > 0) visit(Math.floor(at / width), at % width, observed)
    })
    return
  }
  const table = buildTensor([modes[a], modes[b]], [left, right], values)
  for (let cell = 0; cell < table.cells; cell++) {
    const [i, j] = [table.indices[0][cell], table.indices[1][cell]]
    if (i !== MISSING && j !== MISSING) visit(i, j, table.values[cell])
  }
}
