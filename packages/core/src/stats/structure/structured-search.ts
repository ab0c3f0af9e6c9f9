import { openedCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import type { Explained } from '../../fit/descent/membership.ts'
import { fit, openSession } from '../../fit/fit.ts'
import { checkFitOptions, type FitOptions, usualPasses } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { TaskRunner } from '../../fit/search/task-runner.ts'
import { searchExplained } from '../../fit/search-explained.ts'
import { lossOffset } from '../../model/loss.ts'
import { Model } from '../../model/model.ts'
import { componentsOf } from '../../model/parameters.ts'
import { log } from '../../numeric/log.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type Identification, identifyStructured } from '../identification/identification.ts'
import { byShare, type Ordered } from './covariate-effects.ts'
import type { StructuredData } from './structured-data.ts'

/** How the search went: what a result says of it. */
export type SearchRecord = Pick<
  FitResult,
  | 'loss'
  | 'objective'
  | 'trace'
  | 'passes'
  | 'totalPasses'
  | 'stationarity'
  | 'converged'
  | 'estimatedGain'
  | 'reason'
  | 'stopped'
  | 'attempts'
  | 'optima'
  | 'verdict'
  | 'notes' // biome-ignore format: one list
>

/** The best model of a specification. */
export interface FoundModel {
  readonly data: StructuredData
  readonly ordered: Ordered
  /** The same as a start of other searches. */
  readonly start: Explained
  readonly logLikelihood: number
  readonly identification: Identification
  readonly record: SearchRecord
  /** The fit without covariates, from which the search began; undefined if it began elsewhere. */
  readonly plain: FitResult | undefined
}

export type StructuredSearchOptions = Omit<FitOptions, 'init' | 'maxSeconds' | 'constraints' | 'pseudoCounts' | 'smoothing' | 'algorithm'> // biome-ignore format: one type

/**
 * The passes of the search without covariates, by the work (cells × modes × classes × passes): it is for a start among others, and
 * on large data a tenth of what a fit takes finds the same.
 */
const PLAIN = { work: 6e9, least: 400, most: 40_000 }
/** And of the search itself, whose passes take several times as long, and whose first start is near its end: large data has two or three. */
const EXPLAINED = { work: 1e9, least: 100, most: 100_000 }

/** The logit of a class without members, instead of minus infinity. */
const LEAST_SHARE = 1e-12

/**
 * Finds the best model of structured data.
 * @param from where the search begins; without it, at the best fit without covariates
 * @param only whether that is the only start: classes then keep the numbers that they have there
 */
export const searchStructured = async (
  data: StructuredData,
  options: StructuredSearchOptions,
  { reference = 0, from, only = false }: { reference?: number; from?: Explained | undefined; only?: boolean } = {},
): Promise<FoundModel> => {
  const { rank, starts = 'auto', maxPasses, engine, threads } = options
  const wanted = {
    ...(data.pseudoCounts !== undefined && { pseudoCounts: data.pseudoCounts }),
    ...(data.constraints !== undefined && { constraints: data.constraints }),
  }
  const { task: answers } = checkFitOptions(data.items, { rank, ...wanted })
  const passes = (some: Tensor, limits: typeof PLAIN) => usualPasses(some, rank, starts, limits)
  const least = Math.min(maxPasses ?? Number.POSITIVE_INFINITY, passes(data.items, PLAIN))
  const explained = data.design.terms.length > 1
  const init = !explained && from !== undefined ? { init: new Model(data.items.modes, componentsOf(from, data.items.total)) } : {} // biome-ignore format: one choice
  const plain =
    explained && from !== undefined
      ? undefined
      : await fit(data.items, {
          ...options,
          ...wanted,
          ...init,
          ...(explained ? { maxPasses: least } : maxPasses !== undefined && { maxPasses }),
        })
  const named = answers.constraints?.named
  if (!explained) {
    const { model, ...record } = plain as FitResult
    const coefficients = model.parameters.shares.map(share => log(Math.max(share, LEAST_SHARE)))
    return foundModel(data, byShare({ ...model.parameters, coefficients }, reference, named), record, plain)
  }
  const session = await openSession(data.tensor, engine, threads, options.signal)
  const runner = await TaskRunner.of(session, openedCheckpoint(options.checkpoint))
  try {
    const left = maxPasses === undefined ? passes(data.tensor, EXPLAINED) : maxPasses - (plain?.totalPasses ?? 0)
    const found = await searchExplained(runner, data.design, from ?? (plain as FitResult).model.parameters, {
      ...options,
      ...(only && { starts: 1 }),
      maxPasses: Math.max(2, left),
      answers: { steps: answers.steps, ...(answers.constraints && { constraints: answers.constraints }) },
    })
    const { best } = found
    const record: SearchRecord = {
      loss: best.loss,
      objective: best.objective,
      trace: Object.freeze(best.trace),
      passes: best.passes,
      totalPasses: Math.round(found.cost) + (plain?.totalPasses ?? 0),
      stationarity: best.stationarity,
      converged: best.reason === 'stationary',
      estimatedGain: best.estimatedGain,
      reason: best.reason,
      stopped: options.signal?.aborted === true,
      attempts: Object.freeze(found.attempts),
      optima: Object.freeze(found.optima.describe()),
      verdict: found.verdict,
      notes: plain?.notes ?? [],
    }
    return foundModel(data, byShare(best.parameters, reference, named || only), record, plain)
  } finally {
    await runner.close()
    await session.close()
  }
}

const foundModel = (
  data: StructuredData,
  ordered: Ordered,
  record: SearchRecord,
  plain: FitResult | undefined,
): FoundModel => {
  const { parameters, coefficients } = ordered
  const { rank } = parameters
  const width = coefficients.length / rank
  return {
    ...{ data, ordered, plain, record },
    start: {
      ...parameters,
      coefficients: coefficients.map((_, i) => coefficients[(i % rank) * width + Math.floor(i / rank)]),
    },
    logLikelihood: lossOffset(data.tensor.total) - record.loss,
    identification: identifyStructured(data.items.shape, rank, data.structure),
  }
}

/**
 * A model as a start of one with more structure, of the same rows: terms that it has not got are zero, and parts of a variable begin with the
 * probabilities of the part, or of the variable, that they were.
 */
export const liftedStart = (found: FoundModel, to: StructuredData): Explained => {
  const { start, data: from } = found
  const { rank, factors, shares } = start
  const byName = new Map(from.items.modes.map(({ name }, n) => [name, factors[n]]))
  const part = (name: string) => to.parts.find(each => each.name === name)
  const source = (name: string): Float64Array => {
    const own = byName.get(name)
    if (own !== undefined) return own
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
    for (let k = 0; k < rank; k++) coefficients[p * rank + k] = start.coefficients![q * rank + k]
  })
  return { rank, shares, factors: to.items.modes.map(({ name }) => source(name).slice()), coefficients }
}
