import { type Label, MISSING, type Mode, type Model } from '@polyad/core'
import { locateRow, mostProbable, posteriorInto } from '@polyad/core/model'
import { binPosition, type ModeRecipe, type Recipe } from 'polyad/table'

/** One row, typed: by the name of a mode or a covariate what was chosen; what is not there, or empty, is unknown. */
export type TypedRow = Readonly<Record<string, string>>

export interface Answer {
  readonly mode: string
  readonly label: Label
  /** How many times as frequent in the class as in the others together; Infinity where the others do not have it. */
  readonly times: number
}

export interface TypedResult {
  readonly probabilities: readonly number[]
  /** The most probable class, from 0. */
  readonly class: number
  readonly logLikelihood: number
  /** What was given, that which speaks most clearly for or against the class first. */
  readonly answers: readonly Answer[]
  /** Modes with something that the model has never seen, which counts as unknown. */
  readonly unseen: readonly string[]
  /** Covariates without a usable value: before the answers, the classes are then as probable as they are large. */
  readonly lacking: readonly string[]
}

const given = (row: TypedRow, name: string): string | undefined =>
  Object.hasOwn(row, name) && row[name] !== '' ? row[name] : undefined

/** The label of the interval that a number falls into; undefined where it is no number, or the model has no such interval. */
export const intervalOf = (
  mode: Mode,
  binning: NonNullable<ModeRecipe['binning']>,
  typed: string,
): Label | undefined => {
  if (typed.trim() === '' || !Number.isFinite(Number(typed))) return undefined
  const place = binPosition(binning, mode)(typed)
  return place < 0 ? undefined : mode.label(place)
}

/** A typed row with intervals in place of numbers, for variables that were cut. */
export const inIntervals = (model: Model, recipe: Recipe, row: TypedRow): TypedRow => {
  const labels = model.modes.flatMap((mode, n) => {
    const { binning } = recipe.modes[n] ?? {}
    const typed = given(row, mode.name)
    if (typed === undefined || !isNumberBinning(binning)) return []
    return [[mode.name, String(intervalOf(mode, binning, typed) ?? typed)] as const]
  })
  return { ...row, ...Object.fromEntries(labels) }
}

/** Whether numbers were cut, not dates. */
export const isNumberBinning = (binning: ModeRecipe['binning']): binning is NonNullable<ModeRecipe['binning']> =>
  binning !== undefined && binning.kind !== 'date'

/** What a model says of a typed row. */
export const classifyTyped = (model: Model, row: TypedRow): TypedResult => {
  const columns = [...model.modes, ...model.structure.given]
  const known = Object.fromEntries(columns.map(({ name }) => [name, given(row, name) ?? null]))
  const { indices, factors, unseen } = locateRow(model, known)
  const { probabilities: shares, lacking } = model.structure.prior(name => given(row, name), model.parameters.shares)
  const parameters = { ...model.parameters, factors, shares }
  const out = new Float64Array(model.rank)
  const logLikelihood = posteriorInto(parameters, indices, 0, out)
  const best = mostProbable(out)
  const answers = model.modes.flatMap((mode, n): Answer[] => {
    const index = indices[n][0]
    if (index === MISSING) return []
    // A number that was never seen is no label of the model.
    const label = factors[n] === model.parameters.factors[n] ? mode.label(index) : Number(known[mode.name])
    return [{ mode: mode.name, label, times: timesAsFrequent(model, factors[n], index, best) }]
  })
  return {
    probabilities: [...out],
    class: best,
    logLikelihood,
    answers: answers.sort((a, b) => strength(b) - strength(a)),
    unseen,
    lacking,
  }
}

const strength = ({ times }: Answer): number => Math.abs(Math.log(times))

const timesAsFrequent = ({ rank, shares }: Model, factor: Float64Array, index: number, k: number): number => {
  const probability = (j: number) => factor[index * rank + j]
  const others = shares.reduce((sum, share, j) => (j === k ? sum : sum + share * probability(j)), 0)
  const rest = shares.reduce((sum, share, j) => (j === k ? sum : sum + share), 0)
  return rest === 0 ? 1 : (probability(k) * rest) / others
}
