import { newStatistics, type Session } from '../../engine/engine.ts'
import { alignModel } from '../../model/align.ts'
import type { Model } from '../../model/model.ts'
import { columnSums } from '../../model/parameters.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { CovariateData } from '../covariates/design.ts'
import { isSession, openSession } from '../fit.ts'
import { rowData } from './row-data.ts'

/**
 * For every mode and class of a model, how much of the class has an answer in the mode, by one pass over its data: what `updateModel` needs
 * to know of a model if something was missing in its data.
 * @example
 * const answered = await answeredBy(answers, model)
 * answered.length // 3
 */
export const answeredBy = async (
  data: Tensor | Session | CovariateData,
  model: Model,
  { threads }: { readonly threads?: number } = {},
): Promise<readonly (readonly number[])[]> => {
  const { cells, answers, passed } = rowData(model, data)
  const { modes } = answers
  const own = alignModel(model, modes)
  const session = isSession(cells) ? cells : await openSession(cells, undefined, threads)
  try {
    const { factors } = await session.pass(passed(own.parameters), newStatistics(session.data.shape, model.rank))
    const masses = new Map(modes.map(({ name }, n) => [name, [...columnSums(factors[n], model.rank)]]))
    return model.modes.map(({ name }) => masses.get(name) as number[])
  } finally {
    if (session !== cells) await session.close()
  }
}
