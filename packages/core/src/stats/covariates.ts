import type { Session } from '../engine/engine.ts'
import { OptionError } from '../errors.ts'
import type { CovariateRun } from '../fit/covariates/descent.ts'
import { type CovariateOptions, covariateData, type Design, type Term, termValues } from '../fit/covariates/design.ts'
import { logitOf } from '../fit/covariates/logit.ts'
import { searchCovariates } from '../fit/covariates/search-covariates.ts'
import { fitWith, withRunner } from '../fit/fit.ts'
import type { FitOptions } from '../fit/fit-options.ts'
import type { FitResult } from '../fit/fit-session.ts'
import { lossOffset } from '../model/loss.ts'
import { Model } from '../model/model.ts'
import { componentsOf, type Parameters } from '../model/parameters.ts'
import { exp } from '../numeric/exp.ts'
import { chiSquareTail } from '../numeric/special.ts'
import { knownOptions, optionsObject, wholeNumber } from '../options.ts'
import type { Label } from '../tensor/mode.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { covariateErrors } from './covariate-errors.ts'
import { criteria } from './criteria.ts'
import type { Evaluation } from './evaluate.ts'
import { certaintyOf } from './goodness.ts'
import { countParameters, identify } from './identification.ts'

type Shared = 'rank' | 'seed' | 'starts' | 'maxPasses' | 'maxStarts' | 'maxSeconds' | 'engine' | 'threads'

export interface CovariateFitOptions
  extends CovariateOptions,
    Pick<FitOptions, Shared | 'signal' | 'onProgress' | 'tolerance' | 'stationarity' | 'gain'> {
  /** The class that the others are held against: 1 is the largest, and the default. */
  readonly reference?: number
}

/** A coefficient of the logit of membership. */
export interface Coefficient {
  /** The class, counted from 1 as the reference is. */
  readonly class: number
  readonly term: string
  readonly estimate: number
  /** Undefined where the data does not determine the coefficient: as where no one with some label is in a class. */
  readonly standardError: number | undefined
  readonly z: number | undefined
  /** Two-sided. */
  readonly pValue: number | undefined
  /** What one more of the term multiplies the odds of the class against the reference by. */
  readonly oddsRatio: number
  /** Of the odds ratio, 95 %. */
  readonly interval: readonly [number, number] | undefined
}

/** How membership changes with a covariate, over the others as they were observed. */
export interface CovariateCurve {
  readonly covariate: string
  readonly points: readonly { readonly value: Label; readonly probabilities: readonly number[] }[]
}

export interface CovariateEffects {
  readonly reference: number
  readonly names: readonly string[]
  readonly terms: readonly Term[]
  /** For every class but the reference, every term. */
  readonly coefficients: readonly Coefficient[]
  readonly curves: readonly CovariateCurve[]
  /** How much of the data was left out, since a covariate is missing. */
  readonly dropped: number
}

/** A fit whose class membership is explained. Its model is of the answers, and its shares are the mean memberships. */
export interface CovariateFit extends Omit<FitResult, 'divergence' | 'logProbability' | 'smoothing'> {
  readonly covariates: CovariateEffects
  readonly evaluation: Omit<Evaluation, 'divergence' | 'logProbability'>
  /** The fit without covariates, from which this one began. */
  readonly plain: FitResult
  /** The answers that were fitted. */
  readonly items: Tensor
}

const OPTIONS: readonly (keyof CovariateFitOptions)[] = [
  ...(['covariates', 'categories', 'reference', 'rank', 'seed', 'starts', 'maxPasses', 'maxStarts'] as const),
  ...(['maxSeconds', 'engine', 'threads', 'signal', 'onProgress', 'tolerance', 'stationarity', 'gain'] as const),
]

/**
 * Fits latent classes and the multinomial logit of their membership in one step: the likelihood is that of the answers given the
 * covariates, which are modes of the tensor too. The search begins at the best fit without covariates and at random.
 * @example
 * const { covariates } = await fitCovariates(answers, { rank: 2, covariates: ['age'], starts: 2 })
 * covariates.coefficients.map(({ term }) => term) // ['intercept', 'age = 30+']
 */
