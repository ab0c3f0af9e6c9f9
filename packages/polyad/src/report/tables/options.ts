import { type Model, OptionError } from '@polyad/core'
import { is, type OptionTable } from '@polyad/core/options'
import { checkNames, numberedName } from '../figures/class-names.ts'

/** Options of a table for a paper. */
export interface PaperTableOptions {
  /** Default: what the table shows. */
  readonly title?: string
  /** Of the table in the paper. Default: none. */
  readonly number?: number
  /** What the classes are called, in descending size. Default: the model's own names, or Class 1, Class 2, … */
  readonly names?: readonly string[]
  /** Digits after the point. Default: 3 for probabilities (1 for percentages), 2 for others. */
  readonly decimals?: number
  /** Of profiles, transitions, mixes and categorical outcomes: percentages in place of probabilities. */
  readonly percent?: boolean
  /** Of profiles: the variables to show. Default: all. */
  readonly variables?: readonly string[]
  /** Of profiles: of the variables that have this category, show it alone. */
  readonly category?: string
}

/** The options of `tableOf`. */
export const TABLE_OPTIONS = {
  title: { check: is.text },
  number: { check: is.whole(1) },
  names: { check: is.texts },
  decimals: { check: is.whole(0, 8) },
  percent: { check: is.flag },
  variables: { check: is.texts },
  category: { check: is.text },
} as const satisfies OptionTable<PaperTableOptions>

/** What the classes are called in the head of a table. */
export const classTitles = (model: Model, { names }: PaperTableOptions): readonly string[] =>
  names === undefined
    ? model.shares.map((_, k) => model.classNames?.[k] ?? numberedName(k))
    : checkNames(names, model.rank)

/** The positions of the variables that were asked for, whatever the case of their names; refused if there is no such one. */
export const variablesOf = (model: Model, { variables }: PaperTableOptions): readonly number[] =>
  variables === undefined
    ? [...model.modes.keys()]
    : variables.map(name => {
        const exact = model.modes.findIndex(mode => mode.name === name)
        const found = exact >= 0 ? exact : model.modes.findIndex(mode => mode.name.toLowerCase() === name.toLowerCase())
        if (found < 0)
          throw new OptionError(
            'variables',
            `must be of the model: ${model.modes.map(mode => mode.name).join(', ')}`,
            name,
          )
        return found
      })
