import { stoppedBy } from '../../fit/deadline.ts'
import type { FitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { optionsObject } from '../../options.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { JoinedComparison } from './joined-comparison.ts'
import { fitStructured } from './structured.ts'

export interface JoinedFitOptions extends Omit<FitOptions, 'init'> {
  /** Lists of modes, each of which becomes one: within a class they may depend on each other. */
  readonly join: readonly (readonly string[])[]
}

export interface JoinedFit {
  readonly tensor: Tensor
  readonly result: FitResult
  readonly comparison: JoinedComparison
}

/**
 * Fits classes within which some modes may depend on each other, and the same classes without that, for comparison. Stopped
 * by time or a signal, it fails: there is no comparison then. `fitStructured` does so with all other parts of a model.
 * @example
 * const { comparison } = await fitJoined(answers, { rank: 2, join: [['age', 'vote']] })
 * comparison.models.map(({ name }) => name) // ['separate', 'joined']
 */
export const fitJoined = async (tensor: Tensor, options: JoinedFitOptions): Promise<JoinedFit> => {
  optionsObject('fitJoined', options)
  const { tensor: joined, result, join } = await fitStructured(tensor, options)
  if (join === undefined) throw stoppedBy(options, 'stopped before the models were compared')
  return Object.freeze({ tensor: joined, result: result as FitResult, comparison: join })
}
