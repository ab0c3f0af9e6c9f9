import type { ChartClass, ChartMode, LinesData, PairsData } from '@polyad/charts'
import type { Interval, Mode, Model } from '@polyad/core'

/** The modes of a model as charts take them: cut to what a page can show. */

/** Up to so many labels all of them are shown. */
export const FEW_LABELS = 24
/** Of modes with more, so many for every class, and no more than so many in all. */
const TOP = { each: 10, all: 40 }
/** An ordered mode with many labels is a line through so many points at most. */
const POINTS = 160

/** By mode, class and label. */
export type FactorIntervals = readonly (readonly (readonly (Interval | null)[])[])[]

const modeWith = (model: Model, n: number, positions: readonly number[], intervals?: FactorIntervals): ChartMode => {
  const { parameters, rank, modes } = model
  const marginal = model.marginal(n)
  const of = (k: number) => positions.map(j => parameters.factors[n][j * rank + k])
  const classes = Array.from({ length: rank }, (_, k) => k)
  return {
    name: modes[n].name,
    labels: positions.map(j => String(modes[n].label(j))),
    ordered: modes[n].ordered,
    probabilities: classes.map(of),
    marginal: positions.map(j => marginal[j]),
    ...(intervals !== undefined && { intervals: classes.map(k => positions.map(j => intervals[n][k][j])) }),
  }
}

/** A mode with all of its labels. */
export const wholeMode = (model: Model, n: number, intervals?: FactorIntervals): ChartMode =>
  modeWith(model, n, [...Array(model.modes[n].size).keys()], intervals)

/** The labels of a mode that tell its classes from the whole, class by class: their part in the divergence is largest. */
const strongest = (model: Model, n: number, each: number, all: number): number[] => {
  const { parameters, rank, modes } = model
  const marginal = model.marginal(n)
  const factor = parameters.factors[n]
  const taken = new Set<number>()
  for (let k = 0; k < rank; k++) {
    const strength = (j: number) => {
      const p = factor[j * rank + k]
      return p > marginal[j] ? p * Math.log(p / marginal[j]) : 0
    }
    let least = 0
    let kept: { readonly j: number; readonly by: number }[] = []
    for (let j = 0; j < modes[n].size; j++) {
      const by = strength(j)
      if (by <= least) continue
      kept.push({ j, by })
      if (kept.length < 8 * each) continue
      kept = kept.sort((a, b) => b.by - a.by).slice(0, each)
      least = kept[each - 1].by
    }
    for (const { j } of kept.sort((a, b) => b.by - a.by || a.j - b.j).slice(0, each)) taken.add(j)
  }
  if (taken.size > 0) return [...taken].slice(0, all)
  const frequent = [...marginal.keys()].sort((a, b) => marginal[b] - marginal[a] || a - b)
  return frequent.slice(0, each)
}

/** A mode with the labels that mark its classes. */
export const topMode = (model: Model, n: number): ChartMode => ({
  ...modeWith(
    model,
    n,
    strongest(model, n, Math.max(3, Math.min(TOP.each, Math.floor(TOP.all / model.rank))), TOP.all),
  ),
  ordered: false,
})

/** An ordered mode as a line: neighbouring labels are added up where they are too many. */
export const lineMode = (model: Model, n: number): { readonly mode: ChartMode; readonly each: number } => {
  const { size, name } = model.modes[n]
  const each = Math.ceil(size / POINTS)
  const { rank, parameters, modes } = model
  const marginal = model.marginal(n)
  const count = Math.ceil(size / each)
  const probabilities = Array.from({ length: rank }, () => new Array<number>(count).fill(0))
  const overall = new Array<number>(count).fill(0)
  for (let j = 0; j < size; j++) {
    const at = Math.floor(j / each)
    overall[at] += marginal[j]
    for (let k = 0; k < rank; k++) probabilities[k][at] += parameters.factors[n][j * rank + k]
  }
  const label = (at: number) => {
    const [from, to] = [at * each, Math.min(size, (at + 1) * each) - 1]
    return from === to ? String(modes[n].label(from)) : `${modes[n].label(from)} … ${modes[n].label(to)}`
  }
  const labels = Array.from({ length: count }, (_, at) => label(at))
  return { mode: { name, labels, ordered: true, probabilities, marginal: overall }, each }
}

/** Items of the classic line plot have few labels, and there are some of them, but not too many to be told apart. */
const ITEMS = { labels: 10, least: 3, most: 120 }

/**
 * One probability of every item: where all items have the same labels, of the label that differs most between classes; else of
 * each item's own. Of two that differ alike, as in yes and no, it is the last.
 */
export const itemLines = (
  model: Model,
  classes: readonly ChartClass[],
  intervals?: FactorIntervals,
): LinesData | null => {
  const items = model.modes
    .flatMap((mode, n) => (mode.size > 1 && mode.size <= ITEMS.labels ? [n] : []))
    .slice(0, ITEMS.most)
  if (items.length < ITEMS.least || model.rank < 2) return null
  const profiles = (n: number, j: number) => model.shares.map((_, k) => model.parameters.factors[n][j * model.rank + k])
  const range = (n: number, j: number) => Math.max(...profiles(n, j)) - Math.min(...profiles(n, j))
  const best = (size: number, by: (j: number) => number) => {
    let at = size - 1
    for (let j = size - 2; j >= 0; j--) if (by(j) > by(at) + 1e-9) at = j
    return at
  }
  const labelsOf = (mode: Mode) => JSON.stringify(Array.from({ length: mode.size }, (_, j) => String(mode.label(j))))
  const alike = items.every(n => labelsOf(model.modes[n]) === labelsOf(model.modes[items[0]]))
  const common = best(model.modes[items[0]].size, j => items.reduce((sum, n) => sum + (alike ? range(n, j) : 0), 0))
  return {
    classes,
    measure: alike ? `P[${model.modes[items[0]].label(common)} | class]` : 'P[label | class]',
    items: items.map(n => {
      const mode = model.modes[n]
      const j = alike ? common : best(mode.size, at => range(n, at))
      return {
        name: mode.name,
        of: String(mode.label(j)),
        values: profiles(n, j),
        ...(intervals !== undefined && { intervals: model.shares.map((_, k) => intervals[n][k][j]) }),
      }
    }),
  }
}

/** Labels of each mode in a matrix of two. */
const CROSSED = 12

/** Who × what: the modes with many labels, two by two, the largest first; three pairs at most. */
export const crossedModes = (model: Model, classes: readonly ChartClass[]): PairsData[] => {
  const sizes = model.modes.map(({ size }) => size)
  const many = [...sizes.keys()].filter(n => sizes[n] > 2).sort((a, b) => sizes[b] - sizes[a] || a - b).slice(0, 3) // biome-ignore format: one chain
  if (many.length < 2 || sizes[many[0]] <= FEW_LABELS) return []
  const crossed = (n: number): ChartMode => ({
    ...(sizes[n] <= CROSSED
      ? wholeMode(model, n)
      : modeWith(model, n, strongest(model, n, Math.max(2, Math.floor(CROSSED / model.rank)), CROSSED))),
    ordered: false,
  })
  return many.flatMap((a, i) => many.slice(i + 1).map(b => ({ classes, modes: [crossed(a), crossed(b)] as const })))
}
