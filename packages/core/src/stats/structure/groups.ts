import { stoppedBy } from '../../fit/deadline.ts'
import type { FitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { optionsObject } from '../../options.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { GroupComparison } from './group-comparison.ts'
import { fitStructured } from './structured.ts'

export interface GroupFitOptions extends Omit<FitOptions, 'init' | 'smoothing'> {
  /** The mode that says which group an observation belongs to. */
  readonly groups: string
}

export interface GroupFit {
  /** The data with the group as a mode. */
  readonly tensor: Tensor
  /** The model of equal probabilities: the group is one of its modes, whose profile is P[group | class]. */
  readonly result: FitResult
  readonly comparison: GroupComparison
}

/**
 * Compares the classes of known groups: all equal, only the probabilities equal, or nothing. Each search also starts from the model
 * within its own, so that a larger model is never worse. Stopped by time or a signal, it fails with an `AbortError`: there is no comparison then.
 * `fitStructured` compares them beside covariates, known classes and variables that may differ.
 * @example
 * const { comparison } = await fitGroups(answers, { rank: 1, groups: 'age' })
 * comparison.models.map(({ name }) => name) // ['pooled', 'probabilities equal', 'free']
 */
export const fitGroups = async (data: Tensor, options: GroupFitOptions): Promise<GroupFit> => {
  optionsObject('fitGroups', options)
  const { tensor, result, groups } = await fitStructured(data, options)
  if (groups === undefined) throw stoppedBy(options, 'stopped before the groups were compared')
  return Object.freeze({ tensor, result: result as FitResult, comparison: groups })
}
