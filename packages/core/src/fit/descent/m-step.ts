import { defined } from '../../defined.ts'
import { OptionError, show } from '../../errors.ts'
import { log } from '../../numeric/log.ts'
import { nonNegativeNumber } from '../../options.ts'
import type { Mode } from '../../tensor/mode.ts'
import { modeNamed } from '../../tensor/reshape.ts'
import { mention, term, words } from '../../wording.ts'
import type { ConstraintSetting } from './constraints.ts'
import { byColumn, type FixedEntry, sumOf } from './fixed-columns.ts'
import { kernel, smoothFactor } from './smoothing.ts'

export interface PriorOptions {
  /**
   * Dirichlet prior (MAP): this many counts are added to every label of every class in each M-step, which is a
   * concentration of 1 + counts. One number, or numbers by the name of the mode. Default 0: maximum likelihood.
   */
  readonly pseudoCounts?: number | Readonly<Record<string, number>>
  /**
   * For ordered modes: every column is smoothed over neighbouring labels after each M-step, by a Gaussian of this
   * width in labels. One number for all ordered modes, or numbers by the name of the mode. Default 0: none.
   */
  readonly smoothing?: number | Readonly<Record<string, number>>
}

/** What is wanted of one mode besides a high likelihood. Plain data: it is sent to workers. */
export interface MStepSetting {
  /** Counts added to every entry. */
  readonly added: number
  /** Width of the smoothing in labels; 0 for none. */
  readonly width: number
  /** Entries that are known. */
  readonly fixed?: readonly FixedEntry[]
}

/** How one mode's part of a pass becomes the mode's next factor: statistics, with counts added, are normalized. */
export interface MStep {
  /** Counts added to every entry: maximum likelihood where none are. */
  readonly added: number
  /** What is done then, in place, with the factor and with the mass of its classes. */
  readonly finish?: (factor: Float64Array, rank: number, previous: Float64Array, mass: Float64Array) => void
  /** What the prior of the step adds to the loss. */
  penalty(factor: Float64Array): number
  /** Whether the step minimizes an objective, which it then never raises. Without one, a run ends where it no longer moves. */
  readonly descends: boolean
  /** Whether it is plain maximum likelihood. */
  readonly plain: boolean
}

/** The settings of all modes, from options that are checked here. */
export const mStepSettings = (
  modes: readonly Mode[],
  options: PriorOptions,
  constraints?: ConstraintSetting,
): MStepSetting[] => {
  const added = perMode('pseudoCounts', modes, options.pseudoCounts, () => true)
  const widths = perMode('smoothing', modes, options.smoothing, mode => mode.ordered)
  if (constraints === undefined)
    return modes.map(({ size }, n) => ({ added: added[n], width: size > 1 ? widths[n] : 0 }))
  return modes.map(({ name }, n) => {
    const fixed = constraints.fixed.filter(({ mode }) => mode === n)
    if (widths[n] > 0) throw new OptionError('smoothing', words`cannot be combined with ${mention('constraints')}`)
    if (added[n] > 0 && fixed.length > 0)
      throw new OptionError(
        'pseudoCounts',
        words`cannot be combined with the fixed probabilities of ${term('mode')} ${show(name)}`,
      )
    return { added: added[n], width: 0, ...(fixed.length > 0 && { fixed }) }
  })
}

export const mStepOf = ({ added, width, fixed = [] }: MStepSetting): MStep => {
  const finish = fixed.length > 0 ? pinned(fixed) : width > 0 ? smoothed(width) : undefined
  return {
    added,
    ...defined({ finish }),
    descends: width === 0,
    plain: added === 0 && finish === undefined,
    penalty: factor => {
      if (added === 0) return 0
      let sum = 0
      for (const p of factor) sum -= added * log(p)
      return sum
    },
  }
}

/** Some entries are known: the others share what is left of their column. */
const pinned = (fixed: readonly FixedEntry[]): MStep['finish'] => {
  const columns = byColumn(fixed)
  return (factor, rank, previous, mass) => {
    for (const column of columns) {
      const k = column[0].class
      const left = Math.max(0, 1 - sumOf(column))
      const free = 1 - column.reduce((sum, { label }) => sum + factor[label * rank + k], 0)
      for (let i = k; i < factor.length; i += rank) factor[i] = free > 0 ? (left * factor[i]) / free : previous[i]
      for (const { label, value } of column) factor[label * rank + k] = value
      // So that mass × (1 − update / entry) is the slope among the free entries.
      if (left > 0 && free > 0) mass[k] *= free / left
    }
  }
}

const smoothed = (width: number): MStep['finish'] => {
  let weights: Float64Array | undefined
  return (factor, rank) => {
    weights ??= kernel(width, factor.length / rank)
    smoothFactor(factor, rank, weights)
  }
}

const perMode = (
  name: string,
  modes: readonly Mode[],
  given: number | Readonly<Record<string, number>> | undefined,
  applies: (mode: Mode) => boolean,
): number[] => {
  if (given === undefined) return modes.map(() => 0)
  if (typeof given === 'number') {
    const value = nonNegativeNumber(name, given)
    if (value > 0 && !modes.some(applies))
      throw new OptionError(name, words`needs a ${term('mode')} whose ${term('labels')} are ordered; none is`)
    return modes.map(mode => (applies(mode) ? value : 0))
  }
  if (typeof given !== 'object' || given === null) {
    throw new OptionError(name, 'must be a number ≥ 0, or numbers by mode', given)
  }
  for (const key of Object.keys(given)) modeNamed({ modes }, key, name)
  return modes.map(mode => {
    const value = nonNegativeNumber(
      `${name}[${show(mode.name)}]`,
      Object.hasOwn(given, mode.name) ? given[mode.name] : 0,
    )
    if (value > 0 && !applies(mode))
      throw new OptionError(
        name,
        words`is for ordered ${term('modes')}, and the ${term('labels')} of ${term('mode')} ${show(mode.name)} have no order`,
      )
    return value
  })
}
