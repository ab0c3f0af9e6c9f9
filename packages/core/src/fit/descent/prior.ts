import { OptionError, show } from '../../errors.ts'
import type { Parameters } from '../../model/parameters.ts'
import { log } from '../../numeric/log.ts'
import { knownOptions, nonNegativeNumber } from '../../options.ts'
import type { Mode } from '../../tensor/mode.ts'
import type { Point } from './point.ts'
import { kernel, smoothFactor } from './smoothing.ts'

export interface PriorOptions {
  /**
   * Dirichlet prior (MAP): so many counts are added to every label of every class in each M-step, which is a
   * concentration of 1 + counts. One number, or numbers by the name of the mode. Default 0: maximum likelihood.
   */
  readonly pseudoCounts?: number | Readonly<Record<string, number>>
  /**
   * For ordered modes: every column is smoothed over neighbouring labels after each M-step, by a Gaussian of this
   * width in labels. One number for all ordered modes, or numbers by the name of the mode. Default 0: none.
   */
  readonly smoothing?: number | Readonly<Record<string, number>>
}

/** What is wanted beside a low loss. */
export interface Prior {
  /** The counts added to every entry, one number a mode. */
  readonly added: readonly number[]
  /** What the prior adds to the loss. */
  penalty(parameters: Parameters): number
  /** Smooths the update of a point, where asked. */
  smooth(point: Point): void
  /** Whether the update is smoothed: such a run has a fixed point, but no loss that falls at every step. */
  readonly smooths: boolean
  /** Whether there is a prior at all. */
  readonly active: boolean
}

export const priorOf = (modes: readonly Mode[], options: PriorOptions): Prior => {
  const added = perMode('pseudoCounts', modes, options.pseudoCounts, () => true)
  const widths = perMode('smoothing', modes, options.smoothing, mode => mode.ordered)
  const kernels = widths.map((width, n) => (width > 0 && modes[n].size > 1 ? kernel(width) : undefined))
  return {
    added,
    penalty: ({ factors }) => {
      let sum = 0
      factors.forEach((factor, n) => {
        if (added[n] > 0) for (const p of factor) sum -= added[n] * log(p)
      })
      return sum
    },
    smooths: kernels.some(each => each !== undefined),
    active: added.some(counts => counts > 0) || kernels.some(each => each !== undefined),
    smooth: ({ rank, shape, update }) => {
      let offset = rank
      shape.forEach((labels, n) => {
        const end = offset + labels * rank
        const weights = kernels[n]
        if (weights !== undefined) smoothFactor(update.subarray(offset, end), rank, weights)
        offset = end
      })
    },
  }
}

/** No prior: maximum likelihood. */
export const noPrior = (modes: number): Prior => ({
  added: new Array<number>(modes).fill(0),
  penalty: () => 0,
  smooths: false,
  active: false,
  smooth: () => {},
})

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
