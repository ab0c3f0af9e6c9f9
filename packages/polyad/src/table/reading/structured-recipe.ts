import type { Counts, Model, SplitPart } from '@polyad/core'
import type { LabelledRecipe, ModeRecipe, Recipe } from '../view/recipe.ts'
import type { ReadResult } from './read-view.ts'

/**
 * How new data is to be read for a model whose modes are not all columns, or whose classes are explained by some.
 * @example
 * const recipe = checkRecipe(undefined, answers.modes.map(({ name }) => name))
 * structuredRecipe({ recipe, tensor: answers }, model, undefined).modes.length // 3
 */
export const structuredRecipe = (
  { recipe, tensor }: Pick<ReadResult, 'recipe'> & { readonly tensor: Counts },
  model: Model,
  join: readonly (readonly string[])[] | undefined,
  parts: readonly SplitPart[] = [],
): Recipe => {
  /** Column names differ by more than case. */
  const position = (name: string): number => {
    const n = tensor.modes.findIndex(mode => mode.name === name)
    return n >= 0 ? n : tensor.modes.findIndex(mode => mode.name.toLowerCase() === name.toLowerCase())
  }
  const labelled = (name: string): LabelledRecipe => {
    const at = position(name)
    const mode = tensor.modes[at]
    return { ...recipe.modes[at], labels: mode.labels ?? Array.from({ length: mode.size }, (_, j) => j) }
  }
  /** A variable of waves in columns is as it is in the first column that it has. */
  const placeInWaves = (name: string): number | undefined => {
    const { structure } = model
    const patterns = structure.kind === 'chain' ? (structure.wide ?? []) : []
    return patterns.map(pattern => places.get(pattern.replace('*', name))).find(place => place !== undefined)
  }
  const places = new Map(tensor.modes.map(({ name }, n) => [name, n]))
  const recipeOf = (name: string, areNumbers: boolean): ModeRecipe => {
    const own = places.get(name) ?? placeInWaves(name)
    if (own !== undefined) return { ...recipe.modes[own], column: places.has(name) ? recipe.modes[own].column : name }
    const names = join?.find(each => each.map(part => labelled(part).column).join(' / ') === name) ?? []
    return { column: name, parts: names.map(labelled), ...(areNumbers && { tuples: true }) }
  }
  const modes = model.modes.map(({ name }, n): ModeRecipe => {
    const areNumbers = model.items[n]?.spec.kind === 'multivariate-normal'
    const part = parts.find(each => each.name === name)
    if (part === undefined) return recipeOf(name, areNumbers)
    const when = part.where.map(({ column, label }) => ({ ...labelled(column), label }))
    return { ...recipeOf(part.mode, areNumbers), when }
  })
  const isWide = model.structure.kind === 'chain' && model.structure.wide !== undefined
  const given = model.structure.given.flatMap(({ name }): ModeRecipe | [] => {
    const own = recipe.modes[position(name)]
    if (own !== undefined || !isWide) return own ?? []
    // The wave itself is in no column, and a covariate of waves in several.
    const place = placeInWaves(name)
    return place === undefined ? { column: name } : { ...recipe.modes[place], column: name }
  })
  return { ...recipe, modes, ...(given.length > 0 && { given }) }
}
