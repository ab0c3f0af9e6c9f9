import { bivariateResiduals, type Criteria, type FitResult, type Model, residuals, type Tensor } from '@polyad/core'
import { defined } from '@polyad/core/options'
import { CRITERIA, criterionValue, type ModelData, variablesOf } from '@polyad/core/stats'
import type { AnomaliesData, CertaintyData, CriteriaData, LossesData, ResidualsData } from './chart-data.ts'
import { type ClassifiedData, mostProbable, posteriorsData, posteriorsOf } from './posteriors-data.ts'

/**
 * How a search went.
 * @example
 * lossesData(result).attempts.length === result.attempts.length // true
 */
export const lossesData = ({ attempts, trace }: Pick<FitResult, 'attempts' | 'trace'>): LossesData => ({
  attempts: attempts.map(({ loss, passes, reason, origin }) => ({
    loss,
    passes,
    converged: reason === 'stationary',
    origin,
  })),
  trace,
})

/**
 * The criteria of several fits, all of them such that lower is better.
 * @example
 * const { fits, recommended } = await chooseRank(answers, { to: 2, folds: 0 })
 * criteriaData(fits, recommended).ranks // [1, 2]
 */
export const criteriaData = (
  fits: readonly (Criteria & { readonly rank: number; readonly heldOut?: number | undefined })[],
  recommended?: number,
): CriteriaData => {
  const criteria = CRITERIA.map(({ key, title }) => ({
    name: key === 'heldOut' ? `−${title}` : title,
    values: fits.map(fit => {
      const value = criterionValue(fit, key)
      return Number.isFinite(value) ? value : null
    }),
  }))
  return {
    ranks: fits.map(({ rank }) => rank),
    criteria: criteria.filter(({ values }) => values.some(value => value !== null)),
    ...defined({ recommended }),
  }
}

/**
 * What a model leaves unexplained between every two modes.
 * @example
 * residualsData(model, answers).pairs.length // 3
 */
export const residualsData = (model: Model, data: Tensor | ModelData): ResidualsData => ({
  modes: variablesOf(model),
  pairs: bivariateResiduals(data, model).map(({ modes, residual }) => ({ modes, residual })),
})

/**
 * The cells that a model expects least.
 * @example
 * anomaliesData(model, answers).modes // ['age', 'vote', 'trust']
 */
export const anomaliesData = (model: Model, data: Tensor | ModelData, limit = 20): AnomaliesData => ({
  modes: variablesOf(model),
  cells: residuals(data, model, { limit }).map(cell => ({ ...cell, labels: cell.labels.map(String) })),
})

/**
 * How certain the classification of the data is.
 * @example
 * certaintyData(model, answers).averagePosteriors.length // 2
 */
export const certaintyData = (model: Model, data: ClassifiedData, names?: readonly string[]): CertaintyData => {
  const sums = model.shares.map(() => new Float64Array(model.rank))
  const counts = new Float64Array(model.rank)
  for (const { probabilities, count } of posteriorsOf(model, data)) {
    const k = mostProbable(probabilities)
    counts[k] += count
    for (let l = 0; l < model.rank; l++) sums[k][l] += probabilities[l] * count
  }
  return {
    ...posteriorsData(model, data, names),
    averagePosteriors: sums.map((sum, k) => (counts[k] > 0 ? [...sum].map(each => each / counts[k]) : null)),
  }
}
