import type { Label } from '../../tensor/mode.ts'
import { countItem } from './count.ts'
import type { ItemModel, ParametricSpec } from './item.ts'
import { multivariateNormalItem } from './multivariate-normal.ts'
import { normalItem } from './normal.ts'
import { ordinalItem } from './ordinal.ts'
import { itemValues } from './specs.ts'

/**
 * The model of a variable whose probabilities follow from parameters of its own.
 * @param labels numbers, also as texts, unless the item is ordinal
 * @param name of the variable, for messages
 * @example
 * const item = itemModel({ kind: 'count', distribution: 'poisson' }, [0, 1, 2], 2)
 * item.size // 2
 */
export const itemModel = (
  spec: ParametricSpec,
  labels: readonly Label[],
  rank: number,
  name = 'a variable',
): ItemModel => {
  switch (spec.kind) {
    case 'ordinal':
      return ordinalItem(spec, rank, labels)
    case 'normal':
      return normalItem(spec, itemValues(spec, labels, name), rank)
    case 'multivariate-normal':
      return multivariateNormalItem(spec, labels, rank)
    case 'count':
      return countItem(spec, itemValues(spec, labels, name), rank)
  }
}
