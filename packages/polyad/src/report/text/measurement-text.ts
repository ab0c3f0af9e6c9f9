import type { DistalMethod, Measurement } from '@polyad/core'
import { mention, type Sentence, words } from '@polyad/core/options'

/** How standard errors of a third step take the model of the classes, as a line below the results. */
export const MEASUREMENT_TEXT: Readonly<Record<Measurement, string>> = {
  'estimated here': 'standard errors are robust and allow for the uncertainty of the model',
  'estimated elsewhere':
    'standard errors are robust and allow for the uncertainty of the model, which was fitted to other data',
  known: 'standard errors are robust and treat the model as known',
}

/** How a third step corrects for wrongly assigned observations, as the end of a sentence. */
export const CORRECTIONS: Readonly<Record<DistalMethod, string>> = {
  bch: 'corrected for wrongly assigned observations by weights (BCH)',
  ml: 'corrected for wrongly assigned observations by maximum likelihood',
  none: 'not corrected for wrongly assigned observations',
}

/** What to say of a model that was not fitted to the rows, or whose uncertainty is not known. */
export const measurementNotes = (measurement: Measurement, reason: string | null | undefined): readonly Sentence[] => {
  if (reason !== null && reason !== undefined)
    return [`standard errors treat the model as known, so intervals are too short: ${reason}`]
  if (measurement !== 'estimated elsewhere') return []
  return [
    words`the model does not maximize the likelihood of these rows: it was fitted to other data, by other weights, or with a prior. Standard errors add the uncertainty of a fit to as many other observations (${mention('measurement', 'known')}: none)`,
  ]
}
