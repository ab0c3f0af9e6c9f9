import { orStopped } from '../../errors.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import type { SplitPart } from '../../model/structures/structure.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { CovariateEffects } from '../errors/covariate-effects.ts'
import type { StandardErrors } from '../errors/error-results.ts'
import { type PlacedErrorOptions, placedErrors } from '../errors/placed-errors.ts'
import { evaluatePlaced, placedEvaluation } from '../fit-statistics/evaluate.ts'
import type { Evaluation } from '../fit-statistics/evaluation.ts'
import { unmeasured } from '../fit-statistics/goodness.ts'
import type { KnownClasses } from '../model-data/known-classes.ts'
import type { ModelData } from '../model-data/model-data.ts'
import type { CurrentSession } from './current-session.ts'
import { type PlacedFit, variablesIn } from './structured-search.ts'

/** The result of a structured fit, with its statistics. Its shares are mean memberships. */
export interface StructuredResult extends FitResult {
  readonly covariates: CovariateEffects
  /** Of the mean memberships and of the answers' probabilities, by the scores of all parameters together. */
  readonly standardErrors: StandardErrors
  readonly evaluation: Evaluation
  /** The fit without covariates, from which this one began; undefined if it began at another model. */
  readonly plain: FitResult | undefined
  /** The answers that were fitted, in the modes of the model. */
  readonly items: Tensor
  /** The modes of the model that are parts of a variable, whose probabilities depend on columns. */
  readonly parts: readonly SplitPart[]
  /** The classes that are known for some rows, and how many rows that is; their names are those of the classes. */
  readonly known?: Pick<KnownClasses, 'name' | 'labels' | 'totals'>
  /** The rows that were fitted, in the form of the model: what `evaluate`, `standardErrors`, `bootstrap` and `residuals` take besides the model. */
  readonly data: ModelData
}

/** @deprecated `StructuredResult`. */
export type ExplainedFit = StructuredResult

/** What is wanted of a fit once it is found. */
export interface Wanted extends PlacedErrorOptions {
  /** Where it was searched for. */
  readonly current: CurrentSession
}

/** The statistics of a fitted model. */
export const structuredResult = async (found: PlacedFit, { current, ...wanted }: Wanted): Promise<StructuredResult> => {
  const { data, plain, result } = found
  const { signal } = wanted
  const { model } = result
  const errors = await placedErrors(found, model, wanted)
  // If the fit was stopped, what takes long is left out: how certain the classification is.
  const evaluation =
    (await orStopped(evaluateOn(found, current, signal))) ??
    placedEvaluation(found, unmeasured(result.logLikelihood, model.rank), found.identification)
  return Object.freeze({
    ...result,
    logLikelihood: evaluation.logLikelihood,
    standardErrors: errors,
    evaluation,
    covariates: errors.covariates as CovariateEffects,
    plain,
    data,
    items: variablesIn(data),
    parts: data.parts,
    ...(data.known !== undefined && { known: describedClasses(data.known) }),
  })
}

const evaluateOn = async (
  found: PlacedFit,
  current: CurrentSession,
  signal: PlatformSignal | undefined,
): Promise<Evaluation> =>
  evaluatePlaced(found, {
    session: await current.on(found.data.tensor, signal),
    signal,
    identification: found.identification,
  })

const describedClasses = ({ name, labels, totals }: KnownClasses): NonNullable<StructuredResult['known']> =>
  Object.freeze({ name, labels, totals })
