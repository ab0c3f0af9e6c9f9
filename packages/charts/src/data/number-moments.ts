import type { Model } from '@polyad/core'
import type { ChartMoments, ChartNumber } from './chart-data.ts'

/**
 * The mean and the standard deviation of a variable that is a number, within each class and over all of them. Undefined for categories
 * and scales, whose probabilities are shown.
 * @example
 * numberOf(model, 1) // undefined: 'vote' has categories
 */
export const numberOf = (model: Model, n: number): ChartNumber | undefined => numbersOf(model, n)[0]?.number

/**
 * The numbers of a mode: of joined variables one for each, with its name. None for categories and scales.
 * @example
 * numbersOf(model, 1) // []
 */
export const numbersOf = (
  model: Model,
  n: number,
): readonly { readonly name: string; readonly number: ChartNumber }[] => {
  const [item, own] = [model.items[n], model.itemModel(n)]
  if (item === undefined || own === undefined || item.spec.kind === 'ordinal') return []
  const names =
    item.spec.kind === 'multivariate-normal' ? item.spec.variables.map(({ name }) => name) : [model.modes[n].name]
  return names.map((name, i) => {
    const classes = model.shares.map((_, k) => own.moments(item.theta, k, i))
    return { name, number: { classes, overall: mixed(classes, model.shares) } }
  })
}

/** Of a mixture: what varies within classes, and the means between them. */
const mixed = (classes: readonly ChartMoments[], shares: readonly number[]): ChartMoments => {
  const mean = classes.reduce((sum, each, k) => sum + shares[k] * each.mean, 0)
  const variance = classes.reduce((sum, each, k) => sum + shares[k] * (each.sd ** 2 + (each.mean - mean) ** 2), 0)
  return { mean, sd: Math.sqrt(variance) }
}
