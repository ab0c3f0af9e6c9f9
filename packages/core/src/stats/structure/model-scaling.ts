import { defined } from '../../defined.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { covariateErrors, type DrawnRows } from '../errors/covariate-errors.ts'
import type { StandardErrors } from '../errors/error-results.ts'
import type { Scaling } from '../fit-statistics/nested.ts'
import type { ModelData } from '../model-data/model-data.ts'
import type { PlacedFit } from './structured-search.ts'

/** The scaling of a model that is compared with others, or why there is none. */
export type ModelScaling = (found: PlacedFit) => Promise<Scaling>

/**
 * The scaling of models of a sample by design.
 * @param known of the main model, whose standard errors say it
 */
export const modelScaling = (
  known: { readonly found: PlacedFit; readonly errors: StandardErrors },
  drawn: (data: ModelData) => DrawnRows | undefined,
  signal: PlatformSignal | undefined,
): ModelScaling => {
  const { reason, design } = known.errors
  return async found => {
    if (found === known.found) return reason ?? design?.scaling
    const { data, placed } = found
    const errors = await covariateErrors(data.tensor, placed.parameters, {
      design: data.design,
      memberships: placed.memberships(data.design),
      reference: 0,
      kind: 'sandwich',
      constraints: data.structure.constraints,
      ...defined({ items: placed.items }),
      drawn: drawn(data),
      signal,
    })
    return typeof errors === 'string' ? errors : errors.sample?.scaling
  }
}
