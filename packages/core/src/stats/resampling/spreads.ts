import type { ConstraintSetting } from '../../fit/descent/constraints.ts'
import type { ReplicateResult } from '../../fit/search/replicate.ts'
import type { NamedParameter } from '../../model/items/item.ts'
import type { Model } from '../../model/model.ts'
import { quantile } from './monte-carlo.ts'
import { inOrder, refittedModel } from './refitted.ts'

/** Standard error and interval of a parameter over the replicates. */
export interface Spread {
  /** Not a number where there is only one replicate, and under a design where replicates are drawn from the model. */
  readonly standardError: number
  /** Between the percentiles of the replicates; undefined where they are fewer than `replicatesForIntervals`. */
  readonly interval: readonly [number, number] | undefined
}

/** How the parameters of a model vary. */
export interface Spreads {
  /** One for each class. */
  readonly shares: readonly Spread[]
  /** For each mode and class, one for each label. */
  readonly profiles: readonly (readonly (readonly Spread[])[])[]
  /** For each mode whose probabilities follow from parameters of their own, one for each of these; undefined for categories. */
  readonly items?: readonly (readonly (Omit<NamedParameter, 'at'> & Spread)[] | undefined)[]
  /** Of the statistic, where one was given. */
  readonly statistic: Spread | undefined
}

/** How the parameters vary over replicates, whose classes are paired with those of the model. */
export const spreads = (
  model: Model,
  results: readonly ReplicateResult[],
  confidence: number,
  statistic: ((model: Model) => number) | undefined,
  constraints: ConstraintSetting | undefined,
): Spreads => {
  const { rank, modes } = model
  const refits = results.map(({ fits: [fit] }) => inOrder(model, fit.parameters, constraints))
  const spread = spreadOver(refits.length, confidence)
  const classes = Array.from({ length: rank }, (_, k) => k)
  const ofLabels = (n: number, k: number) =>
    Array.from({ length: modes[n].size }, (_, j) => spread(r => refits[r].factors[n][j * rank + k]))
  const ofItem = (n: number) => {
    const item = model.itemModel(n)
    if (item === undefined) return undefined
    const refitted = refits.map(({ items }) => item.describe(items![n]!))
    return model.itemParameters(n).map(({ at, by, ...each }, p) => ({ ...each, ...spread(r => refitted[r][p].value) }))
  }
  return {
    shares: Object.freeze(classes.map(k => spread(r => refits[r].shares[k]))),
    profiles: Object.freeze(modes.map((_, n) => Object.freeze(classes.map(k => Object.freeze(ofLabels(n, k)))))),
    statistic: statistic && spread(r => statistic(refittedModel(model, refits[r]))),
    ...(model.items.some(item => item !== undefined) && { items: modes.map((_, n) => ofItem(n)) }),
  }
}

/**
 * Minimum number of replicates for an interval.
 * @example
 * replicatesForIntervals(0.95) // 39
 */
export const replicatesForIntervals = (confidence: number): number => Math.ceil(2 / (1 - confidence) - 1 - ROUNDING)

/** What 2/(1 − confidence) may miss a whole number by. */
const ROUNDING = 1e-6

/** How a number varies over replicates, of which each has its own. */
export const spreadOver = (count: number, confidence: number) => {
  const values = new Float64Array(count)
  const enough = count >= replicatesForIntervals(confidence)
  return (of: (replicate: number) => number): Spread => {
    for (let r = 0; r < count; r++) values[r] = of(r)
    const mean = values.reduce((sum, value) => sum + value, 0) / count
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    values.sort()
    const tail = (1 - confidence) / 2
    return Object.freeze({
      standardError: count > 1 ? Math.sqrt(squares / (count - 1)) : Number.NaN,
      interval: enough ? Object.freeze([quantile(values, tail), quantile(values, 1 - tail)] as const) : undefined,
    })
  }
}
