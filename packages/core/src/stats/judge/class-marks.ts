import type { Model } from '../../model/model.ts'
import { largest } from '../../numeric/largest.ts'
import { log } from '../../numeric/log.ts'
import { wholeNumber } from '../../options.ts'

/** A label (or a range of ordered labels) that marks a class. */
export interface ClassMark {
  readonly mode: string
  readonly label: string
  /** P[label | class]. */
  readonly probability: number
  /** P[label] over all classes. */
  readonly overall: number
  /** How many times as frequent in the class as overall. */
  readonly lift: number
}

/** Ordered modes with more labels than this are described by a range of labels: one label says little about a measurement. */
const FEW_LABELS = 6
/** A label hardly more frequent than overall marks nothing. */
const LEAST_LIFT = 1.15
/** Beyond this many labels the ranges are too many to go through. */
const MANY_LABELS = 1000

/**
 * The labels that set a class apart, the strongest first. They are ranked by P·log(lift), a label's part in the
 * divergence of the class from the whole: lift alone would favour what is rare everywhere.
 * @example
 * classMarks(model, 0, 2).map(({ mode, label }) => `${mode}: ${label}`) // ['vote: yes', 'trust: high']
 */
export const classMarks = (model: Model, k: number, limit = 8): ClassMark[] => {
  wholeNumber('k', k, 0, model.rank - 1)
  wholeNumber('limit', limit, 0)
  const marks = model.modes.flatMap((mode, n) => {
    const overall = model.marginal(n)
    const inClass = model.profile(n, k)
    const ranged = mode.ordered && mode.size > FEW_LABELS && mode.size <= MANY_LABELS
    // A mode may have a million labels: only those that can be among the strongest of all modes are described.
    const spans: (readonly [number, number])[] = ranged
      ? [strongestRange(inClass, overall)]
      : largest(mode.size, limit, j => strengthOf(sum(inClass, j, j), sum(overall, j, j))).map(j => [j, j])
    return spans.flatMap(([from, to]) => {
      const probability = sum(inClass, from, to)
      const expected = sum(overall, from, to)
      const strength = strengthOf(probability, expected)
      if (Number.isNaN(strength)) return []
      const [first, last] = [String(mode.label(from)), String(mode.label(to))]
      const label = from === to ? first : mergedLabel(first, last)
      const mark = { mode: mode.name, label, probability, overall: expected, lift: probability / expected }
      return [{ mark, strength }]
    })
  })
  return largest(marks.length, limit, i => marks[i].strength).map(i => marks[i].mark)
}

/** A label's part in the divergence; NaN if it marks nothing. */
const strengthOf = (probability: number, overall: number): number => {
  const times = probability / overall
  return times >= LEAST_LIFT ? probability * log(times) : Number.NaN
}

const sum = (values: readonly number[], from: number, to: number): number => {
  let total = 0
  for (let j = from; j <= to; j++) total += values[j]
  return Math.min(1, total)
}

/** [1,1.1) to [1.8,1.9) is [1,1.9); other labels stand with dots between. */
const mergedLabel = (first: string, last: string): string => {
  const [low, high] = [/^(\[[^,]+),/.exec(first)?.[1], /,([^,]+\))$/.exec(last)?.[1]]
  return low === undefined || high === undefined ? `${first} … ${last}` : `${low},${high}`
}

/** The run of neighbouring labels that best tells the class from the whole: the divergence of being in it or not. */
const strongestRange = (inClass: readonly number[], overall: readonly number[]): readonly [number, number] => {
  let best: readonly [number, number] = [0, 0]
  let most = Number.NEGATIVE_INFINITY
  for (let from = 0; from < inClass.length; from++) {
    if (inClass[from] === 0) continue
    let [p, q] = [0, 0]
    for (let to = from; to < inClass.length; to++) {
      p += inClass[to]
      q += overall[to]
      if (p <= q || inClass[to] === 0) continue
      const outside = p < 1 && q < 1 ? (1 - p) * log((1 - p) / (1 - q)) : 0
      const strength = p * log(p / q) + outside
      if (strength > most + 1e-12) [best, most] = [[from, to], strength]
    }
  }
  return best
}
