import { OptionError, show } from '../../errors.ts'
import { knownOptions, optionsObject, wholeNumber } from '../../options.ts'
import type { Label, Mode } from '../../tensor/mode.ts'
import { byColumn, type FixedEntry, sumOf } from './fixed-columns.ts'

/** Constraints on probabilities. Classes count from 1. If a constraint names a class, classes keep their numbers and are not sorted by size. */
export interface Constraints {
  /** Probabilities that are known; without a class, in all of them. */
  readonly fixed?: readonly FixedProbability[]
  /** Labels that cannot occur; without a class, in none of them. */
  readonly zero?: readonly Omit<FixedProbability, 'probability'>[]
  /** Lists of columns that are equal. */
  readonly equal?: readonly (readonly EqualColumn[])[]
}

export interface FixedProbability {
  readonly mode: string
  /** Counted from 1; without it, in every class. */
  readonly class?: number
  readonly label: Label
  readonly probability: number
}

/** The probabilities of a mode within a class; without a class, within each of them; without a mode, of each of them. */
export interface EqualColumn {
  readonly mode?: string
  /** Counted from 1. */
  readonly class?: number
  /** The labels in the order in which they are to be equal, where it is not the mode's own. */
  readonly labels?: readonly Label[]
}

/** The same by position. Plain data: it is sent to workers. */
export interface ConstraintSetting {
  /** Whether any class is named: the classes are then not alike, and keep their order. */
  readonly named: boolean
  readonly fixed: readonly FixedEntry[]
  readonly tied: readonly (readonly TiedColumn[])[]
}

export interface TiedColumn {
  readonly mode: number
  readonly class: number
  /** The positions of the labels, those that are equal at the same place. */
  readonly labels: readonly number[]
}

/** What sums of probabilities may miss by rounding. */
const ROUNDING = 1e-9

/** Constraints on the modes of data and a number of classes, checked: a message names the mode, the class and the label. */
export const constraintSetting = (modes: readonly Mode[], rank: number, given: Constraints): ConstraintSetting => {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new OptionError('constraints', 'must be an object of fixed, zero or equal', given)
  knownOptions('constraints', given, ['fixed', 'zero', 'equal'])
  const position = (name: unknown, where: string): number => {
    const n = modes.findIndex(mode => mode.name === name)
    if (n >= 0) return n
    throw new OptionError(
      `${where}: ${name === undefined ? 'it names no mode' : `there is no mode ${show(name)}`}; the modes are ${modes.map(m => m.name).join(', ')}`,
    )
  }
  const labelIn = (n: number, label: unknown, where: string): number => {
    const index = modes[n].indexOf(label as Label)
    if (index !== undefined) return index
    const known = Array.from({ length: Math.min(modes[n].size, 12) }, (_, j) => String(modes[n].label(j)))
    throw new OptionError(
      `${where}: ${label === undefined ? `it names no label of mode ${show(modes[n].name)}` : `mode ${show(modes[n].name)} has no label ${show(label)}`}; its labels are ${known.join(', ')}`,
    )
  }
  const classes = (of: unknown, where: string): number[] =>
    of === undefined ? Array.from({ length: rank }, (_, k) => k) : [wholeNumber(`${where}.class`, of, 1, rank) - 1]
  const list = <T>(name: 'fixed' | 'zero' | 'equal'): readonly T[] => {
    const entries = given[name] ?? []
    if (!Array.isArray(entries)) throw new OptionError(`constraints.${name} must be a list (got ${show(entries)})`)
    return entries as unknown as readonly T[]
  }
  const known: FixedEntry[] = []
  const fix = (entry: Partial<FixedProbability>, value: unknown, where: string, keys: readonly string[]) => {
    optionsObject(where, entry)
    knownOptions(where, entry, keys)
    const mode = position(entry.mode, where)
    const label = labelIn(mode, entry.label, where)
    if (!(typeof value === 'number' && value >= 0 && value <= 1))
      throw new OptionError(
        `${where}.probability must be a number from 0 to 1 (${value === undefined ? 'it is missing' : `got ${show(value)}`})`,
      )
    for (const k of classes(entry.class, where)) known.push({ mode, class: k, label, value })
  }
  list<FixedProbability>('fixed').forEach((entry, i) => {
    fix(entry, entry?.probability, `constraints.fixed[${i}]`, ['mode', 'class', 'label', 'probability'])
  })
  list<FixedProbability>('zero').forEach((entry, i) => {
    fix(entry, 0, `constraints.zero[${i}]`, ['mode', 'class', 'label'])
  })
  const tied = list<readonly EqualColumn[]>('equal').map((group, i) => {
    const where = `constraints.equal[${i}]`
    if (!Array.isArray(group)) throw new OptionError(`${where} must be a list of columns (got ${show(group)})`)
    return (group as readonly EqualColumn[]).flatMap((column, j): TiedColumn[] => {
      const here = `${where}[${j}]`
      optionsObject(here, column)
      knownOptions(here, column, ['mode', 'class', 'labels'])
      const those = column.mode === undefined ? modes.map((_, n) => n) : [position(column.mode, here)]
      return those.flatMap(n => {
        const labels = orderOf(modes[n], column.labels, label => labelIn(n, label, here), here)
        return classes(column.class, here).map(k => ({ mode: n, class: k, labels }))
      })
    })
  })
  checkTied(modes, tied)
  const fixed = spread(modes, known, tied)
  checkSums(modes, fixed)
  const named = [
    ...list<{ class?: unknown }>('fixed'),
    ...list<{ class?: unknown }>('zero'),
    ...(given.equal ?? []).flat(),
  ]
  return { named: named.some(entry => entry.class !== undefined), fixed: settled(modes, fixed), tied }
}

