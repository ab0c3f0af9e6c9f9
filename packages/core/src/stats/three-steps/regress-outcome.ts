import { defined } from '../../defined.ts'
import { DataError, OptionError, show } from '../../errors.ts'
import { type CovariateDesign, type CovariateOptions, covariateData } from '../../fit/covariates/design.ts'
import { unstandardize } from '../../fit/covariates/terms.ts'
import type { Model } from '../../model/model.ts'
import { modePosition } from '../../model/posterior.ts'
import { chiSquareQuantile, chiSquareTail, studentQuantile, studentTail } from '../../numeric/special.ts'
import { congruence } from '../../numeric/symmetric.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import { omit } from '../../pick.ts'
import { type Label, MISSING } from '../../tensor/mode.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { term, words } from '../../wording.ts'
import { checkDrawn } from '../errors/standard-errors.ts'
import { designModes, prepareDesign } from '../errors/survey-design.ts'
import { type WaldTest, waldTest } from '../errors/wald.ts'
import { type DistalClass, type DistalEstimate, type DistalPair, type DistalResult, intervalOf } from './distal.ts'
import { earlierSteps } from './earlier-steps.ts'
import { answersOf, classifiedRows, patternsOf } from './model-cells.ts'
import { type OutcomeStep, outcomeStep } from './outcome-step.ts'
import { REGRESS_OPTIONS, type RegressOptions } from './regress.ts'

export interface RegressOutcomeOptions
  extends CovariateOptions,
    Pick<RegressOptions, 'confidence' | 'measurement' | 'constraints' | 'fittedTo' | 'design' | 'squares'> {
  /** The mode of the outcome: a number if all of its labels are. */
  readonly outcome: string
  /** What the outcome is. Default: a number if all of its labels are, else a category. */
  readonly kind?: 'number' | 'category'
}

const { covariates, categories, referenceCategories, confidence, measurement } = REGRESS_OPTIONS
const { constraints, fittedTo, design, squares } = REGRESS_OPTIONS

/** The options of `regressOutcome`. */
export const REGRESS_OUTCOME_OPTIONS = {
  outcome: { check: is.text, required: true },
  kind: { check: is.oneOf(['number', 'category']) },
  covariates,
  categories,
  referenceCategories,
  confidence,
  measurement,
  constraints,
  fittedTo,
  design,
  squares,
} as const satisfies OptionTable<RegressOutcomeOptions>

/** The effect of a term on the outcome, given the class. */
export interface OutcomeCoefficient {
  /** Of a category, the label whose logit against the first it is. */
  readonly label?: Label
  readonly term: string
  readonly estimate: number
  readonly standardError: number
  readonly z: number
  readonly pValue: number
  readonly interval: readonly [low: number, high: number]
}

/** An outcome by class, adjusted for covariates: the classes' means or probabilities if all had the covariates of the sample. */
export interface OutcomeRegression extends Omit<DistalResult, 'normality'> {
  readonly adjusted: {
    readonly names: readonly string[]
    readonly referenceCategories: Readonly<Record<string, Label>>
    readonly coefficients: readonly OutcomeCoefficient[]
    /** That a covariate has no effect, the class held. */
    readonly tests: readonly { readonly covariate: string; readonly test: WaldTest | undefined }[]
  }
}

/**
 * Regresses a distal outcome on class and covariates (linear for numbers, multinomial logit for categories), with BCH weights. The tensor has the modes of
 * the model, the outcome and the covariates.
 * @example
 * const { model: classes } = await fit(withoutModes(answers, ['age']), { rank: 2, starts: 2 })
 * const towns = tensorFromRows(rows.map((row, i) => ({ ...row, town: i % 2 === 0 ? 'A' : 'B' })), { count: 'n' })
 * regressOutcome(towns, classes, { outcome: 'age', covariates: ['town'] }).kind // 'category'
 */
export const regressOutcome = (tensor: Tensor, model: Model, options: RegressOutcomeOptions): OutcomeRegression => {
  const given = checkedOptions('regressOutcome', REGRESS_OUTCOME_OPTIONS, options)
  const { outcome, design: drawn, squares: summed } = given
  checkDrawn('sandwich', drawn, summed, tensor.cells)
  const sampled = drawn === undefined ? tensor : prepareDesign(tensor, drawn)
  const place = modePosition(sampled.modes, outcome)
  if (model.modes.some(({ name }) => name === outcome))
    throw new OptionError(
      'outcome',
      words`must not be a ${term('mode')} of the model, from which the classes were made`,
      outcome,
    )
  const mode = sampled.modes[place]
  const labels = Array.from({ length: mode.size }, (_, j) => mode.label(j))
  const kind = given.kind ?? (labels.every(label => typeof label === 'number') ? 'number' : 'category')
  const data = covariateData(
    sampled,
    {
      covariates: given.covariates,
      ...defined({ categories: given.categories, referenceCategories: given.referenceCategories }),
    },
    [outcome, ...designModes(drawn)],
  )
  const answers = answersOf(sampled, model)
  const rows = classifiedRows(sampled, model, answers, summed)
  const patterns = patternsOf(sampled, data.design, rows.weights)
  const values = sampled.indices[place]
  const pattern = patterns.map((z, i) => (values[i] === MISSING ? -1 : z))
  const used = occurring(values, pattern, labels)
  if (used.length < 2) throw new DataError(`the outcome ${show(outcome)} has the same value in every row that is used`)
  const step = outcomeStep(rows, data.design, pattern, {
    kind,
    // Labels that no row has are no categories.
    value: kind === 'number' ? i => Number(labels[values[i]]) : i => used.indexOf(values[i]),
    width: kind === 'number' ? 1 : used.length - 1,
  })
  const earlier = earlierSteps(sampled, model, answers, rows, { ...given, design: drawn })
  const { matrix: covariance, clusters, strata } = earlier.covariance(step.equations)
  const degrees = clusters === undefined || strata === undefined ? undefined : clusters - strata
  const names = kind === 'number' ? [undefined] : used.map(j => labels[j])
  const total = pattern.reduce((all, z, i) => (z >= 0 ? all + sampled.values[i] : all), 0)
  return Object.freeze({
    kind,
    method: 'bch' as const,
    confidence: given.confidence,
    rows: total,
    missing: tensor.total - total,
    ...byClass(step, covariance, names, given.confidence, degrees),
    ...earlier.facts,
    ...(degrees !== undefined && {
      design: { clusters: clusters!, strata: strata!, degreesOfFreedom: degrees },
    }),
    adjusted: effectsOfCovariates(step, covariance, data.design, names, given.confidence, degrees),
  })
}

