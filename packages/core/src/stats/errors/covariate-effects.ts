import type { CovariateData, CovariateDesign } from '../../fit/covariates/design.ts'
import { factorValue, namedCoefficients, termValues, unstandardize } from '../../fit/covariates/terms.ts'
import type { Term } from '../../model/structures/logit.ts'
import { exp } from '../../numeric/exp.ts'
import { chiSquareQuantile, chiSquareTail, studentQuantile, studentTail } from '../../numeric/special.ts'
import type { Label } from '../../tensor/mode.ts'
import type { PlacedParameters } from '../model-data/placed-model.ts'
import { degreesOf } from './covariance.ts'
import type { CovariateErrors } from './covariate-errors.ts'
import { type CovariateUnit, type UnitOptions, unitOfTerm, unitsOf } from './covariate-units.ts'
import { type CoefficientLimit, type Combination, determinedBy } from './infinite-coefficients.ts'
import { type WaldTest, waldTest } from './wald.ts'

/** A coefficient of the logit of membership. */
export interface Coefficient {
  /** The class, counted from 1 like the reference class (`posterior()` counts classes from 0). */
  readonly class: number
  readonly term: string
  readonly estimate: number
  /**
   * Where the coefficient is at the maximum of the likelihood, if that is known: infinite, for example, if nobody with some label is in a class.
   * If it is not 'finite', the estimate is where the search ended.
   */
  readonly limit: CoefficientLimit | undefined
  /** Undefined if the data does not determine the coefficient. */
  readonly standardError: number | undefined
  readonly z: number | undefined
  /** Two-sided. */
  readonly pValue: number | undefined
  /** The factor by which the odds of the class, against the reference class, change if the term grows by 1. */
  readonly oddsRatio: number
  /** Of the odds ratio. */
  readonly interval: readonly [number, number] | undefined
  /** The same per unit that reports show: per 10,000 of an income, or per standard deviation. */
  readonly shown: ShownEffect
}

/** An effect per unit of its term. */
export interface ShownEffect {
  /** 1 for the intercept and for categories. */
  readonly unit: number
  readonly estimate: number
  readonly standardError: number | undefined
  readonly oddsRatio: number
  readonly interval: readonly [number, number] | undefined
}

/** Mean class probabilities as a function of a covariate, averaged over the other covariates as observed. */
export interface CovariateCurve {
  readonly covariate: string
  /** Whether it entered as a number; labels of categories may be numbers too. */
  readonly numeric: boolean
  readonly points: readonly { readonly value: Label; readonly probabilities: readonly number[] }[]
}

/** Wald test of a covariate: all its terms are zero in every class. Infinite coefficients are replaced by their finite combinations. */
export interface CovariateTest {
  readonly covariate: string
  /** Undefined if the data determines none of these coefficients. */
  readonly test: WaldTest | undefined
  /** How many of these coefficients, or combinations of them, are infinite or not determined, and so not tested. */
  readonly untested: number
}

export interface CovariateEffects {
  readonly reference: number
  /** Of the intervals. */
  readonly confidence: number
  readonly names: readonly string[]
  readonly terms: readonly Term[]
  /** Of every covariate that enters as categories, the one that the others are compared with. */
  readonly referenceCategories: Readonly<Record<string, Label>>
  /** Of every covariate that enters as a number, the unit in which its effects are shown. */
  readonly units: readonly CovariateUnit[]
  /** For every class but the reference, every term. */
  readonly coefficients: readonly Coefficient[]
  readonly tests: readonly CovariateTest[]
  readonly curves: readonly CovariateCurve[]
  /** How much of the data was left out, since a covariate is missing. */
  readonly dropped: number
}

/**
 * An error this many times its estimate is none: the estimate runs off to infinity, and the likelihood no longer changes with it. Both are
 * of standardized terms, so that units do not matter.
 */
const BEYOND = 1000
/** Odds of e¹⁰ to 1 that the data does not determine are on their way to infinity. */
const RUN_OFF = 10

