import { DataError, OptionError, show } from '../errors.ts'
import { knownOptions, wholeNumber } from '../options.ts'
import { buildTensor } from './build.ts'
import type { ModeOptions } from './mode.ts'
import type { Tensor } from './tensor.ts'
import { checkValue, modesOfShape } from './values.ts'

export type NestedArray = ArrayLike<number> | readonly NestedArray[]

export interface ArrayOptions {
  /** The size of every mode; needed for a flat array, checked against a nested one. The last mode varies fastest. */
  readonly shape?: readonly number[]
  readonly modes?: readonly (string | ModeOptions)[]
}

/**
 * Makes a tensor from a dense table: nested arrays, or a flat (typed) array with its shape.
 * @example
 * const tensor = tensorFromArray([[5, 0], [2, 3]], { modes: ['treated', 'well'] })
 * tensor.cells // 3
 */
export const tensorFromArray = (array: NestedArray, options: ArrayOptions = {}): Tensor => {
  knownOptions('tensorFromArray', options, ['shape', 'modes'])
  options.shape?.forEach((size, n) => {
    wholeNumber(`shape[${n}]`, size, 1)
  })
  const nested = nestedShape(array)
  if (nested.includes(0)) throw new DataError('there is no data: the array is empty')
  const flat = nested.length === 1
  const shape = flat ? (options.shape ?? nested) : nested
  const size = shape.reduce((product, length) => product * length, 1)
  if (flat && size !== nested[0]) {
    throw new OptionError('shape', `${shape.join('×')} needs ${size} values (the array has ${nested[0]})`)
  }
  if (options.shape !== undefined && options.shape.join() !== shape.join()) {
    throw new OptionError('shape', `says ${options.shape.join('×')} but the array is ${shape.join('×')}`)
  }
  const cells: number[] = []
  const values: number[] = []
  visit(array, flat ? nested : shape, (value, position) => {
    if (value === 0) return
    cells.push(position)
    values.push(value)
  })
  if (values.length === 0) throw new DataError(`all ${size} values are zero: there is nothing to count`)
  let stride = size
  const columns = shape.map(length => {
    stride /= length
    return Int32Array.from(cells, position => Math.floor(position / stride) % length)
  })
  return buildTensor(modesOfShape(shape, options.modes), columns, Float64Array.from(values))
}

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))

const nestedShape = (array: NestedArray): number[] => {
  const shape: number[] = []
  for (let inner: unknown = array; isList(inner); inner = inner[0]) shape.push(inner.length)
  if (shape.length === 0) throw new DataError(`a tensor needs an array (got ${show(array)})`)
  return shape
}

/** Calls back with every value and its position; refuses an array that is not as regular as its first entries. */
const visit = (array: NestedArray, shape: readonly number[], each: (value: number, position: number) => void): void => {
  const path: number[] = []
  let position = 0
  const walk = (part: unknown, depth: number): void => {
    if (depth === shape.length) {
      const where = `at [${path.join('][')}]`
      if (isList(part)) throw new DataError(`${where}: the array is ragged: a list where a number should be`)
      each(checkValue(part, where, { cell: position + 1 }), position++)
      return
    }
    if (!isList(part) || part.length !== shape[depth]) {
      const found = isList(part) ? `${part.length} entries` : show(part)
      throw new DataError(
        `at [${path.join('][')}]: the array is ragged: ${shape[depth]} entries expected, ${found} found`,
      )
    }
    for (let i = 0; i < part.length; i++) {
      path.push(i)
      walk(part[i], depth + 1)
      path.pop()
    }
  }
  walk(array, 0)
}
