import {
  type Bootstrap,
  bootstrap,
  type CovariateFit,
  evaluate,
  OptionError,
  type Session,
  type StandardErrors,
  standardErrors,
  type Tensor,
} from '@polyad/core'
import { answeredBy, hasCells } from '@polyad/core/model'
import { BOOTSTRAP_OPTIONS } from '@polyad/core/options'
import {
  attempt,
  checkReplicates,
  type DesignTest,
  type ExplainedBootstrap,
  evaluateLikelihood,
  explainedBootstrap,
  explainedResiduals,
  orStopped,
  replicateErrors,
  replicateScales,
  residualsWithin,
  unknownEvaluation,
} from '@polyad/core/stats'
import { type FitFigures, fitFigures } from '../report/fit-figures.ts'
import type { ResidualFigures } from '../report/residuals-text.ts'
import { type Fitted, fitStructure } from './fit-structure.ts'
import { type Prepared, testOfSample } from './prepare.ts'
import type { AnalysisHooks, AnalysisRequest } from './request.ts'

/** A fit with everything that was asked of it: the one record that the terminal, `--json`, reports and the studio are made from. */
export interface Analysis extends Fitted {
  readonly figures: FitFigures
  readonly evaluation: CovariateFit['evaluation']
  /** G² and X² with the correction for the design of the sample. */
  readonly designTest?: DesignTest | undefined
  readonly errors?: StandardErrors | undefined
  readonly bootstrap?: Bootstrap | ExplainedBootstrap | undefined
  readonly residuals?: ResidualFigures | undefined
  /** The variables that residuals are of, if they are not the modes of the model. */
  readonly variables?: readonly string[] | undefined
  /** How much of every class has an answer in each mode, if something is missing: kept with the model, for updates. */
  readonly answered?: readonly (readonly number[])[] | undefined
  /** Notes of the fit, and statistics that could not be computed, with the reason. */
  readonly warnings: readonly string[]
}

/** What is known once the fit has ended, before any statistic is computed. */
export type FittedFirst = Fitted & { readonly seconds: number }

/**
 * Fits a model and computes what is wanted of it. The fit is handed to `onFitted` as soon as it is there; a statistic that fails is a
 * warning, and leaves the rest as it is. If the engine failed, there are no statistics: `failure` has the reason.
 */
export const analyze = (
  prepared: Prepared,
  request: AnalysisRequest,
  hooks: AnalysisHooks & { readonly onFitted?: (fitted: FittedFirst) => void | Promise<void> } = {},
): Promise<Analysis> => {
  const { signal, onProgress, onFitted, engine, checkpoint } = hooks
  const { replicates: made } = request
  // What cannot be used is refused before the fit.
  if (prepared.replicates !== undefined && made !== undefined)
    replicateScales(made.kind, prepared.replicates.length, made.fay, made.scales)
  const { bootstrap: drawn, structure: { covariates } = {} } = request
  if (drawn !== undefined && covariates === undefined)
    checkReplicates(prepared.tensor, request.rank, drawn.replicates ?? BOOTSTRAP_OPTIONS.replicates.default)
  const began = performance.now()
  const { signal: later, release } = delayed(signal, GRACE)
  const running = {
    ...(signal !== undefined && { signal }),
    ...(onProgress !== undefined && { onProgress }),
    ...(engine !== undefined && { engine }),
    ...(checkpoint !== undefined && { checkpoint }),
  }
  return fitStructure(prepared, request, running, async (fitted, data) => {
    const seconds = (performance.now() - began) / 1000
    await onFitted?.({ ...fitted, seconds })
    const warnings = [...fitted.result.notes]
    const found = await statisticsOf(fitted, data, prepared, request, { ...hooks, later }, warnings)
    const figures = fitFigures(
      fitted.tensor,
      fitted.result,
      seconds,
      { ...found.evaluation, designTest: found.designTest },
      hooks.naming,
    )
    return Object.freeze({ ...fitted, ...found, figures, warnings: Object.freeze(warnings) })
  }).finally(release)
}

const UNMEASURED = 'X², Cressie–Read and the certainty of the classes left out: the run was stopped first'

/** What is quick is still computed if the fit is stopped: until so many milliseconds after that. */
const GRACE = 400

/** A signal that fires some time after another. */
const delayed = (signal: AbortSignal | undefined, milliseconds: number) => {
  if (signal === undefined) return { signal: undefined, release: () => {} }
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    timer = setTimeout(() => controller.abort(signal.reason), milliseconds)
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  const release = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', begin)
  }
  return { signal: controller.signal, release }
}

const statisticsOf = async (
  { tensor, result, failure, constraints, known, structured }: Fitted,
  data: Tensor | Session,
  prepared: Prepared,
  request: AnalysisRequest,
  hooks: AnalysisHooks & { readonly later: AbortSignal | undefined },
  warnings: string[],
): Promise<
  Pick<Analysis, 'evaluation' | 'designTest' | 'errors' | 'bootstrap' | 'residuals' | 'variables' | 'answered'>
