import { count, type Item, normal, ordinal } from '@polyad/core'
import { defined, is } from '@polyad/core/options'
import { InvalidArgumentError } from 'commander'
import type { NamedItem } from '../../analysis/request.ts'
import type { Field, OptionGroup } from './definition.ts'
import { names, parser } from './option-values.ts'

/** What variables are taken for, as the command line gives it. */
export interface ItemOptions {
  readonly continuous?: readonly NamedItem[]
  readonly ordinal?: readonly NamedItem[]
  readonly counts?: readonly NamedItem[]
  readonly variances?: 'free' | 'equal'
  readonly variancePrior?: number
}

/** A name, and what follows its last colon if that is of a kind. */
const withSuffix = (text: string, suffix: RegExp): readonly [name: string, suffix: string | undefined] => {
  const [, name = text, own] = new RegExp(`^(.+):(${suffix.source})$`).exec(text) ?? []
  return [name, own]
}

/** Names of columns, each as an item. */
const items =
  (of: (text: string) => NamedItem) =>
  (text: string, before: readonly NamedItem[] | undefined): NamedItem[] => [...(before ?? []), ...names(text).map(of)]

const continuous = (text: string): NamedItem => {
  const [column, step] = withSuffix(text, /[-+.\deE]+/)
  if (step === undefined) return { column, item: normal() }
  if (!(Number(step) > 0 && Number(step) < Number.POSITIVE_INFINITY))
    throw new InvalidArgumentError(`The step must be a number > 0, as in height:0.5 (got ${step}).`)
  return { column, item: normal({ step: Number(step) }) }
}

const counted = (text: string): NamedItem => {
  const [column, kind] = withSuffix(text, /nb|poisson/)
  return { column, item: count(kind === 'nb' ? { distribution: 'negative-binomial' } : {}) }
}

export const ITEMS: OptionGroup = {
  title: 'Numbers, scales and counts',
  options: [
    {
      flags: '--continuous <names>',
      text: 'variables that are numbers, normally distributed within a class, with the step to which they are measured, as in height:0.5,score (default step: the grid on which the values lie) (comma-separated)',
      parse: items(continuous),
      library: ['items'],
    },
    {
      flags: '--ordinal <names>',
      text: 'variables that are scales: one slope for each class in place of a probability for each category, as in "q*" (comma-separated)',
      parse: items(column => ({ column, item: ordinal() })),
    },
    {
      flags: '--counts <names>',
      text: 'variables that are counts, Poisson or negative binomial (nb) within a class, as in visits:nb (comma-separated)',
      parse: items(counted),
    },
    {
      flags: '--variances <kind>',
      text: 'whether classes have standard deviations of their own (free, the default) or all the same (equal), for --continuous',
      choices: ['free', 'equal'],
    },
    {
      flags: '--variance-prior <n>',
      text: 'prior on the variances of --continuous: so many observations with the overall variance are added to each class (default: none)',
      parse: parser(is.nonNegative),
    },
  ],
}

/** What --json says of such variables. */
export const ITEM_FIELD: Field = [
  'items',
  'of models with such variables, for each variable: name, kind (categorical, ordinal, normal, multivariate-normal or count), with step or variables (of joined ones), variances and prior (if there is one), scores or distribution, and parameters (name: mean, sd, correlation, rate, dispersion, slope or threshold, of (of joined ones: the variables), class (numbered from 1; null if all classes share it), value)',
  "{ name: string, kind: 'categorical' | 'ordinal' | 'normal' | 'multivariate-normal' | 'count', step?: number, variables?: { name: string, step: number }[], variances?: string, prior?: number, scores?: number[], distribution?: string, parameters: { name: string, of?: string[], class: integer | null, value: number | null }[] }[]?",
]

/** The variables, and the columns that must be read for them, whatever they look like. */
export const itemsOf = ({ continuous = [], ordinal = [], counts = [], variances, variancePrior }: ItemOptions) => {
  for (const [flag, value] of [
    ['--variances', variances],
    ['--variance-prior', variancePrior],
  ])
    if (value !== undefined && continuous.length === 0)
      throw new InvalidArgumentError(`${flag} needs --continuous, whose standard deviations it is about.`)
  const ofVariances = ({ column, item }: NamedItem): NamedItem => ({
    column,
    item: { ...item, ...defined({ variances, prior: variancePrior }) } as Item,
  })
  const all = [...continuous.map(ofVariances), ...ordinal, ...counts]
  return { include: all.map(({ column }) => column), ...(all.length > 0 && { items: all }) }
}
