import type { Session } from '../../engine/engine.ts'
import { OptionError, type StopSignal } from '../../errors.ts'
import { withCheckpoint } from '../../fit/checkpoint/with-checkpoint.ts'
import { pick } from '../../fit/closed-form/merge.ts'
import { mayReorder } from '../../fit/descent/constraints.ts'
import { withRunner } from '../../fit/fit.ts'
import { type FitOptions, fitOptionsOf } from '../../fit/fit-options.ts'
import { checkAligned } from '../../model/align.ts'
import type { Model } from '../../model/model.ts'
import { pairing } from '../../model/pairing.ts'
import type { Parameters } from '../../model/parameters.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { covarianceOf } from '../errors/covariance.ts'
import { errorsOf, type StandardErrors, withoutErrors } from '../errors/error-results.ts'
import { freeParameters } from '../identification/free-parameters.ts'
import { drawReplicates, type RefitOptions, type ReplicateProgress, refitOf } from './replicates.ts'

/** How replicate weights were made, which says what their squared deviations are multiplied by. */
export type ReplicateKind = 'brr' | 'fay' | 'jk1' | 'jkn' | 'bootstrap'

export const REPLICATE_KINDS: readonly ReplicateKind[] = ['brr', 'fay', 'jk1', 'jkn', 'bootstrap']

/** The options of the fit that gave the model (seed, algorithm, pseudoCounts, smoothing, constraints), and: */
export interface ReplicateErrorOptions
  extends RefitOptions,
    Pick<FitOptions, 'maxSeconds' | 'engine' | 'threads' | 'signal' | 'checkpoint'> {
  /** For every replicate the values of all cells, by its weights: zeros are allowed. */
  readonly replicates: readonly Float64Array[]
  /** 'brr': balanced half-samples. 'fay': the same with Fay's factor. 'jk1', 'jkn': the jackknife without strata, and within them. 'bootstrap'. */
  readonly kind: ReplicateKind
  /** Fay's factor, from 0 to below 1. Default 0.5. */
  readonly fay?: number
  /** What squared deviations are multiplied by, one number or one for every replicate, if that is not usual for the kind; 'jkn' needs it. */
  readonly scales?: number | readonly number[]
  /** The confidence level of the intervals. Default 0.95. */
  readonly confidence?: number
  /** Called with every replicate. */
  readonly onReplicate?: (progress: ReplicateProgress) => void
}

const FAY = is.number('a number from 0 to below 1', 0, 1, value => value >= 0 && value < 1)

/** The options of `replicateErrors`. */
export const REPLICATE_ERROR_OPTIONS = {
  ...fitOptionsOf('seed', 'algorithm', 'pseudoCounts', 'smoothing', 'constraints'),
  ...fitOptionsOf('maxSeconds', 'engine', 'threads', 'signal', 'checkpoint'),
  replicates: { check: is.thing('a list of Float64Array', value => Array.isArray(value)), required: true },
  kind: { check: is.oneOf(REPLICATE_KINDS), required: true },
  fay: { check: FAY, default: 0.5 },
  scales: { check: is.thing('a number or a list of numbers', value => ['number', 'object'].includes(typeof value)) },
  confidence: { check: is.proportion, default: 0.95 },
  onReplicate: { check: is.function },
} as const satisfies OptionTable<ReplicateErrorOptions>

/**
 * What the squared deviations of every replicate are multiplied by. Refuses factors that do not go with the kind or the number of replicates.
 * @example
 * replicateScales('jk1', 4)[0] // 0.75
 */
export const replicateScales = (
  kind: ReplicateKind,
  count: number,
  fay: number = REPLICATE_ERROR_OPTIONS.fay.default,
  given?: number | readonly number[],
): Float64Array => {
  if (given === undefined && kind === 'jkn')
    throw new OptionError('scales', 'must be given for jkn: (n − 1)/n of the stratum of every replicate, such as 0.5')
  const list = typeof given === 'object' ? given : undefined
  if (list !== undefined && list.length !== count)
    throw new OptionError('scales', `must be one number, or one for each of ${count} replicates`, list.length)
  const usual = {
    brr: 1 / count,
    fay: 1 / (count * (1 - fay) ** 2),
    jk1: (count - 1) / count,
    bootstrap: 1 / count,
    jkn: 1,
  }[kind]
  const scales = Float64Array.from({ length: count }, (_, r) => list?.[r] ?? (given as number | undefined) ?? usual)
  if (!scales.every(scale => scale >= 0 && scale < Number.POSITIVE_INFINITY))
    throw new OptionError('scales', 'must be numbers ≥ 0', given)
  return scales
}

