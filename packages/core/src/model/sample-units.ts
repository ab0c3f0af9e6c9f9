import type { Label } from '../tensor/mode.ts'
import type { LinkedStructure } from './structures/linked.ts'

/** Members of a group, if nobody says how many. */
const MEMBERS = 30

/** A row of a person or group without its answers: whose it is and of which wave, and its class. */
interface UnitRow {
  readonly labels: readonly Label[]
  readonly class: number
  readonly groupClass?: number
}

/** Persons with all their waves, or groups with their members, one after the other, numbered from 1; and the columns that say so. */
export const unitDrawer = (
  structure: LinkedStructure,
  members = MEMBERS,
): { readonly columns: readonly string[]; readonly draw: (number: number, uniform: () => number) => UnitRow[] } => {
  if (structure.kind === 'chain') {
    const { person, time, waves } = structure
    const draw = structure.drawer()
    return {
      columns: [person, time],
      draw: (number, uniform) =>
        draw(waves.length, uniform).map((own, t) => ({ labels: [number, waves[t]], class: own })),
    }
  }
  const draw = structure.drawer()
  return {
    columns: [structure.within],
    draw: (number, uniform) => {
      const { groupClass, classes } = draw(members, uniform)
      return classes.map(own => ({ labels: [number], class: own, groupClass }))
    },
  }
}
