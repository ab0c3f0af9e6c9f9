import { computed, effect, signal } from '@preact/signals'
import { numberedName } from 'polyad/report'
import { worker } from '../../worker/client.ts'
import type { DescribedModel, DescribedModels } from '../../worker/protocol.ts'
import { showError } from '../page/messages.ts'
import { typedLabels } from '../reading/labels.ts'
import type { ClassStyle, Settings } from '../store/settings.ts'
import { change, chosenFit, fits, settings } from '../store/store.ts'
import { matchedPlaces, placeColour } from './class-places.ts'

/** The classes of the fitted models as they are shown: with names and colours that can be changed. */

/** The models of all fitted ranks; null until they have been asked for. */
export const described = signal<DescribedModels | null>(null)

// What was looked at belongs to the fits, and so do the models that the worker holds.
effect(() => {
  worker.setLabels(typedLabels.value)
  described.value = null
})
effect(() => {
  worker.keepModels(fits.value?.fits.map(({ file }) => file) ?? [])
  described.value = null
})

/** Asks for the models of the present fits, where they are not there yet. */
export const describeFits = async (): Promise<void> => {
  const now = fits.peek()
  if (now === null || described.peek() !== null) return
  try {
    const found = await worker.call('describe', [now.fits.map(({ file }) => worker.model(file))])
    if (fits.peek() === now) described.value = found
  } catch (error) {
    showError(error)
  }
}

/** A class as it is shown. */
export interface ShownClass {
  /** From 0, in descending size. */
  readonly k: number
  readonly share: number
  readonly name: string
  /** What marks it, in a few words, as long as it is called by its number; else empty. */
  readonly subtitle: string
  /** What it is called where nobody has named it. */
  readonly proposed: string
  readonly named: boolean
  /** Where it stands among the classes of all ranks: the place of its like. */
  readonly place: number
  readonly colour: string
  readonly recoloured: boolean
  readonly marks: DescribedModel['marks'][number]
}

export interface ShownModel extends DescribedModel {
  readonly classes: readonly ShownClass[]
}

/** Places of all models' classes: those of the recommended one stand in their own order. */
const places = computed<readonly (readonly number[])[]>(() => {
  const models = described.value?.models ?? []
  if (models.length === 0) return []
  const recommended = models.findIndex(({ rank }) => rank === fits.value?.recommended)
  return matchedPlaces(
    models.map(({ rank }) => rank),
    models.slice(0, -1).map(({ partners }) => partners ?? []),
    recommended < 0 ? models.length - 1 : recommended,
  )
})

/** All models with their classes as they are shown, in ascending order of rank. */
export const shownModels = computed<readonly ShownModel[]>(() =>
  (described.value?.models ?? []).map((model, i) => {
    const style: Partial<ClassStyle> = settings.value.value.classes[model.rank] ?? {}
    const classes = model.shares.map((share, k): ShownClass => {
      const [own, colour] = [style.names?.[k] ?? null, style.colours?.[k] ?? null]
      const place = places.value[i][k]
      return {
        k,
        share,
        place,
        marks: model.marks[k],
        name: own ?? model.names[k],
        subtitle: (own ?? model.names[k]) === numberedName(k) ? model.descriptions[k] : '',
        proposed: model.names[k],
        named: own !== null,
        colour: colour ?? placeColour(place),
        recoloured: colour !== null,
      }
    })
    return { ...model, classes }
  }),
)

/** The model of the chosen rank. */
export const shownModel = computed<ShownModel | null>(
  () => shownModels.value.find(({ rank }) => rank === chosenFit.value?.rank) ?? null,
)

const styled = (
  classes: Settings['classes'],
  rank: number,
  part: keyof ClassStyle,
  k: number,
  value: string | null,
): Settings['classes'] => {
  const empty = new Array<string | null>(rank).fill(null)
  const { names, colours } = classes[rank] ?? { names: empty, colours: empty }
  const put = (values: readonly (string | null)[]) => empty.map((_, l) => (l === k ? value : (values[l] ?? null)))
  return { ...classes, [rank]: part === 'names' ? { names: put(names), colours } : { names, colours: put(colours) } }
}

/** Why a class cannot be called so; undefined where it can. */
export const nameFault = ({ classes }: ShownModel, k: number, name: string): string | undefined => {
  const same = classes.find(other => other.k !== k && other.name === name.trim())
  return same === undefined ? undefined : `Class ${same.k + 1} already has this name.`
}

/** Names a class; an empty name gives way to the one that is proposed. */
export const renameClass = (rank: number, k: number, name: string): void =>
  change({ classes: styled(settings.value.peek().classes, rank, 'names', k, name.trim() || null) }, `name ${rank} ${k}`)

/** Colours a class, and its like of every other rank; null is the usual colour. */
export const recolourClass = (rank: number, k: number, colour: string | null): void => {
  const models = shownModels.peek()
  const place = models.find(model => model.rank === rank)?.classes[k].place
  const classes = models.reduce((styles, model) => {
    const like = model.classes.find(each => each.place === place)
    return like === undefined ? styles : styled(styles, model.rank, 'colours', like.k, colour)
  }, settings.value.peek().classes)
  change({ classes }, `colour ${rank} ${k}`)
}
