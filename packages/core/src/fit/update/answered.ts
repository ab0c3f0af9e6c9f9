import { newStatistics, type Session } from '../../engine/engine.ts'
import { alignModel } from '../../model/align.ts'
import type { Model } from '../../model/model.ts'
import { columnSums } from '../../model/parameters.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { countsOf, isSession, openSession } from '../fit.ts'

/**
 * For every mode and class of a model, how much of the class has an answer in the mode, by one pass over its data: what `updateModel` needs
 * to know of a model if something was missing in its data.
 * @example
 * const answered = await answeredBy(answers, model)
 * answered.length // 3
 */
export const answeredBy = async (
  data: Tensor | Session,
  model: Model,
  { threads }: { readonly threads?: number } = {},
): Promise<readonly (readonly number[])[]> => {
  const { modes, shape } = countsOf(data)
  const own = alignModel(model, modes)
  const session = isSession(data) ? data : await openSession(data, undefined, threads)
  try {
    const { factors } = await session.pass(own.parameters, newStatistics(shape, model.rank))
    const masses = new Map(modes.map(({ name }, n) => [name, [...columnSums(factors[n], model.rank)]]))
    return model.modes.map(({ name }) => masses.get(name) as number[])
  } finally {
    if (session !== data) await session.close()
  }
}
