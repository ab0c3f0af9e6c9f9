import type { ChartMode, PairsData, ProfilesData } from './chart-data.ts'
import { highestPlaces } from './series.ts'

/** The most frequent labels of a class, those that never occur in it left out. */
export const frequentLabels = ({ probabilities }: ChartMode, k: number, most: number): number[] =>
  highestPlaces(probabilities[k], most)

/**
 * The two modes to be held against each other: those named, or the two with the most labels that are not ordered, or just with
 * the most labels. Undefined where there are not two.
 * @example
 * pairsData(profilesData(model))?.modes.map(({ name }) => name) // ['trust', 'age']
 */
export const pairsData = ({ classes, modes }: ProfilesData, names?: readonly string[]): PairsData | undefined => {
  const wanted = names?.map(name => modes.find(mode => mode.name === name))
  const bySize = modes.toSorted((a, b) => Number(a.ordered) - Number(b.ordered) || b.labels.length - a.labels.length)
  const [first, second] = wanted ?? bySize
  return first && second && { classes, modes: [first, second] }
}
