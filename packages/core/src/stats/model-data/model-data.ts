import { defined } from '../../defined.ts'
import { DataError, OptionError, show } from '../../errors.ts'
import { type CovariateData, covariateData } from '../../fit/covariates/design.ts'
import { type ConstraintSetting, type Constraints, constraintSetting } from '../../fit/descent/constraints.ts'
import type { PriorOptions } from '../../fit/descent/m-step.ts'
import { checkItems } from '../../fit/fit-parts.ts'
import type { ItemSetting } from '../../model/items/item.ts'
import { itemModel } from '../../model/items/items.ts'
import type { Split, SplitPart } from '../../model/structures/structure.ts'
import { wholeNumber } from '../../options.ts'
import { MISSING } from '../../tensor/mode.ts'
import { modeNamed, occurringLabels, selectCells } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { mention, term, words } from '../../wording.ts'
import type { ModelStructure } from '../identification/jacobian.ts'
import { joinedData } from './joined-data.ts'
import { type KnownClasses, knownClasses } from './known-classes.ts'
import type { Specification } from './specification.ts'
import { splitModes } from './split-modes.ts'
import { modeConstraints, modeCounts, modeItems, splittingColumns } from './variable-constraints.ts'

/** Data prepared for a model with structure, for fits and statistics. */
export interface ModelData extends CovariateData {
  readonly splits: readonly Split[]
  readonly parts: readonly SplitPart[]
  /** The mode of known classes is the last of the answers. */
  readonly known: KnownClasses | undefined
  /** On the modes of the answers. */
  readonly constraints: Constraints | undefined
  readonly pseudoCounts: PriorOptions['pseudoCounts'] | undefined
  /** For every mode of the answers what it is taken for; undefined if all are categories. */
  readonly kinds: readonly (ItemSetting | undefined)[] | undefined
  readonly structure: ModelStructure
  /** How much of the data lacks some of the modes that were joined, and counts as lacking them all. */
  readonly partial: number
  /** Of every cell of the tensor the sum of the squares of its weights, if these are known. */
  readonly squares?: Float64Array
}

/** The columns of `age*party`; a column whose own name has an asterisk is meant first. */
export const factorsOf = ({ modes }: Pick<Tensor, 'modes'>, text: string): string[] =>
  modes.some(({ name }) => name === text) ? [text] : text.split('*').map(name => name.trim())

/**
 * The names of all columns that explain the classes.
 * @example
 * explainingColumns(answers, { covariates: ['age'], groups: 'vote' }) // ['age', 'vote']
 */
export const explainingColumns = (
  data: Pick<Tensor, 'modes'>,
  { covariates = [], groups }: Pick<Specification, 'covariates' | 'groups'>,
): string[] => [
  ...new Set([...covariates.flatMap(text => factorsOf(data, text)), ...(groups === undefined ? [] : [groups])]),
]

/**
 * Which cells can be used: those that have every covariate, their group and an answer. Categories that are joined are answered together, or not.
 * @param others names of modes that are neither covariates nor answers
 * @example
 * usableCells(answers, ['age'], [])(0) // true
 */
export const usableCells = (
  tensor: Tensor,
  explaining: readonly string[],
  others: readonly string[],
  join: Specification['join'] = [],
): ((cell: number) => boolean) => {
  const columnsOf = (names: readonly string[], option: string) =>
    names.map(name => tensor.indices[modeNamed(tensor, name, option)])
  const needed = columnsOf(explaining, 'covariates')
  const apart = [...explaining, ...others, ...join.flat()]
  const answers = [
    ...join.map(names => columnsOf(names, 'join')),
    ...tensor.modes.flatMap(({ name }, n) => (apart.includes(name) ? [] : [[tensor.indices[n]]])),
  ]
  const all = (columns: readonly Int32Array[], cell: number) => columns.every(column => column[cell] !== MISSING)
  return cell => all(needed, cell) && answers.some(columns => all(columns, cell))
}

/** The rows that can be used; of the labels of covariates and groups those that occur. */
export const usableRows = (tensor: Tensor, explaining: readonly string[], others: readonly string[]): Tensor => {
  const usable = usableCells(tensor, explaining, others)
  if (!tensor.values.some((_, cell) => usable(cell)))
    throw new DataError('every row lacks a covariate, its group or all answers: there is nothing to fit')
  return occurringLabels(selectCells(tensor, usable), explaining)
}

/**
 * Brings data into the form of a specification: modes joined, rows that can be used, known classes as a mode of their own, variables split by
 * what they depend on, and covariates set apart.
 * @param design names of modes that are neither covariates nor answers
 * @param squares the same cells with the sums of the squares of their weights
 */
