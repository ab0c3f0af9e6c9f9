import { defined } from '../defined.ts'
import { loadPart } from '../load-part.ts'
import { type Losses, lossesOf, lossOffset } from '../model/loss.ts'
import { Model } from '../model/model.ts'
import { classOrder, componentsOf, sortClasses } from '../model/parameters.ts'
import type { Counts } from '../tensor/tensor.ts'
import { principalParameters } from './closed-form/principal-component.ts'
import {
  checkFitOptions,
  type FitOptions,
  type FitSetting,
  type SessionFitOptions,
  type WidthChoice,
} from './fit-options.ts'
import type { FitParts } from './fit-parts.ts'
import type { TaskRunner } from './running/task-runner.ts'
import { type SearchSummary, searchModel } from './search-model.ts'
import { planSearch } from './search-plan.ts'

export interface FitResult extends Losses, SearchSummary {
  /** Classes in descending weight; with constraints in the order that these name them. */
  readonly model: Model
  /** How the width of smoothing was chosen, where it was. */
  readonly smoothing?: WidthChoice
}

/** A fit to the data of a runner's session, of which only what is known without its cells is used here. */
export const fitSession = async (
  runner: TaskRunner,
  options: SessionFitOptions,
  within?: string,
): Promise<FitResult> => {
  const { data } = runner.session
  const setting = await settingOf(data, options)
  const { task: plain, starts, limits } = setting
  const { items: settings, init, plan } = await partsOf(data, options, setting)
  const task = { ...plain, ...defined({ items: settings, pairs: plan?.pairs }) }
  const { constraints } = task
  const has = { init: init !== undefined, items: settings !== undefined, constraints: constraints !== undefined }
  const { search } = planSearch(setting, has)
  const from = search === 'one run' ? principalParameters(data) : init?.parameters
  const { best, summary, failure } = await searchModel(
    runner,
    { task, limits, options, within, ...defined({ room: plan }) },
    { starts, closed: search === 'closed form', only: from !== undefined, given: has.init, ...defined({ from }) },
  )
  const { parameters } = best
  const model = constraints?.named ? parameters : sortClasses(parameters)
  const order = constraints?.named ? undefined : classOrder(parameters)
  const found = settings && (await loadPart(import('../model/items/fitted-item.ts')))
  const items = found?.fittedItems(settings!, parameters, order)
  const result: FitResult = Object.freeze({
    ...lossesOf(data, lossOffset(data.total) - best.loss),
    model: new Model(data.modes, componentsOf(model, data.total), undefined, undefined, items),
    ...summary,
  })
  if (failure !== undefined) throw failure.with(result)
  return result
}

/** The options of a fit, checked. */
export const settingOf = async (data: Counts, options: FitOptions): Promise<FitSetting> => {
  // Programs without types may give no options.
  if (options?.constraints === undefined) return checkFitOptions(data, options)
  const { constraintSetting } = await loadPart(import('./descent/constraints.ts'))
  return checkFitOptions(data, options, constraintSetting)
}

/** What a fit has besides the usual options, checked. */
export const partsOf = async (data: Counts, options: SessionFitOptions, setting: FitSetting): Promise<FitParts> => {
  if (options.items === undefined && options.init === undefined && options.memory === undefined) return {}
  const { fitParts } = await loadPart(import('./fit-parts.ts'))
  return fitParts(data, options, setting)
}
