import { type FittedItem, isNumber } from '../../model/items/item.ts'
import { itemModel } from '../../model/items/items.ts'
import { tupleOf } from '../../model/items/number-labels.ts'
import type { Model } from '../../model/model.ts'
import { columnSums } from '../../model/parameters.ts'
import { largest } from '../../numeric/largest.ts'
import { log } from '../../numeric/log.ts'
import { wholeNumber } from '../../options.ts'
import { labelsOf, Mode } from '../../tensor/mode.ts'

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
  /** Of a number whose mean in the class is far from that over all classes. */
  readonly number?: { readonly side: 'high' | 'low'; readonly mean: number; readonly overall: number }
}

/** A mean is far from another if they differ by this many standard deviations. */
const FAR = 0.5

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
  const marks = model.modes
    .flatMap((_, n) => variablesOf(model, n))
    .flatMap(variable => {
      const { mode } = variable
      const { overall, inClass } = profilesOf(variable, model, k)
      const range = numberRange(variable, model.rank)
      const ranged = mode.ordered && mode.size > FEW_LABELS && mode.size <= MANY_LABELS
      if (isWide(variable)) return []
      const moments = momentsOf(variable, model.rank)
      // A mode may have a million labels: only those that can be among the strongest of all modes are described.
      const spans: (readonly [number, number])[] =
        moments !== undefined && mode.size > MANY_LABELS
          ? [aroundMean(mode, moments[k])]
          : ranged
            ? [range === undefined ? strongestRange(inClass, overall) : strongestRange(whole(inClass), whole(overall))]
            : largest(mode.size, limit, j => strengthOf(sum(inClass, j, j), sum(overall, j, j))).map(j => [j, j])
      return spans.flatMap(([from, to]) => {
        const each = range?.(from, to)
        const probability = each?.[k] ?? sum(inClass, from, to)
        const expected = each?.reduce((total, p, l) => total + p * model.shares[l], 0) ?? sum(overall, from, to)
        const strength = strengthOf(probability, expected)
        if (Number.isNaN(strength)) return []
        const [first, last] = [String(mode.label(from)), String(mode.label(to))]
        const label = from === to ? first : mergedLabel(first, last)
        const number = moments && sideOf(moments, model.shares, k)
        const lift = probability / expected
        const mark = { mode: mode.name, label, probability, overall: expected, lift, ...(number && { number }) }
        return [{ mark, strength }]
      })
    })
  return largest(marks.length, limit, i => marks[i].strength).map(i => marks[i].mark)
}

/** A variable of a model: a mode, or one of the numbers that a mode joins. */
interface Variable {
  readonly mode: Mode
  readonly item: Pick<FittedItem, 'spec' | 'theta'> | undefined
  readonly factor: Float64Array
}

const variablesOf = (model: Model, n: number): readonly Variable[] => {
  const [mode, item, rank] = [model.modes[n], model.items[n], model.rank]
  if (item?.spec.kind !== 'multivariate-normal') return [{ mode, item, factor: model.parameters.factors[n] }]
  const { variables } = item.spec
  const tuples = labelsOf(mode).map(label => tupleOf(label, variables.length) ?? [])
  return variables.map(({ name, step }, i): Variable => {
    const values = [
      ...new Set(tuples.flatMap(tuple => (tuple[i] === undefined || Number.isNaN(tuple[i]) ? [] : [tuple[i]]))),
    ]
    values.sort((a, b) => a - b)
    const moments = Array.from({ length: rank }, (_, k) => model.itemModel(n)!.moments(item.theta, k, i))
    const spec = { kind: 'normal', step, variances: 'free' } as const
    const theta = Float64Array.from([...moments.map(({ mean }) => mean), ...moments.map(({ sd }) => sd)])
    const factor = new Float64Array(values.length * rank)
    itemModel(spec, values, rank).table(theta, factor)
    return { mode: new Mode(name, values, true), item: { spec, theta }, factor }
  })
}

/** The probabilities of labels in a class, and over all classes. */
const profilesOf = ({ factor, mode }: Variable, { rank, shares }: Model, k: number) => {
  const labels = Array.from({ length: mode.size }, (_, j) => j)
  return {
    inClass: labels.map(j => factor[j * rank + k]),
    overall: labels.map(j => shares.reduce((total, share, l) => total + share * factor[j * rank + l], 0)),
  }
}

