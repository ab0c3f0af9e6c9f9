import type { Mode, Model } from '@polyad/core'
import type { ChartClass, ChartInterval, ChartMode, ProfilesData } from './chart-data.ts'

/** By mode, class and label: as standard errors and the bootstrap give them. */
export type FactorIntervals = readonly (readonly (readonly (ChartInterval | null)[])[])[]

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
 * One mode of a model.
 * @example
 * modeOf(model, 1).labels // ['none', 'yes']
 */
export const modeOf = (model: Model, n: number, intervals?: FactorIntervals): ChartMode => {
  const mode = model.modes[n]
  return {
    name: mode.name,
    labels: labelsOf(mode),
    ordered: mode.ordered,
    probabilities: model.shares.map((_, k) => model.profile(n, k)),
    marginal: model.marginal(n),
    ...(intervals && { intervals: intervals[n] }),
  }
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
  modes: model.modes.map((_, n) => modeOf(model, n, intervals)),
})
