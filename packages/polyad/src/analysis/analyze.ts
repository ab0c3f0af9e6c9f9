import {
  type Bootstrap,
  bootstrap,
  type Evaluation,
  evaluate,
  type Session,
  type StandardErrors,
  standardErrors,
  type Tensor,
} from '@polyad/core'
import { answeredBy, hasCells, linkedSums } from '@polyad/core/model'
import { BOOTSTRAP_OPTIONS, defined } from '@polyad/core/options'
import {
  attempt,
  checkReplicates,
  type DesignTest,
  evaluateLikelihood,
  type LinkedData,
  type ModelData,
  oneClass,
  orStopped,
  placeUpdate,
  replicateErrors,
  replicateScales,
  residualsWithin,
  unknownEvaluation,
} from '@polyad/core/stats'
import { type FitFigures, fitFigures } from '../report/figures/fit-figures.ts'
import { notComputedText } from '../report/figures/not-computed.ts'
import { SCANNED } from '../report/figures/statistics.ts'
import type { ResidualFigures } from '../report/text/residuals-text.ts'
import { type Fitted, fitStructure } from './fit-structure.ts'
import { type Prepared, testOfSample } from './prepare.ts'
import type { AnalysisHooks, AnalysisRequest } from './request.ts'

/** A fit with everything that was asked of it: the one record that the terminal, `--json`, reports and the studio are made from. */
export interface Analysis extends Fitted {
  readonly figures: FitFigures
  readonly evaluation: Evaluation
  /** G² and X² with the correction for the design of the sample. */
  readonly designTest?: DesignTest | undefined
  readonly errors?: StandardErrors | undefined
  readonly bootstrap?: Bootstrap | undefined
  readonly residuals?: ResidualFigures | undefined
  /** The variables that residuals are of, if they are not the modes of the model. */
  readonly variables?: readonly string[] | undefined
  /** How much of every class has an answer in each mode, if something is missing: kept with the model, for updates. */
  readonly answered?: readonly (readonly number[])[] | undefined
  /** Of persons over time and of groups: how much of the data each entry of the tables has, for an update. */
  readonly counts?: readonly number[] | undefined
  /** Notes of the fit, and statistics that could not be computed, with the reason. */
  readonly warnings: readonly string[]
  /** The figures that are wanted and still missing, by their names in `--json`: those that a signal has ended the work before. */
  readonly notComputed: readonly string[]
}

/** The fit before its statistics are computed. */
export type FittedFirst = Fitted & { readonly seconds: number }

/**
 * Fits a model and computes the requested statistics. The fit is handed to `onFitted` as soon as it is there; a statistic that fails is a warning, and
 * leaves the rest as it is. If the engine failed, there are no statistics: `failure` has the reason.
 */
export const analyze = (
  prepared: Prepared,
  request: AnalysisRequest,
  hooks: AnalysisHooks & {
    readonly onFitted?: (fitted: FittedFirst) => void | Promise<void>
    /** Receives all that is known after every step: the answer, if the rest is not waited for. */
    readonly onFound?: ((found: Analysis) => void) | undefined
  } = {},
): Promise<Analysis> => {
  const { signal, onProgress, onFitted, onFound, engine, checkpoint } = hooks
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
    ...defined({ signal, onProgress, engine, checkpoint }),
  }
  return fitStructure(prepared, request, running, async (fitted, data) => {
    const seconds = (performance.now() - began) / 1000
    const alone = isPlain(fitted) ? oneClass(fitted.tensor) : undefined
    await onFitted?.({ ...fitted, seconds })
    const warnings = [...fitted.result.notes]
    const assembled = (found: Statistics): Analysis => {
      const known = { ...found.evaluation, designTest: found.designTest, oneClass: alone }
      const figures = fitFigures(fitted.tensor, fitted.result, seconds, known, hooks.naming)
      return Object.freeze({ ...fitted, ...found, figures, warnings: Object.freeze([...warnings]) })
    }
    const tell = onFound && ((found: Statistics) => onFound(assembled(found)))
    return assembled(await statisticsOf(fitted, data, prepared, request, { ...hooks, later, tell }, warnings))
  }).finally(release)
}

