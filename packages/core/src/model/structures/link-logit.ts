import { exp } from '../../numeric/exp.ts'
import type { Term } from './logit.ts'
import type { GivenColumn } from './structure.ts'

/** How covariates explain distributions of classes: multinomial logits with the same effects, and an intercept of their own each. */
export interface LinkLogitTerms {
  /** Without the intercept. */
  readonly terms: readonly Term[]
  readonly given: readonly GivenColumn[]
  /** For every step or group class, and for every class that is left (else there is one list): a number for each entry of the distribution. */
  readonly intercepts: readonly (readonly (readonly number[])[])[]
  /** For every class that is left (else once), and every entry: a coefficient for each term, of the values as they are. */
  readonly slopes: readonly (readonly (readonly number[])[])[]
}

/** The columns that logits need, each once. */
export const givenOf = (...logits: readonly (LinkLogitTerms | undefined)[]): GivenColumn[] => [
  ...new Map(logits.flatMap(logit => logit?.given ?? []).map(column => [column.name, column])).values(),
]

/** Values of covariates, by their names. */
export type CovariateValue = (column: string) => unknown

/** One distribution by a logit. @param set the step or group class whose intercept it has @param from the class that is left, if classes change */
export const logitDistribution = (
  { terms, intercepts, slopes }: LinkLogitTerms,
  value: CovariateValue,
  set: number,
  from = 0,
): Float64Array => {
  const values = terms.map(({ factors }) =>
    factors.reduce((product, { covariate, label }) => {
      const own = value(covariate)
      return product * (label === undefined ? Number(own) : Number(String(own) === String(label)))
    }, 1),
  )
  const predictors = slopes[from].map((own, k) =>
    own.reduce((sum, slope, p) => sum + slope * values[p], intercepts[set][from][k]),
  )
  const most = Math.max(...predictors)
  const parts = Float64Array.from(predictors, each => exp(each - most))
  const sum = parts.reduce((total, each) => total + each, 0)
  return parts.map(each => each / sum)
}
