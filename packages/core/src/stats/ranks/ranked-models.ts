import { defined } from '../../defined.ts'
import type { Session } from '../../engine/engine.ts'
import { OptionError } from '../../errors.ts'
import { fitWith, withRunner } from '../../fit/fit.ts'
import type { FitOptions, SessionFitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import type { TaskRunner } from '../../fit/running/task-runner.ts'
import type { Refit, Replicate } from '../../fit/search/replicate.ts'
import { statedItems } from '../../model/items/choices.ts'
import type { Model } from '../../model/model.ts'
import { omit } from '../../pick.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import type { RowWeights } from '../../tensor/row-weights.ts'
import type { Counts, Tensor } from '../../tensor/tensor.ts'
import { mention, words } from '../../wording.ts'
import { evaluateOn, evaluatePlaced, identificationOf } from '../fit-statistics/evaluate.ts'
import type { Evaluation } from '../fit-statistics/evaluation.ts'
import { givenModel } from '../fit-statistics/given-residuals.ts'
import { evaluateLinked, linkedParameters } from '../fit-statistics/linked-evaluation.ts'
import { identify } from '../identification/identification.ts'
import type { LinkedData } from '../model-data/linked-data.ts'
import { type ModelData, modelData } from '../model-data/model-data.ts'
import { type PlacedLinks, placeLinks } from '../model-data/placed-links.ts'
import { cellsOf } from '../model-data/placed-model.ts'
import type { Specification } from '../model-data/specification.ts'
import { linkedParametersOf, linkedRefit } from '../resampling/linked-replicates.ts'
import { placedRefit } from '../resampling/placed-replicates.ts'
import { parametersOf, type RefitOptions, refitOf } from '../resampling/replicates.ts'
import { checkCombination } from '../structure/combinations.ts'
import { areLinked, type LinkOptions, linkedDataOf } from '../structure/linked-fit.ts'
import { searchLinked } from '../structure/linked-search.ts'
import { STRUCTURED_FIT_OPTIONS } from '../structure/structured.ts'
import { fitChain, normalized } from '../structure/structured-models.ts'
import type { PlacedFit } from '../structure/structured-search.ts'
import { excludedBy } from '../structure/structures.ts'

const { covariates, categories, referenceCategories, groups, free, direct } = STRUCTURED_FIT_OPTIONS
const { person, time, waves, transitions, within, groupClasses } = STRUCTURED_FIT_OPTIONS
const { transitionCovariates, groupCovariates, stayers } = STRUCTURED_FIT_OPTIONS

/** The options for what models of several ranks may have besides their classes: the one list of it. */
export const RANKED_STRUCTURE = {
  covariates,
  categories,
  referenceCategories,
  groups,
  free: { check: free.check },
  direct: { check: direct.check },
  person,
  time,
  waves,
  transitions,
  within,
  groupClasses,
  transitionCovariates,
  groupCovariates,
  stayers,
} as const

/** What models of several ranks may have besides their classes. */
export type RankedStructure = Pick<Specification & LinkOptions, keyof typeof RANKED_STRUCTURE>

/**
 * The names of these options.
 * @example
 * RANKED_OPTIONS.includes('covariates') // true
 */
export const RANKED_OPTIONS = Object.keys(RANKED_STRUCTURE) as readonly (keyof typeof RANKED_STRUCTURE)[]

/** Options of fits without what models have besides. */
export const withoutStructure = <T extends RankedStructure>(options: T): Omit<T, keyof RankedStructure> =>
  omit(options, ...RANKED_OPTIONS)

/** The rows by their sampling weights, if they have some. */
interface ReadRows {
  readonly rowWeights?: RowWeights | undefined
}

/** Refuses tests by replicates of data that cannot be drawn from a model. */
export const checkDrawable = (given: RankedStructure & ReadRows): void => {
  const found = excludedBy('bootstrap', given)
  if (found !== undefined)
    throw new OptionError(found.name, `cannot be combined with a bootstrap test: ${found.reason}`)
  const weighted =
    given.rowWeights !== undefined && areLinked(given) ? excludedBy('bootstrap of weights', given) : undefined
  if (weighted !== undefined)
    throw new OptionError(
      'weights',
      words`cannot be combined with a bootstrap test and ${mention(weighted.name)}: ${weighted.reason}; compare numbers of classes by BIC`,
    )
}

/** Models of several ranks on the same data: how they are fitted, judged, and fitted again to replicates. */
export interface RankedModels {
  /** What is fitted: with covariates, the rows that have them. */
  readonly runner: TaskRunner
  /** Its variables alone. */
  readonly items: Counts
  readonly isStructured: boolean
  /** What criteria count: rows, of persons over time the persons. */
  readonly observations: number
  fit(options: SessionFitOptions): Promise<FitResult>
  /** The rows in the form of a model, if it has covariates or groups. */
  dataOf(result: FitResult): ModelData | undefined
  evaluate(result: FitResult, signal: PlatformSignal | undefined): Promise<Evaluation>
  /** Parameters of a rank that the data can tell apart. */
  dimension(rank: number): number
  refit(result: FitResult, starts: number, options: RefitOptions): Refit
  /** What replicates of a model are drawn from. */
  drawn(result: FitResult): Pick<Replicate, 'from' | 'given'>
}

/** Does work on models of several ranks, under the limits of time. */
export const withRankedModels = async <T>(
  data: Tensor | Session,
  {
    covariates,
    categories,
    referenceCategories,
    groups,
    free,
    direct,
    person,
    time,
    waves,
    transitions,
    within,
    groupClasses,
    transitionCovariates,
    groupCovariates,
    stayers,
    rowWeights,
    ...options
  }: Partial<FitOptions> & RankedStructure & ReadRows,
  work: (models: RankedModels, options: Partial<FitOptions>) => Promise<T>,
): Promise<T> => {
  const links = defined({ person, time, waves, transitions, within, groupClasses })
  const explaining = { covariates, categories, referenceCategories, groups, free }
  const ofLinks = { transitionCovariates, groupCovariates, stayers }
  const stated = { ...explaining, direct, ...links, ...ofLinks }
  const given: RankedStructure = Object.fromEntries(
    Object.entries(stated).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  )
  checkCombination({ ...options, ...given, rank: undefined })
  if (areLinked(links)) {
    const linking = { ...links, ...defined({ ...explaining, ...ofLinks }) }
    const cells = cellsOf('a comparison of models of rows that belong together', data)
    const rows = linkedDataOf(cells, linking, rowWeights && squaresOf(cells, rowWeights))
    return withRunner(rows.items, options, (runner, rest) => work(linkedModels(runner, rows), rest))
  }
  if (given.covariates === undefined && given.groups === undefined)
    return withRunner(data, options, (runner, rest) => work(plainModels(runner), rest))
  const ofClass = [...(given.free ?? []), ...(given.direct ?? [])].find(each => each.class !== undefined)
  if (ofClass !== undefined)
    throw new OptionError(
      given.free?.includes(ofClass) ? 'free' : 'direct',
      `cannot name a class (${ofClass.mode} in class ${ofClass.class}): models with other numbers of classes have other classes`,
    )
  const tensor = cellsOf('a comparison of models with covariates or groups', data)
  const { items: asked } = options
  const specification = normalized({ ...given, ...defined({ items: asked && statedItems(tensor, asked) }) })
  const { tensor: placed, items } = modelData(tensor, specification, 1)
  const { engine, threads, checkpoint } = options
  const running = {
    ...(engine && { engine }),
    ...defined({ threads }),
    ...(checkpoint && { checkpoint }),
  }
  return withRunner(placed, options, (runner, rest) =>
    work(structuredModels(runner, { tensor, items }, specification, running), rest),
  )
}

/** For every cell the sum of the squares of its sampling weights. */
const squaresOf = ({ cells }: Tensor, rows: RowWeights): Float64Array => {
  const squares = new Float64Array(cells)
  rows.cells.forEach((cell, group) => {
    squares[cell] += rows.weights[group] ** 2 * rows.counts[group]
  })
  return squares
}

const plainModels = (runner: TaskRunner): RankedModels => {
  const fitted = new Map<number, Model>()
  return {
    runner,
    items: runner.session.data,
    isStructured: false,
    observations: runner.session.data.total,
    fit: async options => {
      const result = await fitWith(runner, options)
      fitted.set(result.model.rank, result.model)
      return result
    },
    dataOf: () => undefined,
    evaluate: ({ model }, signal) => evaluateOn(runner.session, model, undefined, signal),
    dimension: rank => {
      const model = fitted.get(rank)
      return model?.items.some(item => item !== undefined)
        ? identificationOf(model, undefined).rank
        : identify(runner.session.data.shape, rank).rank
    },
    refit: ({ model, smoothing }, starts, options) =>
      refitOf(runner, model, starts, { ...options, ...(smoothing !== undefined && { smoothing: smoothing.width }) }),
    drawn: ({ model }) => ({ from: parametersOf(model) }),
  }
}

const structuredModels = (
  runner: TaskRunner,
  { tensor, items }: { readonly tensor: Tensor; readonly items: Tensor },
  specification: Specification,
  running: Pick<FitOptions, 'engine' | 'threads' | 'checkpoint'>,
): RankedModels => {
  const fitted = new Map<FitResult, PlacedFit>()
  const foundOf = (result: FitResult) => fitted.get(result) as PlacedFit
  return {
    runner,
    items,
    isStructured: true,
    observations: items.total,
    fit: async given => {
      const { pseudoCounts, ...options } = omit(given, 'smoothing', 'algorithm', 'init', 'constraints', 'items')
      const wanted = { ...specification, ...defined({ pseudoCounts }) }
      const { main } = await fitChain(tensor, wanted, { ...options, ...running, reference: 0, design: [] })
      fitted.set(main.result, main)
      return main.result
    },
    dataOf: result => foundOf(result).data,
    evaluate: (result, signal) => {
      const found = foundOf(result)
      return evaluatePlaced(found, { session: runner.session, signal, identification: found.identification })
    },
    dimension: rank => [...fitted].find(([{ model }]) => model.rank === rank)![1].identification.rank,
    refit: (result, starts, { seed }) => placedRefit(runner.session, foundOf(result), starts, seed),
    drawn: result => {
      const { parameters, given, variables } = givenModel(foundOf(result))
      return { from: parameters, given: { given, variables } }
    },
  }
}

const linkedModels = (runner: TaskRunner, data: LinkedData): RankedModels => {
  const fitted = new Map<number, PlacedLinks>()
  const foundOf = (rank: number) => fitted.get(rank) as PlacedLinks
  return {
    runner,
    items: data.items,
    isStructured: true,
    observations: data.observations,
    fit: async given => {
      const options = omit(given, 'smoothing', 'algorithm', 'init', 'constraints')
      const { result } = await searchLinked(data, options)
      fitted.set(result.model.rank, placeLinks(result.model, data))
      return result
    },
    dataOf: () => undefined,
    evaluate: ({ model }, signal) => evaluateLinked(foundOf(model.rank), signal),
    dimension: rank => linkedParameters(foundOf(rank)),
    refit: ({ model }, starts, { seed, pseudoCounts }) =>
      linkedRefit(runner.session, foundOf(model.rank), model, starts, defined({ seed, pseudoCounts })),
    drawn: ({ model }) => ({ from: linkedParametersOf(model, data) }),
  }
}
