import type { Statistics } from '../../engine/engine.ts'
import { MIXED } from '../../model/carry.ts'
import { columnSums, type ModelParameters } from '../../model/parameters.ts'
import { rowsAt, type State } from './update-state.ts'

export interface Sums {
  readonly sizes: Float64Array
  readonly factors: readonly Float64Array[]
  /** Of rows that belong together: the counts of the tables without covariates. */
  readonly counts?: Float64Array
}

/** The discounted sums of the model and those of a pass. */
export const summed = ({ sizes, sums, places, linked }: State, pass: Statistics): Sums => ({
  sizes: sizes.map((size, k) => size + pass.sizes[k]),
  factors: sums.map((table, n) => {
    const all = table.slice()
    const { rank } = pass
    places[n].forEach((at, j) => {
      for (let k = 0; k < rank; k++) all[at * rank + k] += pass.factors[n][j * rank + k]
    })
    return all
  }),
  // The tables come after the variables.
  ...(linked && {
    counts: linked.rows.collect(pass.factors[sums.length]).map((count, i) => count + linked.counts[i]),
  }),
})

/** The M-step. A class that nobody has an answer of in a mode keeps what it had, in the labels of the data. */
export const parametersOf = (
  { added, places, items, linked }: State,
  { sizes, factors, counts }: Sums,
  previous: ModelParameters,
): ModelParameters => {
  const rank = sizes.length
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const thetas = items.map((item, n) => item?.maximize(factors[n], previous.items?.[n] ?? item.theta))
  return {
    rank,
    shares: sizes.map(size => size / total),
    items: thetas,
    ...(linked && counts && { tables: linked.rows.tablesOf(counts) }),
    factors: factors.map((table, n) => {
      const item = items[n]
      if (item !== undefined) return item.table(thetas[n]!)
      const mass = columnSums(table, rank).map(sum => sum + (table.length / rank) * added[n])
      const factor = table.map((sum, i) => (sum + added[n]) / mass[i % rank])
      mass.forEach((sum, k) => {
        if (sum > 0) return
        for (let i = k; i < factor.length; i += rank) factor[i] = 0
        const left = places[n].reduce((rest, _, j) => rest + previous.factors[n][j * rank + k], 0)
        places[n].forEach((at, j) => {
          factor[at * rank + k] = left > 0 ? previous.factors[n][j * rank + k] / left : 1 / places[n].length
        })
      })
      return factor
    }),
  }
}

/** The same in the labels of the data. */
export const within = ({ places }: State, { rank, factors, ...rest }: ModelParameters): ModelParameters => ({
  ...rest,
  rank,
  factors: factors.map((factor, n) => rowsAt(factor, places[n], rank)),
})

/** Items have a probability for every value, and stay as they are. */
export const mixedWith = (
  seen: readonly Float64Array[],
  linked: State['linked'],
  { rank, shares, factors, ...rest }: ModelParameters,
): ModelParameters => ({
  ...rest,
  ...(linked && { tables: linked.rows.mixed(MIXED) }),
  rank,
  shares: shares.map(share => (1 - MIXED) * share + MIXED / rank),
  factors: factors.map((factor, n) =>
    rest.items?.[n] === undefined
      ? factor.map((p, i) => (1 - MIXED) * p + MIXED * seen[n][Math.floor(i / rank)])
      : factor,
  ),
})
