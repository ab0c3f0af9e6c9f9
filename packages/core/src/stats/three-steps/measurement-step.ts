import { InformationSums } from '../../engine/cell-information.ts'
import type { ConstraintSetting } from '../../fit/descent/constraints.ts'
import type { Model } from '../../model/model.ts'
import type { Parameters } from '../../model/parameters.ts'
import { mostProbable, posteriorInto } from '../../model/posterior.ts'
import { atOnce } from '../../numeric/interruptible.ts'
import { congruence } from '../../numeric/symmetric.ts'
import { MISSING } from '../../tensor/mode.ts'
import { empiricalSteps, gradientOf, observedSteps, unidentified } from '../errors/covariance.ts'
import { estimateCovariance, SINGULAR } from '../errors/sandwich.ts'
import { freeParameters, logDerivatives } from '../identification/free-parameters.ts'
import { type MeasuredParameters, measuredItems } from './item-measurement.ts'

/** The first two steps of three: rows that a model has classified, and how often it is wrong. */
export interface ClassifiedRows {
  readonly classes: number
  /** Σ w and Σ w² of the observations that each row stands for. */
  readonly weights: Float64Array
  readonly squares: Float64Array
  /** P[class | answers], row by row. */
  readonly posteriors: Float64Array
  /** The most probable class of every row. */
  readonly assigned: Int32Array
  /** Of every class, the sum of the weighted posteriors. */
  readonly masses: Float64Array
  /** P[assigned to s | class t], at `t * classes + s`. */
  readonly classification: Float64Array
}

/** Posteriors and assignments by a model. */
export const classify = (
  parameters: Parameters,
  answers: readonly Int32Array[],
  rows: number,
): Pick<ClassifiedRows, 'posteriors' | 'assigned'> => {
  const { rank } = parameters
  const posteriors = new Float64Array(rows * rank)
  const assigned = new Int32Array(rows)
  for (let i = 0; i < rows; i++) {
    const own = posteriors.subarray(i * rank, (i + 1) * rank)
    posteriorInto(parameters, answers, i, own)
    assigned[i] = mostProbable(own)
  }
  return { posteriors, assigned }
}

/** How often members of each class are assigned to each, by the posteriors of all rows. */
export const classificationOf = (
  classes: number,
  { posteriors, assigned, weights }: Pick<ClassifiedRows, 'posteriors' | 'assigned' | 'weights'>,
): Pick<ClassifiedRows, 'masses' | 'classification'> => {
  const classification = new Float64Array(classes * classes)
  const masses = new Float64Array(classes)
  assigned.forEach((s, i) => {
    for (let t = 0; t < classes; t++) {
      const part = weights[i] * posteriors[i * classes + t]
      classification[t * classes + s] += part
      masses[t] += part
    }
  })
  return { masses, classification: classification.map((each, at) => each / masses[Math.floor(at / classes)]) }
}

/** Whether the third step treats the model as known or as estimated, from these rows or from others of the same population. */
export type Measurement = 'known' | 'estimated here' | 'estimated elsewhere'

/** What can be asked for: that standard errors allow for the model's own uncertainty, or that they do not. */
export const MEASUREMENTS: readonly ('estimated' | 'known')[] = ['estimated', 'known']

/** How exactly the rows determine the model that classified them. */
export interface MeasurementStep {
  readonly measurement: Exclude<Measurement, 'known'>
  readonly rank: number
  /** The position of every row's answers among all parameters, for the first class; −1 where one is missing. Those of class k are k later. */
  readonly places: readonly Int32Array[]
  /** How many parameters there are, free or not. */
  readonly all: number
  /** How many are free. */
  readonly free: number
  /** The derivatives of the logarithms of all parameters (columns) by the free ones (rows). */
  readonly logs: Float64Array
  /** The inverse of the information about the free parameters. */
  readonly bread: Float64Array
  /** Of the free parameters, if they were estimated from other rows. */
  readonly covariance: Float64Array
}

/** Rows by which the log-likelihood of the model could still rise by more than this are not those it was fitted to. */
const AS_FITTED = 0.25

/**
 * What the rows tell of the model's parameters; or in words why nothing. Whether the model was fitted to these rows is seen from the slope
 * of their likelihood, which is then zero. For other rows, its covariance is taken to be theirs, for as many observations as it was fitted to.
 * @param answers one column per mode of the model
 * @param observations how many the model was fitted to, where they are other ones
 */
export const measurementStep = (
  model: Model,
  answers: readonly Int32Array[],
  { weights, squares }: Pick<ClassifiedRows, 'weights' | 'squares'>,
  constraints?: ConstraintSetting,
  observations = model.total,
): MeasurementStep | string => {
  const { rank, modes, items } = model
  const measure = items.some(item => item !== undefined) ? measuredItems : measuredTables
  const found = measure(model, answers, weights, squares, constraints)
  if (typeof found === 'string') return found
  const total = weights.reduce((sum, each) => sum + each, 0)
  let all = rank
  const places = answers.map((column, n) => {
    const first = all
    all += modes[n].size * rank
    return column.map(index => (index === MISSING ? -1 : first + index * rank))
  })
  const { free, logs, bread } = found
  return {
    rank,
    places,
    all,
    free,
    logs,
    bread,
    measurement: found.shortfall <= AS_FITTED ? 'estimated here' : 'estimated elsewhere',
    covariance: found.covariance.map(each => (each * total) / observations),
  }
}

/** What rows tell of the free parameters of a model of categories; or in words why nothing. */
const measuredTables = (
  model: Model,
  answers: readonly Int32Array[],
  weights: Float64Array,
  squares: Float64Array,
  constraints: ConstraintSetting | undefined,
): MeasuredParameters | string => {
  const { parameters } = model
  const shape = model.modes.map(({ size }) => size)
  const free = freeParameters(parameters, undefined, undefined, constraints)
  const reason = unidentified(Number.POSITIVE_INFINITY, model, free, 'sandwich')
  if (reason !== undefined) return reason
  const informationBy = (values: Float64Array) => {
    const sums = new InformationSums({ shape }, parameters)
    atOnce(sums.add(answers, values))
    return sums.finish()
  }
  const information = informationBy(weights)
  if (information.impossible > 0) return 'the model makes rows of the data impossible: it was not fitted to them'
  const observed = atOnce(observedSteps(information, free, atOnce(empiricalSteps(information, free))))
  const found = estimateCovariance(observed, free.count, atOnce(empiricalSteps(informationBy(squares), free)))
  if (found === undefined) return SINGULAR.sandwich
  const shortfall = congruence(gradientOf(information, free), 1, found.bread, free.count)[0] / 2
  return { ...found, free: free.count, logs: logDerivatives(free), shortfall }
}
