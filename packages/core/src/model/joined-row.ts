import { labelOf } from '../tensor/mode.ts'
import { joinedName } from '../tensor/reshape.ts'
import { entryOf, type Row } from '../tensor/rows.ts'
import type { FittedItem } from './items/item.ts'
import { numberOf, tupleLabel } from './items/number-labels.ts'

/** A row with the labels of joined numbers, if it has these numbers one by one. */
export const withTuples = (row: Row, items: readonly (Pick<FittedItem, 'spec'> | undefined)[]): Row => {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return row
  const added = items.flatMap(item => {
    if (item?.spec.kind !== 'multivariate-normal') return []
    const names = item.spec.variables.map(({ name }) => name)
    const name = joinedName(names)
    const values = names.map(each => {
      const label = labelOf(entryOf(row, each, 0))
      return label === undefined ? undefined : (numberOf(label) ?? label)
    })
    const label = tupleLabel(values)
    return label === undefined || entryOf(row, name, 0) !== undefined ? [] : [[name, label] as const]
  })
  return added.length === 0 ? row : { ...row, ...Object.fromEntries(added) }
}