/** Whether a model has nothing besides its classes. */
const isPlain = ({ statistics, constraints, result }: Fitted): boolean =>
  statistics === undefined && constraints === undefined && result.model.items.every(item => item === undefined)

/** The data of a model that has nothing besides its classes but the logit of their membership. */
const withLogitAlone = ({ data, parts = [], sections }: Fitted): Fitted['data'] =>
  data?.known === undefined && parts.length === 0 && sections.constraints === undefined ? data : undefined

/** What is computed of a model besides itself. */
type Statistics = Pick<
  Analysis,
  | 'evaluation'
  | 'designTest'
  | 'errors'
  | 'bootstrap'
  | 'residuals'
  | 'variables'
  | 'answered'
  | 'counts'
  | 'notComputed'
>

/** What a scan of the cells tells beyond the likelihood. */
const MEASURED = SCANNED.map(({ key }) => key)

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
  fitted: Fitted,
  data: Tensor | Session,
  prepared: Prepared,
  request: AnalysisRequest,
  hooks: AnalysisHooks & {
    readonly later: AbortSignal | undefined
    readonly tell: ((found: Statistics) => void) | undefined
  },
  warnings: string[],
): Promise<Statistics> => {
  const { tensor, result, failure, constraints, statistics } = fitted
  const { model } = result
  const { sample } = prepared
  const trying = <T>(what: string, work: () => T | Promise<T>) => attempt(what, warnings, work, hooks.naming)
  const { later } = hooks
  const within = later === undefined ? {} : { signal: later }
  const unknown = () =>
    (later?.aborted ? evaluateLikelihood : unknownEvaluation)(tensor, model, result.logLikelihood, constraints)
  if (failure !== undefined) return { evaluation: unknown(), notComputed: [] }
  const left = new Set([
    ...(statistics === undefined ? MEASURED : []),
    ...(request.errors === undefined ? [] : ['standardErrors']),
    ...(request.bootstrap === undefined ? [] : ['bootstrap']),
    ...(request.residuals === undefined || !hasCells(tensor) ? [] : ['residuals']),
  ])
  const first = hooks.tell === undefined ? unknownEvaluation : evaluateLikelihood
  let found: Statistics = {
    evaluation: statistics?.evaluation ?? first(tensor, model, result.logLikelihood, constraints),
    notComputed: [...left],
  }
  /** Adds what a step has found. A figure that it has not found is missing only if the work was stopped. */
  const add = (more: Partial<Statistics>, names: readonly string[], isFound: boolean) => {
    if (isFound || hooks.signal?.aborted !== true) for (const name of names) left.delete(name)
    found = { ...found, ...more, notComputed: [...left] }
    hooks.tell?.(found)
  }
  hooks.tell?.(found)
  if (statistics === undefined) {
    const measured = await trying('goodness of fit and criteria', async () => {
      const options = { ...defined({ constraints }), ...within }
      const measured = await orStopped(evaluate(data, model, options))
      if (measured === undefined) warnings.push(`${notComputedText(MEASURED)} left out: the run was stopped first`)
      return measured
    })
    // After the pass a signal leaves out what needs another look at the cells.
    const late = later?.aborted === true && measured?.chiSquared !== undefined
    const lacks = late ? SCANNED.filter(({ key, scan }) => scan === 'cells' && measured[key] === undefined) : []
    if (lacks.length > 0 && hasCells(tensor))
      warnings.push(`${lacks.map(({ name }) => name).join(', ')} left out: there was not enough time`)
    const names = MEASURED.filter(name => lacks.every(({ key }) => key !== name))
    add({ evaluation: measured ?? unknown() }, names, measured !== undefined)
  }
  // Classes that covariates explain, or that have groups, have no table of their own.
  if (statistics === undefined && tensor === prepared.tensor) {
    const designTest = await trying('the test of fit under the design', () =>
      testOfSample(prepared, model, found.evaluation),
    )
    add({ designTest }, [], true)
  }
  const wanted = request.errors
  if (wanted !== undefined) {
    const errors =
      statistics?.errors ??
      (await trying('standard errors', () =>
        prepared.replicates !== undefined && request.replicates !== undefined
          ? errorsByReplicates(prepared.replicates, data, result, constraints, request, request.replicates, hooks)
          : standardErrors(sample.data ?? data, model, {
              ...wanted,
              ...sample.options,
              ...(constraints && { constraints }),
              ...within,
            }),
      ))
    add({ errors }, ['standardErrors'], errors !== undefined)
  }
  if (request.bootstrap !== undefined) {
    const drawn = await trying('the bootstrap', () =>
      replicatesOf(
        fitted.linked ?? fitted.data ?? (tensor as Tensor),
        prepared,
        result,
        constraints,
        request,
        hooks,
        warnings,
      ),
    )
    add({ bootstrap: drawn }, ['bootstrap'], drawn !== undefined)
  }
  const { residuals: limit } = request
  if (limit !== undefined && hasCells(tensor)) {
    const misfits = await trying('residuals', () =>
      residualsWithin(fitted.data ?? tensor, model, { limit, signal: later }),
    )
    const tested = found.bootstrap?.kind === 'parametric' ? found.bootstrap.pairs : []
    const residuals = misfits && { cells: misfits.cells, pairs: withTests(misfits.pairs, tested) }
    add({ residuals, variables: misfits?.variables }, ['residuals'], misfits !== undefined)
  }
  const { linked } = fitted
  if (linked !== undefined) {
    const sums = await trying('what an update needs', () => linkedSums(placeUpdate(linked, model), model))
    add({ ...sums }, [], sums !== undefined)
  }
  const updatable = isPlain(fitted) ? data : withLogitAlone(fitted)
  if (updatable !== undefined && tensor.missing.includes(true)) {
    const answered = await trying('what an update needs', () => answeredBy(updatable, model, threadsOf(request)))
    add({ answered }, [], true)
  }
  return found
}

