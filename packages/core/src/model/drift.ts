import type { Label } from '../tensor/mode.ts'
import { alignModels } from './align.ts'
import { type Match, matchClasses } from './match.ts'
import type { Model } from './model.ts'

/** Change of the probabilities of a mode. */
export interface Movement {
  readonly mode: string
  /** The total variation distance, ½ Σ |after − before|: the part of the answers that has moved to other labels, 0 to 1. */
  readonly distance: number
  /** What it would be on average if nothing had changed, by the number of observations alone. */
  readonly chance: number
  /** The label that has changed most, and its probabilities. */
  readonly label: Label
  readonly before: number
  readonly after: number
}

/** A class before and after. */
export interface ClassDrift {
  /** Its number in each model, from 0; undefined where it has no partner. */
  readonly before: number | undefined
  readonly after: number | undefined
  readonly shareBefore: number | undefined
  readonly shareAfter: number | undefined
  /** How alike the two are: the product over the modes of the cosine. */
  readonly similarity: number | undefined
  /** One for each mode; none without a partner. */
  readonly modes: readonly Movement[]
}

/** A mode before and after, over all classes. */
export interface ModeDrift extends Movement {
  /** The mean of the distances within classes, by their mean shares: what does not come from class sizes. */
  readonly within: number
  /** Labels that only one of the models has. */
  readonly gone: readonly Label[]
  readonly added: readonly Label[]
}

export interface Drift {
  /** The factor match score: 1 for equal models. */
  readonly score: number
  /** The total variation distance of the class sizes, 0 to 1: what has no partner counts in full. */
  readonly shares: number
  readonly classes: readonly ClassDrift[]
  readonly modes: readonly ModeDrift[]
}

/**
 * Compares two models with the same modes: changes of class sizes, and of the probabilities of every mode in every class. Classes are matched by their
 * profiles (`matchClasses`), labels by name; a label that a model lacks has probability 0.
 * @example
 * const later = await updateModel(model, answers)
 * const { classes, modes } = modelDrift(model, later.model)
 * classes.length // 2
 */
export const modelDrift = (before: Model, after: Model): Drift => {
  const match = matchClasses(before, after)
  const {
    models: [a, b],
    unshared,
  } = alignModels(before, after)
  const classes = [
    ...match.partner.map((l, k) => classDrift(a, b, k, l < 0 ? undefined : l, match)),
    ...b.shares.flatMap((_, l) => (match.partner.includes(l) ? [] : [classDrift(a, b, undefined, l, match)])),
  ]
  const paired = classes.filter(({ modes }) => modes.length > 0)
  const weight = ({ shareBefore, shareAfter }: ClassDrift) => ((shareBefore ?? 0) + (shareAfter ?? 0)) / 2
  const weights = paired.reduce((sum, each) => sum + weight(each), 0)
  const modes = a.modes.map(({ name }, n) => {
    const apart = unshared.find(({ mode }) => mode === name)
    return Object.freeze({
      ...movement(a, n, a.marginal(n), b.marginal(n), [a.total, b.total]),
      within: paired.reduce((sum, each) => sum + weight(each) * each.modes[n].distance, 0) / weights,
      gone: apart?.onlyA ?? [],
      added: apart?.onlyB ?? [],
    })
  })
  const shares =
    classes.reduce((sum, { shareBefore, shareAfter }) => sum + Math.abs((shareBefore ?? 0) - (shareAfter ?? 0)), 0) / 2
  return Object.freeze({ score: match.score, shares, classes: Object.freeze(classes), modes: Object.freeze(modes) })
}

const classDrift = (
  a: Model,
  b: Model,
  k: number | undefined,
  l: number | undefined,
  { similarity }: Match,
): ClassDrift =>
  Object.freeze({
    before: k,
    after: l,
    shareBefore: k === undefined ? undefined : a.shares[k],
    shareAfter: l === undefined ? undefined : b.shares[l],
    similarity: k === undefined || l === undefined ? undefined : similarity[k],
    modes:
      k === undefined || l === undefined
        ? []
        : a.modes.map((_, n) => movement(a, n, a.profile(n, k), b.profile(n, l), [a.sizes[k], b.sizes[l]])),
  })

const movement = (
  { modes }: Model,
  n: number,
  before: readonly number[],
  after: readonly number[],
  sizes: readonly [number, number],
): Movement => {
  let [distance, chance, most] = [0, 0, 0]
  const [p, q] = sizes
  before.forEach((each, j) => {
    const moved = Math.abs(after[j] - each)
    distance += moved / 2
    if (moved > Math.abs(after[most] - before[most])) most = j
    // The mean of |x| of a normal x is √(2/π) standard deviations.
    const pooled = Math.min(1, (p * each + q * after[j]) / (p + q))
    chance += p === 0 || q === 0 ? 1 : Math.sqrt((2 / Math.PI) * pooled * (1 - pooled) * (1 / p + 1 / q)) / 2
  })
  return Object.freeze({
    mode: modes[n].name,
    distance,
    chance: Math.min(1, chance),
    label: modes[n].label(most),
    before: before[most],
    after: after[most],
  })
}
