import { orStopped } from '../../errors.ts'
import { openSession } from '../../fit/fit.ts'
import type { FitOptions } from '../../fit/fit-options.ts'
import type { FitResult } from '../../fit/fit-session.ts'
import { lossOffset } from '../../model/loss.ts'
import { Model } from '../../model/model.ts'
import { componentsOf } from '../../model/parameters.ts'
import type { PlatformSignal } from '../../platform-types.ts'
import { withoutModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { StandardErrorKind } from '../errors/sandwich.ts'
import { errorsOf, type StandardErrors, withoutErrors } from '../errors/standard-errors.ts'
import { freeParameters } from '../identification/free-parameters.ts'
import { criteria } from '../judge/criteria.ts'
import type { Evaluation } from '../judge/evaluate.ts'
import { certaintyOf } from '../judge/goodness.ts'
import { type CovariateEffects, effectsOf } from './covariate-effects.ts'
import { type CovariateErrors, covariateErrors, type DrawnRows } from './covariate-errors.ts'
import type { UnitOptions } from './covariate-units.ts'
import type { KnownClasses } from './known-classes.ts'
import type { SplitPart } from './split-modes.ts'
import type { FoundModel } from './structured-search.ts'

/** A fit whose class membership is explained. Its model is of the answers, and its shares are the mean memberships. */
export interface ExplainedFit extends Omit<FitResult, 'divergence' | 'logProbability' | 'smoothing'> {
  readonly covariates: CovariateEffects
  /** Of the mean memberships and of the answers' probabilities, by the scores of all parameters together. */
  readonly standardErrors: StandardErrors
  readonly evaluation: Omit<Evaluation, 'divergence' | 'logProbability'>
  /** The fit without covariates, from which this one began; undefined if it began at another model. */
  readonly plain: FitResult | undefined
  /** The answers that were fitted, in the modes of the model. */
  readonly items: Tensor
  /** The modes of the model that are parts of a variable, whose probabilities depend on columns. */
  readonly parts: readonly SplitPart[]
  /** The classes that are known for some rows, and how many rows that is; their names are those of the classes. */
  readonly known?: Pick<KnownClasses, 'name' | 'labels' | 'totals'>
  /** The data and the model as they were fitted, for residuals and replicates. */
  readonly basis: FoundModel
}

/** What is wanted of a fit once it is found. */
export interface Wanted {
  /** Counted from 0. */
  readonly reference: number
  readonly confidence: number
  readonly kind: StandardErrorKind
  readonly drawn: DrawnRows | undefined
  readonly shown: UnitOptions
  readonly signal: PlatformSignal | undefined
  readonly engine: FitOptions['engine']
  readonly threads: FitOptions['threads']
}

/** Why intervals near 0 or 1 are not by the profile of the likelihood. */
const NO_REFITS = {
  explained: 'fits with covariates are not profiled',
  other: 'fits with known classes or a sampling design are not profiled',
}

/** What is said of a model that was found. The mode of known classes is no part of it. */
export const structuredResult = async (
  found: FoundModel,
  { reference, confidence, kind, drawn, shown, signal, engine, threads }: Wanted,
): Promise<ExplainedFit> => {
  const { data, ordered, record, plain } = found
  const { constraints } = data.structure
  const memberships = ordered.memberships(data.design)
  const errors = await covariateErrors(data.tensor, ordered.parameters, {
    ...{ design: data.design, memberships, reference, kind, constraints, drawn, signal },
  })
  const known = typeof errors === 'string' ? undefined : errors
  const evaluation = await evaluateStructured(found, memberships, engine, threads, signal)
  const answers = data.known === undefined ? data.items : withoutModes(data.items, [data.known.name])
  const parameters = { ...ordered.parameters, factors: ordered.parameters.factors.slice(0, answers.modes.length) }
  const model = new Model(answers.modes, componentsOf(parameters, answers.total), data.known?.labels.map(String))
  const setting = { kind, confidence }
  const own = constraints && {
    fixed: constraints.fixed.filter(({ mode }) => mode < answers.modes.length),
    tied: constraints.tied,
  }
  const free = freeParameters(model.parameters, undefined, undefined, own)
  return Object.freeze({
    model,
    standardErrors:
      typeof errors === 'string'
        ? withoutErrors(model, free, setting, errors)
        : {
            ...errorsOf(
              model,
              free,
              setting,
              { ...leading(errors, free.values.length), shortfall: undefined },
              NO_REFITS[data.design.terms.length > 1 ? 'explained' : 'other'],
            ),
            free: errors.free,
          },
    ...record,
    logLikelihood: evaluation.logLikelihood,
    covariates: effectsOf(data, ordered, known, reference, confidence, shown),
    evaluation,
    plain,
    items: answers,
    parts: data.parts,
    basis: found,
    ...(data.known !== undefined && { known: describedClasses(data.known) }),
  })
}

const describedClasses = ({ name, labels, totals }: KnownClasses): NonNullable<ExplainedFit['known']> =>
  Object.freeze({ name, labels, totals })

/** The covariance of the first parameters: those of known classes come last, and are none. */
const leading = ({ covariance, sample }: CovariateErrors, count: number) => {
  const size = Math.sqrt(covariance.length)
  const corner = (matrix: Float64Array) =>
    size === count
      ? matrix
      : Float64Array.from({ length: count * count }, (_, i) => matrix[Math.floor(i / count) * size + (i % count)])
  return { covariance: corner(covariance), sample: sample && { ...sample, simple: corner(sample.simple) } }
}

/** What is said of a fit with covariates; the table of counts has no distribution here, and so no G² and X². */
const evaluateStructured = async (
  { data: { tensor: data }, ordered: { parameters }, identification, logLikelihood }: FoundModel,
  memberships: Float64Array,
  engine: Wanted['engine'],
  threads: Wanted['threads'],
  signal: Wanted['signal'],
): Promise<ExplainedFit['evaluation']> => {
  const { rank, factors } = parameters
  const measuring = async () => {
    const session = await openSession(data, engine, threads, signal)
    const model = { rank, shares: new Float64Array(rank).fill(1), factors: [...factors, memberships] }
    return session.measure(model, signal).finally(() => session.close())
  }
  // Of a fit that was stopped, what takes long is left out: how certain the classification is.
  const measures = (await orStopped(measuring())) ?? {
    ...{ logLikelihood, sumYYOverP: Number.NaN, entropy: Number.NaN },
    assigned: new Float64Array(rank * rank).fill(Number.NaN),
  }
  const certainty = certaintyOf(measures, data.total, rank)
  return Object.freeze({
    loss: lossOffset(data.total) - measures.logLikelihood,
    logLikelihood: measures.logLikelihood,
    ...criteria(measures.logLikelihood, identification.rank, data.total, certainty.entropy),
    parameters: identification.parameters,
    degreesOfFreedom: identification.degreesOfFreedom,
    identification,
    gSquared: undefined,
    chiSquared: undefined,
    cressieRead: undefined,
    pValue: undefined,
    sparse: true,
    ...certainty,
    smallestClass: Math.min(...parameters.shares),
  })
}
