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
    transitions: transitionsOfAll(structure),
  }
}

type Chain = Extract<Model['structure'], { readonly kind: 'chain' }>

/** The transitions of all persons: those who never change stay where they are. */
const transitionsOfAll = (structure: Chain): ChangeData['transitions'] => {
  const { stayers, transitions, waves } = structure
  if (stayers === undefined) return transitions
  return waves.slice(0, -1).map((_, t) => {
    const sizes = structure.sizes(t)
    return structure.transitionsTo(t + 1).map((row, k) => {
      const staying = sizes[k] > 0 ? (stayers.share * stayers.sizes[k]) / sizes[k] : 0
      return row.map((part, l) => (1 - staying) * part + (k === l ? staying : 0))
    })
  })
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
