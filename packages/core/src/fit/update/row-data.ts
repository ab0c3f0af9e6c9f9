import type { Session } from '../../engine/engine.ts'
import { linkedSession } from '../../engine/linked/linked-session.ts'
import { OptionError } from '../../errors.ts'
import { tableRows } from '../../model/links/link-kinds.ts'
import type { Model } from '../../model/model.ts'
import type { ModelParameters, Parameters } from '../../model/parameters.ts'
import { isLinked, LINKED_UNITS } from '../../model/structures/linked.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import type { CovariateData, CovariateDesign } from '../covariates/design.ts'
import { countsOf } from '../fit.ts'
import { isLinkedRows, type LinkedRows } from './linked-rows.ts'

/** New data for a model: answers, for a model with covariates beside the combination of covariates that each row has. */
export interface RowData {
  /** What a pass is made over. */
  readonly cells: Tensor | Session
  /** The answers alone. */
  readonly answers: Counts
  /** The parameters of a pass: with covariates, memberships are the factor of the last mode of the cells. */
  readonly passed: (parameters: ModelParameters) => Parameters
  /** Of rows that belong together: the tables of the model. */
  readonly linked?: LinkedRows
}

/** What an update takes: answers, or rows in the form of a model. */
export type UpdateData = Tensor | Session | CovariateData | LinkedRows

/** Data as a pass over a model needs it. The memberships are those that the logit of the model gives to the rows. */
export const rowData = (model: Model, data: UpdateData): RowData => {
  const { structure } = model
  if (isLinked(structure)) {
    if (!isLinkedRows(data))
      throw new OptionError(
        `a model of ${LINKED_UNITS[structure.kind]} needs all rows of each together: use placeUpdate(rows, model)`,
      )
    return linkedRowData(model, data)
  }
  if (isLinkedRows(data)) throw new OptionError('data is of rows that belong together, and those of the model do not')
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

/** Data whose rows belong together: the tables are the factor after those of the variables. */
const linkedRowData = ({ rank }: Model, linked: LinkedRows): RowData => {
  const { items, links } = linked
  const traits = { precision: 2e-13, reproducible: true, nanosPerPass: () => 0 }
  return {
    cells: linkedSession({ data: items, traits }, links),
    answers: items,
    passed: ({ factors, tables = linked.tables }) => {
      const last = new Float64Array(tableRows(links, rank) * rank)
      last.set(tables)
      return { rank, shares: new Float64Array(rank).fill(1), factors: [...factors, last] }
    },
    linked,
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
