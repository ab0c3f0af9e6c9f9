import type { Counts, CovariateFit, Model, SplitPart } from '@polyad/core'
import type { LabelledRecipe, ModeRecipe, Recipe } from '../view/recipe.ts'
import type { ReadResult } from './read-view.ts'

/**
 * How new data is to be read for a model whose modes are not all columns, or whose classes are explained by some.
 * @example
 * const recipe = checkRecipe(undefined, answers.modes.map(({ name }) => name))
 * structuredRecipe({ recipe, tensor: answers }, model, undefined, undefined).modes.length // 3
 */
export const structuredRecipe = (
  { recipe, tensor }: Pick<ReadResult, 'recipe'> & { readonly tensor: Counts },
  model: Model,
  join: readonly (readonly string[])[] | undefined,
  explained: CovariateFit['covariates'] | undefined,
  parts: readonly SplitPart[] = [],
): Recipe => {
  const position = (name: string) => tensor.modes.findIndex(mode => mode.name.toLowerCase() === name.toLowerCase())
  const labelled = (name: string): LabelledRecipe => {
    const n = tensor.modes.findIndex(mode => mode.name === name)
    const at = n >= 0 ? n : position(name)
    const mode = tensor.modes[at]
    return { ...recipe.modes[at], labels: mode.labels ?? Array.from({ length: mode.size }, (_, j) => j) }
  }
  const places = new Map(tensor.modes.map(({ name }, n) => [name, n]))
  const recipeOf = (name: string): ModeRecipe => {
    const own = places.get(name)
    if (own !== undefined) return recipe.modes[own]
    const names = join?.find(each => each.map(part => labelled(part).column).join(' / ') === name) ?? []
    return { column: name, parts: names.map(labelled) }
  }
  const modes = model.modes.map(({ name }): ModeRecipe => {
    const part = parts.find(each => each.name === name)
    if (part === undefined) return recipeOf(name)
    const when = part.where.map(({ column, label }) => ({ ...labelled(column), label }))
    return { ...recipeOf(part.mode), when }
  })
  if (explained === undefined || explained.names.length === 0) return { ...recipe, modes }
  const { terms, names, coefficients, reference } = explained
  const rows = Array.from({ length: model.rank }, (_, k) =>
    terms.map(({ name }) => coefficients.find(each => each.class === k + 1 && each.term === name)?.estimate ?? 0),
  )
  return { ...recipe, modes, covariates: { reference, terms, coefficients: rows, columns: names.map(labelled) } }
}
