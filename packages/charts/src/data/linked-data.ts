import type { Model } from '@polyad/core'
import type { ChangeData, MixesData } from './chart-data.ts'
import { classesOf } from './profiles-data.ts'

/**
 * The class sizes of every wave and the transitions between them; undefined if the classes of a model do not change.
 * @example
 * changeData(model) // undefined: nobody was asked twice
 */
export const changeData = (model: Model, names?: readonly string[]): ChangeData | undefined => {
  const { structure } = model
  if (structure.kind !== 'chain') return undefined
  return {
    classes: classesOf(model, names),
    waves: structure.waves.map((wave, t) => ({ name: String(wave), sizes: structure.sizes(t) })),
    transitions: structure.transitions,
  }
}

/**
 * The classes of groups with the class sizes of their members; undefined if a model has none.
 * @example
 * mixesData(model) // undefined: there are no groups
 */
export const mixesData = (model: Model, names?: readonly string[]): MixesData | undefined => {
  const { structure } = model
  if (structure.kind !== 'nested') return undefined
  return {
    classes: classesOf(model, names),
    groups: structure.mixes.map((mix, g) => ({ name: `group class ${g + 1}`, share: structure.groupSizes[g], mix })),
  }
}
