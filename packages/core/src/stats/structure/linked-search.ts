import { defined } from '../../defined.ts'
import { checkedFit } from '../../fit/checked-fit.ts'
import { openedCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { fit, openSession } from '../../fit/fit.ts'
import { type FitOptions, usualPasses } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { TaskRunner } from '../../fit/running/task-runner.ts'
import { searchModel } from '../../fit/search-model.ts'
import { type Items, itemSettings } from '../../model/items/choices.ts'
import { fittedItems } from '../../model/items/fitted-item.ts'
import { linksOf } from '../../model/links/link-kinds.ts'
import { mergeUnits } from '../../model/links/merge-units.ts'
import { lossOffset } from '../../model/loss.ts'
import { Model } from '../../model/model.ts'
import { classOrder, componentsOf, type ModelParameters, sortClasses } from '../../model/parameters.ts'
import type { LinkedData } from '../model-data/linked-data.ts'
import { linkedStructure } from '../model-data/linked-structure.ts'
import { parametersOf } from '../resampling/replicates.ts'

export type LinkedSearchOptions = Omit<
  FitOptions,
  'init' | 'maxSeconds' | 'constraints' | 'smoothing' | 'algorithm' | 'memory' | 'precision'
>

/** The passes of the search without links, by the work (cells × modes × classes × passes): its best model is a start among others. */
const PLAIN = { work: 3e9, least: 300, most: 5000 }
/** And of the search itself, by the work of a pass over all rows. */
const LINKED = { work: 2e9, least: 100, most: 20_000 }

/** The best model of linked rows, and the pooled fit of all rows from which the search began. */
export interface LinkedFit {
  readonly data: LinkedData
  readonly result: FitResult
  readonly plain: FitResult
}

/**
 * Finds the best model of linked rows: from the best model of all rows without links, and from random starts.
 * @param data as `panelData` or `nestedData` give it
 */
export const searchLinked = async (data: LinkedData, options: LinkedSearchOptions): Promise<LinkedFit> => {
  const { rank, maxPasses, engine, threads, seed = 1, maxStarts = 10_000, ...more } = options
  // One class can neither change nor differ.
  const starts = rank === 1 ? 1 : (options.starts ?? 'auto')
  const { items: tensor } = data
  const links = mergeUnits(data.links)
  const items = itemsOfParts(more.items ?? {}, data)
  const kinds = itemSettings(tensor, items)
  const { task } = checkedFit(tensor, { rank, ...defined({ pseudoCounts: more.pseudoCounts }) })
  const least = Math.min(maxPasses ?? Number.POSITIVE_INFINITY, usualPasses(tensor, rank, starts, PLAIN))
  const plain = await fit(tensor, {
    ...more,
    ...(more.items && { items }),
    rank,
    seed,
    maxStarts,
    starts: starts === 'auto' ? starts : Math.max(1, Math.min(starts, 10)),
    maxPasses: least,
    ...defined({ engine, threads }),
  })
  const session = await openSession(tensor, engine, threads, options.signal)
  const runner = await TaskRunner.of(session, openedCheckpoint(options.checkpoint))
  try {
    const rows = { cells: links.rows.cells.length, shape: [1, 1] }
    const left =
      maxPasses === undefined
        ? usualPasses({ ...tensor, ...rows }, rank, starts, LINKED)
        : maxPasses - plain.totalPasses
    const found = await searchModel(
      runner,
      {
        task: { rank, seed, algorithm: 'accelerated', steps: task.steps, links, ...defined({ items: kinds }) },
        limits: { maxStarts, maxPasses: Math.max(2, left), startsFirst: true },
        options,
      },
      { starts, from: parametersOf(plain.model) },
    )
    if (found.failure !== undefined) throw found.failure
    const { best } = found
    const summary = {
      ...found.summary,
      totalPasses: found.summary.totalPasses + plain.totalPasses,
      notes: [...new Set([...data.notes, ...plain.notes, ...found.summary.notes])],
    }
    const model = linkedModel(data, best.parameters, kinds)
    const logLikelihood = lossOffset(tensor.total) - best.loss
    const result = {
      loss: best.loss,
      logLikelihood,
      divergence: undefined,
      logProbability: Number.NaN,
      ...summary,
      model,
    }
    return { data, result, plain }
  } finally {
    await runner.close()
    await session.close()
  }
}

/** What variables are taken for holds for all of their parts. */
const itemsOfParts = (items: Items, { parts = [] }: LinkedData): Items =>
  Object.fromEntries(
    Object.entries(items).flatMap(([name, item]) => {
      const own = parts.filter(({ mode }) => mode === name)
      return own.length === 0 ? [[name, item]] : own.map(part => [part.name, item])
    }),
  )

/** The model of parameters, with its classes in descending size. */
export const linkedModel = (
  data: LinkedData,
  found: ModelParameters,
  kinds: ReturnType<typeof itemSettings>,
): Model => {
  const { rank } = found
  const { items: tensor, links } = data
  const order = classOrder(found)
  return new Model(
    tensor.modes,
    componentsOf(sortClasses(found), tensor.total),
    undefined,
    linkedStructure(data, rank, linksOf(links, rank).reorder(found.tables!, order)),
    kinds && fittedItems(kinds, found, order),
  )
}
