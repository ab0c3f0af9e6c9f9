import { defined } from '../../defined.ts'
import { omit } from '../../pick.ts'
import { completeCells, withoutModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { factorsOf, type ModelData, modelData } from '../model-data/model-data.ts'
import type { FreeVariable, Specification } from '../model-data/specification.ts'
import type { CurrentSession } from './current-session.ts'
import { liftedStart, type PlacedFit, type StructuredSearchOptions, searchStructured } from './structured-search.ts'

/** The models of a specification, each within the next: the last is the one that was asked for. */
export interface ModelChain {
  /** With groups: the model in which they do not differ. */
  readonly pooled?: PlacedFit
  /** With groups: the model in which the sizes of the classes differ, and nothing else. */
  readonly equal?: PlacedFit
  readonly main: PlacedFit
}

export interface ChainOptions extends StructuredSearchOptions {
  /** Counted from 0. */
  readonly reference: number
  /** Modes of a survey design. */
  readonly design: readonly string[]
  /** The same cells as those of the data, with the sums of the squares of their weights. */
  readonly squares?: Tensor | undefined
  /** Where searches run. The last is that of the main model. */
  readonly current?: CurrentSession | undefined
}

/** Without its groups: neither the sizes of the classes nor probabilities depend on them. What is left of a product is named once. */
export const withoutGroups = (data: Pick<Tensor, 'modes'>, specification: Specification): Specification => {
  const { groups, covariates = [], categories, referenceCategories, ...rest } = omit(specification, 'free')
  const references = Object.entries(referenceCategories ?? {}).filter(([name]) => name !== groups)
  const left = new Map<string, string>()
  for (const text of covariates) {
    const factors = factorsOf(data, text)
    const others = factors.filter(name => name !== groups)
    const key = others.toSorted().join('*')
    if (others.length > 0 && !left.has(key)) left.set(key, others.length === factors.length ? text : others.join('*'))
  }
  return {
    ...rest,
    covariates: [...left.values()],
    ...(categories !== undefined && { categories: categories.filter(name => name !== groups) }),
    ...(references.length > 0 && { referenceCategories: Object.fromEntries(references) }),
  }
}

/** A direct effect of the group is a variable that is free between groups. */
export const normalized = ({ groups, free = [], direct = [], ...rest }: Specification): Specification => {
  const ofGroups = direct.filter(({ covariate }) => covariate === groups)
  const others = direct.filter(({ covariate }) => covariate !== groups)
  return {
    ...rest,
    ...defined({ groups }),
    free: [...free, ...ofGroups.map(each => omit(each, 'covariate'))],
    ...(others.length > 0 && { direct: others }),
  }
}

/** The rows of all groups. Where groups are strata or clusters, their mode stays as one of the design. */
const ungrouped = (tensor: Tensor, groups: string, design: readonly string[]): Tensor => {
  const rows = completeCells(tensor, [groups])
  return design.includes(groups) ? rows : withoutModes(rows, [groups])
}

/**
 * Fits a model. With groups those within it are fitted first, each where the search of the next begins: a larger model is never worse, and
 * classes that are named have the numbers that they have in the model in which nothing but their sizes differs.
 */
export const fitChain = async (
  tensor: Tensor,
  specification: Specification,
  { design, reference, squares, current, ...options }: ChainOptions,
): Promise<ModelChain> => {
  const { rank } = options
  const { groups, free = [], direct = [] } = specification
  const dataOf = (of: Specification) => modelData(tensor, of, rank, design, squares)
  const named = (effects: readonly FreeVariable[]) => effects.some(each => each.class !== undefined)
  if (groups === undefined) {
    const data = dataOf(specification)
    if (!named(direct)) return { main: await searchStructured(data, options, { reference, current }) }
    const within = await searchStructured(dataOf(omit(specification, 'direct')), options)
    return { main: await searchFrom(within, data, { ...options, reference, current }, true) }
  }
  const equally = omit(specification, 'free')
  const others = { ...options, design, reference: 0, squares: squares && ungrouped(squares, groups, design) }
  const { main: pooled } = await fitChain(ungrouped(tensor, groups, design), withoutGroups(tensor, equally), others)
  const equal = await searchFrom(pooled, dataOf(equally), { ...options, reference, current }, named(direct))
  if (free.length === 0) return { pooled, equal, main: equal }
  const only = named([...free, ...direct])
  return {
    pooled,
    equal,
    main: await searchFrom(equal, dataOf(specification), { ...options, reference, current }, only),
  }
}

/**
 * Searches for a model from one within it.
 * @param only whether that is the only start: what is known of other optima is then what the search of the model within has found
 */
export const searchFrom = async (
  within: PlacedFit,
  data: ModelData,
  { reference, current, ...options }: Omit<ChainOptions, 'design' | 'squares'>,
  only: boolean,
): Promise<PlacedFit> => {
  const found = await searchStructured(data, options, { reference, from: liftedStart(within, data), only, current })
  if (!only) return found
  const { attempts, optima, verdict, totalPasses } = within.result
  const { result } = found
  return { ...found, result: { ...result, attempts, optima, verdict, totalPasses: totalPasses + result.totalPasses } }
}
