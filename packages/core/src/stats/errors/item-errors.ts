import type { NamedParameter } from '../../model/items/item.ts'
import type { Model } from '../../model/model.ts'
import { exp } from '../../numeric/exp.ts'
import { log } from '../../numeric/log.ts'
import type { CovariateErrors } from './covariate-errors.ts'
import { type Interval, type ItemParameter, logitInterval, type StandardErrors, widthOf } from './error-results.ts'

/** What is above zero is on the scale of its logarithm, and a correlation on that of Fisher's z: intervals end at what is possible. */
const intervalOf = (
  { name, value }: Pick<NamedParameter, 'name' | 'value'>,
  reach: number,
  positive: boolean,
): readonly [number, number] => {
  if (name === 'correlation') {
    const z = (log(1 + value) - log(1 - value)) / 2
    const by = reach / (1 - value * value)
    return [correlationAt(z - by), correlationAt(z + by)]
  }
  const factor = exp(reach / value)
  return positive ? [value / factor, value * factor] : [value - reach, value + reach]
}

/** The hyperbolic tangent. */
const correlationAt = (z: number): number => (z < 0 ? -correlationAt(-z) : 2 / (1 + exp(-2 * z)) - 1)

/**
 * The parameters of items with their errors, and those of the probabilities of scales, which follow from them (delta method).
 * @param before how many probabilities come before the parameters of items in the covariance
 */
export const itemErrors = (
  model: Model,
  { factors, intervals, confidence }: Pick<StandardErrors, 'factors' | 'intervals' | 'confidence'>,
  { covariance, sample }: Pick<CovariateErrors, 'covariance' | 'sample'>,
  before: number,
): Pick<StandardErrors, 'items' | 'factors' | 'intervals'> => {
  const size = Math.sqrt(covariance.length)
  const width = widthOf(sample, confidence)
  let first = before
  const found = model.items.map((item, n) => {
    const of = model.itemModel(n)
    if (item === undefined || of === undefined) return undefined
    const own = first
    first += of.size
    const errorOf = (rows: readonly number[], slopes: ArrayLike<number>): number | undefined => {
      let variance = 0
      rows.forEach((row, i) => {
        rows.forEach((column, j) => {
          variance += slopes[i] * slopes[j] * covariance[(own + row) * size + own + column]
        })
      })
      return variance > 0 ? Math.sqrt(variance) : undefined
    }
    const parameters = of
      .describe(item.theta)
      .map(({ at, by = at === undefined ? undefined : { rows: [at], slopes: [1] }, ...parameter }): ItemParameter => {
        const error = by && errorOf(by.rows, by.slopes)
        if (error === undefined) return { ...parameter, error, interval: undefined }
        const positive = at === undefined ? parameter.name === 'sd' : of.positive[at]
        return { ...parameter, error, interval: intervalOf(parameter, width * error, positive) }
      })
    const columns =
      of.kind !== 'ordinal'
        ? undefined
        : of.scores(item.theta).map(({ rows, scores }, k) =>
            Array.from({ length: model.modes[n].size }, (_, j) => {
              const p = model.parameters.factors[n][j * model.rank + k]
              const slopes = scores.subarray(j * rows.length, (j + 1) * rows.length).map(score => p * score)
              const error = errorOf(rows, slopes)
              return { error, interval: error === undefined ? undefined : logitInterval(p, error, width) }
            }),
          )
    return { parameters: Object.freeze(parameters), columns }
  })
  const by = <T>(plain: readonly (readonly (readonly T[])[])[], of: (each: ColumnError) => T) =>
    plain.map((factor, n) => found[n]?.columns?.map(column => column.map(of)) ?? factor)
  return {
    items: found.map(each => each?.parameters),
    factors: factors && by(factors, ({ error }) => error),
    intervals: intervals && { ...intervals, factors: by(intervals.factors, ({ interval }) => interval) },
  }
}

interface ColumnError {
  readonly error: number | undefined
  readonly interval: Interval | undefined
}
