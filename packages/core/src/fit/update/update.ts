import { newStatistics, type Session } from '../../engine/engine.ts'
import { OptionError, orStopped, throwIfStopped } from '../../errors.ts'
import type { LabelDifference } from '../../model/align.ts'
import { checkModel } from '../../model/check-model.ts'
import type { Model } from '../../model/model.ts'
import type { ModelParameters } from '../../model/parameters.ts'
import { checkedOptions } from '../../options.ts'
import type { Label } from '../../tensor/mode.ts'
import { isSession, openSession } from '../fit.ts'
import { finished } from './drop-labels.ts'
import { type RowData, rowData, type UpdateData } from './row-data.ts'
import { UPDATE_OPTIONS, type UpdateOptions } from './update-options.ts'
import { frequencies, type Given, type State, stateOf } from './update-state.ts'
import { mixedWith, parametersOf, summed, within } from './update-sums.ts'

/** An updated model. */
export interface UpdatedModel {
  /** Its classes are in the order that they had. Its total is the discounted one of the model and that of the new data. */
  readonly model: Model
  /** For every mode and class, how much of the class has an answer in the mode: keep it for the next update. */
  readonly answered: readonly (readonly number[])[]
  /** Of a model of persons over time or of groups: how much of the data each entry of its tables has; keep it for the next update. */
  readonly counts?: readonly number[]
  /** Of every mode whose labels differ: `onlyA` are those that the new data lacks, `onlyB` are new in it. */
  readonly changes: readonly LabelDifference[]
  /** Labels that are no longer in the model, by mode. */
  readonly dropped: readonly { readonly mode: string; readonly labels: readonly Label[] }[]
  /** The total of the new data. */
  readonly added: number
  readonly passes: number
  /** Σ y·log p of the new data: under the model as it was (new labels at their frequency), and under the updated one, NaN if it was stopped before that. */
  readonly logLikelihood: { readonly before: number; readonly after: number }
  /** Whether the model made some of the new data impossible: the first pass then began with probabilities mixed with frequencies. */
  readonly mixed: boolean
  /** Whether a signal ended it before all passes were made. */
  readonly stopped: boolean
}

/**
 * Updates a model with new data, without the old data. The expected counts behind the model are discounted by `decay`, and those of the new data are added,
 * in a few passes. Labels are matched by name. The new data of a model with covariates is `placeData(rows, model)`: the logit of membership stays as it is,
 * and the probabilities of the variables are updated. That of a model of persons over time or of groups is `placeUpdate(rows, model)`: new persons with all
 * their waves, or new groups with all their members.
 * @example
 * const { model: next, changes } = await updateModel(model, answers, { decay: 0.9 })
 * next.total // 1900: 0.9 × 1000 of the model, and 1000 new ones
 * changes // []
 */
export const updateModel = async (
  model: Model,
  data: UpdateData,
  options: UpdateOptions = {},
): Promise<UpdatedModel> => {
  checkModel('model', model)
  checkUpdatable(model)
  const rows = rowData(model, data)
  const given = checkedOptions('updateModel', UPDATE_OPTIONS, options)
  const state = stateOf(model, rows, given)
  throwIfStopped(given.signal)
  const { cells } = rows
  const session = isSession(cells) ? cells : await openSession(cells, given.engine, given.threads, given.signal)
  try {
    return await updated(session, rows, model, state, given)
  } finally {
    if (session !== cells) await session.close()
  }
}

/** Refuses models whose probabilities are not those of counts by class. */
const checkUpdatable = ({ structure }: Model): void => {
  if ((structure.parts?.length ?? 0) > 0)
    throw new OptionError(
      'a model with variables that depend on covariates cannot be updated: fit it again, to the old and the new data',
    )
}

const updated = async (
  session: Session,
  { answers: data, passed, linked }: RowData,
  model: Model,
  state: State,
  options: Given,
): Promise<UpdatedModel> => {
  const { rank } = model
  // Linked rows have one more factor, for their tables.
  const room = linked === undefined ? newStatistics(session.data.shape, rank) : undefined
  let start = state.start
  const { signal } = options
  const pass = (parameters: ModelParameters) => session.pass(passed(parameters), room, signal)
  let statistics = await pass(start)
  const before = statistics.logLikelihood
  const mixed = before === Number.NEGATIVE_INFINITY
  if (mixed) {
    start = mixedWith(frequencies(data), state.linked, start)
    statistics = await pass(start)
  }
  let [passes, sums] = [1, summed(state, statistics)]
  let parameters: ModelParameters = parametersOf(state, sums, start)
  while (passes < options.passes && signal?.aborted !== true) {
    const next = await orStopped(pass(within(state, parameters)))
    if (next === undefined) break
    sums = summed(state, next)
    parameters = parametersOf(state, sums, within(state, parameters))
    passes++
  }
  const last = await orStopped(pass(within(state, parameters)))
  const after = last?.logLikelihood ?? Number.NaN
  const stopped = last === undefined || (passes < options.passes && signal?.aborted === true)
  return Object.freeze({
    ...finished(model, data, state, sums, parameters, options.dropBelow),
    changes: Object.freeze(state.changes),
    added: data.total,
    passes,
    mixed,
    stopped,
    logLikelihood: Object.freeze({ before, after }),
  })
}
