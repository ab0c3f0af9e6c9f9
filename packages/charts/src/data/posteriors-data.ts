import type { Model, Tensor } from '@polyad/core'
import { posteriorInto } from '@polyad/core/model'
import { isLinkedData, type LinkedData, linkedPosteriors, type ModelData, passOver } from '@polyad/core/stats'
import type { PosteriorsData } from './chart-data.ts'
import { classesOf } from './profiles-data.ts'

/** The first of the most probable classes. */
export const mostProbable = (probabilities: readonly number[]): number =>
  probabilities.indexOf(Math.max(...probabilities))

/**
 * Posteriors that agree to one part in `steps` as one, with the counts of all; the most frequent first.
 * @example
 * fewerPoints(posteriorsData(model, answers).points, 10).length <= 11 // true
 */
export const fewerPoints = (
  points: Iterable<PosteriorsData['points'][number]>,
  steps: number,
): PosteriorsData['points'] => {
  const found = new Map<string, { sums: number[]; count: number }>()
  for (const { probabilities, count } of points) {
    const key = probabilities.map(p => Math.round(p * steps)).join()
    const kept = found.get(key) ?? { sums: probabilities.map(() => 0), count: 0 }
    probabilities.forEach((p, k) => {
      kept.sums[k] += p * count
    })
    kept.count += count
    found.set(key, kept)
  }
  return [...found.values()]
    .filter(({ count }) => count > 0)
    .map(({ sums, count }) => ({ probabilities: sums.map(sum => sum / count), count }))
    .sort((a, b) => b.count - a.count)
}

/** Data whose classes are asked for: cells, or rows in the form of a model. */
export type ClassifiedData = Tensor | ModelData | LinkedData

/** Posteriors are kept to this part: enough for any picture, and few enough for any page. */
const STEPS = 200

/**
 * The posteriors of the cells of a tensor, with their counts; those that agree to half a percent are one.
 * @example
 * posteriorsData(model, answers).points.reduce((sum, { count }) => sum + count, 0) // 1000
 */
export const posteriorsData = (model: Model, data: ClassifiedData, names?: readonly string[]): PosteriorsData => ({
  classes: classesOf(model, names),
  points: fewerPoints(posteriorsOf(model, data), STEPS),
})

/**
 * The posteriors of every cell, with its count. The array is the same every time.
 * @example
 * [...posteriorsOf(model, answers)].length === answers.cells // true
 */
export function* posteriorsOf(model: Model, data: ClassifiedData) {
  if (isLinkedData(data)) return yield* linkedPosteriors(model, data)
  const { cells, parameters } = passOver(model, data)
  const probabilities = new Array<number>(model.rank).fill(0)
  const out = new Float64Array(model.rank)
  for (let cell = 0; cell < cells.cells; cell++) {
    posteriorInto(parameters, cells.indices, cell, out)
    for (let k = 0; k < out.length; k++) probabilities[k] = out[k]
    yield { probabilities, count: cells.values[cell] }
  }
}
