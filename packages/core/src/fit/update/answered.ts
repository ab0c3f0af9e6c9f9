import { newStatistics } from '../../engine/engine.ts'
import { alignModel } from '../../model/align.ts'
import type { Model } from '../../model/model.ts'
import { columnSums } from '../../model/parameters.ts'
import { isSession, openSession } from '../fit.ts'
import type { LinkedRows } from './linked-rows.ts'
import { type RowData, rowData, type UpdateData } from './row-data.ts'

/**
 * For every mode and class of a model, how much of the class has an answer in the mode, by one pass over its data: what `updateModel` needs
 * to know of a model if something was missing in its data.
 * @example
 * const answered = await answeredBy(answers, model)
 * answered.length // 3
 */
export const answeredBy = async (
  data: UpdateData,
  model: Model,
  { threads }: { readonly threads?: number } = {},
): Promise<readonly (readonly number[])[]> => {
  const { masses } = await sumsOf(rowData(model, data), model, threads)
  return masses
}

/**
 * What `updateModel` needs to know of a model of persons over time or of groups, by one pass over its data: how much of every class has an answer in every mode, and how
 * much of the data each entry of its tables has.
 * @param rows the data of the model, as `placeUpdate` gives it
 * @example
 * const sumsOf = (rows: Parameters<typeof linkedSums>[0]) => linkedSums(rows, model) // of a model with persons or groups
 */
export const linkedSums = async (
  rows: LinkedRows,
  model: Model,
): Promise<{ readonly answered: readonly (readonly number[])[]; readonly counts: readonly number[] }> => {
  const { masses, factors } = await sumsOf(rowData(model, rows), model)
  return { answered: masses, counts: [...rows.collect(factors[rows.items.modes.length])] }
}

/** The sums of a pass, and how much of every class has an answer in every mode of the model. */
const sumsOf = async ({ cells, answers, passed, linked }: RowData, model: Model, threads?: number) => {
  const { modes } = answers
  const own = alignModel(model, modes)
  const session = isSession(cells) ? cells : await openSession(cells, undefined, threads)
  try {
    const room = linked === undefined ? newStatistics(session.data.shape, model.rank) : undefined
    const { factors } = await session.pass(passed(own.parameters), room)
    const masses = new Map(modes.map(({ name }, n) => [name, [...columnSums(factors[n], model.rank)]]))
    return { masses: model.modes.map(({ name }) => masses.get(name) as number[]), factors }
  } finally {
    if (session !== cells) await session.close()
  }
}
