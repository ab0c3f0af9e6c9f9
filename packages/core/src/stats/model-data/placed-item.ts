import type { ItemModel, ItemSetting } from '../../model/items/item.ts'
import { itemModel } from '../../model/items/items.ts'
import type { Model } from '../../model/model.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { labelsOf, type Mode } from '../../tensor/mode.ts'

/** An item with parameters of its own, on the labels of data. */
export interface PlacedItem extends ItemSetting {
  readonly model: ItemModel
  readonly theta: Float64Array
}

/** For every mode of the data its item; undefined for categories. */
export type PlacedItems = readonly (PlacedItem | undefined)[]

/** Items with the parameters of a fit. */
export const placedItems = (
  settings: readonly (ItemSetting | undefined)[],
  { rank, items }: Pick<ModelParameters, 'rank' | 'items'>,
): PlacedItems =>
  settings.map(
    (setting, n) => setting && { ...setting, theta: items![n]!, model: itemModel(setting.spec, setting.labels, rank) },
  )

/** The item of a mode of a model, on the labels of the mode of data. */
export const placedItem = ({ items, rank }: Model, n: number, mode: Mode): PlacedItem | undefined => {
  const item = items[n]
  if (item === undefined) return undefined
  const { spec, theta } = item
  const labels = labelsOf(mode)
  return { spec, labels, theta, model: item.over(labels, rank) }
}
