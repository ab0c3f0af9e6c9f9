import { AbortError, OptionError } from '../../errors.ts'
import { openedCheckpoint, withCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { unstandardize } from '../../fit/covariates/terms.ts'
import { withDeadline } from '../../fit/deadline.ts'
import { mayReorder } from '../../fit/descent/constraints.ts'
import type { Explained } from '../../fit/descent/membership.ts'
import { openSession } from '../../fit/fit.ts'
import { checkFitOptions } from '../../fit/fit-options.ts'
import type { ReplicateResult } from '../../fit/search/replicate.ts'
import { TaskRunner } from '../../fit/search/task-runner.ts'
import { givenGSquared } from '../../model/given-table.ts'
import { pairing } from '../../model/pairing.ts'
import { checkedOptions } from '../../options.ts'
import { largestFirst } from '../judge/residuals.ts'
import {
  BOOTSTRAP_OPTIONS,
  type Bootstrap,
  type BootstrapOptions,
  type Spread,
  spreadOver,
  spreads,
} from '../resampling/bootstrap.ts'
import { monteCarloTest } from '../resampling/monte-carlo.ts'
import { checkCounts, checkReplicates, drawReplicates, replicateStopping } from '../resampling/replicates.ts'
import { drawClusters } from '../resampling/resample-units.ts'
import { explainedPairs, givenModel } from './explained-residuals.ts'
import type { ExplainedFit } from './structured-result.ts'

export type ExplainedBootstrapOptions = Pick<
  BootstrapOptions,
  | 'seed'
  | 'replicates'
  | 'kind'
  | 'starts'
  | 'confidence'
  | 'maxSeconds'
  | 'engine'
  | 'threads'
  | 'signal'
  | 'checkpoint'
  | 'onReplicate'
  | 'design' // biome-ignore format: one list
>

/** How a coefficient varies over the replicates. */
export interface CoefficientSpread extends Spread {
  /** The class, counted from 1, as in `covariates.coefficients`. */
  readonly class: number
  readonly term: string
}

export interface ExplainedBootstrap extends Bootstrap {
  /** In the order of the coefficients of the fit. */
  readonly coefficients: readonly CoefficientSpread[]
}

const {
  algorithm: _a,
  pseudoCounts: _p,
  smoothing: _s,
  constraints: _c,
  statistic: _t,
  rowWeights: _r,
  ...OPTIONS
} = BOOTSTRAP_OPTIONS

/**
 * Fits a model whose membership is explained again and again. Parametric replicates have the covariates and groups of the rows, and lack the
 * answers that they lack: classes and answers are drawn, and a class is known where one is. Nonparametric ones are of rows drawn from among
 * themselves, or with the design that the fit had of whole clusters.
 * @example
 * const { explained } = await fitStructured(answers, { rank: 2, covariates: ['age'], starts: 2 })
 * const { coefficients } = await explainedBootstrap(explained!, { replicates: 5, threads: 1 })
 * coefficients.map(({ term }) => term) // ['intercept', 'age = 30+']
 */
export const explainedBootstrap = async (
  { basis, model, covariates }: Pick<ExplainedFit, 'basis' | 'model' | 'covariates'>,
  options: ExplainedBootstrapOptions = {},
): Promise<ExplainedBootstrap> => {
  const given = checkedOptions('explainedBootstrap', OPTIONS, options)
  const { replicates, kind, starts, confidence, seed, engine, threads, maxSeconds, signal, onReplicate, design } = given
  if (design !== undefined && kind === 'parametric')
    throw new OptionError(
      'kind',
      "must be 'nonparametric' with a design: what is drawn from a model has no clusters",
      kind,
    )
  const { data, start } = basis
  const { rank } = model
  // Whole clusters are drawn as they are.
  if (design === undefined) checkCounts(data.tensor)
  checkReplicates(data.items, rank, replicates, data.design.terms.length)
  const { task } = checkFitOptions(data.items, {
    ...{ rank, seed },
    ...(data.pseudoCounts !== undefined && { pseudoCounts: data.pseudoCounts }),
    ...(data.constraints !== undefined && { constraints: data.constraints }),
  })
  const { terms, patterns, values, counts } = data.design
  const { parameters, given: modes, variables } = givenModel(basis)
  return withCheckpoint('explainedBootstrap', { ...given, model }, ({ checkpoint }) =>
    withDeadline({ maxSeconds, signal }, async limit => {
      const session = await openSession(data.tensor, engine, threads, limit)
      const runner = await TaskRunner.of(session, openedCheckpoint(checkpoint))
      try {
        const setting = { ...task, explained: { terms, patterns, values, counts } }
        const results = await drawReplicates(
          runner,
          {
            seed,
            ...(kind === 'parametric' && { from: parameters }),
            given: { given: modes, variables },
            fits: [{ setting, from: start, starts, stopping: replicateStopping(session, rank) }],
            misfit: kind === 'parametric',
          },
          {
            ...{ replicates, signal: limit, onReplicate },
            ...(design !== undefined && { draw: drawClusters(data.drawn, design, data.tensor) }),
          },
        )
        if (results.length === 0) throw new AbortError(limit, 'stopped before the first replicate was fitted')
        return Object.freeze({
          kind,
          replicates: results.length,
          converged: results.filter(({ fits }) => fits[0].converged).length,
          stopped: results.length < replicates,
          confidence,
          ...spreads(model, results, confidence, undefined, data.structure.constraints),
          coefficients: coefficientSpreads({ basis, model, covariates }, results, confidence),
          ...testsOf(basis, results, { given: modes, variables }),
        })
      } finally {
        await runner.close()
        await session.close()
      }
    }),
  )
}

/** How the coefficients vary, in the units and against the reference class of the fit. */
const coefficientSpreads = (
  { basis, model, covariates }: Pick<ExplainedFit, 'basis' | 'model' | 'covariates'>,
  results: readonly ReplicateResult[],
  confidence: number,
): readonly CoefficientSpread[] => {
  const { design, structure } = basis.data
  const width = design.terms.length
  const { rank } = model
  const named = unstandardize(design.terms, design.covariates)
  const reference = covariates.reference - 1
  const all = results.map(({ fits: [{ parameters }] }) => {
    const order = pairing(model.parameters, parameters)
    const kept = structure.constraints === undefined || mayReorder(structure.constraints, order)
    const place = (k: number) => (kept ? order[k] : k)
    const { coefficients } = parameters as Required<Explained>
    return (k: number, p: number) => {
      let sum = 0
      for (let q = 0; q < width; q++)
        sum += named[p * width + q] * (coefficients[q * rank + place(k)] - coefficients[q * rank + place(reference)])
      return sum
    }
  })
  const spread = spreadOver(all.length, confidence)
  return Object.freeze(
    covariates.coefficients.map(({ class: k, term }) => {
      const p = design.terms.findIndex(({ name }) => name === term)
      return Object.freeze({ class: k, term, ...spread(r => all[r](k - 1, p)) })
    }),
  )
}

/** How often a replicate fits worse than the data. */
const testsOf = (
  basis: ExplainedFit['basis'],
  results: readonly ReplicateResult[],
  given: Pick<ReturnType<typeof givenModel>, 'given' | 'variables'>,
): Pick<Bootstrap, 'gSquared' | 'chiSquared' | 'cressieRead' | 'pairs'> => {
  const none = { gSquared: undefined, chiSquared: undefined, cressieRead: undefined }
  const misfits = results.flatMap(({ misfit }) => misfit ?? [])
  if (misfits.length === 0) return { ...none, pairs: [] }
  const statistic = givenGSquared(basis.data.tensor, basis.logLikelihood, given)
  const pairs = explainedPairs(basis).map((pair, at) => {
    const { pValue, interval } = monteCarloTest(pair.chiSquared, misfits.map(each => each.pairs[at])) // biome-ignore format: one call
    return Object.freeze({ ...pair, pValue, interval })
  })
  return {
    ...none,
    gSquared: statistic === undefined ? undefined : monteCarloTest(statistic, misfits.map(each => each.gSquared!)), // biome-ignore format: one call
    pairs: Object.freeze(pairs.sort(largestFirst)),
  }
}
