import type { Statistics } from '../../engine/engine.ts'
import type { Parameters } from '../../model/parameters.ts'
import type { ConstraintSetting } from './constraints.ts'
import { byColumn, sumOf } from './fixed-columns.ts'

/** What keeps a run within its constraints. */
export interface ConstraintProjector {
  /** Makes factors obey: fixed entries, and the rest of their column scaled to what is left; equal columns at their mean. */
  project(parameters: Parameters): void
  /** Shares what equal columns have gathered equally among them: every mode's own M-step then makes them equal. */
  pool(statistics: Statistics): void
}

export const constraintProjector = ({ fixed, tied }: ConstraintSetting): ConstraintProjector => {
  const columns = byColumn(fixed)
  const share = (tables: readonly Float64Array[], rank: number): void => {
    for (const group of tied) {
      group[0].labels.forEach((_, part) => {
        const places = group.map(({ mode, class: k, labels }) => ({ table: tables[mode], i: labels[part] * rank + k }))
        const first = places[0].table[places[0].i]
        // The mean of equal numbers may not be the same number.
        if (places.every(({ table, i }) => table[i] === first)) return
        const mean = places.reduce((sum, { table, i }) => sum + table[i], 0) / places.length
        for (const { table, i } of places) table[i] = mean
      })
    }
  }
  return {
    pool: ({ factors, rank }) => share(factors, rank),
    project: ({ factors, rank }) => {
      share(factors, rank)
      for (const column of columns) {
        const { mode, class: k } = column[0]
        const factor = factors[mode]
        const left = 1 - sumOf(column)
        for (const { label } of column) factor[label * rank + k] = 0
        let sum = 0
        for (let i = k; i < factor.length; i += rank) sum += factor[i]
        if (sum > 0) for (let i = k; i < factor.length; i += rank) factor[i] *= Math.max(0, left) / sum
        for (const { label, value } of column) factor[label * rank + k] = value
      }
    },
  }
}
