import { completeCells, withoutModes } from '../../tensor/reshape.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import type { FreeVariable, Specification } from './specification.ts'
import { factorsOf, type StructuredData, structuredData } from './structured-data.ts'
import { type FoundModel, liftedStart, type StructuredSearchOptions, searchStructured } from './structured-search.ts'

/** The models of a specification, each within the next: the last is the one that was asked for. */
export interface ModelChain {
  /** With groups: the model in which they do not differ. */
  readonly pooled?: FoundModel
  /** With groups: the model in which the sizes of the classes differ, and nothing else. */
  readonly equal?: FoundModel
  readonly main: FoundModel
}

export interface ChainOptions extends StructuredSearchOptions {
  /** Counted from 0. */
  readonly reference: number
  /** Modes of a survey design. */
  readonly design: readonly string[]
}

/** Without its groups: neither the sizes of the classes nor probabilities depend on them. What is left of a product is named once. */
export const withoutGroups = (data: Pick<Tensor, 'modes'>, specification: Specification): Specification => {
  const { groups, free: _, covariates = [], categories, referenceCategories, ...rest } = specification
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
    ...(groups !== undefined && { groups }),
    free: [...free, ...ofGroups.map(({ covariate: _, ...each }) => each)],
    ...(others.length > 0 && { direct: others }),
  }
}

/**
 * Fits a model. With groups those within it are fitted first, each where the search of the next begins: a larger model is never worse, and
 * classes that are named have the numbers that they have in the model in which nothing but their sizes differs.
 */
export const fitChain = async (
  tensor: Tensor,
  specification: Specification,
  { design, reference, ...options }: ChainOptions,
): Promise<ModelChain> => {
  const { rank } = options
  const { groups, free = [], direct = [] } = specification
  const dataOf = (data: Tensor, of: Specification) => structuredData(data, of, rank, design)
  const named = (effects: readonly FreeVariable[]) => effects.some(each => each.class !== undefined)
  if (groups === undefined) {
    const data = dataOf(tensor, specification)
    if (!named(direct)) return { main: await searchStructured(data, options, { reference }) }
    const { direct: _, ...plain } = specification
    const within = await searchStructured(dataOf(tensor, plain), options)
    return { main: await searchFrom(within, data, { ...options, reference }, true) }
  }
  const { free: _, ...equally } = specification
  const rows = withoutModes(completeCells(tensor, [groups]), [groups])
  const others = { ...options, design: design.filter(name => name !== groups), reference: 0 }
  const { main: pooled } = await fitChain(rows, withoutGroups(tensor, equally), others)
  const equal = await searchFrom(pooled, dataOf(tensor, equally), { ...options, reference }, named(direct))
  if (free.length === 0) return { pooled, equal, main: equal }
  const only = named([...free, ...direct])
  return {
    pooled,
    equal,
    main: await searchFrom(equal, dataOf(tensor, specification), { ...options, reference }, only),
  }
}

/**
 * Searches for a model from one within it.
 * @param only whether that is the only start: what is known of other optima is then what the search of the model within has found
 */
export const searchFrom = async (
  within: FoundModel,
  data: StructuredData,
  { reference, ...options }: Omit<ChainOptions, 'design'>,
  only: boolean,
): Promise<FoundModel> => {
  const found = await searchStructured(data, options, { reference, from: liftedStart(within, data), only })
  if (!only) return found
  const { attempts, optima, verdict, totalPasses } = within.record
  const record = { ...found.record, attempts, optima, verdict, totalPasses: totalPasses + found.record.totalPasses }
  return { ...found, record }
}
