import type { Engine } from '../../engine/engine.ts'
import { is, type OptionTable } from '../../options.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import type { PriorOptions } from '../descent/m-step.ts'
import { FIT_OPTIONS } from '../fit-options.ts'

export interface UpdateOptions extends Pick<PriorOptions, 'pseudoCounts'> {
  /** What a count of the model's own data is still worth: 1 (default) forgets nothing, 0.9 a tenth with every update. */
  readonly decay?: number
  /** Passes over the new data. Default 10. */
  readonly passes?: number
  /** A label that the new data lacks is dropped once its discounted count is below this: one number, or numbers by mode. Default 0.5; 0: never. */
  readonly dropBelow?: number | Readonly<Record<string, number>>
  /**
   * For every mode and class, how much of the class has an answer in the mode: `answered` of the last update. Default: all of it, which is
   * so if nothing was missing in the model's own data.
   */
  readonly answered?: readonly (readonly number[])[]
  /** For a model of persons over time or of groups: how much of its own data each entry of its tables has, `counts` of the last update or of `linkedSums`. */
  readonly counts?: readonly number[]
  readonly engine?: Engine
  readonly threads?: number
  /** Stops before the next pass; the model so far is returned. */
  readonly signal?: PlatformSignal
}

/**
 * The options of `updateModel`. On simulated days two passes are enough if little has changed; after a sudden change ten gain nearly all that fifty
 * do. Of a label with less than half an observation nothing is left that could be told.
 */
export const UPDATE_OPTIONS = {
  decay: { check: is.number('a number above 0 and up to 1', 0, 1, value => value > 0 && value <= 1), default: 1 },
  passes: { check: is.whole(1), default: 10 },
  dropBelow: { check: is.nonNegative, default: 0.5, byMode: true, unit: 'counts' },
  answered: { check: is.thing('a list of numbers for every mode', value => Array.isArray(value)) },
  counts: {
    check: is.thing(
      'a list of numbers ≥ 0',
      (value: ArrayLike<number>) => Array.isArray(value) && Array.prototype.every.call(value, is.nonNegative.allows),
    ),
  },
  pseudoCounts: FIT_OPTIONS.pseudoCounts,
  engine: FIT_OPTIONS.engine,
  threads: FIT_OPTIONS.threads,
  signal: FIT_OPTIONS.signal,
} as const satisfies OptionTable<UpdateOptions>
