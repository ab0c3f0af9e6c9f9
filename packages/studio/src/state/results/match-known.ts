import { assign } from '@polyad/core/numeric'
import type { Confusion } from '../../worker/protocol.ts'

/** Classes of a model beside known ones, each standing for the one it agrees with best. */
export interface MatchedClasses {
  /** For each class the position of the known class it stands for; null where it stands for none. */
  readonly standsFor: readonly (number | null)[]
  /** Rows in the class that stands for their known one, of all rows. */
  readonly agreeing: number
  readonly rows: number
}

/** No two classes stand for the same, and the agreement is the largest possible. */
export const matchKnown = ({ known, table }: Pick<Confusion, 'known' | 'table'>): MatchedClasses => {
  const rank = table[0]?.length ?? 0
  const cost = table.map(row => row.map(count => -count))
  const flipped = known.length > rank
  // The method wants at least as many columns as rows.
  const found = assign(flipped ? Array.from({ length: rank }, (_, k) => cost.map(row => row[k])) : cost)
  const standsFor = Array.from({ length: rank }, (_, k): number | null => {
    const of = flipped ? found[k] : found.indexOf(k)
    return of >= 0 && table[of][k] > 0 ? of : null
  })
  return {
    standsFor,
    agreeing: standsFor.reduce<number>((sum, of, k) => sum + (of === null ? 0 : table[of][k]), 0),
    rows: table.flat().reduce((sum, count) => sum + count, 0),
  }
}
