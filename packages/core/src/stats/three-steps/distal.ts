import { OptionError } from '../../errors.ts'
import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import { chiSquareQuantile, studentQuantile } from '../../numeric/special.ts'
import { congruence } from '../../numeric/symmetric.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import type { Label } from '../../tensor/mode.ts'
import { mention, words } from '../../wording.ts'
import { type WaldTest, waldTest } from '../errors/wald.ts'
import { type AssignedRows, assignedRows, type DistalData } from './assigned-rows.ts'
import {
  byWeights,
  categoriesByLikelihood,
  categoriesInClasses,
  numbersByLikelihood,
  type ThirdStep,
} from './distal-estimators.ts'
import { MEASUREMENTS, type Measurement } from './measurement-step.ts'
import { type Normality, normalityOf } from './normality.ts'
import { threeStepCovariance } from './three-steps.ts'

export type DistalMethod = 'bch' | 'ml' | 'none'

export const DISTAL_METHODS: readonly DistalMethod[] = ['bch', 'ml', 'none']

/** The source of the class sizes in a third step by 'ml'. */
export type ClassSizes = 'fixed' | 'estimated'

export interface DistalOptions {
  /**
   * 'bch': by weights, which assumes nothing of the outcome's distribution. 'ml': by the likelihood; of numbers, under normal
   * distributions. 'none': as if the most probable class were the true one, which is biased. Default: 'bch' for numbers, 'ml' for categories.
   */
  readonly method?: DistalMethod
  /**
   * With 'ml': 'fixed' keeps the class sizes of the first step, to which rows without an outcome belong too. 'estimated' estimates them again
   * from the rows with an outcome. Default 'fixed'.
   */
  readonly classSizes?: ClassSizes
  /** The confidence level of the intervals. Default 0.95. */
  readonly confidence?: number
  /** Of data with a model: 'estimated' (default), standard errors allow for the uncertainty of the model; 'known': they do not. */
  readonly measurement?: 'estimated' | 'known'
}

/** The options of `distalOutcome`. */
export const DISTAL_OPTIONS = {
  method: { check: is.oneOf(DISTAL_METHODS) },
  classSizes: { check: is.oneOf(['fixed', 'estimated']) },
  confidence: { check: is.proportion, default: 0.95 },
  measurement: { check: is.oneOf(MEASUREMENTS), default: 'estimated' },
} as const satisfies OptionTable<DistalOptions>

export interface DistalEstimate {
  readonly estimate: number
  /** Undefined where the estimate is at 0 or 1. */
  readonly standardError: number | undefined
  /** On the scale of logits for probabilities; undefined where there is no standard error, or a probability is not between 0 and 1. */
  readonly interval: readonly [low: number, high: number] | undefined
}

export interface DistalClass {
  /** The class, counted from 1. */
  readonly class: number
  /** Of the rows that have an outcome; by 'ml' with fixed class sizes, of all rows with an answer. */
  readonly share: number
  /** Of a number, with the standard deviation within the class (undefined where the weights make its square negative). */
  readonly mean?: DistalEstimate & { readonly deviation: number | undefined }
  /** Of a category, in the order of the labels. */
  readonly probabilities?: readonly (DistalEstimate & { readonly label: Label })[]
}

export interface DistalPair {
  /** The two classes, counted from 1. */
  readonly classes: readonly [number, number]
  /** The first minus the second: of the means of a number, else label by label. */
  readonly difference: number | readonly number[]
  readonly test: WaldTest | undefined
}

export interface DistalResult {
  readonly kind: 'number' | 'category'
  readonly method: DistalMethod
  /** With 'ml': whether the class sizes are those of the first step. */
  readonly classSizes?: ClassSizes
  readonly confidence: number
  /** Observations that have an outcome and an answer and count for something; and those without one of both, which are left out. */
  readonly rows: number
  readonly missing: number
  readonly classes: readonly DistalClass[]
  /** The test that no class differs from another; undefined if it is not possible, because probabilities at 0 or 1 differ. */
  readonly overall: WaldTest | undefined
  readonly pairs: readonly DistalPair[]
  /** P[assigned to s | class t], one list over s per class t: how far the assignment can be trusted. */
  readonly classification: readonly (readonly number[])[]
  /** How standard errors treat the model of the classes: as known, or as estimated from these rows or from others. */
  readonly measurement: Measurement
  /** Why the model is treated as known although it was estimated. */
  readonly measurementReason: string | undefined
  /** For rows that were drawn in clusters: how many there are; intervals and tests use clusters minus strata as degrees of freedom. */
  readonly design?: { readonly clusters: number; readonly strata: number; readonly degreesOfFreedom: number }
  /** Of a number by 'ml': whether it is normal within the classes, as that method assumes. */
  readonly normality?: Normality
}

/**
 * Three-step analysis of a distal outcome: classes are fitted without it, rows are assigned to their most probable class, and the comparison is corrected
 * for wrong assignments. Standard errors are robust (a sandwich over the rows). With a model and answers they allow for the uncertainty of all three steps;
 * with posteriors alone they treat the first two steps as known.
 * @example
 * const posteriors = [0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.2, 0.8, 0.1, 0.9, 0.3, 0.7]
 * const { classes, overall } = distalOutcome({ posteriors, classes: 2, outcome: [4, 5, 6, 2, 3, 1] })
 * classes.map(({ mean }) => mean?.estimate) // [6, 1]: of the assigned alone, 5 and 2
 */
