import { chiSquareTail } from '../../numeric/special.ts'
import { type Criteria, criteria } from './criteria.ts'

/** Criteria of the likelihood alone, not of how certain the classes are. */
type LikelihoodCriteria = Omit<Criteria, 'icl' | 'awe'>

/** A model among others of the same data. */
export interface ComparedModel extends LikelihoodCriteria {
  readonly name: string
  readonly logLikelihood: number
  /** Those that the data can tell apart. */
  readonly parameters: number
}

/** A likelihood-ratio test of a model within a larger one. */
export interface NestedTest {
  readonly model: string
  readonly within: string
  /** Twice the difference of the log-likelihoods. */
  readonly statistic: number
  readonly degreesOfFreedom: number
  /** Undefined without degrees of freedom. */
  readonly pValue: number | undefined
}

export const comparedModel = (
  name: string,
  logLikelihood: number,
  parameters: number,
  total: number,
): ComparedModel => {
  const { icl: _, awe: __, ...rest } = criteria(logLikelihood, parameters, total)
  return Object.freeze({ name, logLikelihood, parameters, ...rest })
}

export const nestedTest = (model: ComparedModel, within: ComparedModel): NestedTest => {
  const degreesOfFreedom = within.parameters - model.parameters
  const statistic = Math.max(0, 2 * (within.logLikelihood - model.logLikelihood))
  const pValue = degreesOfFreedom > 0 ? chiSquareTail(statistic, degreesOfFreedom) : undefined
  return Object.freeze({ model: model.name, within: within.name, statistic, degreesOfFreedom, pValue })
}
