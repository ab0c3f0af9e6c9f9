import { drawer } from '../numeric/drawer.ts'
import type { Random } from '../numeric/philox.ts'
import { MISSING } from '../tensor/mode.ts'
import type { Parameters } from './parameters.ts'

/**
 * A function that draws a row, a class by its share and then a label in every mode by the class's column, and gives the class. Modes that are
 * given stay as they are in the row, and say how likely each class is.
 */
export const rowDrawer = (
  { rank, shares, factors }: Parameters,
  { uniform }: Random,
  given: readonly number[] = [],
): ((row: Int32Array) => number) => {
  const drawClass = drawer(shares)
  const drawGiven = (row: Int32Array): number => {
    const weights = shares.slice()
    for (const n of given) {
      if (row[n] !== MISSING) for (let k = 0; k < rank; k++) weights[k] *= factors[n][row[n] * rank + k]
    }
    return drawer(weights)(uniform())
  }
  const modes = factors.flatMap((_, n) => (given.includes(n) ? [] : [n]))
  const drawn = labelDrawers({ rank, factors: modes.map(n => factors[n]) }).map((labels, i) => ({
    n: modes[i],
    labels,
  }))
  return row => {
    const k = given.length === 0 ? drawClass(uniform()) : drawGiven(row)
    for (const { n, labels } of drawn) row[n] = labels[k](uniform())
    return k
  }
}

/** For every mode and class, what draws a label. */
export const labelDrawers = ({ rank, factors }: Pick<Parameters, 'rank' | 'factors'>) =>
  factors.map(factor =>
    Array.from({ length: rank }, (_, k) => drawer(factor.filter((_, position) => position % rank === k))),
  )
