import { defined } from '../../defined.ts'
import { checkedFit } from '../../fit/checked-fit.ts'
import { openedCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { fit } from '../../fit/fit.ts'
import { type FitOptions, usualPasses } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { TaskRunner } from '../../fit/running/task-runner.ts'
import { type SearchSummary, searchModel } from '../../fit/search-model.ts'
import { itemsByName } from '../../model/items/choices.ts'
import { fittedItem, fittedItems } from '../../model/items/fitted-item.ts'
import { lossOffset } from '../../model/loss.ts'
import { Model } from '../../model/model.ts'
import { componentsOf, type LogitParameters, type ModelParameters } from '../../model/parameters.ts'
import { omit } from '../../pick.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type Identification, identifyStructured } from '../identification/identification.ts'
import type { ModelData } from '../model-data/model-data.ts'
import { placedItems } from '../model-data/placed-item.ts'
import { byShare, coefficientsOfShares, type PlacedModel, startOf, structureIn } from '../model-data/placed-model.ts'
import { parametersOf } from '../resampling/replicates.ts'
import { type CurrentSession, withCurrentSession } from './current-session.ts'

/** The best model of a specification, with the data that it was fitted to. */
export interface PlacedFit extends PlacedModel {
  readonly result: FitResult
  readonly identification: Identification
  /** The fit without covariates, from which the search began; undefined if it began elsewhere. */
  readonly plain: FitResult | undefined
}

export type StructuredSearchOptions = Omit<
  FitOptions,
  'init' | 'maxSeconds' | 'constraints' | 'pseudoCounts' | 'items' | 'smoothing' | 'algorithm'
>

/**
 * The passes of the search without covariates, by the work (cells × modes × classes × passes): it is for a start among others, and
 * on large data a tenth of what a fit takes finds the same.
 */
const PLAIN = { work: 6e9, least: 400, most: 40_000 }
/** And of the search itself, whose passes take several times as long, and whose first start is near its end: large data has two or three. */
const EXPLAINED = { work: 1e9, least: 100, most: 100_000 }

/**
 * Finds the best model of structured data.
 * @param current where it runs; what follows on the same cells can run there too
 * @param from where the search begins; without it, at the best fit without covariates
 * @param only whether that is the only start: classes then keep the numbers that they have there
 */
export const searchStructured = async (
  data: ModelData,
  options: StructuredSearchOptions,
  {
    reference = 0,
    from,
    only = false,
    current,
  }: {
    reference?: number
    from?: ModelParameters | undefined
    only?: boolean
    current?: CurrentSession | undefined
  } = {},
): Promise<PlacedFit> => {
  if (current === undefined)
    return withCurrentSession(options, own => searchStructured(data, options, { reference, from, only, current: own }))
  const { rank, starts = 'auto', maxPasses } = options
  const { kinds = [] } = data
  const wanted = {
    ...defined({ pseudoCounts: data.pseudoCounts, constraints: data.constraints }),
    ...(kinds.length > 0 && { items: itemsByName(data.items, kinds) }),
  }
  const { task: answers } = checkedFit(data.items, { rank, ...wanted })
  const itemsOf = (found: ModelParameters) => (kinds.length > 0 ? placedItems(kinds, found) : undefined)
  const passes = (some: Tensor, limits: typeof PLAIN) => usualPasses(some, rank, starts, limits)
  const least = Math.min(maxPasses ?? Number.POSITIVE_INFINITY, passes(data.items, PLAIN))
  const explained = data.design.terms.length > 1
  const initial = (given: ModelParameters) =>
    new Model(
      data.items.modes,
      componentsOf(given, data.items.total),
      undefined,
      undefined,
      fittedItems(kinds, given, undefined),
    )
  const init = !explained && from !== undefined ? { init: initial(from) } : {}
  const plain =
    explained && from !== undefined
      ? undefined
      : await fit(await current.on(data.items, options.signal), {
          ...omit(options, 'engine', 'threads'),
          ...wanted,
          ...init,
          ...(explained ? { maxPasses: least } : maxPasses !== undefined && { maxPasses }),
        })
  const named = answers.constraints?.named
  if (!explained) {
    const { model, loss, ...summary } = omit(plain as FitResult, 'smoothing')
    const coefficients = coefficientsOfShares(model.parameters.shares)
    const placed = byShare({ ...model.parameters, coefficients }, reference, named, itemsOf(parametersOf(model)))
    return placedFit({ data, placed }, { loss, summary, reference, plain })
  }
  const session = await current.on(data.tensor, options.signal)
  const runner = await TaskRunner.of(session, openedCheckpoint(options.checkpoint))
  try {
    const left = maxPasses === undefined ? passes(data.tensor, EXPLAINED) : maxPasses - (plain?.totalPasses ?? 0)
    const { seed = 1, maxStarts = 10_000 } = options
    const { terms, patterns, values, counts } = data.design
    const { steps, constraints } = answers
    const found = await searchModel(
      runner,
      {
        task: {
          rank,
          seed,
          algorithm: 'accelerated',
          steps,
          explained: { terms, patterns, values, counts },
          ...defined({ constraints, items: data.kinds }),
        },
        limits: { maxStarts, maxPasses: Math.max(2, left) },
        options,
      },
      { starts: only ? 1 : starts, from: from ?? parametersOf((plain as FitResult).model) },
    )
    if (found.failure !== undefined) throw found.failure
    const { best } = found
    const summary = {
      ...found.summary,
      totalPasses: found.summary.totalPasses + (plain?.totalPasses ?? 0),
      notes: [...new Set([...(plain?.notes ?? []), ...found.summary.notes])],
    }
    const parameters = best.parameters as LogitParameters
    const placed = byShare(parameters, reference, named || only, itemsOf(parameters))
    return placedFit({ data, placed }, { loss: best.loss, summary, reference, plain })
  } finally {
    await runner.close()
  }
}

/** The model without the mode of known classes, which is no variable. */
const placedFit = (
  { data, placed }: PlacedModel,
  found: Pick<PlacedFit, 'plain'> & {
    readonly loss: number
    readonly summary: SearchSummary
    readonly reference: number
  },
): PlacedFit => {
  const { known, tensor, structure } = data
  const { loss, plain } = found
  const items = variablesIn(data)
  const parameters = { ...placed.parameters, factors: placed.parameters.factors.slice(0, items.modes.length) }
  const given = structureIn(data, placed.coefficients, found.reference)
  const own = placed.items?.slice(0, items.modes.length).map(item => item && fittedItem(item.spec, item.theta))
  const model = new Model(items.modes, componentsOf(parameters, items.total), known?.labels.map(String), given, own)
  const logLikelihood = lossOffset(tensor.total) - loss
  return {
    data,
    placed,
    plain,
    identification: identifyStructured(data.items.shape, placed.parameters.rank, structure),
    result: { loss, logLikelihood, divergence: undefined, logProbability: Number.NaN, ...found.summary, model },
  }
}

/** The answers of data to the variables of its model. */
export const variablesIn = ({ items, known }: ModelData): Tensor =>
  known === undefined ? items : withoutModes(items, [known.name])

/**
 * A model as a start of one with more structure, of the same rows: terms that it has not got are zero, and parts of a variable begin with the
 * probabilities of the part, or of the variable, that they were.
 */
export const liftedStart = (found: PlacedFit, to: ModelData): ModelParameters => {
  const { data: from } = found
  const { rank, factors, shares, items, coefficients: own } = startOf(found.placed)
  const byName = new Map(from.items.modes.map(({ name }, n) => [name, n]))
  const part = (name: string) => to.parts.find(each => each.name === name)
  const source = (name: string): number => {
    const same = byName.get(name)
    if (same !== undefined) return same
    const { mode, where } = part(name)!
    const wider = from.parts.find(
      each =>
        each.mode === mode &&
        each.where.every(({ column, label }) => where.some(other => other.column === column && other.label === label)),
    )
    return byName.get(wider?.name ?? mode)!
  }
  const position = new Map(from.design.terms.map(({ name }, p) => [name, p]))
  const coefficients = new Float64Array(to.design.terms.length * rank)
  to.design.terms.forEach(({ name }, p) => {
    const q = position.get(name)
    if (q === undefined) return
    for (let k = 0; k < rank; k++) coefficients[p * rank + k] = own[q * rank + k]
  })
  const sources = to.items.modes.map(({ name }) => source(name))
  return {
    rank,
    shares,
    factors: sources.map(n => factors[n].slice()),
    ...defined({ items: items && sources.map(n => items[n]?.slice()) }),
    coefficients,
  }
}
