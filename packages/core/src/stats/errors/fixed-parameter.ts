import type { Statistics } from '../../engine/engine.ts'
import type { ConstraintProjector } from '../../fit/descent/constraint-projector.ts'
import type { Parameters } from '../../model/parameters.ts'

/** A probability of a label in a mode, within a class; or the share of a class, where the mode is −1. */
export interface Place {
  readonly mode: number
  readonly class: number
  readonly label: number
}

/** The positions of a column in its table, and of the parameter itself. */
const columnOf = ({ mode, class: k, label }: Place, rank: number, table: Float64Array) => {
  const [first, step] = mode < 0 ? [0, 1] : [k, rank]
  const entries: number[] = []
  for (let i = first; i < table.length; i += step) entries.push(i)
  return { entries, own: mode < 0 ? k : label * rank + k }
}

const tableOf = ({ shares, factors }: Parameters, { mode }: Place): Float64Array => (mode < 0 ? shares : factors[mode])

export const valueAt = (parameters: Parameters, place: Place): number => {
  const table = tableOf(parameters, place)
  return table[columnOf(place, parameters.rank, table).own]
}

/** What a column may miss its sum by, before it is brought to it. */
const ROUNDING = 1e-12

/** Holds one parameter: the others of its column share what is left. */
export const holding = (place: Place, value: number): ConstraintProjector => {
  const ofOthers = (table: Float64Array, { entries, own }: ReturnType<typeof columnOf>): number =>
    entries.reduce((sum, at) => (at === own ? sum : sum + table[at]), 0)
  /** Sets a column to a sum: the parameter to its part, the others in proportion, or evenly where they are all zero. */
  const set = (table: Float64Array, rank: number, sum: number): void => {
    const column = columnOf(place, rank, table)
    const { entries, own } = column
    const [held, left, others] = [sum * value, sum * (1 - value), ofOthers(table, column)]
    // A column that is right stays as it is, to the bit.
    if (Math.abs(table[own] - held) <= ROUNDING * held && Math.abs(others - left) <= ROUNDING * left) return
    for (const at of entries)
      table[at] = at === own ? held : left * (others > 0 ? table[at] / others : 1 / (entries.length - 1))
  }
  return {
    project: parameters => set(tableOf(parameters, place), parameters.rank, 1),
    // Shares are parts of all that was gathered; in a factor what the others have gathered stays, and is the rest of the column.
    pool({ rank, sizes, factors }: Statistics) {
      const table = place.mode < 0 ? sizes : factors[place.mode]
      const column = columnOf(place, rank, table)
      const others = ofOthers(table, column)
      set(
        table,
        rank,
        place.mode < 0 || value === 1 || others === 0 ? others + table[column.own] : others / (1 - value),
      )
    },
  }
}
