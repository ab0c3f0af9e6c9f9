import type { Session } from '../../engine/engine.ts'
import { OptionError } from '../../errors.ts'
import type { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import { checkSingleRows } from '../../model/structures/linked.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import type { CovariateData, CovariateDesign } from '../covariates/design.ts'
import { countsOf } from '../fit.ts'

/** New data for a model: answers, for a model with covariates beside the combination of covariates that each row has. */
export interface RowData {
  /** What a pass is made over. */
  readonly cells: Tensor | Session
  /** The answers alone. */
  readonly answers: Counts
  /** The parameters of a pass: with covariates, memberships are the factor of the last mode of the cells. */
  readonly passed: (parameters: Parameters) => Parameters
}

/** Data as a pass over a model needs it. The memberships are those that the logit of the model gives to the rows. */
export const rowData = (model: Model, data: Tensor | Session | CovariateData): RowData => {
  checkSingleRows(model, 'an update')
  const isPlaced = typeof data === 'object' && data !== null && 'design' in data && 'items' in data
  if (model.structure.kind === 'shares') {
    const cells = isPlaced ? data.items : data
    return { cells, answers: countsOf(cells), passed: parameters => parameters }
  }
  if (!isPlaced)
    throw new OptionError('a model with covariates needs those of the new rows: use placeData(rows, model)')
  const { rank, parameters } = model
  const memberships = membershipsOf(model, data.design, parameters.shares)
  return {
    cells: data.tensor,
    answers: data.items,
    passed: ({ factors }) => ({ rank, shares: new Float64Array(rank).fill(1), factors: [...factors, memberships] }),
  }
}

/** How likely each class is for every combination of the covariates, before the answers are seen. */
const membershipsOf = ({ structure, rank }: Model, { patterns, covariates }: CovariateDesign, shares: Float64Array) => {
  const memberships = new Float64Array(patterns * rank)
  for (let z = 0; z < patterns; z++) {
    const own = new Map(covariates.map(({ mode, indices }) => [mode.name, mode.label(indices[z])]))
    memberships.set(structure.prior(name => own.get(name), shares).probabilities, z * rank)
  }
  return memberships
}