/** The positions of the labels that rows have which are used. */
const occurring = (values: Int32Array, pattern: Int32Array, labels: readonly Label[]): number[] => {
  const seen = new Set(values.filter((_, i) => pattern[i] >= 0))
  return labels.flatMap((_, j) => (seen.has(j) ? [j] : []))
}

const reachOf = (confidence: number, degrees: number | undefined): number =>
  degrees === undefined ? Math.sqrt(chiSquareQuantile(confidence, 1)) : studentQuantile(confidence, degrees)

/** The adjusted means or probabilities, and tests that classes do not differ. */
const byClass = (
  { classes, terms, width, kind, coefficients, adjusted, shares }: OutcomeStep,
  covariance: Float64Array,
  names: readonly (Label | undefined)[],
  confidence: number,
  degrees: number | undefined,
): Pick<DistalResult, 'classes' | 'overall' | 'pairs'> => {
  const reach = reachOf(confidence, degrees)
  const size = coefficients.length
  const { values, map } = adjusted()
  const variances = congruence(map, values.length, covariance, size)
  const each = names.length
  const estimate = (at: number): DistalEstimate =>
    intervalOf(values[at], Math.sqrt(variances[at * values.length + at]), reach, kind)
  const order = Array.from({ length: classes }, (_, t) => t)
  // Classes do not differ where their own coefficients are equal: in every logit, whatever the covariates.
  const differences = (t: number, other: number) =>
    Array.from({ length: width }, (_, j) =>
      Array.from(coefficients, (_, i) => (i === j * terms + t ? 1 : i === j * terms + other ? -1 : 0)),
    )
  const test = (contrasts: readonly (readonly number[])[]) => waldTest(contrasts, coefficients, covariance, degrees)
  return {
    classes: order.map((t): DistalClass => {
      const own = names.map((label, j) => ({ label: label as Label, ...estimate(t * each + j) }))
      return {
        class: t + 1,
        share: shares[t],
        ...(kind === 'number' ? { mean: { ...omit(own[0], 'label'), deviation: undefined } } : { probabilities: own }),
      }
    }),
    overall: classes === 1 ? undefined : test(order.slice(1).flatMap(t => differences(0, t))),
    pairs: order.flatMap(t =>
      order.slice(t + 1).map((other): DistalPair => {
        const difference = names.map((_, j) => values[t * each + j] - values[other * each + j])
        return {
          classes: [t + 1, other + 1],
          difference: kind === 'number' ? difference[0] : difference,
          test: test(differences(t, other)),
        }
      }),
    ),
  }
}

/** The coefficients of the covariates, of the terms as they are named, and tests of each covariate. */
const effectsOfCovariates = (
  { classes, terms, width, coefficients }: OutcomeStep,
  covariance: Float64Array,
  { terms: all, covariates: of }: CovariateDesign,
  names: readonly (Label | undefined)[],
  confidence: number,
  degrees: number | undefined,
): OutcomeRegression['adjusted'] => {
  const reach = reachOf(confidence, degrees)
  const named = unstandardize(all, of)
  const size = coefficients.length
  const places = (j: number, p: number) => j * terms + classes + p - 1
  const list = Array.from({ length: width }, (_, j) => j).flatMap(j =>
    all.slice(1).map(({ name }, k): OutcomeCoefficient => {
      const map = new Float64Array(size)
      for (let p = 1; p < all.length; p++) map[places(j, p)] = named[(k + 1) * all.length + p]
      const estimate = map.reduce((sum, each, i) => sum + each * coefficients[i], 0)
      const standardError = Math.sqrt(congruence(map, 1, covariance, size)[0])
      const z = estimate / standardError
      const pValue = degrees === undefined ? chiSquareTail(z * z, 1) : studentTail(z, degrees)
      const interval = [estimate - reach * standardError, estimate + reach * standardError] as const
      const label = width === 1 && names[0] === undefined ? {} : { label: names[j + 1] as Label }
      return { ...label, term: name, estimate, standardError, z, pValue, interval }
    }),
  )
  return {
    names: of.map(({ mode }) => mode.name),
    referenceCategories: Object.fromEntries(
      of.flatMap(({ mode, numeric, reference }) => (numeric ? [] : [[mode.name, mode.label(reference)]])),
    ),
    coefficients: list,
    tests: of.map(({ mode: { name } }) => {
      const own = all.flatMap(({ factors }, p) => (factors.some(({ covariate }) => covariate === name) ? [p] : []))
      const contrasts = Array.from({ length: width }, (_, j) => j).flatMap(j =>
        own.map(p => Array.from(coefficients, (_, i) => (i === places(j, p) ? 1 : 0))),
      )
      return { covariate: name, test: waldTest(contrasts, coefficients, covariance, degrees) }
    }),
  }
}
