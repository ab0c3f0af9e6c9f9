import { type Model, standardErrors } from '@polyad/core'
import { defined } from '@polyad/core/options'
import type { ModelData } from '@polyad/core/stats'
import { covariateFigures } from '../report/figures/covariate-figures.ts'
import type { Sections } from '../report/text/structure-text.ts'
import type { Prepared } from './prepare.ts'

/** The coefficients of a model with covariates or groups, as `polyad fit` has them; one class has none. */
export const coefficientsOf = async (
  data: ModelData,
  model: Model,
  {
    unusable,
    sampled,
    sample = { options: {} },
  }: { readonly unusable: number; readonly sampled: boolean; readonly sample?: Prepared['sample'] },
): Promise<Partial<Sections>> => {
  if (model.rank === 1) return {}
  const { design } = sample.options
  const { covariates } = await standardErrors(design === undefined ? data : (sample.data ?? data), model, {
    kind: sampled || design !== undefined ? 'sandwich' : 'empirical',
    profile: false,
    ...defined({ design }),
  })
  return covariates === undefined ? {} : { covariates: { ...covariateFigures(covariates), dropped: unusable } }
}
