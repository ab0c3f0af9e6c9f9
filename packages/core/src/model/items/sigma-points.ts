import { cholesky } from '../../numeric/symmetric.ts'
import { ROUNDING } from './boxes.ts'
import type { ItemModel, MultivariateNormalSpec } from './item.ts'
import { tupleLabel } from './number-labels.ts'

/**
 * Labels that stand for all of a class of joined numbers, each for as much as the others: they have its means, and its covariances with those of
 * rounding, which is all that an M-step takes from labels.
 */
export const sigmaPoints = (
  item: ItemModel,
  { variables }: MultivariateNormalSpec,
  theta: Float64Array,
  of: number,
): string[] => {
  const n = variables.length
  const moments = variables.map((_, i) => item.moments(theta, of, i))
  const correlations = new Map(
    item
      .describe(theta)
      .flatMap(each =>
        each.name === 'correlation' && (each.class ?? of) === of ? [[each.of!.join(), each.value]] : [],
      ),
  )
  const nameOf = (i: number) => variables[i].name
  const covariance = Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n]
    if (i === j) return moments[i].sd ** 2 + ROUNDING * variables[i].step ** 2
    const correlation = correlations.get([nameOf(Math.min(i, j)), nameOf(Math.max(i, j))].join()) ?? 0
    return correlation * moments[i].sd * moments[j].sd
  })
  const factor = cholesky(covariance, n, 0)!
  return variables.flatMap((_, column) =>
    [-1, 1].map(sign => tupleLabel(moments.map(({ mean }, i) => mean + sign * Math.sqrt(n) * factor[i * n + column]))!),
  )
}
