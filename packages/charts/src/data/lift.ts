import type { ChartClass, ChartMode } from './chart-data.ts'
import { highestPlaces } from './series.ts'

/** How much a label tells of a class: its part in the divergence of the class from the whole. Lift alone would favour what is rare. */
export const strength = (probability: number, overall: number): number =>
  probability > 0 && overall > 0 ? probability * Math.log(probability / overall) : 0

/** A label hardly more frequent than overall marks nothing. */
const LEAST_LIFT = 1.15

/** The labels of a class that are more frequent in it than overall, the strongest first. */
export const marksOf = ({ probabilities, marginal }: ChartMode, k: number, most: number): number[] => {
  const by = probabilities[k].map((p, j) => (p < LEAST_LIFT * marginal[j] ? 0 : strength(p, marginal[j])))
  return highestPlaces(by, most)
}

/** The labels that tell the classes apart best, taken from each class in turn; class by class, so that blocks show. */
export const topLabels = (mode: ChartMode, classes: readonly ChartClass[], most: number): number[] => {
  const marks = classes.map((_, k) => marksOf(mode, k, most))
  const taken = new Map<number, number>()
  for (let i = 0; i < most && taken.size < most; i++) {
    marks.forEach((each, k) => {
      if (i < each.length && taken.size < most && !taken.has(each[i])) taken.set(each[i], k)
    })
  }
  // Where no label tells the classes apart, the most frequent ones.
  if (taken.size === 0) return highestPlaces(mode.marginal, most)
  const strongest = (j: number, k: number) => strength(mode.probabilities[k][j], mode.marginal[j])
  return [...taken].sort(([a, k], [b, l]) => k - l || strongest(b, l) - strongest(a, k)).map(([j]) => j)
}
