import { DataError, OptionError, show } from '../errors.ts'
import { knownOptions } from '../options.ts'
import { buildTensor } from './build.ts'
import { MAX_LABELS, MISSING, type ModeOptions } from './mode.ts'
import type { Tensor } from './tensor.ts'
import { checkValue, modesOfShape } from './values.ts'

export interface CoordinateOptions {
  /** How many labels each mode has. Default: one more than the largest index seen. */
  readonly shape?: readonly number[]
  /** Names of the modes, or names with labels. Default: mode1, mode2, … with the indices as labels. */
  readonly modes?: readonly (string | ModeOptions)[]
}

/**
 * Makes a tensor from one column of indices per mode (from 0; −1 where nothing was observed) and one value per cell (default: every cell counts once).
 * Cells may repeat: their values add up.
 * @example
 * const tensor = tensorFromColumns([[0, 0, 1], [2, -1, 0]], [5, 1, 3]) // the second cell lacks its second index
 * tensor.shape // [2, 3]
 */
export const tensorFromColumns = (
  columns: readonly ArrayLike<number>[],
  values?: ArrayLike<number>,
  options: CoordinateOptions = {},
): Tensor => {
  knownOptions('tensorFromColumns', options, ['shape', 'modes'])
  if (columns.length === 0) throw new DataError('there must be at least one mode')
  const cells = columns[0].length
  columns.forEach((column, n) => {
    if (column.length !== cells) {
      throw new DataError(
        `mode ${n + 1} has ${column.length} indices where mode 1 has ${cells}: the columns are ragged`,
      )
    }
  })
  if (values !== undefined && values.length !== cells) {
    throw new DataError(`there are ${values.length} values for ${cells} cells`)
  }
  const { shape } = options
  if (shape !== undefined && shape.length !== columns.length) {
    throw new OptionError('shape', `must have ${columns.length} sizes, one per mode`, shape.length)
  }
  const sizes: number[] = []
  const indices = columns.map((column, n) => {
    const checked = new Int32Array(cells)
    const size = shape?.[n] ?? MAX_LABELS
    let largest = -1
    for (let cell = 0; cell < cells; cell++) {
      const index = column[cell]
      if (!(Number.isInteger(index) && index >= MISSING && index < size)) throw badIndex(index, n, cell, shape?.[n])
      checked[cell] = index
      if (index > largest) largest = index
    }
    sizes.push(shape?.[n] ?? largest + 1)
    return checked
  })
  const checkedValues = new Float64Array(cells).fill(1)
  if (values !== undefined) {
    for (let cell = 0; cell < cells; cell++) {
      const value = values[cell]
      const fine = typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
      checkedValues[cell] = fine ? value : badValue(value, cell)
    }
  }
  sizes.forEach((size, n) => {
    if (size === 0 && cells > 0) throw new DataError(`mode ${n + 1} is missing in every cell: give its size in shape`)
  })
  if (cells === 0) throw new DataError('there is no data: not a single cell')
  return buildTensor(modesOfShape(sizes, options.modes), indices, checkedValues)
}

const badValue = (value: unknown, cell: number) => checkValue(value, `cell ${cell + 1}`, { cell: cell + 1 })

const badIndex = (index: unknown, mode: number, cell: number, size: number | undefined) =>
  new DataError(
    `cell ${cell + 1}, mode ${mode + 1}: an index must be a whole number from 0` +
      `${size === undefined ? '' : ` to ${size - 1}`}, or −1 for missing (got ${show(index)})`,
    { cell: cell + 1, column: `mode${mode + 1}` },
  )

/**
 * Makes a tensor from a list of cells, each a list of indices (from 0; null, undefined or −1 where missing).
 * @example
 * const tensor = tensorFromCoordinates([[0, 2], [0, null], [1, 0]], [5, 1, 3])
 * tensor.total // 9
 */
export const tensorFromCoordinates = (
  coordinates: Iterable<ArrayLike<number | null | undefined>>,
  values?: ArrayLike<number>,
  options: CoordinateOptions = {},
): Tensor => {
  const columns: number[][] = []
  let cells = 0
  for (const coordinate of coordinates) {
    if (cells === 0) for (let n = 0; n < coordinate.length; n++) columns.push([])
    if (coordinate.length !== columns.length) {
      throw new DataError(`cell ${cells + 1} has ${coordinate.length} indices where cell 1 has ${columns.length}`, {
        cell: cells + 1,
      })
    }
    for (let n = 0; n < columns.length; n++) columns[n].push(coordinate[n] ?? MISSING)
    cells++
  }
  if (cells === 0) throw new DataError('there is no data: not a single cell')
  return tensorFromColumns(columns, values, options)
}
