import { effect } from '@preact/signals'
import { shownModel } from '../../state/results/class-profiles.ts'
import { chosenFit, isRunning, table } from '../../state/store/store.ts'
import { worker } from '../../worker/client.ts'
import type { RowOrder } from './row-order.ts'

/** The order in which the rows of the data are shown at first. */
export const FIRST_ORDER: RowOrder = { by: 'probability', descending: false }

/** Rows that are classified before anyone asks for them: up to so many, that takes less than a second. */
const MOST_ROWS = 300_000
/** Milliseconds that a model is looked at before. */
const LATER = 400

/** While somebody looks at the classes, the worker classifies the rows, so that the list is there at once. */
effect(() => {
  const [file, opened] = [chosenFit.value?.file, table.value]
  if (shownModel.value === null || file === undefined || opened?.place !== 'page' || isRunning.value) return
  if (opened.length === null || opened.length > MOST_ROWS) return
  const later = setTimeout(() => {
    // If this fails, so does the question of the list, which tells.
    worker.call('rows', [{ model: worker.model(file) }, { ...FIRST_ORDER, from: 0, count: 1 }]).catch(() => {})
  }, LATER)
  return () => clearTimeout(later)
})
