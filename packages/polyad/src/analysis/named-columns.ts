import { type Counts, type FitOptions, type Item, type Items, OptionError } from '@polyad/core'
import { defined, mention, pick, RANKED_OPTIONS, words } from '@polyad/core/options'
import type { RankedStructure } from '@polyad/core/stats'
import { findColumn } from '../table/columns/columns.ts'
import { expandNames } from '../table/columns/named-lists.ts'
import type { NamedItem, Structure } from './request.ts'

/** Columns are named in any case; the data has them in one. */

/** The name of a column as the data has it. */
export const columnOf = ({ modes }: Pick<Counts, 'modes'>, name: string): string =>
  findColumn(modes, name)?.name ?? name

/** What variables are taken for, by the names of columns; undefined if all are categories. */
export const namedItems = (
  tensor: Pick<Counts, 'modes'>,
  items: readonly NamedItem[] | undefined,
): { readonly items?: Items } => {
  if (items === undefined || items.length === 0) return {}
  const named = new Map<string, Item>()
  for (const { column, item } of items)
    for (const name of expandNames([column], 'items', { name: 'the data', columns: tensor.modes })) {
      const { modes } = tensor
      if (modes.every(mode => mode.name !== name))
        throw new OptionError(
          words`${mention('items')}: ${JSON.stringify(column)} is not among the variables, which are ${modes.map(mode => mode.name).join(', ')}`,
        )
      if (named.has(name) && named.get(name)?.kind !== item.kind)
        throw new OptionError(
          words`${mention('items')}: ${JSON.stringify(name)} is taken for two kinds of variables; name it once`,
        )
      named.set(name, item)
    }
  return { items: Object.fromEntries(named) }
}

/** A structure with the names of all columns as the data has them. */
export const inColumns = (tensor: Pick<Counts, 'modes'>, structure: Omit<Structure, 'constraints' | 'complete'>) => {
  const { covariates, categories, referenceCategories, per, groups, free, direct, known, join, items, ...more } =
    structure
  const { person, time, within, transitionCovariates, groupCovariates, ...rest } = more
  const named = (name: string) => columnOf(tensor, name)
  const all = {
    ...rest,
    covariates: covariates?.map(text => covariateOf(tensor, text)),
    transitionCovariates: transitionCovariates?.map(text => covariateOf(tensor, text)),
    groupCovariates: groupCovariates?.map(text => covariateOf(tensor, text)),
    categories: categories?.map(named),
    referenceCategories: referenceCategories && byColumn(tensor, referenceCategories),
    per: per && byColumn(tensor, per),
    groups: groups && named(groups),
    free: free?.map(each => ({ ...each, mode: named(each.mode) })),
    direct: direct?.map(each => ({ ...each, mode: named(each.mode), covariate: named(each.covariate) })),
    known: known && named(known),
    person: person && named(person),
    time: time && named(time),
    within: within && named(within),
    join: join?.map(names => names.map(named)),
    ...namedItems(tensor, items),
  }
  return defined(all) as typeof rest & {
    readonly [K in keyof typeof all]?: NonNullable<(typeof all)[K]>
  }
}

/** What is given by columns, by their names as the data has them. */
const byColumn = <T>(tensor: Pick<Counts, 'modes'>, given: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [columnOf(tensor, name), value]))

/** `age*party` by the names of columns; a column may itself have a star in its name. */
const covariateOf = (tensor: Pick<Counts, 'modes'>, text: string): string => {
  const whole = findColumn(tensor.modes, text.trim())
  if (whole !== undefined) return whole.name
  const names = text.split('*').map(name => name.trim())
  if (names.includes(''))
    throw new OptionError(
      words`${mention('covariates')}: a name is missing beside * in ${JSON.stringify(text)}, and no column has that name; write it as in "age*party"`,
    )
  return names.map(name => columnOf(tensor, name)).join('*')
}

/** What models of several numbers of classes have besides these, with the names of columns as the data has them. */
export const rankedStructure = (
  tensor: Pick<Counts, 'modes'>,
  structure: Structure,
): RankedStructure & Pick<FitOptions, 'items'> =>
  inColumns(tensor, defined(pick(structure, ...RANKED_OPTIONS, 'items')))
