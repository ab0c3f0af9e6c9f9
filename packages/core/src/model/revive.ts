import { DataError, show } from '../errors.ts'
import { CellTensor } from '../tensor/cell-tensor.ts'
import { Mode } from '../tensor/mode.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { fittedItem } from './items/fitted-item.ts'
import { Model } from './model.ts'
import { type Structure, structureFrom } from './structures/structures.ts'

/** What a copy of a tensor has: its numbers and labels. */
export type TensorCopy = Pick<Tensor, 'indices' | 'values' | 'total'> & { readonly modes: readonly ModeCopy[] }

/** What a copy of a model has. */
export type ModelCopy = Pick<Model, 'rank' | 'sizes' | 'parameters' | 'classNames'> & {
  readonly modes: readonly ModeCopy[]
  readonly structure?: Structure
  readonly items?: Model['items']
}

type ModeCopy = Pick<Mode, 'name' | 'size' | 'ordered' | 'labels'>

/**
 * A tensor from a copy of one: `structuredClone` and `postMessage` copy the numbers and labels, but no methods. The arrays are those of the
 * copy, and the result is the same to the last bit.
 * @example
 * reviveTensor(structuredClone(answers)).marginals[0].length // 2
 */
export const reviveTensor = (copy: TensorCopy): Tensor => {
  const { modes, indices, values, total } = fields('tensor', copy, ['modes', 'indices', 'values', 'total'])
  return new CellTensor(revivedModes(modes), indices, values, total)
}

/**
 * A model from a copy of one: `structuredClone` and `postMessage` copy the numbers and labels, but no methods.
 * @example
 * reviveModel(structuredClone(model)).shares // [0.60, 0.40]
 */
export const reviveModel = (copy: ModelCopy): Model => {
  const { modes, rank, sizes, parameters, classNames, structure, items } = fields('model', copy, [
    'modes',
    'rank',
    'sizes',
    'parameters',
  ])
  return new Model(
    revivedModes(modes),
    { rank, sizes: Float64Array.from(sizes), factors: parameters.factors },
    classNames,
    structure && structureFrom(structure),
    items?.map(item => item && fittedItem(item.spec, item.theta)),
  )
}

const revivedModes = (modes: readonly ModeCopy[]): Mode[] =>
  modes.map(({ name, size, ordered, labels }) => new Mode(name, labels ?? size, ordered))

const fields = <T>(what: string, copy: T, names: readonly string[]): T => {
  if (typeof copy !== 'object' || copy === null)
    throw new DataError(`the copy of a ${what} must be an object (got ${show(copy)})`)
  for (const name of names) if (!(name in copy)) throw new DataError(`this is no copy of a ${what}: it has no ${name}`)
  return copy
}
