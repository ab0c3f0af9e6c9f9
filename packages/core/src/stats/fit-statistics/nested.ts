import { chiSquareTail } from '../../numeric/special.ts'
import { omit } from '../../pick.ts'
import { CRITERIA, type Criteria, criteria } from './criteria.ts'

/** Criteria of the likelihood alone, not of how certain the classes are. */
type LikelihoodCriteria = Omit<Criteria, 'icl' | 'awe'>

/** One of several models of the same data. */
export interface ComparedModel extends LikelihoodCriteria {
  readonly name: string
  readonly logLikelihood: number
  /** Those that the data can tell apart. */
  readonly parameters: number
  /** Of weighted rows or clusters: the scaling factor of the log-likelihood, unless the data does not determine it. */
  readonly scaling?: number
}

/** A likelihood-ratio test of a model within a larger one. */
export interface NestedTest {
  readonly model: string
  readonly within: string
  /** Twice the difference of the log-likelihoods. */
  readonly statistic: number
  readonly degreesOfFreedom: number
  /** Of weighted rows or clusters: what the statistic is divided by (Satorra and Bentler), if that is known. */
  readonly scaling?: number
  /** The statistic divided by its scaling factor: this is what χ² is compared with. */
  readonly scaled?: number
  /** Undefined without degrees of freedom, and if weighted rows or clusters have no scaling factor. */
  readonly pValue: number | undefined
  /** Why there is no scaling factor. */
  readonly reason?: string
}

/** The scaling factor of a log-likelihood, or why there is none; undefined if rows were drawn one by one, with equal chances. */
export type Scaling = number | string | undefined

/** Criteria that count the uncertainty of the classification, by which nested models are not compared. */
const OF_CLASSIFICATION = ['icl', 'awe'] as const

/** The criteria of nested models. */
export const NESTED_CRITERIA = CRITERIA.flatMap(({ key }) =>
  key === 'heldOut' || OF_CLASSIFICATION.some(each => each === key) ? [] : [key],
)

export const comparedModel = (
  name: string,
  logLikelihood: number,
  parameters: number,
  total: number,
  scaling?: Scaling,
): ComparedModel => {
  const rest = omit(criteria(logLikelihood, parameters, total), ...OF_CLASSIFICATION)
  const factor = typeof scaling === 'number' ? { scaling } : {}
  return Object.freeze({ name, logLikelihood, parameters, ...rest, ...factor })
}

/** @param scalings of the model and of the one that it is within */
export const nestedTest = (
  model: ComparedModel,
  within: ComparedModel,
  scalings: readonly [Scaling, Scaling] = [undefined, undefined],
): NestedTest => {
  const degreesOfFreedom = within.parameters - model.parameters
  const statistic = Math.max(0, 2 * (within.logLikelihood - model.logLikelihood))
  const named = { model: model.name, within: within.name, statistic, degreesOfFreedom }
  const p = (value: number) => (degreesOfFreedom > 0 ? chiSquareTail(value, degreesOfFreedom) : undefined)
  if (degreesOfFreedom <= 0 || scalings.includes(undefined)) return Object.freeze({ ...named, pValue: p(statistic) })
  const scaling = differenceScaling(model, within, scalings)
  if (typeof scaling === 'string') return Object.freeze({ ...named, pValue: undefined, reason: scaling })
  const scaled = statistic / scaling
  return Object.freeze({ ...named, scaling, scaled, pValue: p(scaled) })
}

/** Each model within the next. @param scalings of weighted rows or clusters, one for each model */
export const nestedTests = (
  models: readonly ComparedModel[],
  scalings: readonly Scaling[] = [],
): readonly NestedTest[] =>
  Object.freeze(models.slice(1).map((model, i) => nestedTest(models[i], model, [scalings[i], scalings[i + 1]])))

/**
 * The scaling factor of a difference, (p₁c₁ − p₀c₀)/(p₁ − p₀). What is at 0 or 1 has no part in the factor of a model, but is one of its
 * parameters: it counts as their mean.
 */
const differenceScaling = (
  smaller: ComparedModel,
  larger: ComparedModel,
  [zero, one]: readonly [Scaling, Scaling],
): number | string => {
  const degrees = larger.parameters - smaller.parameters
  if (typeof zero === 'string') return `the model “${smaller.name}” has no scaling factor: ${zero}`
  if (typeof one === 'string') return `the model “${larger.name}” has no scaling factor: ${one}`
  const factor = (larger.parameters * (one as number) - smaller.parameters * (zero as number)) / degrees
  return factor > 0 ? factor : `the scaling factor of the difference is not positive (${factor.toFixed(3)})`
}

/** The scaling factor of a model whose parts are fitted apart: the mean over their parameters. */
export const meanScaling = (parts: readonly { readonly scaling: Scaling; readonly parameters: number }[]): Scaling => {
  let [sum, all] = [0, 0]
  for (const { scaling, parameters } of parts) {
    if (typeof scaling !== 'number') return scaling
    sum += scaling * parameters
    all += parameters
  }
  return sum / all
}
