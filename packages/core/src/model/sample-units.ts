import { DataError, OptionError, show } from '../errors.ts'
import { drawer } from '../numeric/drawer.ts'
import { type Label, labelOf } from '../tensor/mode.ts'
import type { Row } from '../tensor/rows.ts'
import { givenValue } from './posterior.ts'
import type { CovariateValue } from './structures/link-logit.ts'
import { LINKED_UNITS, type LinkedStructure, linkCovariates } from './structures/linked.ts'
import type { GivenColumn } from './structures/structure.ts'

/** Members of a group, if nobody says how many. */
const MEMBERS = 30

/** A row of a person or group without its answers: whose it is, of which wave and with which covariates, and its class. */
interface UnitRow {
  readonly labels: readonly Label[]
  readonly class: number
  readonly groupClass?: number
}

/** Rows that have the covariates of persons or groups, and how much each counts. */
interface GivenRows {
  readonly rows?: readonly Row[] | undefined
  readonly weights?: ArrayLike<number> | undefined
}

/** Persons with all their waves, or groups with their members, one after the other, numbered from 1; and the columns that say so. */
export const unitDrawer = (
  structure: LinkedStructure,
  members: number | undefined,
  given: GivenRows,
): { readonly columns: readonly string[]; readonly draw: (number: number, uniform: () => number) => UnitRow[] } => {
  const covariates = linkCovariates(structure)
  const names = covariates.map(({ name }) => name)
  const drawUnit = covariates.length === 0 ? undefined : givenUnits(structure, covariates, given)
  const valuesIn = (valueAt: ((row: number) => CovariateValue) | undefined, row: number) =>
    valueAt === undefined ? [] : names.map(name => valueAt(row)(name) as Label)
  if (structure.kind === 'chain') {
    const { person, time, waves } = structure
    const draw = structure.drawer()
    return {
      columns: [person, time, ...names],
      draw: (number, uniform) => {
        const valueAt = drawUnit?.(uniform)
        const at = valueAt && ((wave: number) => valueAt[wave])
        return draw(waves.length, uniform, at).map((own, t) => ({
          labels: [number, waves[t], ...valuesIn(at, t)],
          class: own,
        }))
      },
    }
  }
  const draw = structure.drawer()
  return {
    columns: [structure.within, ...names],
    draw: (number, uniform) => {
      const all = drawUnit?.(uniform)
      const chosen =
        members === undefined
          ? all
          : all && Array.from({ length: members }, () => all[Math.floor(uniform() * all.length)])
      const at = chosen && ((member: number) => chosen[member])
      const { groupClass, classes } = draw(chosen?.length ?? members ?? MEMBERS, uniform, at)
      return classes.map((own, i) => ({ labels: [number, ...valuesIn(at, i)], class: own, groupClass }))
    },
  }
}

/** A function that draws a person or group of the given rows: the values of its covariates at every wave, or of every member. */
const givenUnits = (
  structure: LinkedStructure,
  covariates: readonly GivenColumn[],
  { rows, weights }: GivenRows,
): ((uniform: () => number) => readonly CovariateValue[]) => {
  const names = covariates.map(({ name }) => name).join(', ')
  const column = structure.kind === 'chain' ? structure.person : structure.within
  if (rows === undefined)
    throw new OptionError(
      `rows must be given: the model's classes depend on ${names}, and rows of ${LINKED_UNITS[structure.kind]} say their values`,
    )
  if (weights !== undefined && weights.length !== rows.length)
    throw new OptionError('weights', `must have one entry per row: ${rows.length}`, weights.length)
  const units = new Map<string, { readonly rows: Row[]; readonly weight: number }>()
  rows.forEach((row, i) => {
    const name = labelOf(givenValue(row)(column))
    if (name === undefined)
      throw new DataError(`row ${i + 1}: ${show(column)} has no value, which says whose row it is`, {
        row: i + 1,
        column,
      })
    const unit = units.get(String(name)) ?? { rows: [], weight: weights?.[i] ?? 1 }
    unit.rows.push(row)
    units.set(String(name), unit)
  })
  const found = [...units].map(([name, unit]) => unitValues(structure, covariates, name, unit.rows))
  const sizes = Float64Array.from(units.values(), ({ weight }) => weight)
  if (!sizes.some(size => size > 0)) throw new OptionError('weights must not all be zero')
  const draw = drawer(sizes)
  return uniform => found[draw(uniform())]
}

/** The values of a unit, one for every wave or member. At a wave without a value a person has that of the wave before, and at first the first one that there is. */
const unitValues = (
  structure: LinkedStructure,
  covariates: readonly GivenColumn[],
  name: string,
  rows: readonly Row[],
): readonly CovariateValue[] => {
  const placed =
    structure.kind === 'nested'
      ? rows
      : structure.waves.map(wave => rows.find(row => String(labelOf(givenValue(row)(structure.time))) === String(wave)))
  const ofGroup = new Set(structure.kind === 'nested' ? structure.grouping?.given.map(each => each.name) : [])
  const columns = new Map(
    covariates.map(column => {
      const own = placed.map(row => row && usable(column, givenValue(row)(column.name)))
      const isCarried = structure.kind === 'chain' || ofGroup.has(column.name)
      let last = isCarried ? own.find(value => value !== undefined) : undefined
      const values = own.map(value => {
        if (isCarried) last = value ?? last
        return isCarried ? last : value
      })
      if (values.includes(undefined) || values.length === 0) {
        const rule = column.numeric ? 'a number' : `one of ${column.labels.map(show).join(', ')}`
        throw new DataError(
          `${structure.kind === 'chain' ? 'person' : 'group'} ${show(name)}: ${show(column.name)} must be ${rule}, and has no such value`,
        )
      }
      return [column.name, values] as const
    }),
  )
  return placed.map((_, i) => (column: string) => columns.get(column)?.[i])
}

/** A value of a covariate as the model has it; undefined if it has none such. */
export const usable = ({ numeric, labels }: GivenColumn, value: unknown): Label | undefined => {
  const own = labelOf(value)
  if (own === undefined) return undefined
  if (!numeric) return labels.find(label => String(label) === String(own))
  const number = Number(own)
  return Number.isFinite(number) ? number : undefined
}