const orderOf = (mode: Mode, labels: unknown, indexOf: (label: unknown) => number, where: string): number[] => {
  if (labels === undefined) return Array.from({ length: mode.size }, (_, j) => j)
  const order = Array.isArray(labels) ? labels.map(indexOf) : []
  if (new Set(order).size === mode.size && order.length === mode.size) return order
  throw new OptionError(`${where}.labels must name every label of mode ${show(mode.name)} once (got ${show(labels)})`)
}

const nameOf = (modes: readonly Mode[], { mode, class: k }: Pick<FixedEntry, 'mode' | 'class'>): string =>
  `mode ${show(modes[mode].name)}, class ${k + 1}`

/** Equal columns have equally many labels, called alike unless their order is given; no column is in two lists. */
const checkTied = (modes: readonly Mode[], tied: readonly (readonly TiedColumn[])[]): void => {
  const seen = new Map<string, number>()
  tied.forEach((group, i) => {
    if (group.length < 2) throw new OptionError(`constraints.equal[${i}] must have at least two columns`)
    for (const column of group) {
      const first = group[0]
      if (column.labels.length !== first.labels.length) {
        throw new OptionError(
          `constraints.equal[${i}]: ${nameOf(modes, first)} has ${first.labels.length} labels and ${nameOf(modes, column)} has ${column.labels.length}`,
        )
      }
      const key = `${column.mode} ${column.class}`
      const before = seen.get(key)
      if (before !== undefined) {
        const where =
          before === i ? `twice in constraints.equal[${i}]` : `in constraints.equal[${before}] and [${i}]: join them`
        throw new OptionError(`${nameOf(modes, column)} is ${where}`)
      }
      seen.set(key, i)
    }
  })
}

/** What is known of one of several equal columns is known of all of them. */
const spread = (
  modes: readonly Mode[],
  known: readonly FixedEntry[],
  tied: readonly (readonly TiedColumn[])[],
): FixedEntry[] => {
  const all = new Map<string, FixedEntry>()
  const add = (entry: FixedEntry) => {
    const key = `${entry.mode} ${entry.class} ${entry.label}`
    const before = all.get(key)
    if (before !== undefined && before.value !== entry.value) {
      const label = show(modes[entry.mode].label(entry.label))
      throw new OptionError(
        'constraints',
        `contradict each other: ${nameOf(modes, entry)}, label ${label} is both ${before.value} and ${entry.value}`,
      )
    }
    all.set(key, entry)
  }
  for (const entry of known) {
    const isOwn = (each: TiedColumn) => each.mode === entry.mode && each.class === entry.class
    const group = tied.find(columns => columns.some(isOwn))
    if (group === undefined) add(entry)
    else {
      const part = group.find(isOwn)!.labels.indexOf(entry.label)
      for (const { mode, class: k, labels } of group) add({ mode, class: k, label: labels[part], value: entry.value })
    }
  }
  return [...all.values()]
}

const checkSums = (modes: readonly Mode[], fixed: readonly FixedEntry[]): void => {
  for (const column of byColumn(fixed)) {
    const sum = sumOf(column)
    const all = column.length === modes[column[0].mode].size
    if (sum > 1 + ROUNDING || (all && sum < 1 - ROUNDING)) {
      const rule = all ? 'sum to 1, since all are fixed' : 'sum to no more than 1'
      throw new OptionError(`the fixed probabilities of ${nameOf(modes, column[0])} must ${rule} (got ${sum})`)
    }
  }
}

/** With the entries that follow: what is left for a single label, and zeros where nothing is left. */
const settled = (modes: readonly Mode[], fixed: readonly FixedEntry[]): FixedEntry[] =>
  byColumn(fixed).flatMap(column => {
    const { mode, class: k } = column[0]
    const rest = 1 - sumOf(column)
    const free = Array.from({ length: modes[mode].size }, (_, j) => j).filter(j =>
      column.every(each => each.label !== j),
    )
    if (free.length > 1 && rest > ROUNDING) return column
    return [...column, ...free.map(label => ({ mode, class: k, label, value: Math.max(0, rest) }))]
  })

/** How many parameters are free: the shares less one, and for every column, or group of equal ones, its free labels less one. */
export const constrainedParameters = (
  shape: readonly number[],
  rank: number,
  { fixed, tied }: ConstraintSetting,
): number => {
  const known = new Map(byColumn(fixed).map(column => [`${column[0].mode} ${column[0].class}`, column.length]))
  const repeated = new Set(tied.flatMap(group => group.slice(1).map(each => `${each.mode} ${each.class}`)))
  let count = rank - 1
  shape.forEach((size, n) => {
    for (let k = 0; k < rank; k++) {
      if (!repeated.has(`${n} ${k}`)) count += Math.max(0, size - (known.get(`${n} ${k}`) ?? 0) - 1)
    }
  })
  return count
}

/** Whether a model's classes may be put into another order: whether the constraints are then the same. */
export const mayReorder = ({ fixed, tied }: ConstraintSetting, order: readonly number[]): boolean => {
  const place = (k: number) => order.indexOf(k)
  const known = (entries: readonly FixedEntry[]) =>
    entries.map(({ mode, class: k, label, value }) => `${mode} ${k} ${label} ${value}`).sort()
  const column = ({ mode, class: k, labels }: TiedColumn) => `${mode} ${k} ${labels.join(',')}`
  const groups = (lists: ConstraintSetting['tied']) => lists.map(list => list.map(column).sort().join(';')).sort()
  const moved = <T extends { readonly class: number }>(entry: T): T => ({ ...entry, class: place(entry.class) })
  return (
    known(fixed).join() === known(fixed.map(moved)).join() &&
    groups(tied).join('|') === groups(tied.map(list => list.map(moved))).join('|')
  )
}