/**
 * The probabilities of a range of a number in every class, from one of its labels to another: also of the values in between that nobody has.
 * Undefined for categories and scales.
 */
const numberRange = (
  { mode, item }: Variable,
  rank: number,
): ((from: number, to: number) => Float64Array) | undefined => {
  if (item === undefined || !isNumber(item.spec) || item.spec.kind === 'multivariate-normal') return undefined
  const { spec, theta } = item
  return (from, to) => {
    const [low, high] = [Number(mode.label(from)), Number(mode.label(to))]
    const isNormal = spec.kind === 'normal'
    const values = isNormal ? [(low + high) / 2] : Array.from({ length: high - low + 1 }, (_, i) => low + i)
    const wide = isNormal ? { ...spec, step: high - low + spec.step } : spec
    const table = new Float64Array(values.length * rank)
    itemModel(wide, values, rank).table(theta, table)
    return columnSums(table, rank)
  }
}

interface Moments {
  readonly mean: number
  readonly sd: number
}

/** Of a number, in every class; undefined for categories and scales. */
const momentsOf = ({ mode, item }: Variable, rank: number): readonly Moments[] | undefined => {
  if (item === undefined || !isNumber(item.spec)) return undefined
  const own = itemModel(item.spec, labelsOf(mode), rank)
  return Array.from({ length: rank }, (_, k) => own.moments(item.theta, k))
}

/** Of very many numbers: the labels within a standard deviation of the mean. */
const aroundMean = (mode: Mode, { mean, sd }: Moments): readonly [from: number, to: number] => {
  const values = labelsOf(mode).map(Number)
  const above = values.findIndex(value => value >= mean - sd)
  const from = above < 0 ? values.length - 1 : above
  return [
    from,
    Math.max(
      from,
      values.findLastIndex(value => value <= mean + sd),
    ),
  ]
}

/** Whether a number is high or low in a class. */
const sideOf = (moments: readonly Moments[], shares: readonly number[], k: number): ClassMark['number'] => {
  const overall = moments.reduce((total, each, l) => total + shares[l] * each.mean, 0)
  const variance = moments.reduce((total, { mean, sd }, l) => total + shares[l] * (sd ** 2 + (mean - overall) ** 2), 0)
  const { mean } = moments[k]
  if (!(Math.abs(mean - overall) >= FAR * Math.sqrt(variance))) return undefined
  return { side: mean > overall ? 'high' : 'low', mean, overall }
}

/** A range of counts is added up value by value: up to this many. */
const MANY_COUNTS = 100_000

const isWide = ({ mode, item }: Variable): boolean =>
  item?.spec.kind === 'count' && Number(mode.label(mode.size - 1)) - Number(mode.label(0)) > MANY_COUNTS

/** Numbers as parts of their sum. */
const whole = (values: readonly number[]): number[] => {
  const total = values.reduce((all, each) => all + each, 0)
  return values.map(each => each / total)
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

/** So many places of the ends of a range are compared at once; if there are more labels, those between are compared near the best. */
const PLACES = 200

/** The run of neighbouring labels that best tells the class from the whole: the divergence of being in it or not. */
const strongestRange = (inClass: readonly number[], overall: readonly number[]): readonly [number, number] => {
  const strongest = (froms: readonly number[], tos: readonly number[]) => {
    let best: readonly [number, number] = [0, 0]
    let most = Number.NEGATIVE_INFINITY
    for (const from of froms) {
      if (inClass[from] === 0) continue
      let [p, q, next] = [0, 0, from]
      for (const to of tos) {
        if (to < from) continue
        for (; next <= to; next++) {
          p += inClass[next]
          q += overall[next]
        }
        if (p <= q || inClass[to] === 0) continue
        const outside = p < 1 && q < 1 ? (1 - p) * log((1 - p) / (1 - q)) : 0
        const strength = p * log(p / q) + outside
        if (strength > most + 1e-12) [best, most] = [[from, to], strength]
      }
    }
    return best
  }
  const all = Array.from(inClass.keys())
  const every = Math.ceil(all.length / PLACES)
  const coarse = strongest(
    ...([0, every - 1].map(first => all.filter(j => j % every === first)) as [number[], number[]]),
  )
  if (every === 1) return coarse
  const [low, high] = coarse.map(end => all.slice(Math.max(0, end - every), end + every + 1))
  return strongest(low, high)
}
