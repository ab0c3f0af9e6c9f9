import { OptionError, show } from '../../errors.ts'
import { checkedOptions, is, type OptionTable } from '../../options.ts'
import { type Label, labelsOf } from '../../tensor/mode.ts'
import { modeNamed } from '../../tensor/reshape.ts'
import type { Counts } from '../../tensor/tensor.ts'
import { mention, words } from '../../wording.ts'
import type {
  CategoricalSpec,
  CountSpec,
  ItemSetting,
  MultivariateNormalSpec,
  NormalSpec,
  ParametricSpec,
} from './item.ts'
import { numberOf } from './number-labels.ts'
import { checkItem, gridStep, itemValues } from './specs.ts'
import { checkTuples } from './tuples.ts'

/** Options of a normal variable. */
export interface NormalOptions {
  /** The width of the interval that a value stands for. Default: the grid on which the values of the data lie. */
  readonly step?: number
  /** 'free' (default): every class has a standard deviation of its own. 'equal': all have the same. */
  readonly variances?: NormalSpec['variances']
  /**
   * A prior on every variance: so many observations are added whose variance is that of all values together, so that no standard deviation of a small
   * class comes near zero. Default 0: maximum likelihood.
   */
  readonly prior?: number
}

/** A scale. */
export interface OrdinalOptions {
  /** The score of each category, in their order. Default: the categories themselves if they are numbers, else 1, 2, 3, … */
  readonly scores?: readonly number[]
}

/** A count. */
export interface CountOptions {
  readonly distribution?: CountSpec['distribution']
}

/** The distribution of a variable within a class. */
export type Item =
  | CategoricalSpec
  | ({ readonly kind: 'normal' } & NormalOptions)
  | ({ readonly kind: 'ordinal' } & OrdinalOptions)
  | ({ readonly kind: 'count' } & CountOptions)

/** Distributions of variables by their names; all others are categorical. Joined numbers are multivariate normal. */
export type Items = Readonly<Record<string, Item | MultivariateNormalSpec>>

const NORMAL_OPTIONS = {
  step: { check: is.positive },
  variances: { check: is.oneOf(['free', 'equal']) },
  prior: { check: is.nonNegative },
} as const satisfies OptionTable<NormalOptions>

const ORDINAL_OPTIONS = {
  scores: {
    check: is.thing(
      'a list of finite numbers',
      (value: unknown) => Array.isArray(value) && value.every(each => is.finite.allows(each)),
    ),
  },
} as const satisfies OptionTable<OrdinalOptions>

const COUNT_OPTIONS = {
  distribution: { check: is.oneOf(['poisson', 'negative-binomial']) },
} as const satisfies OptionTable<CountOptions>

/**
 * A numeric variable: normal within a class, measured to a step.
 * @example
 * normal({ step: 0.5 }).kind // 'normal'
 */
export const normal = (options: NormalOptions = {}): Item => ({
  kind: 'normal',
  ...checkedOptions('normal', NORMAL_OPTIONS, options),
})

/**
 * An ordinal variable: between classes, the log-odds of neighbouring categories differ by a slope times the distance of their scores.
 * @example
 * ordinal({ scores: [1, 2, 4] }).kind // 'ordinal'
 */
export const ordinal = (options: OrdinalOptions = {}): Item => ({
  kind: 'ordinal',
  ...checkedOptions('ordinal', ORDINAL_OPTIONS, options),
})

/**
 * A count variable: Poisson or negative binomial within a class.
 * @example
 * count({ distribution: 'negative-binomial' }).kind // 'count'
 */
export const count = (options: CountOptions = {}): Item => ({
  kind: 'count',
  ...checkedOptions('count', COUNT_OPTIONS, options),
})

/**
 * A categorical variable (the default): a probability for each category in every class.
 * @example
 * categorical().kind // 'categorical'
 */
export const categorical = (): Item => ({ kind: 'categorical' })

/** What a variable is taken for, with what its labels say of it. */
const specOf = (
  item: Exclude<Items[string], CategoricalSpec>,
  labels: readonly Label[],
  name: string,
): ParametricSpec => {
  if (item.kind === 'count') return { kind: 'count', distribution: item.distribution ?? 'poisson' }
  if (item.kind === 'ordinal') {
    const numbers = labels.map(numberOf)
    const own = numbers.every(each => each !== undefined) ? numbers : labels.map((_, j) => j + 1)
    return { kind: 'ordinal', scores: item.scores ?? own }
  }
  if (item.kind === 'multivariate-normal') return item
  const { step, variances = 'free', prior = 0 } = item
  const stated = { kind: 'normal', variances, ...(prior > 0 && { prior }) } as const
  if (step !== undefined) return { ...stated, step }
  const values = itemValues({ kind: 'normal', step: 1, variances }, labels, name)
  const found = gridStep(values)
  if (found === undefined && values.length > 1)
    throw new OptionError(
      words`the values of ${show(name)} lie on no grid, so how exactly they were measured is not known: give the step, such as ${mention('items')} with normal({ step: 0.01 })`,
    )
  return { ...stated, step: found ?? 1 }
}

/**
 * What variables are taken for, with all that was left to the data: the steps of numbers, the scores of scales. A part of the data, in which there may be
 * less to find, is then taken for the same.
 * @example
 * statedItems(answers, { age: ordinal() }).age // { kind: 'ordinal', scores: [1, 2] }
 */
export const statedItems = (data: Pick<Counts, 'modes'>, items: Items): Items =>
  itemsByName(data, itemSettings(data, items) ?? [])

/** The items of modes by their names. */
export const itemsByName = (
  { modes }: Pick<Counts, 'modes'>,
  settings: readonly (Pick<ItemSetting, 'spec'> | undefined)[],
): Items => Object.fromEntries(settings.flatMap((setting, n) => (setting ? [[modes[n].name, setting.spec]] : [])))

/** The items of a fit, one for each mode of the data: undefined for categories; undefined if all are. */
export const itemSettings = (
  data: Pick<Counts, 'modes'>,
  items: Items,
): readonly (ItemSetting | undefined)[] | undefined => {
  for (const name of Object.keys(items)) modeNamed(data, name, 'items')
  const settings = data.modes.map(mode => {
    const item = Object.hasOwn(items, mode.name) ? items[mode.name] : undefined
    if (item === undefined || item.kind === 'categorical') return undefined
    if (!['normal', 'multivariate-normal', 'ordinal', 'count'].includes(item.kind))
      throw new OptionError(
        words`${mention('items')}: the item of ${mode.name} must be one that normal(), ordinal(), count() or categorical() makes`,
      )
    const labels: readonly Label[] = labelsOf(mode)
    const spec = specOf(item, labels, mode.name)
    if (spec.kind === 'multivariate-normal') checkTuples(spec, labels, mode.name)
    else checkItem(spec, labels, mode.name)
    return { spec, labels }
  })
  return settings.some(setting => setting !== undefined) ? settings : undefined
}
