import { defined } from '../../defined.ts'
import { DataError, OptionError } from '../../errors.ts'
import { type CovariateDesign, type CovariateOptions, covariateData } from '../../fit/covariates/design.ts'
import type { Constraints } from '../../fit/descent/constraints.ts'
import { FIT_OPTIONS, fitOptionsOf } from '../../fit/fit-options.ts'
import type { Model } from '../../model/model.ts'
import { inverseOf } from '../../numeric/linear.ts'
import { checkedOptions, is, type OptionTable, wholeNumber } from '../../options.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type CovariateEffects, effectsOf } from '../errors/covariate-effects.ts'
import { UNIT_OPTIONS, type UnitOptions, unitsOf } from '../errors/covariate-units.ts'
import { estimateCovariance } from '../errors/sandwich.ts'
import { checkDrawn, STANDARD_ERROR_OPTIONS } from '../errors/standard-errors.ts'
import { designModes, prepareDesign, type SurveyDesign } from '../errors/survey-design.ts'
import { coefficientErrors, undeterminedCoefficients } from '../errors/undetermined-coefficients.ts'
import { earlierSteps } from './earlier-steps.ts'
import { type ClassifiedRows, MEASUREMENTS, type Measurement } from './measurement-step.ts'
import {
  type AssignedCombinations,
  completeInformation,
  fitMembership,
  observedInformation,
  posteriorOf,
  type RegressMethod,
} from './membership-step.ts'
import { answersOf, classifiedRows, patternsOf } from './model-cells.ts'
import { rareCategoryAdvice } from './rare-category.ts'
import type { ThirdEquations } from './three-steps.ts'

export const REGRESS_METHODS: readonly RegressMethod[] = ['ml', 'bch', 'none']

export interface RegressOptions extends CovariateOptions, UnitOptions {
  /**
   * 'ml' (default): maximizes the likelihood of the assigned classes, given how often they are wrong. 'bch': by weights. 'none': as if
   * every row were in its most probable class, which draws the effects towards zero.
   */
  readonly method?: RegressMethod
  /** The reference class: 1 is the first of the model, and the default. */
  readonly reference?: number
  /** The confidence level of the intervals. Default 0.95. */
  readonly confidence?: number
  /** 'estimated' (default): standard errors allow for the uncertainty of the model. 'known': they do not. */
  readonly measurement?: 'estimated' | 'known'
  /** The constraints under which the model was fitted. */
  readonly constraints?: Constraints
  /** How many observations the model was fitted to, if they are not those of the data. Default: the total of the model. */
  readonly fittedTo?: number
  /** How the sample was drawn, as for `standardErrors`: modes of the data that the model does not have. */
  readonly design?: SurveyDesign
  /** For values that are sums of sampling weights: for every cell the sum of their squares, as for `standardErrors`. */
  readonly squares?: Float64Array
}

/** The options of `regressClasses`. */
export const REGRESS_OPTIONS = {
  covariates: { check: is.texts, required: true },
  categories: { check: is.texts },
  referenceCategories: { check: is.thing('an object of labels by covariate', value => typeof value === 'object') },
  ...UNIT_OPTIONS,
  method: { check: is.oneOf(REGRESS_METHODS), default: 'ml' },
  reference: { check: FIT_OPTIONS.rank.check, default: 1 },
  confidence: { check: is.proportion, default: 0.95 },
  measurement: { check: is.oneOf(MEASUREMENTS), default: 'estimated' },
  ...fitOptionsOf('constraints'),
  fittedTo: { check: is.positive },
  design: STANDARD_ERROR_OPTIONS.design,
  squares: STANDARD_ERROR_OPTIONS.squares,
} as const satisfies OptionTable<RegressOptions>

export interface RegressResult {
  readonly method: RegressMethod
  readonly covariates: CovariateEffects
  /** Observations with all covariates, and those without, which are left out of the third step. */
  readonly observations: number
  /** P[assigned to s | class t], one list over s per class t. */
  readonly classification: readonly (readonly number[])[]
  /** How standard errors take the model: as known, or as estimated from this data or from other data. */
  readonly measurement: Measurement
  /** Why the model is treated as known although it was estimated. */
  readonly measurementReason: string | undefined
  /** Clusters and strata of the sample, if it has a design. */
  readonly clusters: number | undefined
  readonly strata: number | undefined
}

/**
 * Three-step regression of class membership on covariates: the model is fitted without them, rows are assigned to their most probable class, and the
 * multinomial logit of the assigned classes is corrected for wrong assignments. The tensor has the modes of the model and the covariates.
 * @example
 * const { model: classes } = await fit(withoutModes(answers, ['age']), { rank: 2, starts: 2 })
 * const { covariates } = regressClasses(answers, classes, { covariates: ['age'] })
 * covariates.coefficients.map(({ term }) => term) // ['intercept', 'age = 30+']
 */
