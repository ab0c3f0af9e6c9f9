import type { Label } from '@polyad/core'
import { labelArray } from '@polyad/core/model'
import type { Counted } from './view.ts'

/** Labels of a column that were met only in rows that count for nothing. */
export interface UncountedLabels {
  readonly mode: number
  readonly labels: readonly Label[]
}

/**
 * What was counted, without the labels that only rows of weight 0 have: they would be parameters without data. Others that do not
 * occur were declared, and stay. @param left modes whose labels all stay, as those of a design
 * @param empty called for a mode of which no row that counts has a label
 */
export const withoutUncounted = (
  counted: Counted,
  left: (mode: number) => boolean,
  empty: (mode: number) => void,
): { readonly counted: Counted; readonly uncounted: readonly UncountedLabels[] } => {
  const { values } = counted
  if (!values.includes(0)) return { counted, uncounted: [] }
  const labels = [...counted.labels]
  const indices = [...counted.indices]
  const uncounted: UncountedLabels[] = []
  indices.forEach((column, mode) => {
    if (left(mode)) return
    // 1: in a row of weight 0; 2: in one that counts.
    const met = new Uint8Array(labels[mode].length)
    for (let cell = 0; cell < column.length; cell++)
      if (column[cell] >= 0) met[column[cell]] |= values[cell] > 0 ? 2 : 1
    if (!met.includes(1)) return
    if (!met.some(each => each > 1)) {
      // If nothing counts at all, that is what is to be said.
      if (values.some(value => value > 0)) empty(mode)
      return
    }
    const own = labelArray(labels[mode])
    uncounted.push({ mode, labels: own.filter((_, index) => met[index] === 1) })
    let next = 0
    const places = Int32Array.from(met, each => (each === 1 ? -1 : next++))
    labels[mode] = own.filter((_, index) => met[index] !== 1)
    indices[mode] = column.map(index => (index < 0 ? index : places[index]))
  })
  return { counted: uncounted.length === 0 ? counted : { ...counted, labels, indices }, uncounted }
}
