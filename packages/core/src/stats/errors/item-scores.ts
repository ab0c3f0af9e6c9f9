import type { Parameters } from '../../model/parameters.ts'
import type { PlacedItem, PlacedItems } from '../model-data/placed-item.ts'
import type { ColumnScores } from './cell-scores.ts'

/** The step of a difference quotient, relative to the parameter or to 1. */
const STEP = 1e-5

const EMPTY = new Float64Array(0)

/** Parameters without the tables of items: these have no probabilities that are free. */
export const withoutTables = ({ factors, ...rest }: Parameters, items: readonly unknown[]): Parameters => ({
  ...rest,
  factors: factors.map((factor, n) => (items[n] === undefined ? factor : EMPTY)),
})

/** The parameters of all items in one order, after those that are free otherwise. */
export const itemScores = (items: PlacedItems, factors: readonly Float64Array[], before: number) => {
  const places: number[] = []
  const gathered = items.map((item, n) => (item === undefined ? EMPTY : new Float64Array(factors[n].length)))
  let count = 0
  for (const item of items) {
    places.push(count)
    count += item?.model.size ?? 0
  }
  return {
    count,
    /** The position of the first parameter of a mode among those of all items. */
    places,
    /** The expected counts of labels and classes, to be filled. */
    gathered,
    /** Of a mode, by class: with positions among all free parameters. */
    columns: (n: number): readonly ColumnScores[] =>
      items[n]!.model.scores(items[n]!.theta).map(({ rows, scores }, k) => ({
        rows: rows.map(row => before + places[n] + row),
        scores,
        first: k,
      })),
    /** What so many draws say of the parameters, if their classes are known: the second derivatives with their sign changed. */
    complete(): Float64Array {
      const matrix = new Float64Array(count * count)
      items.forEach((item, n) => {
        if (item === undefined) return
        const own = curvatureOf(item, gathered[n])
        const { size } = item.model
        for (let i = 0; i < size; i++)
          for (let j = 0; j < size; j++) matrix[(places[n] + i) * count + places[n] + j] = own[i * size + j]
      })
      return matrix
    },
  }
}

/** −∂²/∂θ² of Σ expected · log table, by central differences of its slope. */
const curvatureOf = ({ model, theta }: PlacedItem, expected: Float64Array): Float64Array => {
  const { size, positive } = model
  const matrix = new Float64Array(size * size)
  const [above, below] = [new Float64Array(size), new Float64Array(size)]
  const scratch = new Float64Array(expected.length)
  for (let i = 0; i < size; i++) {
    const step = STEP * (positive[i] ? theta[i] : Math.max(1, Math.abs(theta[i])))
    const slopeAt = (value: number, into: Float64Array) => {
      const moved = theta.slice()
      moved[i] = value
      model.table(moved, scratch)
      model.slope(moved, expected, into)
    }
    slopeAt(theta[i] + step, above)
    slopeAt(theta[i] - step, below)
    for (let j = 0; j < size; j++) matrix[j * size + i] = (below[j] - above[j]) / (2 * step)
  }
  for (let i = 0; i < size; i++)
    for (let j = 0; j < i; j++) {
      const mean = (matrix[i * size + j] + matrix[j * size + i]) / 2
      matrix[i * size + j] = mean
      matrix[j * size + i] = mean
    }
  return matrix
}

/** The information of an observation below which a parameter is not determined by the data, in units in which it is usually about 1. */
const NOTHING = 1e-9

/** The positions, among the parameters of all items, of those about which the data says next to nothing: at a limit of what they may be. */
export const undeterminedItems = (
  items: PlacedItems,
  places: readonly number[],
  information: (position: number) => number,
  total: number,
): Set<number> => {
  const undetermined = new Set<number>()
  items.forEach((item, n) => {
    if (item === undefined) return
    const { model, theta } = item
    theta.forEach((_, i) => {
      const unit = model.unit(theta, i)
      if (!(information(places[n] + i) * unit * unit > NOTHING * total)) undetermined.add(places[n] + i)
    })
  })
  return undetermined
}