export const regressClasses = (tensor: Tensor, model: Model, options: RegressOptions): RegressResult => {
  const given = checkedOptions('regressClasses', REGRESS_OPTIONS, options)
  const { covariates, categories, referenceCategories, per, standardize, reference, confidence, design, squares } =
    given
  const method = given.method as RegressMethod
  const { rank } = model
  if (rank === 1)
    throw new OptionError(
      'the model has one class, and covariates predict which class a row is in: fit two or more classes',
    )
  wholeNumber('reference', reference, 1, rank)
  checkDrawn('sandwich', design, squares, tensor.cells)
  const sampled = design === undefined ? tensor : prepareDesign(tensor, design)
  const explaining = {
    covariates,
    ...defined({ categories, referenceCategories }),
  }
  const shown = { standardize, ...defined({ per }) }
  const data = covariateData(sampled, explaining, designModes(design))
  unitsOf(data.design.covariates, shown)
  const answers = answersOf(sampled, model)
  const rows = classifiedRows(sampled, model, answers, squares)
  const pattern = patternsOf(sampled, data.design, rows.weights)
  const third = thirdStep(rows, data.design, pattern, method, reference - 1)
  const earlier = earlierSteps(sampled, model, answers, rows, given)
  const { matrix, clusters, strata } = earlier.covariance(third.equations)
  const errors = {
    ...coefficientErrors(third.flat, third.kept, matrix, third.others, data.design.terms.length, rank),
    sample: clusters === undefined ? undefined : { clusters, strata, simple: new Float64Array(0) },
  }
  const ordered = {
    parameters: model.parameters,
    coefficients: third.coefficients,
    memberships: () => third.memberships,
  }
  return Object.freeze({
    method,
    covariates: effectsOf(data, ordered, errors, reference - 1, confidence, shown),
    observations: tensor.total - data.dropped,
    ...earlier.facts,
    clusters,
    strata,
  })
}

/** The logit of the assigned classes, its equations, and which coefficients the data determines. */
const thirdStep = (
  rows: ClassifiedRows,
  design: CovariateDesign,
  pattern: Int32Array,
  method: RegressMethod,
  reference: number,
) => {
  const { classes, assigned, weights } = rows
  const width = design.terms.length
  const identity = Float64Array.from({ length: classes * classes }, (_, i) => (i % (classes + 1) === 0 ? 1 : 0))
  const classification = method === 'none' ? identity : rows.classification
  const corrected = inverseOf(classification, classes)
  if (corrected === undefined)
    throw new DataError('the classes overlap too much to correct for wrong assignments: use fewer classes')
  const counts = new Float64Array(design.patterns * classes)
  assigned.forEach((s, i) => {
    if (pattern[i] >= 0) counts[pattern[i] * classes + s] += weights[i]
  })
  // Of rows with answers that the model knows: others may be part of the design too.
  const used = new Float64Array(design.patterns)
  counts.forEach((each, i) => {
    used[Math.floor(i / classes)] += each
  })
  const data: AssignedCombinations = { classes, design: { ...design, counts: used }, counts, classification, corrected }
  const { coefficients: found, memberships } = fitMembership(data, method === 'none' ? 'bch' : method)
  const coefficients = found.map((each, i) => each - found[reference * width + (i % width)])
  const others = Array.from({ length: classes }, (_, k) => k).filter(k => k !== reference)
  const size = others.length * width
  const information = (method === 'ml' ? observedInformation : completeInformation)(data, memberships, reference)
  const flat = undeterminedCoefficients(information, design, others.length)
  const kept = Array.from({ length: size }, (_, i) => i).filter(i => !flat.fixed.has(i))
  const among = Float64Array.from(
    { length: kept.length ** 2 },
    (_, i) => information[kept[Math.floor(i / kept.length)] * size + kept[i % kept.length]],
  )
  const bread = estimateCovariance(among, kept.length)?.bread
  if (bread === undefined)
    throw new DataError(`the assigned classes do not determine the coefficients: ${rareCategoryAdvice(design, used)}`)
  /** The score of a row of combination z whose classes have these parts: (part − π) ⊗ x. */
  const add = (z: number, part: (k: number) => number, times: number, into: Float64Array, from = 0) => {
    kept.forEach((i, at) => {
      const k = others[Math.floor(i / width)]
      into[from + at] += times * (part(k) - memberships[z * classes + k]) * design.values[z * width + (i % width)]
    })
  }
  const own = new Float64Array(classes)
  const partOf = (z: number, s: number): ((k: number) => number) => {
    if (method !== 'ml') return k => corrected[s * classes + k]
    posteriorOf(data, memberships, z, s, own)
    return k => own[k]
  }
  return {
    coefficients,
    memberships,
    flat,
    kept,
    others,
    equations: {
      size: kept.length,
      bread,
      addScore: (row, into) => {
        if (pattern[row] >= 0) add(pattern[row], partOf(pattern[row], assigned[row]), 1, into)
      },
      slopes: slopesOf(data, memberships, method, kept.length, add),
    } satisfies ThirdEquations,
  }
}

/**
 * The derivatives of the sum of the scores by D_ts. By weights W = D⁻¹, dW = −W·dD·W. By the likelihood, the posterior of class t given
 * the assignment s changes by π_t/Σ π·D times what it differs from its mean.
 */
const slopesOf = (
  data: AssignedCombinations,
  memberships: Float64Array,
  method: RegressMethod,
  size: number,
  add: (z: number, part: (k: number) => number, times: number, into: Float64Array, from: number) => void,
): Float64Array => {
  const { classes, counts, corrected } = data
  const slopes = new Float64Array(classes * classes * size)
  if (method === 'none') return slopes
  const own = new Float64Array(classes)
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 0) continue
    const [z, s] = [Math.floor(i / classes), i % classes]
    if (method === 'ml') {
      const sum = posteriorOf(data, memberships, z, s, own)
      for (let t = 0; t < classes; t++) {
        const times = (counts[i] * memberships[z * classes + t]) / sum
        add(z, k => (k === t ? 1 : 0) - own[k] + memberships[z * classes + k], times, slopes, (t * classes + s) * size)
      }
      continue
    }
    for (let t = 0; t < classes; t++) {
      for (let other = 0; other < classes; other++) {
        const times = -counts[i] * corrected[s * classes + t]
        add(z, k => corrected[other * classes + k], times, slopes, (t * classes + other) * size)
      }
    }
  }
  return slopes
}
