import { OptionError, type StandardErrorOptions, type StandardErrors, standardErrors, type Tensor } from '@polyad/core'
import type { StoredModel } from '../../output/model-store.ts'

/** The standard errors of a model that was kept, from data of its modes. */
export const modelErrors = (
  { model, run }: Pick<StoredModel, 'model' | 'run'>,
  tensor: Tensor,
  wanted: StandardErrorOptions,
): Promise<StandardErrors> => {
  const { covariates, constraints } = (run.options ?? {}) as Record<string, unknown>
  if (covariates !== undefined || constraints !== undefined)
    throw new OptionError('--se is for models without covariates and constraints')
  return standardErrors(tensor, model, wanted)
}