/** The pairs with the tests that replicates gave: there is none of pairs with a number. */
const withTests = (pairs: ResidualFigures['pairs'], tested: ResidualFigures['pairs']): ResidualFigures['pairs'] =>
  pairs.map(pair => tested.find(({ modes: [a, b] }) => a === pair.modes[0] && b === pair.modes[1]) ?? pair)

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
    seed,
    algorithm,
    pseudoCounts,
    constraints,
    signal,
    onReplicate,
    checkpoint,
    confidence: errors?.confidence,
    smoothing: smoothing?.width ?? rest.smoothing,
  }
  return replicateErrors(data, model, { ...defined(given), ...made, replicates })
}

const replicatesOf = async (
  data: Tensor | ModelData | LinkedData,
  { sample, rowWeights }: Prepared,
  { model, smoothing }: Fitted['result'],
  constraints: Fitted['constraints'],
  { bootstrap: wanted, fit: { seed, algorithm, threads, pseudoCounts, ...rest } = {} }: AnalysisRequest,
  { signal, onReplicate, checkpoint }: AnalysisHooks,
  warnings: string[],
): Promise<Bootstrap | undefined> => {
  if (wanted === undefined) return undefined
  if (signal?.aborted) {
    warnings.push('no bootstrap replicate was drawn: the run was stopped first')
    return undefined
  }
  const given = {
    seed,
    algorithm,
    threads,
    pseudoCounts,
    constraints,
    signal,
    onReplicate,
    checkpoint,
    smoothing: smoothing?.width ?? rest.smoothing,
  }
  const { design } = sample.options
  const isPlaced = 'design' in data
  return bootstrap(isPlaced || design === undefined ? data : sample.data!, model, {
    ...defined(given),
    ...wanted,
    ...defined({ design }),
    ...(rowWeights !== undefined && !isPlaced && { rowWeights }),
  })
}
