import { logLikelihoodOf, lossesOf } from '../../packages/core/dist/entries/model.js'
import { random } from '../../packages/core/dist/entries/numeric.js'
import { type Parameters, type Tensor, tensorFromColumns } from '../../packages/core/dist/index.js'

/** A gamma variate of a shape below 1 (Ahrens and Dieter), as a logarithm, since it may be very small. */
const logGammaDraw = (shape: number, uniform: () => number): number => {
  const bound = 1 + shape / Math.E
  for (;;) {
    const p = bound * uniform()
    if (p <= 1) {
      const logX = Math.log(p) / shape
      if (uniform() <= Math.exp(-Math.exp(logX))) return logX
    } else {
      const x = -Math.log((bound - p) / shape)
      if (uniform() <= x ** (shape - 1)) return Math.log(x)
    }
  }
}

/** Counts drawn from a model of equal classes whose columns are Dirichlet(concentration): the truth is known. */
export const planted = (shape: number[], rank: number, draws: number, concentration: number, seed: number) => {
  const { uniform, below } = random(seed, 'data')
  const factors = shape.map(size => {
    const factor = new Float64Array(size * rank)
    for (let k = 0; k < rank; k++) {
      const logs = Array.from({ length: size }, () => logGammaDraw(concentration, uniform))
      const top = Math.max(...logs)
      const weights = logs.map(value => Math.exp(value - top))
      const sum = weights.reduce((a, b) => a + b, 0)
      weights.forEach((weight, j) => {
        factor[j * rank + k] = weight / sum
      })
    }
    return factor
  })
  const cumulative = factors.map((factor, n) =>
    Array.from({ length: rank }, (_, k) => {
      let sum = 0
      return Float64Array.from({ length: shape[n] }, (_, j) => {
        sum += factor[j * rank + k]
        return sum
      })
    }),
  )
  const pick = (sums: Float64Array, u: number): number => {
    const target = u * sums[sums.length - 1]
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle] > target) high = middle
      else low = middle + 1
    }
    return low
  }
  const columns = shape.map(() => new Int32Array(draws))
  for (let i = 0; i < draws; i++) {
    const k = below(rank)
    for (let n = 0; n < shape.length; n++) columns[n][i] = pick(cumulative[n][k], uniform())
  }
  const tensor: Tensor = tensorFromColumns(columns, undefined, { shape })
  const truth: Parameters = { rank, shares: new Float64Array(rank).fill(1 / rank), factors }
  return { tensor, truthLoss: lossesOf(tensor, logLikelihoodOf(tensor, truth)).loss }
}
