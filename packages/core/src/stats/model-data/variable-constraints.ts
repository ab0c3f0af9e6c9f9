import { OptionError, show } from '../../errors.ts'
import type { Constraints, EqualColumn, FixedProbability } from '../../fit/descent/constraints.ts'
import type { PriorOptions } from '../../fit/descent/m-step.ts'
import type { Items } from '../../model/items/choices.ts'
import type { Split, SplitPart } from '../../model/structures/structure.ts'
import { optionsObject } from '../../options.ts'
import type { KnownClasses } from './known-classes.ts'
import { columnsOf, equalParts } from './split-modes.ts'

/** A model's variables and the modes that they have become. */
export interface Variables {
  /** All of them by name. */
  readonly names: readonly string[]
  readonly splits: readonly Split[]
  readonly parts: readonly SplitPart[]
  readonly known?: KnownClasses | undefined
}

/** Refuses lists of constraints that are no lists, or have no entries in them, before anybody looks into them. */
export const checkLists = (given: Constraints | undefined): void => {
  for (const name of ['fixed', 'zero', 'equal'] as const) {
    const entries: unknown = given?.[name] ?? []
    if (!Array.isArray(entries)) throw new OptionError(`constraints.${name} must be a list (got ${show(entries)})`)
    if (name !== 'equal') for (const [i, entry] of entries.entries()) optionsObject(`constraints.${name}[${i}]`, entry)
  }
}

/** The modes of a variable: its parts, or itself. */
const modesOf = (mode: string, { parts }: Variables): string[] => {
  const own = parts.filter(part => part.mode === mode).map(({ name }) => name)
  return own.length > 0 ? own : [mode]
}

/**
 * Constraints on variables as constraints on modes: what is said of a variable holds for all of its parts, parts that do not differ in a
 * class are equal there, and known classes are fixed. Undefined if nothing is constrained.
 */
export const modeConstraints = (
  given: Constraints | undefined,
  variables: Variables,
  rank: number,
): Constraints | undefined => {
  const { splits, parts, known } = variables
  if (splits.length === 0 && known === undefined && given?.equal === undefined) return given
  const ofParts = <T extends { readonly mode: string }>(entries: readonly T[] = []): T[] =>
    entries.flatMap(entry => modesOf(entry.mode, variables).map(mode => ({ ...entry, mode })))
  const asked = (given?.equal ?? []).flatMap((list, i) =>
    isList(list) ? equalLists(list, `constraints.equal[${i}]`, variables, rank) : [list],
  )
  const taken = new Set(asked.flat().map(column => `${column?.mode} ${column?.class}`))
  const ties = splits.flatMap(split =>
    Array.from({ length: rank }, (_, k) => equalParts(split, parts, k))
      .flatMap((lists, k) => lists.map(list => list.map(({ name }): EqualColumn => ({ mode: name, class: k + 1 }))))
      .filter(list => list.length > 1 && list.every(column => !taken.has(`${column.mode} ${column.class}`))),
  )
  const equal = [...asked, ...ties]
  const fixed: FixedProbability[] = [
    ...ofParts(given?.fixed),
    ...(known?.labels.flatMap((label, j) =>
      Array.from({ length: rank }, (_, k) => ({
        mode: known.name,
        class: k + 1,
        label,
        probability: j === k ? 1 : 0,
      })),
    ) ?? []),
  ]
  const zero = ofParts(given?.zero)
  if (equal.length + fixed.length + zero.length === 0) return undefined
  return {
    ...(fixed.length > 0 && { fixed }),
    ...(zero.length > 0 && { zero }),
    ...(equal.length > 0 && { equal }),
  }
}

/** Whether it is a list of columns at all: what is not is refused with all other constraints. */
const isList = (list: unknown): list is readonly EqualColumn[] =>
  Array.isArray(list) && list.every(column => typeof column === 'object' && column !== null)

/** A list of equal columns of variables as lists of equal columns of modes: one for each combination on which they depend. */
const equalLists = (
  list: readonly EqualColumn[],
  where: string,
  variables: Variables,
  rank: number,
): EqualColumn[][] => {
  const { names, splits, parts } = variables
  const columns = list.flatMap(column =>
    (column.mode === undefined ? names : [column.mode]).flatMap(mode =>
      (column.class === undefined ? Array.from({ length: rank }, (_, k) => k + 1) : [column.class]).map(k => ({
        ...column,
        mode,
        class: k,
      })),
    ),
  )
  const splitOf = (mode: string) => splits.find(split => split.mode === mode)
  const dependsOn = ({ mode, class: k }: { mode: string; class: number }) =>
    (splitOf(mode)?.columns[k - 1] ?? []).toSorted().join()
  const unlike = columns.find(column => dependsOn(column) !== dependsOn(columns[0]))
  if (unlike !== undefined)
    throw new OptionError(
      `${where}: ${show(columns[0].mode)} and ${show(unlike.mode)} cannot be equal: their probabilities do not depend on the same columns`,
    )
  // Without a class named, classes stay interchangeable.
  if (splits.length === 0)
    return [list.flatMap(column => (column.mode === undefined ? names.map(mode => ({ ...column, mode })) : [column]))]
  if (dependsOn(columns[0]) === '')
    return [columns.flatMap(column => modesOf(column.mode, variables).map(mode => ({ ...column, mode })))]
  const keys = new Map<string, EqualColumn[]>()
  for (const column of columns) {
    const split = splitOf(column.mode) as Split
    for (const equal of equalParts(split, parts, column.class - 1)) {
      const key = JSON.stringify(equal[0].where.filter(each => split.columns[column.class - 1].includes(each.column)))
      keys.set(key, [...(keys.get(key) ?? []), ...equal.map(({ name }) => ({ ...column, mode: name }))])
    }
  }
  return [...keys.values()]
}

/** Pseudo-counts by variable as pseudo-counts by mode; known classes have none. */
export const modeCounts = (
  given: PriorOptions['pseudoCounts'],
  variables: Variables,
): PriorOptions['pseudoCounts'] | undefined => {
  const { names, splits, known } = variables
  if (given === undefined || (splits.length === 0 && known === undefined)) return given
  const byName = typeof given === 'number' ? Object.fromEntries(names.map(name => [name, given])) : given
  return Object.fromEntries(
    Object.entries(byName).flatMap(([name, counts]) => modesOf(name, variables).map(mode => [mode, counts])),
  )
}

/** What variables are taken for, by mode: all parts of one are taken for the same. */
export const modeItems = (given: Items = {}, variables: Variables): Items => {
  const other = Object.keys(given).find(name => !variables.names.includes(name))
  if (other !== undefined)
    throw new OptionError('items', `names no variable: ${show(other)}; the variables are ${variables.names.join(', ')}`)
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, item]) => modesOf(name, variables).map(mode => [mode, item])),
  )
}

/** The names of all columns that some variable depends on. */
export const splittingColumns = (splits: readonly Split[]): string[] => [...new Set(splits.flatMap(columnsOf))]
