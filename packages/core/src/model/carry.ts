import { labelsOf } from '../tensor/mode.ts'
import type { Counts } from '../tensor/tensor.ts'
import { type LabelDifference, labelDifferences, modePositions, sameModes } from './align.ts'
import { isNumber } from './items/item.ts'
import { Model } from './model.ts'

/** How much of the data's own frequencies every probability gets: what a model makes impossible may have been seen since. */
export const MIXED = 1e-4

/** A model adapted to other data. */
export interface CarriedModel {
  readonly model: Model
  /** Of every mode whose labels differ: `onlyA` are those that only the model had, which are dropped; `onlyB` are new in the data. */
  readonly changes: readonly LabelDifference[]
}

/**
 * Adapts a model to other data with the same modes, as the start of a fit. Labels are matched by name. A new label gets its frequency in the data, in every
 * class; the probability of labels that no longer occur is spread over the others. Class sizes sum to the total of the data.
 * @example
 * const { changes } = carryModel(model, answers)
 * changes // []
 */
export const carryModel = (model: Model, data: Counts): CarriedModel => {
  const { rank, parameters } = model
  const positions = modePositions(data.modes, model.modes, ['the data', 'the model'])
  const others = positions.map(n => model.modes[n])
  const factors = data.modes.map((mode, n) => {
    const own = parameters.factors[positions[n]]
    const item = model.items[positions[n]]
    if (item !== undefined && isNumber(item.spec)) {
      const table = new Float64Array(mode.size * rank)
      item.over(labelsOf(mode), rank).table(item.theta, table)
      return table
    }
    const from = Int32Array.from({ length: mode.size }, (_, j) => others[n].indexOf(mode.label(j)) ?? -1)
    const seen = data.marginals[n].reduce((sum, each) => sum + each, 0)
    const frequency = (j: number) => data.marginals[n][j] / seen
    const added = from.reduce((sum, at, j) => (at < 0 ? sum + frequency(j) : sum), 0)
    const kept = new Float64Array(rank)
    for (const at of from) if (at >= 0) for (let k = 0; k < rank; k++) kept[k] += own[at * rank + k]
    const factor = new Float64Array(mode.size * rank)
    from.forEach((at, j) => {
      for (let k = 0; k < rank; k++) {
        // A class that has lost all of its labels begins as everybody.
        const carried = kept[k] === 0 || at < 0 ? frequency(j) : ((1 - added) * own[at * rank + k]) / kept[k]
        factor[j * rank + k] = (1 - MIXED) * carried + MIXED * frequency(j)
      }
    })
    return factor
  })
  const scale = data.total / model.total
  const sizes = Float64Array.from(model.sizes, size => size * scale)
  const items = positions.map((at, n) => {
    const item = model.items[at]
    // A scale with other labels begins from its table.
    return item === undefined || isNumber(item.spec) || sameModes([others[n]], [data.modes[n]]) ? item : undefined
  })
  const tables = others.flatMap((mode, n) => {
    const item = model.items[positions[n]]
    return item !== undefined && isNumber(item.spec) ? [] : [{ mode, n }]
  })
  const changes = labelDifferences(
    tables.map(({ mode }) => mode),
    tables.map(({ n }) => data.modes[n]),
  )
  return Object.freeze({
    model: new Model(data.modes, { rank, sizes, factors }, model.classNames, model.structure, items),
    changes,
  })
}