export const distalOutcome = (data: DistalData, options: DistalOptions = {}): DistalResult => {
  const kind = data.labels === undefined ? 'number' : 'category'
  const given = checkedOptions('distalOutcome', DISTAL_OPTIONS, options)
  const { method = kind === 'number' ? 'bch' : 'ml', confidence } = given
  if (given.classSizes !== undefined && method !== 'ml')
    throw new OptionError('classSizes', words`needs ${mention('method', 'ml')}`, given.classSizes)
  const { classSizes = 'fixed' } = given
  const { rows, kept, missing } = assignedRows(data, given.measurement)
  const { classes, width } = rows
  const step = estimated(rows, stepOf(rows, method, kind, classSizes === 'fixed'))
  const { drawn } = rows
  const reach =
    drawn === undefined
      ? Math.sqrt(chiSquareQuantile(confidence, 1))
      : studentQuantile(confidence, drawn.degreesOfFreedom)
  const estimate = (at: number): DistalEstimate => estimateOf(step, at, reach, kind)
  const differences = (t: number, other: number) =>
    Array.from({ length: width }, (_, j) =>
      Array.from(step.estimates, (_, at) => (at === t * width + j ? 1 : at === other * width + j ? -1 : 0)),
    )
  const test = (contrasts: readonly (readonly number[])[]) =>
    waldTest(contrasts, step.estimates, step.covariance, drawn?.degreesOfFreedom)
  const order = Array.from({ length: classes }, (_, t) => t)
  const pairs = order.flatMap(t =>
    order.slice(t + 1).map((other): DistalPair => {
      const each = Array.from(
        { length: width },
        (_, j) => step.estimates[t * width + j] - step.estimates[other * width + j],
      )
      return {
        classes: [t + 1, other + 1],
        difference: kind === 'number' ? each[0] : each,
        test: test(differences(t, other)),
      }
    }),
  )
  return Object.freeze({
    kind,
    method,
    confidence,
    rows: kept,
    missing,
    ...(method === 'ml' && { classSizes }),
    classes: order.map((t): DistalClass => {
      const [from, variance] = [t * width, step.variances?.[t] ?? Number.NaN]
      const deviation = variance >= 0 ? Math.sqrt(variance) : undefined
      return {
        class: t + 1,
        share: step.shares[t],
        ...(data.labels === undefined
          ? { mean: { ...estimate(from), deviation } }
          : { probabilities: data.labels.map((label, j) => ({ label, ...estimate(from + j) })) }),
      }
    }),
    overall: classes === 1 ? undefined : test(order.slice(1).flatMap(t => differences(0, t))),
    pairs,
    measurement: typeof rows.measured === 'object' ? rows.measured.measurement : 'known',
    measurementReason: typeof rows.measured === 'string' ? rows.measured : undefined,
    ...(drawn !== undefined && {
      design: { clusters: drawn.clusters, strata: drawn.strata, degreesOfFreedom: drawn.degreesOfFreedom },
    }),
    classification: order.map(t => Array.from(rows.classification.subarray(t * classes, (t + 1) * classes))),
    ...(method === 'ml' && kind === 'number' && { normality: normalityOf(rows) }),
  })
}

const stepOf = (rows: AssignedRows, method: DistalMethod, kind: 'number' | 'category', fixed: boolean): ThirdStep => {
  if (method === 'ml' && kind === 'number') return numbersByLikelihood(rows, fixed)
  if (method === 'ml') return fixed ? categoriesInClasses(rows) : categoriesByLikelihood(rows)
  if (method === 'bch') return byWeights(rows)
  const { classes, classification } = rows
  const step = byWeights({ ...rows, classification: classification.map((_, i) => (i % (classes + 1) === 0 ? 1 : 0)) })
  // How often assignments are wrong is not used.
  const equations = () => {
    const own = step.equations()
    return { ...own, slopes: new Float64Array(own.slopes.length) }
  }
  return { ...step, equations }
}

/** Estimates with their covariance. */
interface Estimated {
  readonly estimates: Float64Array
  readonly covariance: Float64Array
  readonly shares: Float64Array
  readonly variances: Float64Array | undefined
}

const estimated = (rows: AssignedRows, { equations, map, ...step }: ThirdStep): Estimated => {
  const { position, measured, drawn } = rows
  const third = equations()
  const ofAll = {
    ...third,
    addScore: (row: number, into: Float64Array) => {
      if (position[row] >= 0) third.addScore(position[row], into)
    },
  }
  const first = typeof measured === 'string' ? undefined : measured
  const own = threeStepCovariance(rows.all, ofAll, first, drawn?.variance)
  const covariance = map === undefined ? own : congruence(map(), step.estimates.length, own, third.size)
  return { ...step, covariance }
}

const estimateOf = (
  { estimates, covariance }: Estimated,
  at: number,
  reach: number,
  kind: 'number' | 'category',
): DistalEstimate => intervalOf(estimates[at], Math.sqrt(covariance[at * estimates.length + at]), reach, kind)

/** An estimate with its standard error and interval: of a probability on the scale of logits. */
export const intervalOf = (
  estimate: number,
  error: number,
  reach: number,
  kind: 'number' | 'category',
): DistalEstimate => {
  if (kind === 'number')
    return { estimate, standardError: error, interval: [estimate - reach * error, estimate + reach * error] }
  if (!(error > 0)) return { estimate, standardError: undefined, interval: undefined }
  if (!(estimate > 0 && estimate < 1)) return { estimate, standardError: error, interval: undefined }
  const logit = log(estimate / (1 - estimate))
  const far = (reach * error) / (estimate * (1 - estimate))
  return { estimate, standardError: error, interval: [1 / (1 + exp(far - logit)), 1 / (1 + exp(-far - logit))] }
}
