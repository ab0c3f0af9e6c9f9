import { type Model, standardErrors } from '@polyad/core'
import type { ModelData } from '@polyad/core/stats'
import { covariateFigures } from '../report/figures/covariate-figures.ts'
import type { Sections } from '../report/text/structure-text.ts'

/** The coefficients of a model with covariates or groups, as `polyad fit` has them; one class has none. */
export const coefficientsOf = async (
  data: ModelData,
  model: Model,
  { unusable, sampled }: { readonly unusable: number; readonly sampled: boolean },
): Promise<Partial<Sections>> => {
  if (model.rank === 1) return {}
  const { covariates } = await standardErrors(data, model, { kind: sampled ? 'sandwich' : 'empirical', profile: false })
  return covariates === undefined ? {} : { covariates: { ...covariateFigures(covariates), dropped: unusable } }
}
