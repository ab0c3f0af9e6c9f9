import { effect } from '@preact/signals'
import { message } from '../page/messages.ts'
import { showAddress } from '../project/address.ts'
import { saving } from '../project/autosave.ts'
import { keptAs, stepAtOpening } from '../project/project.ts'
import { file, fits, projectName, SCREENS, type Screen, screen, table } from '../store/store.ts'

/** The steps of the page: their names, when they can be gone to, and Back and Forward between them. */

export const TITLES: Readonly<Record<Screen, string>> = {
  data: 'Data',
  fit: 'Fit',
  results: 'Results',
  classify: 'Classify',
  export: 'Export',
}

/** Whether there is something to show on a screen yet. */
export const isReady = (each: Screen): boolean =>
  each === 'data' || (each === 'fit' ? table.value !== null : fits.value !== null)

/** The title of the page, for tabs and the history: Results · trees.csv · Polyad. */
export const pageTitle = (at: Screen, name: string): string =>
  name === '' ? 'Polyad studio' : `${TITLES[at]} · ${name} · Polyad`

/** The step that an entry of the history is of. */
const stepOf = (state: unknown): Screen =>
  SCREENS.find(each => each === (state as { readonly screen?: unknown } | null)?.screen) ?? 'data'

/** The step at which the page was left when it is loaded again; null on a first visit. */
let left: Screen | null = null
/** Whether the page is as it was left: from then on, another step is another entry. */
let settled = false

/** Keeps the history and the title in step with the page. */
export const followSteps = (): void => {
  left = history.state === null ? null : stepOf(history.state)
  effect(() => {
    document.title = pageTitle(screen.value, file.value?.name ?? projectName.value)
  })
  let isFirst = true
  effect(() => {
    const now = screen.value
    // A page that is loaded once more while it is being restored comes back to the same step.
    const isRestoring = isFirst && left !== null
    isFirst = false
    if (isRestoring || (history.state !== null && stepOf(history.state) === now)) return
    // A message that leads to a step is of no use on another one, which it would cover.
    if (message.peek()?.action !== undefined) message.value = null
    history[settled ? 'pushState' : 'replaceState']({ screen: now }, '')
  })
  addEventListener('popstate', ({ state }) => {
    const wanted = stepOf(state)
    const shown = isReady(wanted) ? wanted : 'data'
    // What cannot be shown any more, such as results of a project that was cleared, is no longer there to come back to.
    if (shown !== wanted) history.replaceState({ screen: shown }, '')
    // The entry may be older than the project's place among those that are kept.
    showAddress(keptAs.peek().id, saving.peek()?.kind === 'off')
    screen.value = shown
  })
}

/** What was left has been brought back: entries are made from now on. */
export const settleSteps = (): void => {
  // Nobody is taken back who has gone on in the meantime.
  if (left !== null && isReady(left) && screen.peek() === stepAtOpening()) screen.value = left
  if (stepOf(history.state) !== screen.peek()) history.replaceState({ screen: screen.peek() }, '')
  settled = true
}
