import {
  type ChartClass,
  type ChartMode,
  type FactorIntervals,
  inOrder,
  type LinesData,
  linesData,
  modeOf,
  modesOf,
  NUMBERS,
  numberOf,
  type PairsData,
} from '@polyad/charts'
import type { Model } from '@polyad/core'
import { largest } from '@polyad/core/numeric'
import type { Labels } from '../../table/values/codebook.ts'

/** The modes of a model as charts take them: cut to what a page can show. */

/** Up to so many labels all of them are shown. */
export const FEW_LABELS = 24
/** Of modes with more, so many labels for every class. */
const TOP = 10
/** An ordered mode with many labels is a line through so many points at most. */
const POINTS = 160

/** Modes with their labels in place of names and values. */
export const labelledModes = (modes: readonly ChartMode[], labels: Labels): readonly ChartMode[] =>
  labels.any
    ? modes.map(mode => ({
        ...mode,
        name: labels.name(mode.name),
        labels: mode.labels.map(value => labels.value(mode.name, value)),
      }))
    : modes

/** A mode with all of its labels: where it is told to be ordered, in the order that they state. */
export const wholeMode = (model: Model, n: number, ordered: boolean, intervals?: FactorIntervals): ChartMode => {
  const mode = modeOf(model, n, intervals)
  if (!ordered || mode.ordered) return mode
  return { ...(inOrder(mode) ?? mode), ordered }
}

/** A mode with the labels for which `score` is highest, so many for every class. */
const cutMode = (model: Model, n: number, score: (probability: number, overall: number) => number): ChartMode => {
  const { parameters, rank, modes } = model
  const [factor, overall] = [parameters.factors[n], model.marginal(n)]
  const taken = new Set<number>()
  for (let k = 0; k < rank; k++) {
    for (const j of largest(modes[n].size, TOP, j => score(factor[j * rank + k], overall[j]), 0)) taken.add(j)
  }
  const positions = [...taken]
  return {
    name: modes[n].name,
    labels: positions.map(j => String(modes[n].label(j))),
    ordered: false,
    probabilities: model.shares.map((_, k) => positions.map(j => factor[j * rank + k])),
    marginal: positions.map(j => overall[j]),
    ...(positions.length < modes[n].size && { more: modes[n].size - positions.length }),
  }
}

/** A mode with the labels that mark its classes: those whose part in the divergence from the whole is largest. */
export const topMode = (model: Model, n: number): ChartMode =>
  cutMode(model, n, (p, q) => (p > q ? p * Math.log(p / q) : 0))

/** An ordered mode as a line: neighbouring labels are added up where they are too many. */
export const lineMode = (mode: ChartMode): { readonly mode: ChartMode; readonly each: number } => {
  const { labels, probabilities, marginal } = mode
  const each = Math.ceil(labels.length / POINTS)
  const added = (values: readonly number[]) => {
    const sums = new Array<number>(Math.ceil(values.length / each)).fill(0)
    values.forEach((value, j) => {
      sums[Math.floor(j / each)] += value
    })
    return sums
  }
  const spans = added(labels.map(() => 1)).map((count, i) => {
    const [first, last] = [labels[i * each], labels[i * each + count - 1]]
    return count === 1 ? first : `${first} … ${last}`
  })
  return { mode: { ...mode, labels: spans, probabilities: probabilities.map(added), marginal: added(marginal) }, each }
}

/** A mode as panels of profiles have it: whole, as a line, or cut to the labels that mark its classes; a number by its means, and joined ones each in a panel. */
export const panelModes = (
  model: Model,
  n: number,
  ordered: boolean,
  intervals?: FactorIntervals,
): readonly ChartMode[] => {
  if (numberOf(model, n) !== undefined) return modesOf(model, n)
  if (model.modes[n].size <= FEW_LABELS) return [wholeMode(model, n, ordered, intervals)]
  return [ordered ? lineMode(wholeMode(model, n, true)).mode : topMode(model, n)]
}

/** Items of the classic line plot: one number says little of many labels without an order. */
const ITEMS = { labels: 10, least: 3 }

/** The line plot of all variables that it can show, with those that it cannot. */
export const itemLines = (classes: readonly ChartClass[], modes: readonly ChartMode[]): LinesData | null => {
  const isItem = ({ labels, ordered, more }: ChartMode) =>
    labels.length > 1 && (ordered || (labels.length <= ITEMS.labels && more === undefined))
  const items = modes.filter(isItem)
  if (items.length < ITEMS.least || classes.length < 2) return null
  const many = modes.filter(mode => mode.labels.length > 1 && !isItem(mode))
  const omitted = modes.filter(mode => many.includes(mode) || mode.number !== undefined).map(({ name }) => name)
  const reasons = [
    ...(many.length > 0 ? [`more than ${ITEMS.labels} categories without an order`] : []),
    ...(many.length < omitted.length ? [NUMBERS] : []),
  ]
  return {
    ...linesData({ classes, modes: items }),
    ...(omitted.length > 0 && { omitted: { names: omitted, reason: reasons.join('; or ') } }),
  }
}

/** Who × what: the two modes with the most labels. */
export const crossedModes = (model: Model, classes: readonly ChartClass[]): PairsData | null => {
  const sizes = model.modes.map(({ size }, n) => (numberOf(model, n) === undefined ? size : 0))
  const [a, b] = [...sizes.keys()].filter(n => sizes[n] > 2).sort((x, y) => sizes[y] - sizes[x] || x - y)
  if (b === undefined || sizes[a] <= FEW_LABELS) return null
  const frequent = (n: number) => cutMode(model, n, p => p)
  return { classes, modes: [frequent(a), frequent(b)] }
}