/**
 * Standard errors of a model by replicate weights: it is fitted again to every replicate, from the estimate, and the squares of what its
 * parameters deviate from the estimate are added up with the factors of the kind. Intervals use Student's t with as many degrees of freedom as
 * replicates less 1.
 * @example
 * const replicates = [0, 1].map(r => answers.values.map((value, cell) => (cell % 2 === r ? 2 * value : 0)))
 * const errors = await replicateErrors(answers, principalComponent(answers), { replicates, kind: 'brr' })
 * errors.kind // 'replicates'
 */
export const replicateErrors = async (
  data: Tensor | Session,
  model: Model,
  options: ReplicateErrorOptions,
): Promise<StandardErrors> => {
  const given = checkedOptions('replicateErrors', REPLICATE_ERROR_OPTIONS, options)
  const { replicates, kind, fay, scales: asked, confidence, ...rest } = given
  const count = replicates.length
  if (count < 2) throw new OptionError('replicates', 'must be 2 or more', count)
  const scales = replicateScales(kind, count, fay, asked)
  return withCheckpoint('replicateErrors', { ...given, model }, opened =>
    withRunner(data, { ...rest, ...opened }, async (runner, { signal, onReplicate, ...refitting }) => {
      const { session } = runner
      const { cells } = session.data
      checkAligned(model, session.data.modes)
      const wrong = replicates.find(values => values.length !== cells)
      if (wrong !== undefined)
        throw new OptionError('replicates', `must have ${cells} numbers each, one per cell`, wrong.length)
      const refit = refitOf(runner, model, 0, refitting)
      const results = await drawReplicates(
        runner,
        { seed: refitting.seed ?? 1, fits: [refit], misfit: false },
        { replicates: count, signal, onReplicate, draw: (_, number) => replicates[number] },
      )
      const { constraints } = refit.setting
      const free = freeParameters(model.parameters, undefined, undefined, constraints)
      const found = { kind: 'replicates' as const, confidence }
      if (results.length < count)
        return withoutErrors(model, free, found, `stopped after ${results.length} of ${count} replicates`, true)
      const estimate = flat(model.parameters)
      const size = estimate.length
      const covariance = new Float64Array(size * size)
      results.forEach(({ fits: [{ parameters }] }, r) => {
        const order = pairing(model.parameters, parameters)
        const own = constraints === undefined || mayReorder(constraints, order) ? pick(parameters, order) : parameters
        const difference = flat(own).map((value, at) => value - estimate[at])
        for (let a = 0; a < size; a++) {
          const part = scales[r] * difference[a]
          if (part !== 0) for (let b = 0; b < size; b++) covariance[a * size + b] += part * difference[b]
        }
      })
      const simple = await simpleCovariance(session, model, size, signal)
      const sample = { clusters: undefined, strata: undefined, simple, replicates: { kind, count } }
      return errorsOf(
        model,
        free,
        found,
        { covariance, shortfall: undefined, sample },
        'replicate weights have no profile',
      )
    }),
  )
}

/** All parameters in one order: the shares, then every factor. */
const flat = ({ shares, factors }: Parameters): Float64Array =>
  Float64Array.from([shares, ...factors].flatMap(list => [...list]))

/** What the covariance would be if rows had been drawn one by one; zeros if it is not known. */
const simpleCovariance = async (
  session: Session,
  model: Model,
  size: number,
  signal: StopSignal | undefined,
): Promise<Float64Array> => {
  const none = undefined
  const drawn = { designIndex: none, squares: none, signal }
  const found = await covarianceOf(session, model, freeParameters(model.parameters), 'observed', drawn)
  return typeof found === 'string' ? new Float64Array(size * size) : found.covariance
}
