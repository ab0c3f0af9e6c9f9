import { defined } from '../../defined.ts'
import { DataError, OptionError, show } from '../../errors.ts'
import type { NestedStructure } from '../../model/structures/nested.ts'
import { MISSING } from '../../tensor/mode.ts'
import { modeNamed, selectCells } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { mention, words } from '../../wording.ts'
import { firstValues, linkEffect, mixEffect } from './link-effects.ts'
import { covariateColumn, covariateNames, type LinkCovariates, type LinkedData, linkedRows } from './linked-data.ts'

/** How groups are found in a table with a row for each member. */
export interface NestedOptions extends LinkCovariates {
  /** The mode of groups. */
  readonly within: string
  /** The number of classes that groups have. */
  readonly groupClasses: number
  /** Modes that explain the class of a group, which are the same for all its members. */
  readonly groupCovariates?: readonly string[]
}

/** What is known of a model to which the rows are brought. */
type Known = Pick<NestedStructure, 'grouping' | 'mixing'>

/**
 * The members of groups; equal ones are counted.
 * @param every whether the rows are to be classified: any number of groups, and members who lack answers or covariates
 * @param known what explains the classes of a model
 * @example
 * nestedData(answers, { within: 'age', groupClasses: 2 }).observations // 1000
 */
export const nestedData = (all: Tensor, options: NestedOptions, every = false, known?: Known): LinkedData => {
  const { within, groupClasses, covariates, groupCovariates, ...entering } = options
  const namesOf = (list: readonly string[] | undefined, of: Known['mixing']) =>
    of?.given.map(({ name }) => name) ?? (known === undefined ? covariateNames(all, list) : [])
  const own = namesOf(covariates, known?.mixing)
  const ofGroups = namesOf(groupCovariates, known?.grouping)
  const needed = own.map(name => all.indices[modeNamed(all, name, 'covariates')])
  const tensor = every ? all : selectCells(all, cell => needed.every(column => column[cell] !== MISSING))
  if (tensor.cells === 0) throw new DataError('every row lacks a covariate: there is nothing to fit')
  const beside = [...new Set([...own, ...ofGroups])]
  const { rows, items, cells, dropped } = linkedRows(tensor, [within], within, beside)
  const units = rows.modes[modeNamed(rows, within, 'within')]
  const of = rows.indices[modeNamed(rows, within, 'within')]
  const used = Array.from(cells, (_, row) => row).filter(row => every || cells[row] !== MISSING)
  used.sort((a, b) => of[a] - of[b] || a - b)
  const groups: number[] = []
  const begin: number[] = []
  used.forEach((row, i) => {
    if (i > 0 && of[used[i - 1]] === of[row]) return
    groups.push(of[row])
    begin.push(i)
  })
  const starts = Int32Array.of(...begin, used.length)
  const counts = Float64Array.from(used, row => rows.values[row])
  if (!every) checkGroups(options, starts, counts)
  const valuesIn = (name: string, given: Known['mixing']) => {
    const { mode, column } = covariateColumn(
      rows,
      name,
      given?.given.find(each => each.name === name),
    )
    return { name, mode, at: (row: number) => column[used[row]] }
  }
  const groupValues = ofGroups.map(name => {
    const { at, mode } = valuesIn(name, known?.grouping)
    const values = firstValues(starts, at)
    groups.forEach((group, unit) => {
      for (let row = starts[unit]; row < starts[unit + 1]; row++)
        if (at(row) !== MISSING && at(row) !== values[unit])
          throw new DataError(
            words`${mention('groupCovariates')}: ${show(name)} is ${show(mode.label(values[unit]))} and ${show(mode.label(at(row)))} in group ${show(units.label(group))}; it must be the same for all members`,
          )
    })
    return { mode, values }
  })
  const lacking = new Set(groups.filter((_, unit) => groupValues.some(({ values }) => values[unit] === MISSING)))
  if (lacking.size > 0 && !every) {
    const names = new Set(Array.from(lacking, group => String(units.label(group))))
    const n = modeNamed(all, within, 'within')
    const column = all.indices[n]
    const rest = selectCells(
      all,
      cell => column[cell] === MISSING || !names.has(String(all.modes[n].label(column[cell]))),
    )
    if (rest.cells === 0) throw new DataError('every group lacks a covariate: there is nothing to fit')
    const found = nestedData(rest, options, every, known)
    return { ...found, dropped: found.dropped + all.total - rest.total }
  }
  const weights = new Float64Array(groups.length).fill(1)
  const memberValues = own.map(name => valuesIn(name, known?.mixing))
  const mixing =
    own.length === 0
      ? undefined
      : mixEffect(
          {
            modes: memberValues.map(({ mode }) => mode),
            columns: memberValues.map(({ at }) => Int32Array.from(used, (_, row) => at(row))),
            weights: counts,
          },
          { covariates: covariates ?? [], ...entering },
          groupClasses,
          known?.mixing,
        )
  const grouping =
    ofGroups.length === 0
      ? undefined
      : linkEffect(
          'groups',
          { modes: groupValues.map(({ mode }) => mode), columns: groupValues.map(({ values }) => values), weights },
          { covariates: groupCovariates ?? [], ...entering },
          { sets: 1, setOf: () => 0 },
          known?.grouping,
        )
  const links = {
    kind: 'nested' as const,
    groupClasses,
    ...defined({ grouping: grouping?.link, mixing: mixing?.link }),
    rows: { weights, starts, cells: Int32Array.from(used, row => cells[row]), counts },
  }
  return {
    items,
    links,
    units,
    labels: Int32Array.from(groups),
    time: undefined,
    sources: Int32Array.from(used),
    observations: counts.reduce((sum, count) => sum + count, 0),
    dropped: dropped + all.total - tensor.total,
    effects: [grouping, mixing].filter(each => each !== undefined),
    notes: every ? [] : singleNotes(within, starts, counts),
  }
}

const checkGroups = (
  { within, groupClasses }: Pick<NestedOptions, 'within' | 'groupClasses'>,
  starts: Int32Array,
  counts: Float64Array,
): void => {
  const groups = starts.length - 1
  if (groups < 2)
    throw new DataError(
      words`${show(within)} has one group only: classes of groups need several; without ${mention('within')} this is an ordinary fit`,
    )
  if (groupClasses > groups)
    throw new OptionError('groupClasses', `must be at most the number of groups, ${groups}`, groupClasses)
  if (groupClasses > 1 && singles(starts, counts) === groups)
    throw new DataError(
      words`every group in ${show(within)} has one member: classes of groups need groups of several; without ${mention('within')} this is an ordinary fit`,
    )
}

/** How many groups have one member. */
const singles = (starts: Int32Array, counts: Float64Array): number => {
  let found = 0
  for (let unit = 0; unit + 1 < starts.length; unit++)
    if (starts[unit + 1] - starts[unit] === 1 && counts[starts[unit]] <= 1) found++
  return found
}

/** What to know of groups of one, if they are many. */
const singleNotes = (within: string, starts: Int32Array, counts: Float64Array): string[] => {
  const [found, groups] = [singles(starts, counts), starts.length - 1]
  if (found < 2 || found < groups / 10) return []
  return [
    `${found} of ${groups} groups in ${within} have one member, which says nothing of the differences within a group`,
  ]
}