> => {
  const { model } = result
  const { sample } = prepared
  const trying = <T>(what: string, work: () => T | Promise<T>) => attempt(what, warnings, work, hooks.naming)
  const { later } = hooks
  const within = later === undefined ? {} : { signal: later }
  const unknown = () =>
    (later?.aborted ? evaluateLikelihood : unknownEvaluation)(tensor, model, result.logLikelihood, constraints)
  if (failure !== undefined) return { evaluation: unknown() }
  const evaluation =
    known?.evaluation ??
    (await trying('goodness of fit and criteria', async () => {
      const options = { ...(constraints !== undefined && { constraints }), ...within }
      const found = await orStopped(evaluate(data, model, options))
      if (found === undefined) warnings.push(UNMEASURED)
      else if (later?.aborted && hasCells(tensor) && found.chiSquared !== undefined && found.cressieRead === undefined)
        warnings.push('Cressie–Read left out: there was not enough time')
      return found ?? unknown()
    })) ??
    unknown()
  // Classes that covariates explain, or that have groups, have no table of their own.
  const corrected =
    known === undefined && tensor === prepared.tensor
      ? await trying('the test of fit under the design', () => testOfSample(prepared, model, evaluation))
      : undefined
  const wanted = request.errors
  const errors =
    wanted === undefined
      ? undefined
      : (known?.errors ??
        (await trying('standard errors', () =>
          prepared.replicates !== undefined && request.replicates !== undefined
            ? errorsByReplicates(prepared.replicates, data, result, constraints, request, request.replicates, hooks)
            : standardErrors(sample.data ?? data, model, {
                ...wanted,
                ...sample.options,
                ...(constraints && { constraints }),
                ...within,
              }),
        )))
  const drawn = await trying('the bootstrap', () =>
    replicatesOf(tensor as Tensor, prepared, result, structured, constraints, request, hooks, warnings),
  )
  const { residuals: limit } = request
  const left =
    limit === undefined || !hasCells(tensor)
      ? undefined
      : await trying('residuals', async () => {
          const { variables, cells, pairs } =
            structured === undefined
              ? { variables: undefined, ...(await residualsWithin(tensor, model, { limit, signal: later })) }
              : explainedResiduals(structured, { limit })
          const tested = drawn?.kind === 'parametric' ? drawn.pairs : undefined
          return { variables, cells, pairs: tested ?? pairs }
        })
  const { variables, ...figures } = left ?? {}
  const plain = structured === undefined && known === undefined && constraints === undefined
  const answered =
    plain && tensor.missing.includes(true)
      ? await trying('what an update needs', () => answeredBy(data, model, threadsOf(request)))
      : undefined
  return {
    ...{ evaluation, designTest: corrected, errors, bootstrap: drawn, variables, answered },
    residuals: left === undefined ? undefined : (figures as ResidualFigures),
  }
}

const threadsOf = ({ fit: { threads } = {} }: AnalysisRequest) => (threads === undefined ? {} : { threads })

/** The model is fitted again, as it was, to every replicate of its data. */
const errorsByReplicates = (
  replicates: readonly Float64Array[],
  data: Tensor | Session,
  { model, smoothing }: Fitted['result'],
  constraints: Fitted['sections']['constraints'],
  { errors, fit: { seed, algorithm, pseudoCounts, ...rest } = {} }: AnalysisRequest,
  made: NonNullable<AnalysisRequest['replicates']>,
  { signal, onReplicate, checkpoint }: AnalysisHooks,
): Promise<StandardErrors> => {
  const given = {
    ...{ seed, algorithm, pseudoCounts, constraints, signal, onReplicate, checkpoint, confidence: errors?.confidence },
    smoothing: smoothing?.width ?? rest.smoothing,
  }
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return replicateErrors(data, model, { ...stated, ...made, replicates })
}

const replicatesOf = async (
  tensor: Tensor,
  { sample, rowWeights }: Prepared,
  { model, smoothing }: Fitted['result'],
  structured: Fitted['structured'],
  constraints: Fitted['constraints'],
  { bootstrap: wanted, fit: { seed, algorithm, threads, pseudoCounts, ...rest } = {} }: AnalysisRequest,
  { signal, onReplicate, checkpoint }: AnalysisHooks,
  warnings: string[],
): Promise<Bootstrap | ExplainedBootstrap | undefined> => {
  if (wanted === undefined) return undefined
  if (signal?.aborted) {
    warnings.push('no bootstrap replicate was drawn: the fit itself was stopped')
    return undefined
  }
  if (structured !== undefined) {
    const { squares, design } = sample.options
    if (squares !== undefined)
      throw new OptionError(
        'bootstrap',
        'cannot be combined with weights if covariates or groups explain the classes, unless there are clusters',
      )
    const running = { seed, threads, signal, onReplicate, checkpoint, design }
    const known = Object.fromEntries(Object.entries(running).filter(([, value]) => value !== undefined))
    return explainedBootstrap(structured, { ...known, ...wanted })
  }
  const given = {
    ...{ seed, algorithm, threads, pseudoCounts, constraints, signal, onReplicate, checkpoint },
    smoothing: smoothing?.width ?? rest.smoothing,
  }
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const { design } = sample.options
  return bootstrap(design === undefined ? tensor : sample.data!, model, {
    ...{ ...stated, ...wanted },
    ...(design !== undefined && { design }),
    ...(rowWeights !== undefined && { rowWeights }),
  })
}
