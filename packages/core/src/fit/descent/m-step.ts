import { OptionError, show } from '../../errors.ts'
import { log } from '../../numeric/log.ts'
import { knownOptions, nonNegativeNumber } from '../../options.ts'
import type { Mode } from '../../tensor/mode.ts'
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
}

/** How one mode's part of a pass becomes the mode's next factor: statistics, with counts added, are normalized. */
export interface MStep {
  /** Counts added to every entry: maximum likelihood where none are. */
  readonly added: number
  /** What is done with a factor then, in place. */
  readonly smooth?: (factor: Float64Array, rank: number) => void
  /** What the prior of the step adds to the loss. */
  penalty(factor: Float64Array): number
  /** Whether the step minimizes an objective, which it then never raises. Without one, a run ends where it no longer moves. */
  readonly descends: boolean
  /** Whether it is plain maximum likelihood. */
  readonly plain: boolean
}

/** The settings of all modes, from options that are checked here. */
export const mStepSettings = (modes: readonly Mode[], options: PriorOptions): MStepSetting[] => {
  const added = perMode('pseudoCounts', modes, options.pseudoCounts, () => true)
  const widths = perMode('smoothing', modes, options.smoothing, mode => mode.ordered)
  return modes.map(({ size }, n) => ({ added: added[n], width: size > 1 ? widths[n] : 0 }))
}

export const mStepOf = ({ added, width }: MStepSetting): MStep => {
  let weights: Float64Array | undefined
  const smooth = (factor: Float64Array, rank: number): void => {
    weights ??= kernel(width, factor.length / rank)
    smoothFactor(factor, rank, weights)
  }
  return {
    added,
    ...(width > 0 && { smooth }),
    descends: width === 0,
    plain: added === 0 && width === 0,
    penalty: factor => {
      if (added === 0) return 0
      let sum = 0
      for (const p of factor) sum -= added * log(p)
      return sum
    },
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
