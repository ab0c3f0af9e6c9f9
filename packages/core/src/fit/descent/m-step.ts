import { OptionError, show } from '../../errors.ts'
import { log } from '../../numeric/log.ts'
import { knownOptions, nonNegativeNumber } from '../../options.ts'
import type { Mode } from '../../tensor/mode.ts'
import type { ConstraintSetting, FixedEntry } from './constraints.ts'
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

/** How one mode's part of a pass becomes the mode's next factor. */
export interface MStep {
  /**
   * Writes the factor that follows from a mode's statistics. A column of zeros (a class that has died out, or has no cell in
   * which the mode is present) says nothing, and stays as it was.
   * @param masses receives the column sums of the statistics with whatever the step adds to them
   */
  update(table: Float64Array, previous: Float64Array, into: Float64Array, masses: Float64Array): void
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
    if (widths[n] > 0) throw new OptionError('smoothing cannot be combined with constraints')
    if (added[n] > 0 && fixed.length > 0)
      throw new OptionError(`pseudoCounts cannot be combined with the fixed probabilities of mode ${show(name)}`)
    return { added: added[n], width: 0, ...(fixed.length > 0 && { fixed }) }
  })
}

export const mStepOf = ({ added, width, fixed = [] }: MStepSetting): MStep => {
  const counted = dirichlet(added)
  if (fixed.length > 0) return pinned(counted, fixed)
  return width > 0 ? smoothed(counted, width) : counted
}

/** Normalized statistics, with counts added: maximum likelihood where none are. */
const dirichlet = (added: number): MStep => ({
  descends: true,
  plain: added === 0,
  update: (table, previous, into, masses) => {
    const rank = masses.length
    masses.fill(0)
    for (let row = 0; row < table.length; row += rank) {
      for (let k = 0; k < rank; k++) masses[k] += table[row + k] + added
    }
    for (let row = 0; row < table.length; row += rank) {
      for (let k = 0; k < rank; k++) {
        const i = row + k
        into[i] = masses[k] > 0 ? (table[i] + added) / masses[k] : previous[i]
      }
    }
  },
  penalty: factor => {
    if (added === 0) return 0
    let sum = 0
    for (const p of factor) sum -= added * log(p)
    return sum
  },
})

/** A step in which some entries are known: the others share what is left of their column. */
const pinned = (step: MStep, fixed: readonly FixedEntry[]): MStep => ({
  descends: true,
  plain: false,
  update: (table, previous, into, masses) => {
    step.update(table, previous, into, masses)
    const rank = masses.length
    for (const k of new Set(fixed.map(entry => entry.class))) {
      const own = fixed.filter(entry => entry.class === k)
      const left = Math.max(0, 1 - own.reduce((sum, { value }) => sum + value, 0))
      let free = masses[k]
      for (const { label } of own) free -= table[label * rank + k]
      for (let i = k; i < into.length; i += rank) into[i] = free > 0 ? (left * table[i]) / free : previous[i]
      for (const { label, value } of own) into[label * rank + k] = value
      // So that mass × (1 − update / entry) is the slope among the free entries.
      if (left > 0 && free > 0) masses[k] = free / left
    }
  },
  penalty: () => 0,
})

const smoothed = (step: MStep, width: number): MStep => {
  let weights: Float64Array | undefined
  return {
    descends: false,
    plain: false,
    update: (table, previous, into, masses) => {
      step.update(table, previous, into, masses)
      weights ??= kernel(width, table.length / masses.length)
      smoothFactor(into, masses.length, weights)
    },
    penalty: step.penalty,
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
      throw new OptionError(`${name} needs a mode whose labels are ordered; none is`)
    return modes.map(mode => (applies(mode) ? value : 0))
  }
  if (typeof given !== 'object' || given === null) {
    throw new OptionError(`${name} must be a number ≥ 0, or numbers by mode (got ${show(given)})`)
  }
  knownOptions(name, given, modes.map(mode => mode.name)) // biome-ignore format: one call
  return modes.map(mode => {
    const value = nonNegativeNumber(
      `${name}[${show(mode.name)}]`,
      Object.hasOwn(given, mode.name) ? given[mode.name] : 0,
    )
    if (value > 0 && !applies(mode))
      throw new OptionError(`${name}: the labels of mode ${show(mode.name)} have no order`)
    return value
  })
}