export const modelData = (
  tensor: Tensor,
  specification: Specification,
  rank: number,
  design: readonly string[] = [],
  squares?: Tensor,
): ModelData => {
  const { covariates = [], categories = [], referenceCategories = {}, groups, known: column } = specification
  const { joined, partial, items } = joinedData(tensor, specification)
  const explaining = explainingColumns(joined, specification)
  if (groups !== undefined) modeNamed(joined, groups, 'groups')
  if (column !== undefined && explaining.includes(column))
    throw new OptionError(
      'known',
      `names ${show(column)}, which is also a covariate or the column of groups: use it for one of the two`,
    )
  const usable = usableRows(joined, explaining, [...design, ...(column === undefined ? [] : [column])])
  const marked = column === undefined ? undefined : knownClasses(usable, column, rank)
  const all = marked?.tensor ?? usable
  const names = all.modes.flatMap(({ name }) =>
    [...explaining, ...design, marked?.known.name].includes(name) ? [] : [name],
  )
  const splits = splitsOf(all, { ...specification, ...defined({ items }) }, names, rank)
  const { tensor: split, parts } = splitModes(all, splits)
  const variables = { names, splits, parts, known: marked?.known }
  const entering =
    groups === undefined || explainingColumns(joined, { covariates }).includes(groups)
      ? covariates
      : [...covariates, groups]
  const data = covariateData(
    split,
    {
      covariates: entering,
      categories: [...new Set([...categories, ...(groups === undefined ? [] : [groups])])],
      referenceCategories,
    },
    design,
    groups,
  )
  // One variable can have classes if its categories differ between groups (latent budgets).
  const least = covariates.length === 0 ? 1 : 2
  const several = Object.values(items ?? {}).some(({ kind }) => kind === 'multivariate-normal')
  if (!several && data.items.modes.length - (marked === undefined ? 0 : 1) < least)
    throw new OptionError('covariates', words`must leave at least two ${term('modes')} to be explained`)
  const numeric = new Set(data.design.covariates.filter(each => each.numeric).map(({ mode }) => mode.name))
  for (const name of splittingColumns(splits))
    if (numeric.has(name))
      throw new OptionError(
        'direct',
        words`needs a covariate with categories, and ${show(name)} is a number: cut it with ${mention('bins')}, or name it in ${mention('categories')}`,
      )
  const constraints = modeConstraints(specification.constraints, variables, rank)
  const setting = constraints && constraintSetting(data.items.modes, rank, constraints)
  const pseudoCounts = modeCounts(specification.pseudoCounts, variables)
  const kinds = checkItems(data.items, { items: modeItems(items, variables), ...defined({ pseudoCounts }) }, setting)
  return {
    ...data,
    kinds,
    dropped: joined.total - all.total,
    splits,
    parts,
    partial,
    constraints,
    known: marked?.known,
    pseudoCounts,
    structure: structureOf(data, { parts, kinds, constraints: setting, known: marked?.known }, rank),
    ...(squares !== undefined && { squares: modelData(squares, specification, rank, design).tensor.values }),
  }
}

/** What the probabilities of variables depend on: groups, where they are free, and covariates with direct effects. */
const splitsOf = (
  tensor: Tensor,
  { groups, free = [], direct = [], items = {}, ...rest }: Specification,
  names: readonly string[],
  rank: number,
): Split[] => {
  const explaining = explainingColumns(tensor, { ...rest, ...defined({ groups }) })
  const effects = [
    ...free.map(each => ({ ...each, covariate: groups as string, option: 'free' })),
    ...direct.map(each => ({ ...each, option: 'direct' })),
  ]
  const splits = new Map<string, string[][]>()
  for (const { mode, covariate, class: k, option } of effects) {
    if (!names.includes(mode))
      throw new OptionError(option, `names no variable: ${show(mode)}; the variables are ${names.join(', ')}`)
    if (!explaining.includes(covariate))
      throw new OptionError(
        option,
        words`needs ${show(covariate)} among ${mention('covariates')}: what affects a variable may affect the classes too`,
      )
    if (k !== undefined) wholeNumber(`${option}: the class of ${show(mode)}`, k, 1, rank)
    const { kind = 'categorical' } = Object.hasOwn(items, mode) ? items[mode] : {}
    if (k !== undefined && kind !== 'categorical')
      throw new OptionError(
        option,
        words`cannot name a class of ${show(mode)}, whose probabilities follow from its ${kind} item: let it differ in all classes, or leave it out of ${mention('items')}`,
      )
    const columns = splits.get(mode) ?? Array.from({ length: rank }, () => [])
    columns.forEach((own, of) => {
      if ((k === undefined || of === k - 1) && !own.includes(covariate)) own.push(covariate)
    })
    splits.set(mode, columns)
  }
  return [...splits].map(([mode, columns]) => ({ mode, columns }))
}

/** What identification has to know. */
export const structureOf = (
  { items, design }: CovariateData,
  {
    parts,
    kinds,
    constraints,
    known,
  }: Pick<ModelData, 'parts' | 'kinds' | 'known'> & { readonly constraints: ConstraintSetting | undefined },
  rank: number,
): ModelStructure => {
  const last = items.modes.length - 1
  const byName = new Map(parts.map(part => [part.name, part]))
  const isAsked = (n: number, z: number) =>
    byName.get(items.modes[n].name)?.where.every(({ column, label }) => {
      const own = design.covariates.find(({ mode }) => mode.name === column)!
      return own.mode.label(own.indices[z]) === label
    }) ?? true
  const modes = items.modes.map((_, n) => n)
  return {
    constraints,
    ...(design.terms.length > 1 && { explained: design }),
    ...(parts.length > 0 && {
      asked: Array.from({ length: design.patterns }, (_, z) => modes.filter(n => isAsked(n, z))),
    }),
    ...defined({ items: kinds?.map(each => each && itemModel(each.spec, each.labels, rank)) }),
    ...(known !== undefined && { known: { mode: last, occurs: known.occurs } }),
  }
}
