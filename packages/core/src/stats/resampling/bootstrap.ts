import { defined } from '../../defined.ts'
import type { Session } from '../../engine/engine.ts'
import { AbortError, OptionError } from '../../errors.ts'
import { withCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { withRunner } from '../../fit/fit.ts'
import { type FitOptions, fitOptionsOf } from '../../fit/fit-options.ts'
import type { TaskRunner } from '../../fit/running/task-runner.ts'
import type { Refit, Replicate, ReplicateResult } from '../../fit/search/replicate.ts'
import { eachFitTest, type FitTest, type TableFit } from '../../model/misfit.ts'
import type { Model } from '../../model/model.ts'
import { unlinkedModel } from '../../model/unlinked.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import { ROW_WEIGHTS, type RowWeights } from '../../tensor/row-weights.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import {
  checkDesignIndex,
  designModes,
  indexDesign,
  type SurveyDesign,
  withoutDesign,
} from '../errors/survey-design.ts'
import { evaluate } from '../fit-statistics/evaluate.ts'
import { givenModel } from '../fit-statistics/given-residuals.ts'
import { type BivariateResidual, largestFirst } from '../fit-statistics/residual-lists.ts'
import { cellsFor, pairResiduals } from '../fit-statistics/residuals.ts'
import type { LinkedData } from '../model-data/linked-data.ts'
import type { ModelData } from '../model-data/model-data.ts'
import { type PlacedLinks, placedLinksIn } from '../model-data/placed-links.ts'
import { cellsOf, type PlacedModel, placedIn } from '../model-data/placed-model.ts'
import { type LinkedSpreads, linkedParametersOf, linkedRefit, linkedSpreads } from './linked-replicates.ts'
import { type MonteCarloTest, monteCarloTest } from './monte-carlo.ts'
import { type CoefficientSpread, coefficientSpreads, placedRefit, placedTests } from './placed-replicates.ts'
import {
  checkCounts,
  checkReplicates,
  drawReplicates,
  parametersOf,
  REPLICATES,
  type RefitOptions,
  type ReplicateProgress,
  refitOf,
} from './replicates.ts'
import { type DrawReplicate, drawClusters, drawRows } from './resample-units.ts'
import { type Spreads, spreads } from './spreads.ts'

/** The options of the fit that gave the model (seed, algorithm, pseudoCounts, smoothing, constraints), and: */
export interface BootstrapOptions
  extends RefitOptions,
    Pick<FitOptions, 'maxSeconds' | 'engine' | 'threads' | 'signal' | 'checkpoint'> {
  /** How many replicates. Default 500. */
  readonly replicates?: number
  /**
   * 'parametric' draws from the model: it tests the model, and its intervals hold where the model is true. 'nonparametric' draws
   * from the observations: its intervals need no model to be true, and it tests nothing. Default 'parametric'.
   */
  readonly kind?: 'parametric' | 'nonparametric'
  /** Random starts of every replicate, besides the model itself. Default 4. */
  readonly starts?: number
  /** The confidence level of the intervals. Default 0.95. */
  readonly confidence?: number
  /** Anything else that is computed from a model; the classes of a replicate come in the order of the model's. */
  readonly statistic?: (model: Model) => number
  /**
   * How the sample was drawn, for data with modes that say so. 'nonparametric' then draws clusters within strata, with rescaled
   * weights (Rao and Wu). 'parametric' tests the model, and has no intervals: what is drawn from it has no clusters.
   */
  readonly design?: SurveyDesign
  /** The rows of every cell, without the modes of a design, by their sampling weights: 'nonparametric' draws rows, 'parametric' gives every row other answers and its own weight. */
  readonly rowWeights?: RowWeights
  /** Called with every replicate. */
  readonly onReplicate?: (progress: ReplicateProgress) => void
}

/** The tests of the statistics of the table are undefined if replicates were not drawn from the model, or if entries are missing. */
export interface Bootstrap extends Spreads, TableFit<MonteCarloTest | undefined> {
  readonly kind: 'parametric' | 'nonparametric'
  /** How many replicates there are: fewer than asked for only where it was stopped. */
  readonly replicates: number
  /** How many of them converged. */
  readonly converged: number
  /** Whether it was stopped before all were there. */
  readonly stopped: boolean
  readonly confidence: number
  /** Of a model with covariates, in the order of its coefficients. */
  readonly coefficients?: readonly CoefficientSpread[]
  /** Of a model of persons over time or of groups: how its tables vary. */
  readonly linked?: LinkedSpreads
  /** The residuals of every two modes with their p-values, largest first; empty where replicates were not drawn from the model. */
  readonly pairs: readonly (BivariateResidual & Pick<MonteCarloTest, 'pValue' | 'interval'>)[]
}

/** The options of `bootstrap`. */
export const BOOTSTRAP_OPTIONS = {
  ...fitOptionsOf('seed', 'algorithm', 'pseudoCounts', 'smoothing', 'constraints'),
  ...fitOptionsOf('maxSeconds', 'engine', 'threads', 'signal', 'checkpoint'),
  replicates: { check: REPLICATES, default: 500 },
  kind: { check: is.oneOf(['parametric', 'nonparametric']), default: 'parametric' },
  starts: { check: is.whole(0, 10_000), default: 4 },
  confidence: { check: is.proportion, default: 0.95 },
  statistic: { check: is.thing('a function of a model', value => typeof value === 'function') },
  design: { check: is.thing('an object', value => typeof value === 'object') },
  rowWeights: ROW_WEIGHTS,
  onReplicate: { check: is.function },
} as const satisfies OptionTable<BootstrapOptions>

/**
 * Bootstrap of a model: fits it to data drawn from it (parametric) or from the observations (nonparametric). Gives p-values of the tests of fit, and
 * standard errors and intervals of all parameters. The classes of every replicate are matched with those of the model. For a model with covariates the data
 * has these as modes too, or it is the `data` of the fit: parametric replicates then have the covariates and groups of the rows, and lack the answers that
 * they lack.
 * @example
 * const { shares, gSquared } = await bootstrap(answers, model, { replicates: 50, threads: 1 })
 * const [low, high] = shares[0].interval ?? []
 */
export const bootstrap = async (
  data: Tensor | Session | ModelData | LinkedData,
  model: Model,
  options: BootstrapOptions = {},
): Promise<Bootstrap> => {
  const given = checkedOptions('bootstrap', BOOTSTRAP_OPTIONS, options)
  const { replicates, kind, starts, confidence, design, rowWeights, ...rest } = given
  const form = formOf(data, model, given)
  return withCheckpoint('bootstrap', { ...given, model }, opened =>
    withRunner(form.data, { ...rest, ...opened }, async (runner, { signal, onReplicate, statistic, ...refitting }) => {
      const refit = form.refit(runner, refitting)
      const results = await drawReplicates(
        runner,
        {
          ...form.replicate,
          ...(kind === 'parametric' && form.parametric),
          seed: refitting.seed ?? 1,
          fits: [refit],
          misfit: kind === 'parametric',
        },
        { replicates, signal, onReplicate, draw: kind === 'parametric' ? undefined : form.draw },
      )
      if (results.length === 0) throw new AbortError(signal, 'stopped before the first replicate was fitted')
      return Object.freeze({
        kind,
        replicates: results.length,
        converged: results.filter(({ fits }) => fits[0].converged).length,
        stopped: results.length < replicates,
        confidence,
        ...spreads(model, form.varies ? results : [], confidence, statistic, refit.setting.constraints),
        ...(await form.tests(runner, results)),
        ...form.coefficients(results),
      })
    }),
  )
}

type Given = BootstrapOptions & Required<Pick<BootstrapOptions, 'replicates' | 'kind' | 'starts' | 'confidence'>>

type Tests = Pick<Bootstrap, FitTest | 'pairs'>

/** What replicates of a model are made of. */
interface Form {
  readonly data: Tensor | Session
  /** What all replicates have, and what those drawn from the model have besides. */
  readonly replicate: Pick<Replicate, 'given'>
  readonly parametric: Pick<Replicate, 'from' | 'rows'>
  readonly draw: DrawReplicate | undefined
  /** Whether replicates vary as samples do. */
  readonly varies: boolean
  readonly refit: (runner: TaskRunner, options: RefitOptions) => Refit
  readonly tests: (runner: TaskRunner, results: readonly ReplicateResult[]) => Tests | Promise<Tests>
  readonly coefficients: (results: readonly ReplicateResult[]) => Pick<Bootstrap, 'coefficients' | 'linked'>
}

const formOf = (data: Tensor | Session | ModelData | LinkedData, model: Model, given: Given): Form => {
  const { design, constraints, pseudoCounts } = given
  const linked = placedLinksIn(data, model)
  if (linked !== undefined) return linkedForm(linked, model, given)
  const placed = placedIn('bootstrap', data as Tensor | Session | ModelData, model, {
    constraints,
    pseudoCounts,
    design: designModes(design),
  })
  return placed === undefined ? plainForm(data as Tensor | Session, model, given) : placedForm(placed, model, given)
}

const plainForm = (data: Tensor | Session, model: Model, given: Given): Form => {
  const { replicates, kind, starts, design, rowWeights: rows } = given
  const sample = design === undefined ? undefined : sampleOf(data, model, design)
  const tensor = sample?.answers ?? cellsFor('bootstrap', data, model)
  // Whole clusters, and rows of any weight, are drawn as they are.
  if (rows !== undefined || sample === undefined || kind === 'parametric') checkCounts(tensor, rows)
  checkReplicates(tensor, model.rank, replicates)
  return {
    data: sample?.answers ?? data,
    replicate: {},
    parametric: { from: parametersOf(model), ...defined({ rows }) },
    draw: sample !== undefined ? drawClusters(sample.data, sample.design, tensor) : rows && drawRows(tensor, rows),
    // What is drawn from a model has no clusters, and its classes are drawn by the posteriors of the rows: it tests the model alone.
    varies: kind === 'nonparametric' || (sample === undefined && rows === undefined),
    refit: (runner, options) => refitOf(runner, model, starts, options),
    tests: (runner, results) => tests(runner, model, results),
    coefficients: () => ({}),
  }
}

/** Replicates are persons with all their waves, or groups with all their members. */
const linkedForm = (found: PlacedLinks, model: Model, given: Given): Form => {
  const { replicates, starts, confidence, design, rowWeights } = given
  const { items } = found.data
  if (design !== undefined || rowWeights !== undefined)
    throw new OptionError(
      'bootstrap',
      'cannot be combined with weights or clusters for a model of persons over time or of groups: replicates are whole persons or groups',
    )
  checkCounts(items)
  checkReplicates(items, model.rank, replicates)
  return {
    data: items,
    replicate: {},
    parametric: { from: linkedParametersOf(model, found.data) },
    draw: undefined,
    varies: true,
    refit: ({ session }, options) => linkedRefit(session, found, model, starts, options),
    tests: (_, results) => ({
      ...eachFitTest(() => undefined),
      pairs: pairTests(pairResiduals(items, unlinkedModel(model)), results),
    }),
    coefficients: results => ({ linked: linkedSpreads(found, model, results, confidence) }),
  }
}

/** Replicates are drawn given covariates and groups; a class is known where one is. */
const placedForm = (found: PlacedModel, model: Model, given: Given): Form => {
  const { replicates, kind, starts, confidence, design, rowWeights, seed } = given
  const { data } = found
  if (design !== undefined && kind === 'parametric')
    throw new OptionError(
      'kind',
      "must be 'nonparametric' with a design: what is drawn from a model has no clusters",
      kind,
    )
  if (rowWeights !== undefined || data.squares !== undefined)
    throw new OptionError(
      'bootstrap',
      'cannot be combined with weights if covariates or groups explain the classes, unless there are clusters',
    )
  // Whole clusters are drawn as they are.
  if (design === undefined) checkCounts(data.tensor)
  checkReplicates(data.items, model.rank, replicates, data.design.terms.length)
  const { parameters, given: modes, variables } = givenModel(found)
  return {
    data: data.tensor,
    replicate: { given: { given: modes, variables } },
    parametric: { from: parameters },
    draw: design && drawClusters(data.drawn, design, data.tensor),
    varies: true,
    refit: ({ session }) => placedRefit(session, found, starts, seed),
    tests: ({ session }, results) => placedTests(session, found, results),
    coefficients: results => ({ coefficients: coefficientSpreads(found, model, results, confidence) }),
  }
}

/** The data with the modes of its design, and without. */
const sampleOf = (data: Tensor | Session, model: Model, design: SurveyDesign) => {
  const counts = cellsOf('bootstrap', data)
  const designIndex = indexDesign(counts, design)
  checkDesignIndex(counts, model, designIndex)
  return { data: counts, design, answers: withoutDesign(counts, designIndex) }
}

/** How often a replicate fits worse than the data. */
const tests = async ({ session }: TaskRunner, model: Model, results: readonly ReplicateResult[]): Promise<Tests> => {
  const misfits = results.flatMap(({ misfit }) => misfit ?? [])
  if (misfits.length === 0) return { ...eachFitTest(() => undefined), pairs: [] }
  const found = await evaluate(session, model)
  const test = (name: FitTest): MonteCarloTest | undefined => {
    const statistic = found[name]
    return statistic === undefined
      ? undefined
      : monteCarloTest(
          statistic,
          misfits.map(each => each[name]!),
        )
  }
  return {
    ...eachFitTest(test),
    pairs: pairTests(pairResiduals(cellsFor('bootstrap', session, model), model), results),
  }
}

/** How often a replicate has a residual as large, of pairs in the order of `pairMisfits`. */
const pairTests = (pairs: readonly BivariateResidual[], results: readonly ReplicateResult[]): Tests['pairs'] => {
  const misfits = results.flatMap(({ misfit }) => misfit ?? [])
  if (misfits.length === 0) return []
  // Pairs of tables come first; those of numbers have no replicates.
  const tested = pairs.slice(0, misfits[0].pairs.length).map((pair, at) => {
    const { pValue, interval } = monteCarloTest(
      pair.chiSquared,
      misfits.map(each => each.pairs[at]),
    )
    return Object.freeze({ ...pair, pValue, interval })
  })
  return Object.freeze(tested.sort(largestFirst))
}