/** What a model says of its covariates. */
export const effectsOf = (
  { design, dropped }: CovariateData,
  ordered: PlacedParameters,
  errors: Pick<CovariateErrors, 'coefficients' | 'ofCoefficients' | 'flat' | 'sample'> | undefined,
  reference: number,
  confidence: number,
  shown: UnitOptions = {},
): CovariateEffects => {
  const units = unitsOf(design.covariates, shown)
  const degrees = errors?.sample === undefined ? undefined : degreesOf(errors.sample)
  const { parameters, coefficients } = ordered
  const width = design.terms.length
  /** Whether an error is one at all: of infinite coefficients none is. */
  const bounded = (i: number) => !((errors?.coefficients[i] ?? Number.NaN) > BEYOND * (1 + Math.abs(coefficients[i])))
  const determined = determinedBy(design, errors?.flat ?? [], ordered.memberships(design))
  const limitOf = (parts: Combination, estimate: number): CoefficientLimit | undefined => {
    if (errors === undefined) return undefined
    const limit = determined.limit(parts)
    if (limit !== 'finite' || parts.every(({ place }) => bounded(place))) return limit
    return Math.abs(estimate) < RUN_OFF ? 'undetermined' : estimate > 0 ? 'infinity' : '-infinity'
  }
  const named = unstandardize(design.terms, design.covariates)
  const estimates = namedCoefficients(design.terms, design.covariates, coefficients)
  const reach =
    degrees === undefined ? Math.sqrt(chiSquareQuantile(confidence, 1)) : studentQuantile(confidence, degrees)
  const list: Coefficient[] = []
  for (let k = 0; k < parameters.rank; k++) {
    if (k === reference) continue
    design.terms.forEach((term, p) => {
      const parts = design.terms.flatMap((_, q) =>
        named[p * width + q] === 0 ? [] : [{ times: named[p * width + q], place: k * width + q }],
      )
      const estimate = estimates[k][p]
      const limit = limitOf(parts, estimate)
      const standardError = limit === 'finite' ? errorOf(parts, errors!.ofCoefficients) : undefined
      const z = standardError === undefined ? undefined : estimate / standardError
      const per = (unit: number): ShownEffect => {
        const end = (sign: number) => exp(unit * (estimate + sign * reach * (standardError ?? 0)))
        return Object.freeze({
          unit,
          estimate: unit * estimate,
          standardError: standardError === undefined ? undefined : unit * standardError,
          oddsRatio: exp(unit * estimate),
          interval: standardError === undefined ? undefined : Object.freeze([end(-1), end(1)] as const),
        })
      }
      const { oddsRatio, interval } = per(1)
      list.push(
        Object.freeze({
          class: k + 1,
          term: term.name,
          estimate,
          limit,
          standardError,
          z,
          pValue:
            z === undefined ? undefined : degrees === undefined ? chiSquareTail(z * z, 1) : studentTail(z, degrees),
          oddsRatio,
          interval,
          shown: per(unitOfTerm(term, units)),
        }),
      )
    })
  }
  return Object.freeze({
    reference: reference + 1,
    confidence,
    names: Object.freeze(design.covariates.map(({ mode }) => mode.name)),
    terms: Object.freeze(design.terms),
    referenceCategories: Object.freeze(
      Object.fromEntries(
        design.covariates.flatMap(({ mode, numeric, reference: own }) =>
          numeric ? [] : [[mode.name, mode.label(own)]],
        ),
      ),
    ),
    units: Object.freeze(units),
    coefficients: Object.freeze(list),
    tests: Object.freeze(
      design.covariates.map(({ mode: { name } }) => {
        const places = [...coefficients.keys()].filter(
          i =>
            Math.floor(i / width) !== reference &&
            design.terms[i % width].factors.some(({ covariate }) => covariate === name),
        )
        if (errors === undefined) return Object.freeze({ covariate: name, test: undefined, untested: places.length })
        const tested = determined.finite(places.filter(bounded))
        const test = testOf(tested, coefficients, errors.ofCoefficients, degrees)
        return Object.freeze({ covariate: name, test, untested: places.length - tested.length })
      }),
    ),
    curves: Object.freeze(design.covariates.map((_, c) => curveOf(design, c, ordered))),
    dropped,
  })
}