export const fitCovariates = async (tensor: Tensor, options: CovariateFitOptions): Promise<CovariateFit> => {
  optionsObject('fitCovariates', options)
  knownOptions('fitCovariates', options, OPTIONS)
  const { covariates, categories, reference = 1, ...rest } = options
  const rank = wholeNumber('rank', rest.rank, 2)
  wholeNumber('reference', reference, 1, rank)
  const data = covariateData(tensor, { covariates, ...(categories !== undefined && { categories }) })
  if (data.items.modes.length < 2) throw new OptionError('covariates must leave at least two modes to be explained')
  const maxPasses = rest.maxPasses ?? plainPasses(data.items, rank)
  const plain = await withRunner(data.items, { ...rest, maxPasses }, fitWith)
  return withRunner(data.tensor, rest, async (runner, limited) => {
    const found = await searchCovariates(runner, data, plain.model.parameters, limited)
    const ordered = byShare(found.best, data.design.terms.length, reference - 1)
    const { best } = found
    const effects = effectsOf(data, ordered, reference - 1)
    const evaluation = await evaluateCovariates(runner.session, data.design, ordered)
    return Object.freeze({
      model: new Model(data.items.modes, componentsOf(ordered.parameters, data.items.total)),
      loss: best.loss,
      logLikelihood: evaluation.logLikelihood,
      objective: best.loss,
      trace: Object.freeze(best.trace),
      passes: best.passes,
      totalPasses: found.passes + plain.totalPasses,
      stationarity: best.stationarity,
      converged: best.reason === 'stationary',
      remaining: best.remaining,
      reason: best.reason,
      attempts: Object.freeze(found.attempts),
      optima: Object.freeze(found.optima),
      verdict: found.verdict,
      covariates: effects,
      evaluation,
      plain,
      items: data.items,
    })
  })
}

/**
 * The passes of the search without covariates, by the work (cells × modes × classes × passes): it is for a start among others, and
 * on large data a tenth of what a fit takes finds the same.
 */
const PLAIN = { work: 6e9, least: 400, most: 40_000 }

const plainPasses = ({ cells, shape }: Tensor, rank: number): number =>
  Math.min(PLAIN.most, Math.max(PLAIN.least, Math.floor(PLAIN.work / (cells * shape.length * rank))))

/** A model with its classes in descending size, and the coefficients of all of them, those of the reference zero. */
interface Ordered {
  readonly parameters: Parameters
  readonly coefficients: Float64Array
  readonly memberships: (design: Design) => Float64Array
}

const byShare = ({ parameters, coefficients }: CovariateRun, width: number, reference: number): Ordered => {
  const { rank, shares, factors } = parameters
  const order = Array.from({ length: rank }, (_, k) => k).sort((a, b) => shares[b] - shares[a] || a - b)
  const of = (k: number, p: number) => (k === 0 ? 0 : coefficients[(k - 1) * width + p])
  const against = (base: number) =>
    Float64Array.from(
      { length: rank * width },
      (_, i) => of(order[Math.floor(i / width)], i % width) - of(order[base], i % width),
    )
  return {
    parameters: {
      rank,
      shares: shares.map((_, k) => shares[order[k]]),
      factors: factors.map(factor => factor.map((_, i) => factor[i - (i % rank) + order[i % rank]])),
    },
    coefficients: against(reference),
    memberships: design => {
      const into = new Float64Array(design.patterns * rank)
      logitOf(design, rank).memberships(against(0).subarray(width), into)
      return into
    },
  }
}

/** An error this many times its estimate is none: the estimate runs off to infinity, and the likelihood no longer changes with it. */
const BEYOND = 1000

/** The normal quantile of intervals of 95 %. */
const QUANTILE = 1.959963984540054

const effectsOf = (
  { tensor, design, dropped }: ReturnType<typeof covariateData>,
  ordered: Ordered,
  reference: number,
): CovariateEffects => {
  const { parameters, coefficients } = ordered
  const width = design.terms.length
  const errors = covariateErrors(tensor, parameters, { design, memberships: ordered.memberships(design), reference })
  const list: Coefficient[] = []
  for (let k = 0; k < parameters.rank; k++) {
    if (k === reference) continue
    design.terms.forEach(({ name }, p) => {
      const estimate = coefficients[k * width + p]
      const error = errors?.[k * width + p]
      const standardError = error !== undefined && error <= BEYOND * (1 + Math.abs(estimate)) ? error : undefined
      const z = standardError === undefined ? undefined : estimate / standardError
      const end = (sign: number) => exp(estimate + sign * QUANTILE * (standardError ?? 0))
      list.push(
        Object.freeze({
          class: k + 1,
          term: name,
          estimate,
          standardError,
          z,
          pValue: z === undefined ? undefined : chiSquareTail(z * z, 1),
          oddsRatio: exp(estimate),
          interval: standardError === undefined ? undefined : Object.freeze([end(-1), end(1)] as const),
        }),
      )
    })
  }
  return Object.freeze({
    reference: reference + 1,
    names: Object.freeze(design.covariates.map(({ mode }) => mode.name)),
    terms: Object.freeze(design.terms),
    coefficients: Object.freeze(list),
    curves: Object.freeze(design.covariates.map((_, c) => curveOf(design, c, ordered))),
    dropped,
  })
}

