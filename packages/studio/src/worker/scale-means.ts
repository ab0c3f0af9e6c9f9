import type { Model } from '@polyad/core'
import type { ClassMark } from '@polyad/core/stats'

/** A mark with what a class has of the variable on average, if that is a scale or a number. */
export interface ShownMark extends ClassMark {
  readonly average?: {
    readonly side: 'high' | 'low'
    readonly mean: number
    readonly overall: number
    /** Of a scale in words: how many steps it has, the first of which is 1. */
    readonly steps?: number
  }
}

/** A mean is far from another if they differ by this many standard deviations, as of numbers. */
const FAR = 0.5
/** A scale has at least so many steps. */
const FEWEST_STEPS = 3

/** Whether a class is high or low on a scale; undefined if it is neither, or if the mode is no scale. */
const sideOn = (model: Model, n: number, k: number): ShownMark['average'] => {
  const mode = model.modes[n]
  if (!mode.ordered || mode.size < FEWEST_STEPS) return undefined
  const labels = Array.from({ length: mode.size }, (_, j) => mode.label(j))
  // Bins are intervals, which have no average.
  if (labels.some(label => /^\[.*\)$/.test(`${label}`))) return undefined
  const numbers = labels.map(Number)
  const isNumeric = numbers.every(Number.isFinite)
  const values = isNumeric ? numbers : labels.map((_, j) => j + 1)
  const factor = model.parameters.factors[n]
  const moment = (of: (j: number) => number) => values.reduce((sum, _, j) => sum + of(j), 0)
  const all = Array.from(model.marginal(n))
  const overall = moment(j => all[j] * values[j])
  const deviation = Math.sqrt(moment(j => all[j] * (values[j] - overall) ** 2))
  const mean = moment(j => factor[j * model.rank + k] * values[j])
  if (!(Math.abs(mean - overall) >= FAR * deviation)) return undefined
  return { side: mean > overall ? 'high' : 'low', mean, overall, ...(!isNumeric && { steps: mode.size }) }
}

/** The marks of a class, each scale and number with its average, and told once. */
export const withAverages = (model: Model, k: number, marks: readonly ClassMark[]): readonly ShownMark[] => {
  const told = new Set<string>()
  return marks.flatMap((mark): readonly ShownMark[] => {
    const n = model.modes.findIndex(({ name }) => name === mark.mode)
    const average = mark.number ?? (n < 0 ? undefined : sideOn(model, n, k))
    if (average === undefined) return [mark]
    if (told.has(mark.mode)) return []
    told.add(mark.mode)
    return [{ ...mark, average }]
  })
}