/** The standard error of a sum of coefficients. */
const errorOf = (parts: Combination, covariance: Float64Array): number => {
  const all = Math.sqrt(covariance.length)
  let variance = 0
  for (const a of parts) for (const b of parts) variance += a.times * b.times * covariance[a.place * all + b.place]
  return Math.sqrt(variance)
}

/** The terms with a covariate are zero as they are named exactly where they are zero as they were standardized. */
const testOf = (
  tested: readonly Combination[],
  coefficients: Float64Array,
  covariance: Float64Array,
  degrees: number | undefined,
): WaldTest | undefined => {
  if (tested.length === 0) return undefined
  const all = coefficients.length
  const places = tested[0].map(({ place }) => place)
  return waldTest(
    tested.map(parts => parts.map(({ times }) => times)),
    Float64Array.from(places, i => coefficients[i]),
    Float64Array.from(places.flatMap(a => places.map(b => covariance[a * all + b]))),
    degrees,
  )
}

/** A number with more values than the first is shown at the second many points from its least to its greatest. */
const CURVE = { values: 12, points: 9 }

const curveOf = (design: CovariateDesign, c: number, ordered: PlacedParameters): CovariateCurve => {
  const { mode, numeric } = design.covariates[c]
  const labels = Array.from({ length: mode.size }, (_, j) => mode.label(j))
  if (numeric) labels.sort((a, b) => Number(a) - Number(b))
  const [least, most] = [Number(labels[0]), Number(labels[labels.length - 1])]
  const values: Label[] =
    numeric && mode.size > CURVE.values
      ? Array.from({ length: CURVE.points }, (_, i) => least + ((most - least) * i) / (CURVE.points - 1))
      : labels
  const isOwn = ({ covariate }: { readonly covariate: string }) => covariate === mode.name
  const { terms, patterns, counts } = design
  const { coefficients } = ordered
  const { rank } = ordered.parameters
  // What does not change along the curve: the terms without the covariate, and what it is multiplied by in the others.
  const own = terms.flatMap(({ factors }, p) => (factors.some(isOwn) ? [p] : []))
  const fixed = terms.flatMap((_, p) => (own.includes(p) ? [] : [p]))
  const base = new Float64Array(patterns * rank)
  for (let z = 0; z < patterns; z++) {
    for (const p of fixed) {
      const value = design.values[z * terms.length + p]
      if (value === 0) continue
      for (let k = 0; k < rank; k++) base[z * rank + k] += coefficients[k * terms.length + p] * value
    }
  }
  const partners = own.map(p => ({ ...terms[p], factors: terms[p].factors.filter(factor => !isOwn(factor)) }))
  const beside = termValues(partners, design.covariates, patterns)
  const total = counts.reduce((sum, weight) => sum + weight, 0)
  const predictors = new Float64Array(rank)
  const points = values.map(value => {
    const changing = own.flatMap((p, i) => {
      const factors = terms[p].factors.filter(isOwn)
      const times = factors.reduce((product, each) => product * factorValue(each, value, design.covariates[c]), 1)
      return times === 0 ? [] : [{ p, i, times }]
    })
    const sums = new Float64Array(rank)
    for (let z = 0; z < patterns; z++) {
      for (let k = 0; k < rank; k++) {
        predictors[k] = base[z * rank + k]
        for (const { p, i, times } of changing)
          predictors[k] += coefficients[k * terms.length + p] * times * beside[z * own.length + i]
      }
      addMemberships(predictors, counts[z] / total, sums)
    }
    return Object.freeze({ value, probabilities: Object.freeze(Array.from(sums)) })
  })
  return Object.freeze({ covariate: mode.name, numeric, points: Object.freeze(points) })
}

/** Adds the memberships of one combination, so much of each; the predictors become their odds. */
const addMemberships = (predictors: Float64Array, weight: number, sums: Float64Array): void => {
  let [most, all] = [predictors[0], 0]
  for (let k = 1; k < predictors.length; k++) if (predictors[k] > most) most = predictors[k]
  for (let k = 0; k < predictors.length; k++) {
    predictors[k] = exp(predictors[k] - most)
    all += predictors[k]
  }
  for (let k = 0; k < sums.length; k++) sums[k] += (weight * predictors[k]) / all
}