/** A number with more values than the first is shown at the second many points from its least to its greatest. */
const CURVE = { values: 12, points: 9 }

const curveOf = (design: Design, c: number, ordered: Ordered): CovariateCurve => {
  const { mode, numeric } = design.covariates[c]
  const labels = Array.from({ length: mode.size }, (_, j) => mode.label(j))
  const [least, most] = [Number(labels[0]), Number(labels[labels.length - 1])]
  const values: Label[] =
    numeric && mode.size > CURVE.values
      ? Array.from({ length: CURVE.points }, (_, i) => least + ((most - least) * i) / (CURVE.points - 1))
      : labels
  const isOwn = ({ covariate }: { readonly covariate: string }) => covariate === mode.name
  const others = termValues(
    design.terms.map(({ name, factors }) => ({ name, factors: factors.filter(factor => !isOwn(factor)) })),
    design.covariates,
  )
  const total = design.weights.reduce((sum, weight) => sum + weight, 0)
  const points = values.map(value => {
    const own = design.terms.map(({ factors }) =>
      factors
        .filter(isOwn)
        .reduce((product, { label }) => product * (label === undefined ? Number(value) : label === value ? 1 : 0), 1),
    )
    const memberships = ordered.memberships({ ...design, values: timesOwn(others, own) })
    const rank = ordered.parameters.rank
    const sums = new Float64Array(rank)
    for (let z = 0; z < design.patterns; z++)
      for (let k = 0; k < rank; k++) sums[k] += design.weights[z] * memberships[z * rank + k]
    return Object.freeze({ value, probabilities: Object.freeze(Array.from(sums, sum => sum / total)) })
  })
  return Object.freeze({ covariate: mode.name, points: Object.freeze(points) })
}

const timesOwn = (others: Float64Array, own: readonly number[]): Float64Array => {
  const values = new Float64Array(others.length)
  for (let z = 0; z < others.length; z += own.length)
    for (let p = 0; p < own.length; p++) values[z + p] = others[z + p] * own[p]
  return values
}

/** What is said of a fit with covariates; the table of counts has no distribution here, and so no G² and X². */
const evaluateCovariates = async (
  session: Session,
  design: Design,
  ordered: Ordered,
): Promise<CovariateFit['evaluation']> => {
  const { parameters } = ordered
  const { rank } = parameters
  const { data } = session
  const measures = await session.measure({
    rank,
    shares: new Float64Array(rank).fill(1),
    factors: [...parameters.factors, ordered.memberships(design)],
  })
  const shape = data.shape.slice(0, -1)
  const answers = identify(shape, rank)
  const count = countParameters(shape, rank) + (rank - 1) * (design.terms.length - 1)
  const table = shape.reduce((product, size) => product * size, 1)
  const identified = answers.verdict === 'identified'
  const all = criteria(measures.logLikelihood, count, data.total)
  const degreesOfFreedom = design.patterns * (table - 1) - count
  return Object.freeze({
    loss: lossOffset(data.total) - measures.logLikelihood,
    logLikelihood: measures.logLikelihood,
    ...all,
    icl: all.bic + 2 * (Number.isNaN(measures.entropy) ? 0 : measures.entropy),
    parameters: count,
    degreesOfFreedom,
    // What answers alone cannot determine, covariates may.
    identification: Object.freeze({
      parameters: count,
      rank: count,
      degreesOfFreedom,
      verdict: identified ? ('identified' as const) : ('not checked' as const),
      method: identified ? answers.method : ('none' as const),
    }),
    gSquared: undefined,
    chiSquared: undefined,
    pValue: undefined,
    sparse: true,
    ...certaintyOf(measures, data.total, rank),
  })
}
