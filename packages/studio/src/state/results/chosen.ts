import { Model } from '@polyad/core'
import { type ModelFile, modelFromNpz, modelToNpz } from '@polyad/core/file'
import { computed } from '@preact/signals'
import { classNamesOf } from 'polyad/report'
import { checkRecipe, type Labels, labelsIn, type Recipe, recordedLabels, withLabels } from 'polyad/table'
import { typedLabels } from '../reading/labels.ts'
import { chosenFit } from '../store/store.ts'
import { placeColour } from './class-places.ts'
import { shownModel } from './class-profiles.ts'

/** The model that is looked at, as the page uses it. */

/** With how it came about; null where there is none. */
export const chosenModel = computed<ModelFile | null>(() => {
  if (chosenFit.value === null) return null
  const { model, run } = modelFromNpz(chosenFit.value.file)
  return { model, run: withLabels(run, typedLabels.value) }
})

/** What its variables and their values are called. */
export const chosenLabels = computed<Labels>(() => labelsIn(recordedLabels(chosenModel.value?.run ?? {})))

/** How new data is read for it. */
export const chosenRecipe = computed<Recipe | null>(() =>
  chosenModel.value === null
    ? null
    : checkRecipe(
        chosenModel.value.run.recipe,
        chosenModel.value.model.modes.map(({ name }) => name),
        chosenModel.value.model.structure.given,
      ),
)

/** What each class is called, as everywhere on the page; by its number until that is known. */
export const classNames = computed<readonly string[]>(
  () =>
    shownModel.value?.classes.map(({ name }) => name) ??
    (chosenModel.value === null ? [] : classNamesOf(chosenModel.value.model)),
)

/** The same where a person has named some; undefined where not: files then have no names. */
export const givenNames = computed<readonly string[] | undefined>(() =>
  shownModel.value?.classes.some(({ named }) => named) ? classNames.value : undefined,
)

/** Colours as style sheets take them. */
export const classColours = computed<readonly string[]>(
  () => shownModel.value?.classes.map(({ colour }) => colour) ?? classNames.value.map((_, k) => placeColour(k)),
)

/** The same model with the names that a person gave; the same object where none were given. */
export const namedModel = computed<ModelFile | null>(() => {
  const [found, names] = [chosenModel.value, givenNames.value]
  if (found === null || names === undefined) return found
  const { modes, rank, sizes, parameters, structure, items } = found.model
  return {
    ...found,
    model: new Model(
      modes,
      { rank, sizes: Float64Array.from(sizes), factors: parameters.factors },
      names,
      structure,
      items,
    ),
  }
})

/** Its file: the bytes of the fit, with the names and labels that were given. */
export const namedFile = computed<Uint8Array | null>(() => {
  const [found, named] = [chosenModel.value, namedModel.value]
  if (named === null || (named === found && typedLabels.value === undefined)) return chosenFit.value?.file ?? null
  return modelToNpz(named.model, named.run)
})
