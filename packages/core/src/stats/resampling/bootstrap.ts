import { ABILITIES } from '../../engine/abilities.ts'
import type { Session } from '../../engine/engine.ts'
import { AbortError, DataError } from '../../errors.ts'
import { withCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { pick } from '../../fit/closed-form/merge.ts'
import { type ConstraintSetting, mayReorder } from '../../fit/descent/constraints.ts'
import { countsOf, withRunner } from '../../fit/fit.ts'
import { type FitOptions, fitOptionsOf } from '../../fit/fit-options.ts'
import type { ReplicateResult } from '../../fit/search/replicate.ts'
import type { TaskRunner } from '../../fit/search/task-runner.ts'
import { Model } from '../../model/model.ts'
import { pairing } from '../../model/pairing.ts'
import { componentsOf } from '../../model/parameters.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import type { RowWeights } from '../../tensor/row-weights.ts'
import { hasCells, type Tensor } from '../../tensor/tensor.ts'
import { checkPlaced, placeDesign, type SurveyDesign, withoutDesign } from '../errors/survey-design.ts'
import { evaluate } from '../judge/evaluate.ts'
import { type BivariateResidual, cellsFor, largestFirst, pairResiduals } from '../judge/residuals.ts'
import { type MonteCarloTest, monteCarloTest, quantile } from './monte-carlo.ts'
import {
  checkCounts,
  checkReplicates,
  drawReplicates,
  REPLICATES,
  type RefitOptions,
  type ReplicateProgress,
  refitOf,
} from './replicates.ts'
import { drawClusters, drawRows } from './resample-units.ts'

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

/** How a parameter varies over the replicates. */
export interface Spread {
  /** Not a number where there is only one replicate, and under a design where replicates are drawn from the model. */
  readonly standardError: number
  /** Between the percentiles of the replicates; undefined where they are fewer than `replicatesForIntervals`. */
  readonly interval: readonly [number, number] | undefined
}

export interface Bootstrap {
  readonly kind: 'parametric' | 'nonparametric'
  /** How many replicates there are: fewer than asked for only where it was stopped. */
  readonly replicates: number
  /** How many of them converged. */
  readonly converged: number
  /** Whether it was stopped before all were there. */
  readonly stopped: boolean
  readonly confidence: number
  /** One for each class. */
  readonly shares: readonly Spread[]
  /** For each mode and class, one for each label. */
  readonly profiles: readonly (readonly (readonly Spread[])[])[]
  /** Of the statistic, where one was given. */
  readonly statistic: Spread | undefined
  /** Tests of the model; undefined where replicates were not drawn from it, or where entries are missing. */
  readonly gSquared: MonteCarloTest | undefined
  readonly chiSquared: MonteCarloTest | undefined
  readonly cressieRead: MonteCarloTest | undefined
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
  rowWeights: { check: is.thing('an object', value => typeof value === 'object') },
  onReplicate: { check: is.function },
} as const satisfies OptionTable<BootstrapOptions>

/**
 * Fits a model again and again to data drawn from it, or from the observations, and says how its parameters vary and how often such data
 * fits it worse than the real one. The classes of every replicate are paired with the model's.
 * @example
 * const { shares, gSquared } = await bootstrap(answers, model, { replicates: 50, threads: 1 })
 * const [low, high] = shares[0].interval ?? []
 */
export const bootstrap = async (
  data: Tensor | Session,
  model: Model,
  options: BootstrapOptions = {},
): Promise<Bootstrap> => {
  const given = checkedOptions('bootstrap', BOOTSTRAP_OPTIONS, options)
  const { replicates, kind, starts, confidence, design, rowWeights: rows, ...rest } = given
  const sample = design === undefined ? undefined : sampleOf(data, model, design)
  const tensor = sample?.answers ?? cellsFor('bootstrap', data, model)
  // Whole clusters, and rows of any weight, are drawn as they are.
  if (rows === undefined && (sample === undefined || kind === 'parametric')) checkCounts(tensor)
  checkReplicates(tensor, model.rank, replicates)
  const draw =
    kind === 'parametric'
      ? undefined
      : sample !== undefined
        ? drawClusters(sample.data, sample.design, tensor)
        : rows && drawRows(tensor, rows)
  // What is drawn from a model has no clusters, and its classes are drawn by the posteriors of the rows: it tests the model alone.
  const varies = kind === 'nonparametric' || (sample === undefined && rows === undefined)
  return withCheckpoint('bootstrap', { ...given, model }, opened =>
    withRunner(
      sample?.answers ?? data,
      { ...rest, ...opened },
      async (runner, { signal, onReplicate, statistic, ...refitting }) => {
        const refit = refitOf(runner, model, starts, refitting)
        const results = await drawReplicates(
          runner,
          {
            seed: refitting.seed ?? 1,
            ...(kind === 'parametric' && { from: model.parameters, ...(rows !== undefined && { rows }) }),
            fits: [refit],
            misfit: kind === 'parametric',
          },
          { replicates, signal, onReplicate, draw },
        )
        if (results.length === 0) throw new AbortError(signal, 'stopped before the first replicate was fitted')
        return Object.freeze({
          kind,
          replicates: results.length,
          converged: results.filter(({ fits }) => fits[0].converged).length,
          stopped: results.length < replicates,
          confidence,
          ...spreads(model, varies ? results : [], confidence, statistic, refit.setting.constraints),
          ...(await tests(runner, model, results)),
        })
      },
    ),
  )
}

/** The data with the modes of its design, and without. */
const sampleOf = (data: Tensor | Session, model: Model, design: SurveyDesign) => {
  const counts = countsOf(data)
  if (!hasCells(counts)) throw new DataError(`bootstrap needs ${ABILITIES.cells}, which this session does not have`)
  const placing = placeDesign(counts, design)
  checkPlaced(counts, model, placing)
  return { data: counts, design, answers: withoutDesign(counts, placing) }
}

export const spreads = (
  { parameters, rank, modes, total }: Model,
  results: readonly ReplicateResult[],
  confidence: number,
  statistic: BootstrapOptions['statistic'],
  constraints: ConstraintSetting | undefined,
): Pick<Bootstrap, 'shares' | 'profiles' | 'statistic'> => {
  const refits = results.map(({ fits: [{ parameters: refit }] }) => {
    const order = pairing(parameters, refit)
    return constraints === undefined || mayReorder(constraints, order) ? pick(refit, order) : refit
  })
  const spread = spreadOver(refits.length, confidence)
  const classes = Array.from({ length: rank }, (_, k) => k)
  const ofLabels = (n: number, k: number) =>
    Array.from({ length: modes[n].size }, (_, j) => spread(r => refits[r].factors[n][j * rank + k]))
  return {
    shares: Object.freeze(classes.map(k => spread(r => refits[r].shares[k]))),
    profiles: Object.freeze(modes.map((_, n) => Object.freeze(classes.map(k => Object.freeze(ofLabels(n, k)))))),
    statistic: statistic && spread(r => statistic(new Model(modes, componentsOf(refits[r], total)))),
  }
}

/**
 * The fewest replicates that there is an interval of: less than was promised lies between the lowest and the highest of fewer.
 * @example
 * replicatesForIntervals(0.95) // 39
 */
export const replicatesForIntervals = (confidence: number): number => Math.ceil(2 / (1 - confidence) - 1 - ROUNDING)

/** What 2/(1 − confidence) may miss a whole number by. */
const ROUNDING = 1e-6

/** How a number varies over replicates, of which each has its own. */
export const spreadOver = (count: number, confidence: number) => {
  const values = new Float64Array(count)
  const enough = count >= replicatesForIntervals(confidence)
  return (of: (replicate: number) => number): Spread => {
    for (let r = 0; r < count; r++) values[r] = of(r)
    const mean = values.reduce((sum, value) => sum + value, 0) / count
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    values.sort()
    const tail = (1 - confidence) / 2
    return Object.freeze({
      standardError: count > 1 ? Math.sqrt(squares / (count - 1)) : Number.NaN,
      interval: enough ? Object.freeze([quantile(values, tail), quantile(values, 1 - tail)] as const) : undefined,
    })
  }
}

type Tests = Pick<Bootstrap, 'gSquared' | 'chiSquared' | 'cressieRead' | 'pairs'>

/** How often a replicate fits worse than the data. */
const tests = async ({ session }: TaskRunner, model: Model, results: readonly ReplicateResult[]): Promise<Tests> => {
  const misfits = results.flatMap(({ misfit }) => misfit ?? [])
  if (misfits.length === 0) return { gSquared: undefined, chiSquared: undefined, cressieRead: undefined, pairs: [] }
  const found = await evaluate(session, model)
  const test = (name: 'gSquared' | 'chiSquared' | 'cressieRead'): MonteCarloTest | undefined => {
    const statistic = found[name]
    return statistic === undefined ? undefined : monteCarloTest(statistic, misfits.map(each => each[name]!)) // biome-ignore format: one call
  }
  const pairs = pairResiduals(cellsFor('bootstrap', session, model), model).map((pair, at) => {
    const { pValue, interval } = monteCarloTest(pair.chiSquared, misfits.map(each => each.pairs[at])) // biome-ignore format: one call
    return Object.freeze({ ...pair, pValue, interval })
  })
  return {
    gSquared: test('gSquared'),
    chiSquared: test('chiSquared'),
    cressieRead: test('cressieRead'),
    pairs: Object.freeze(pairs.sort(largestFirst)),
  }
}
