import { type Label, MISSING, type Model, OptionError } from '@polyad/core'
import { isLinked, type LinkedStructure, mostProbable } from '@polyad/core/model'
import { type LinkableRows, linkedClasses } from '@polyad/core/stats'
import type { RowScores } from './row-scores.ts'

/** The classes of a person at a wave, or of a group, as the terminal and `--json` have them. */
export interface UnitClasses {
  /** How many persons there are. */
  readonly persons?: number
  /** For each wave, how many persons have a row there, and how many of these each class gets. */
  readonly waves?: readonly {
    readonly wave: Label
    readonly persons: number
    readonly classes: readonly { readonly class: string | number; readonly persons: number; readonly share: number }[]
  }[]
  /** The most frequent of the persons' most probable sequences of classes. */
  readonly paths?: readonly { readonly path: readonly (string | number)[]; readonly persons: number }[]
  /** Each group with its rows, its class (from 1) and the probability of that. */
  readonly groups?: readonly {
    readonly group: string | null
    readonly rows: number
    readonly class: number
    readonly probability: number
  }[]
  /** How many groups each class of groups gets. */
  readonly groupClasses?: readonly { readonly class: number; readonly groups: number; readonly share: number }[]
}

/** Columns beside those of all classifications, one number each row: NaN if there is none. */
export interface UnitColumn {
  readonly name: string
  readonly values: Float64Array
  /** Whether the values are positions of classes of rows, or probabilities; else they are numbers of classes of groups. */
  readonly isClass?: boolean
  readonly isNumber?: boolean
  /** The option that asks for it; undefined if it is always there. */
  readonly option?: 'path' | 'posterior'
}

/** Scores of the rows of a table under a model of linked rows. */
export interface LinkedScores extends RowScores {
  readonly logLikelihood: number
  readonly units: UnitClasses
  /** Draws the classes of all rows. */
  draw(seed: number, draw: number): Int32Array
  readonly columns: readonly UnitColumn[]
}

/**
 * The codes, persons and waves of rows, as `linkedClasses` takes them. What is given of a person's row is its wave first, and then its covariates.
 * @example
 * const rowsOf = (structure: Parameters<typeof linkableRows>[0]) => linkableRows(structure, { codes: [Int32Array.of(0)], units: Int32Array.of(0), given: [[1]] })
 */
export const linkableRows = (
  { kind }: LinkedStructure,
  {
    codes,
    units,
    counts,
    given,
  }: Pick<LinkableRows, 'codes' | 'units' | 'counts'> & { readonly given: readonly ArrayLike<number>[] },
): LinkableRows => {
  const rows = { codes, units, ...(counts !== undefined && { counts }) }
  if (kind === 'nested') return { ...rows, given }
  const [waves, ...covariates] = given
  return { ...rows, waves: Int32Array.from(waves, wave => (wave >= 0 ? wave : MISSING)), given: covariates }
}

/** Sequences that are listed. */
const PATHS = 10

/**
 * Classifies rows that belong together.
 * @param names of units, by the numbers that rows have for them
 * @example
 * const scored = (rows: Parameters<typeof linkedScores>[1]) => linkedScores(model, rows, unit => `person ${unit}`)
 */
export const linkedScores = (model: Model, rows: LinkableRows, names: (unit: number) => string): LinkedScores => {
  const { rank, structure } = model
  if (!isLinked(structure)) throw new OptionError('model', 'must be of linked rows', structure.kind)
  const found = linkedClasses(model, { ...rows, names })
  const count = rows.units.length
  const { posteriors, logLikelihoods, logLikelihood, units } = found
  const classes = new Int32Array(count)
  const probabilities = new Float64Array(count)
  for (let row = 0; row < count; row++) {
    const own = posteriors.subarray(row * rank, (row + 1) * rank)
    classes[row] = mostProbable(own)
    probabilities[row] = own[classes[row]]
  }
  const scores = { posteriors, classes, probabilities, logLikelihoods, logLikelihood, draw: found.draw }
  const nameOf = (k: number) => model.classNames?.[k] ?? k + 1
  if (structure.kind === 'chain') {
    const waves = rows.waves!
    const path = Float64Array.from(units, (unit, row) => (unit < 0 ? Number.NaN : found.paths![unit][waves[row]]))
    return {
      ...scores,
      columns: [{ name: 'path', values: path, isClass: true, option: 'path' }],
      units: {
        persons: found.unitCount,
        waves: structure.waves.map((wave, t) => {
          const own = Array.from(units, (_, row) => row).filter(row => waves[row] === t)
          const sizes = Array.from({ length: rank }, (_, k) => own.filter(row => classes[row] === k).length)
          return {
            wave,
            persons: own.length,
            classes: sizes.map((persons, k) => ({ class: nameOf(k), persons, share: persons / own.length })),
          }
        }),
        paths: frequentPaths(found.paths!).map(({ path, persons }) => ({ path: path.map(nameOf), persons })),
      },
    }
  }
  const size = structure.groupSizes.length
  const posterior = (unit: number) => found.groups!.subarray(unit * size, (unit + 1) * size)
  const best = Array.from({ length: found.unitCount }, (_, unit) => mostProbable(posterior(unit)))
  const own = new Array<number>(found.unitCount).fill(MISSING)
  const members = new Int32Array(found.unitCount)
  units.forEach((unit, row) => {
    own[unit] = rows.units[row]
    members[unit]++
  })
  const column = (name: string, of: (unit: number) => number, more: Partial<UnitColumn> = {}): UnitColumn => ({
    name,
    values: Float64Array.from(units, of),
    ...more,
  })
  return {
    ...scores,
    columns: [
      column('group_class', unit => best[unit] + 1),
      column('group_probability', unit => posterior(unit)[best[unit]], { isNumber: true }),
      ...structure.groupSizes.map((_, g) =>
        column(`group_posterior_${g + 1}`, unit => posterior(unit)[g], { isNumber: true, option: 'posterior' }),
      ),
    ],
    units: {
      groups: best.map((g, unit) => ({
        group: own[unit] < 0 ? null : names(own[unit]),
        rows: members[unit],
        class: g + 1,
        probability: posterior(unit)[g],
      })),
      groupClasses: structure.groupSizes.map((_, g) => {
        const groups = best.filter(each => each === g).length
        return { class: g + 1, groups, share: groups / best.length }
      }),
    },
  }
}

/** The sequences that most persons have. */
const frequentPaths = (paths: readonly Int32Array[]) => {
  const counts = new Map<string, { path: number[]; persons: number }>()
  for (const path of paths) {
    const known = counts.get(path.join()) ?? { path: [...path], persons: 0 }
    known.persons++
    counts.set(path.join(), known)
  }
  return [...counts.values()]
    .sort((a, b) => b.persons - a.persons || (a.path.join() < b.path.join() ? -1 : 1))
    .slice(0, PATHS)
}
