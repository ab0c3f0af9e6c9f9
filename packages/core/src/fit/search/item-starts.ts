import type { ItemModel, ItemSetting } from '../../model/items/item.ts'
import { itemModel } from '../../model/items/items.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { random as drawsFrom } from '../../numeric/philox.ts'
import type { Counts } from '../../tensor/tensor.ts'
import type { ConstraintSetting } from '../descent/constraints.ts'

type Items = readonly (ItemSetting | undefined)[]

/** The item of a mode for a number of classes; undefined if it is a table. */
export const itemOf = (items: Items, n: number, rank: number): ItemModel | undefined =>
  items[n] && itemModel(items[n].spec, items[n].labels, rank)

/** The constraints, by the positions of their modes among those whose probabilities are free. */
export const amongFree = (constraints: ConstraintSetting, items: Items): ConstraintSetting => {
  const place = (mode: number) => mode - items.slice(0, mode).filter(item => item !== undefined).length
  const moved = <T extends { readonly mode: number }>(each: T): T => ({ ...each, mode: place(each.mode) })
  return { ...constraints, fixed: constraints.fixed.map(moved), tied: constraints.tied.map(group => group.map(moved)) }
}

/** Gives random starts the tables of items whose parameters are random. */
export const itemStarts =
  (items: Items, seed: number, { marginals }: Counts) =>
  (from: ModelParameters, start: number): ModelParameters => {
    const { uniform } = drawsFrom(seed, 'items', start)
    const models = items.map((_, n) => itemOf(items, n, from.rank))
    const theta = models.map((item, n) => item?.random(marginals[n], uniform))
    models.forEach((item, n) => void item?.table(theta[n]!, from.factors[n]))
    return { ...from, items: theta }
  }
