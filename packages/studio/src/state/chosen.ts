import { Model, type ModelFile, modelFromNpz, modelToNpz } from '@polyad/core'
import { computed } from '@preact/signals'
import { checkRecipe, type Recipe } from 'polyad/table'
import { chosenFit, settings } from './store.ts'

/** The model that is looked at, as the page uses it. */

/** With how it came about; null where there is none. */
export const chosenModel = computed<ModelFile | null>(() =>
  chosenFit.value === null ? null : modelFromNpz(chosenFit.value.file),
)

/** How new data is read for it. */
export const chosenRecipe = computed<Recipe | null>(() =>
  chosenModel.value === null
    ? null
    : checkRecipe(
        chosenModel.value.run.recipe,
        chosenModel.value.model.modes.map(({ name }) => name),
      ),
)

const style = computed(() => settings.value.value.classes[chosenModel.value?.model.rank ?? 0])

/** What each class is called: as a person named it, as the model does, or by its number. */
export const classNames = computed<readonly string[]>(() => {
  const model = chosenModel.value?.model
  return model?.shares.map((_, k) => style.value?.names[k] || model.classNames?.[k] || `class ${k + 1}`) ?? []
})

/** The same where a person named some; undefined where not, so that whoever shows them may propose some. */
export const givenNames = computed<readonly string[] | undefined>(() =>
  chosenModel.value?.model.classNames !== undefined || style.value?.names.some(name => name)
    ? classNames.value
    : undefined,
)

/** The same model with the names that a person gave; the same object where none were given. */
export const namedModel = computed<ModelFile | null>(() => {
  const [found, names] = [chosenModel.value, givenNames.value]
  if (found === null || names === undefined) return found
  const { modes, rank, weights, parameters } = found.model
  return {
    ...found,
    model: new Model(modes, { rank, weights: Float64Array.from(weights), factors: parameters.factors }, names),
  }
})

/** Its file: the bytes of the fit, with the names written in where there are any. */
export const namedFile = computed<Uint8Array | null>(() => {
  const [found, named] = [chosenModel.value, namedModel.value]
  if (named === null || named === found) return chosenFit.value?.file ?? null
  return modelToNpz(named.model, named.run)
})

/** Colours as style sheets take them. */
export const classColours = computed<readonly string[]>(
  () =>
    chosenModel.value?.model.shares.map((_, k) => style.value?.colours[k] || `var(--class-${(k % COLOURS) + 1})`) ?? [],
)

/** Colours of classes in the style sheet, before they begin again. */
const COLOURS = 10
