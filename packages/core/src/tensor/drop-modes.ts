import { OptionError, show } from '../errors.ts'
import { buildTensor } from './build.ts'
import type { Tensor } from './tensor.ts'

/**
 * The tensor without some of its modes: cells that differ in these alone become one. For modes that say where an observation
 * came from, which a model leaves aside.
 * @example
 * dropModes(answers, ['age']).shape // [2, 3]
 */
export const dropModes = (tensor: Tensor, names: readonly string[]): Tensor => {
  const unknown = names.find(name => !tensor.modes.some(mode => mode.name === name))
  if (unknown !== undefined) {
    const all = tensor.modes.map(({ name }) => name).join(', ')
    throw new OptionError(`there is no mode ${show(unknown)}: the modes are ${all}`)
  }
  const kept = [...tensor.modes.keys()].filter(n => !names.includes(tensor.modes[n].name))
  if (kept.length === 0) throw new OptionError('at least one mode must be left')
  return buildTensor(
    kept.map(n => tensor.modes[n]),
    kept.map(n => tensor.indices[n]),
    tensor.values,
  )
}
