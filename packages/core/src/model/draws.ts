import { drawer } from '../numeric/drawer.ts'
import type { Random } from '../numeric/philox.ts'
import { buildTensor } from '../tensor/build.ts'
import { type Label, MISSING, Mode } from '../tensor/mode.ts'
import type { RowWeights } from '../tensor/row-weights.ts'
import type { Tensor } from '../tensor/tensor.ts'
import type { ItemModel } from './items/item.ts'
import { lackingAs } from './items/number-labels.ts'
import type { Parameters } from './parameters.ts'
import { posteriorInto } from './posterior.ts'
import { labelDrawers, rowDrawer } from './row-drawer.ts'

/**
 * Data of the same size drawn from a model: for every observation another, which lacks what the one in its place lacks.
 * @param given modes that stay as they are: classes are drawn given them
 */
export const drawTensor = (
  { modes, cells, indices, values, total }: Tensor,
  parameters: Parameters,
  source: Random,
  given: readonly number[] = [],
  items: DrawnItems = [],
): Tensor => {
  const draw = rowDrawer(parameters, source, given)
  const row = new Int32Array(modes.length)
  const columns = modes.map(() => new Int32Array(total))
  const itemValues = drawnValues({ modes, indices }, items, source)
  let at = 0
  for (let cell = 0; cell < cells; cell++) {
    for (let left = values[cell]; left > 0; left--, at++) {
      for (const n of given) row[n] = indices[n][cell]
      itemValues.draw(draw(row), row, cell)
      for (let n = 0; n < row.length; n++) columns[n][at] = indices[n][cell] === MISSING ? MISSING : row[n]
    }
  }
  return buildTensor(itemValues.modes(columns), columns, new Float64Array(total).fill(1))
}

/**
 * Data of rows with weights, drawn from a model: every row keeps its weight and what it lacks. Its class is drawn by its posteriors, so that
 * classes keep the weights that their members have, and its answers by the class.
 */
export const drawWeighted = (
  { modes, indices }: Tensor,
  parameters: Parameters,
  { cells, weights, counts }: RowWeights,
  source: Random,
  items: DrawnItems = [],
): Tensor => {
  const { rank } = parameters
  const { uniform } = source
  const drawLabel = labelDrawers(parameters)
  const rows = counts.reduce((sum, count) => sum + count, 0)
  const columns = modes.map(() => new Int32Array(rows))
  const values = new Float64Array(rows)
  const posterior = new Float64Array(rank)
  const drawnRow = new Int32Array(modes.length)
  const itemValues = drawnValues({ modes, indices }, items, source)
  let at = 0
  for (let group = 0; group < cells.length; group++) {
    const cell = cells[group]
    // What the model makes impossible is drawn by the shares.
    posteriorInto(parameters, indices, cell, posterior)
    const drawClass = drawer(posterior)
    for (let left = counts[group]; left > 0; left--, at++) {
      const k = drawClass(uniform())
      values[at] = weights[group]
      for (let n = 0; n < columns.length; n++) drawnRow[n] = drawLabel[n][k](uniform())
      itemValues.draw(k, drawnRow, cell)
      for (let n = 0; n < columns.length; n++) columns[n][at] = indices[n][cell] === MISSING ? MISSING : drawnRow[n]
    }
  }
  return buildTensor(itemValues.modes(columns), columns, values)
}

/** For every mode its item with its parameters, if values are drawn by these. */
export type DrawnItems = readonly ({ readonly model: ItemModel; readonly theta: Float64Array } | undefined)[]

/** Values of items with parameters of their own, which need not be among the labels of the data. */
export const drawnValues = (
  { modes, indices }: Pick<Tensor, 'modes' | 'indices'>,
  items: DrawnItems,
  { uniform }: Random,
) => {
  const known = items.map(item =>
    item === undefined || item.model.kind === 'ordinal' ? undefined : new Map<Label, number>(),
  )
  return {
    /** Replaces the entries of a row of a class, drawn for a cell. */
    draw(of: number, row: Int32Array, cell: number): void {
      known.forEach((index, n) => {
        if (index === undefined) return
        const { model, theta } = items[n]!
        const drawn = model.draw(theta, of, uniform)
        const own = indices[n][cell]
        const value =
          model.kind === 'multivariate-normal' && own !== MISSING ? lackingAs(drawn, modes[n].label(own)) : drawn
        if (!index.has(value)) index.set(value, index.size)
        row[n] = index.get(value)!
      })
    },
    /** The modes of what was drawn; columns then have the positions of their labels, which are in order. */
    modes: (columns: readonly Int32Array[]): Mode[] =>
      modes.map((mode, n) => {
        const index = known[n]
        if (index === undefined) return mode
        const own = columns[n]
        const seen = new Set(own)
        const values = [...index].filter(([, at]) => seen.has(at)).sort(([a], [b]) => (a < b ? -1 : 1))
        const places = new Map(values.map(([, at], place) => [at, place]))
        for (let i = 0; i < own.length; i++) if (own[i] !== MISSING) own[i] = places.get(own[i])!
        return values.length === 0
          ? mode
          : new Mode(
              mode.name,
              values.map(([value]) => value),
              mode.ordered,
            )
      }),
  }
}

/** As many observations as there are, drawn from among themselves: how often each cell was drawn. */
export const drawValues = ({ cells, values, total }: Tensor, { uniform }: Random): Float64Array => {
  const draw = drawer(values)
  const drawn = new Float64Array(cells)
  for (let i = 0; i < total; i++) drawn[draw(uniform())]++
  return drawn
}
