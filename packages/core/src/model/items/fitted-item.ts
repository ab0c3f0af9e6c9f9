import type { Label } from '../../tensor/mode.ts'
import type { FittedItem, ItemModel, ItemSetting, ParametricSpec } from './item.ts'
import { itemModel } from './items.ts'

class Fitted implements FittedItem {
  readonly spec: ParametricSpec
  readonly theta: Float64Array

  constructor(spec: ParametricSpec, theta: Float64Array) {
    this.spec = spec
    this.theta = theta
  }

  over(labels: readonly Label[], rank: number): ItemModel {
    return itemModel(this.spec, labels, rank)
  }
}

/** An item of a model, by its kind and its parameters. A program without such items does not load their code. */
export const fittedItem = (spec: ParametricSpec, theta: Float64Array): FittedItem => new Fitted(spec, theta)

/** The items of a model that was found. @param order in which its classes are to be; undefined if they stay as they are */
export const fittedItems = (
  settings: readonly (ItemSetting | undefined)[],
  { rank, items }: { readonly rank: number; readonly items?: readonly (Float64Array | undefined)[] },
  order: readonly number[] | undefined,
): (FittedItem | undefined)[] =>
  settings.map((setting, n) => {
    const theta = items?.[n]
    if (setting === undefined || theta === undefined) return undefined
    const item = fittedItem(setting.spec, theta)
    return order === undefined ? item : fittedItem(item.spec, item.over(setting.labels, rank).reorder(theta, order))
  })
