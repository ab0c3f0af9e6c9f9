import type { Mode, Model } from '@polyad/core'
import { areTimes } from '@polyad/core/model'
import type {
  ChartClass,
  ChartInterval,
  ChartMode,
  ChartNumber,
  PairsData,
  ProfilesData,
  TimeData,
} from './chart-data.ts'
import { inOrder } from './label-order.ts'
import { numberOf, numbersOf } from './number-moments.ts'

/** By mode, class and label: as standard errors and the bootstrap give them. */
export type FactorIntervals = readonly (readonly (readonly (ChartInterval | undefined)[])[])[]

/**
 * The classes of a model with their names: those given, its own, or numbers from 1.
 * @example
 * classesOf(model)[0].name // 'class 1'
 */
export const classesOf = (model: Model, names?: readonly string[]): ChartClass[] =>
  model.shares.map((share, k) => ({ name: names?.[k] ?? model.classNames?.[k] ?? `class ${k + 1}`, share }))

/** A mode's labels as text. */
export const labelsOf = (mode: Mode): string[] => Array.from({ length: mode.size }, (_, j) => String(mode.label(j)))

/**
 * One mode of a model. Of a number the means; it has no labels then.
 * @example
 * modeOf(model, 1).labels // ['none', 'yes']
 */
export const modeOf = (model: Model, n: number, intervals?: FactorIntervals): ChartMode => {
  const mode = model.modes[n]
  const number = numberOf(model, n)
  if (number !== undefined) return numberMode(model, mode.name, number)
  return {
    name: mode.name,
    labels: labelsOf(mode),
    ordered: mode.ordered,
    probabilities: model.shares.map((_, k) => model.profile(n, k)),
    marginal: model.marginal(n),
    ...(intervals && { intervals: intervals[n] }),
  }
}

const numberMode = ({ shares }: Model, name: string, number: ChartNumber): ChartMode => ({
  name,
  labels: [],
  ordered: false,
  probabilities: shares.map(() => []),
  marginal: [],
  number,
})

/**
 * One mode of a model; of joined numbers one for each.
 * @example
 * modesOf(model, 1).map(({ name }) => name) // ['vote']
 */
export const modesOf = (model: Model, n: number, intervals?: FactorIntervals): readonly ChartMode[] => {
  const numbers = numbersOf(model, n)
  return numbers.length > 1
    ? numbers.map(({ name, number }) => numberMode(model, name, number))
    : [modeOf(model, n, intervals)]
}

/**
 * P[label | class] of a model: the data of the kinds `profiles` and `top`.
 * @example
 * profilesData(model).modes[1].probabilities[0] // [0.10, 0.90]
 */
export const profilesData = (
  model: Model,
  { names, intervals }: { readonly names?: readonly string[]; readonly intervals?: FactorIntervals } = {},
): ProfilesData => ({
  classes: classesOf(model, names),
  modes: model.modes.flatMap((_, n) => modesOf(model, n, intervals)),
})

/**
 * The same without the variables that are numbers: for charts of categories.
 * @example
 * categoriesOf(profilesData(model)).modes.length // 3
 */
export const categoriesOf = <T extends ProfilesData>(data: T): T => ({
  ...data,
  modes: data.modes.filter(({ number }) => number === undefined),
})

/**
 * The mode to be shown over time: the one named, or the ordered one with the most labels, or the first whose labels are times.
 * Undefined where there is none, or where the labels of the one named have no order.
 * @example
 * timeData(profilesData(model), 'age')?.mode.labels // ['18–29', '30+']
 */
export const timeData = ({ classes, modes }: ProfilesData, name?: string): TimeData | undefined => {
  const categories = categoriesOf({ classes, modes }).modes
  const ordered = categories.filter(mode => mode.ordered).toSorted((a, b) => b.labels.length - a.labels.length)
  const mode =
    name === undefined
      ? (ordered[0] ?? categories.find(({ labels }) => areTimes(labels)))
      : categories.find(each => each.name === name)
  const placed = mode && inOrder(mode)
  return placed && { classes, mode: placed }
}

/**
 * The two modes to compare: those named, or the two with the most labels that are not ordered, or just with
 * the most labels. Undefined where there are not two.
 * @example
 * pairsData(profilesData(model))?.modes.map(({ name }) => name) // ['trust', 'age']
 */
export const pairsData = ({ classes, modes }: ProfilesData, names?: readonly string[]): PairsData | undefined => {
  const wanted = names?.map(name => modes.find(mode => mode.name === name))
  const bySize = categoriesOf({ classes, modes }).modes.toSorted(
    (a, b) => Number(a.ordered) - Number(b.ordered) || b.labels.length - a.labels.length,
  )
  const [first, second] = wanted ?? bySize
  return first && second && { classes, modes: [first, second] }
}
