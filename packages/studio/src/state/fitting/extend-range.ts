import { MORE_CLASSES } from '@polyad/core/stats'
import { computed } from '@preact/signals'
import { lastRank } from 'polyad/report'
import { isOutdated } from '../reading/reading.ts'
import { type Fits, fits, isRunning, table } from '../store/store.ts'

/** Whether the number of classes that fits best is the first or the last that was tried: then it is not known to be the best. */

/** The most classes that can be asked for. */
export const MOST_CLASSES = 100

type Tried = Pick<Fits, 'fits' | 'recommended'>

/** Which end of what was tried the recommended number is at. */
export const edgeOf = ({ fits: tried, recommended }: Tried): 'largest' | 'smallest' | null => {
  if (tried.length < 2 || recommended === null) return null
  if (recommended === tried[tried.length - 1].rank) return 'largest'
  return recommended === tried[0].rank && recommended > 1 ? 'smallest' : null
}

/** The number of classes that is marked as recommended; null at an edge, where more are to be tried first. */
export const starredRank = (found: Tried): number | null => (edgeOf(found) === null ? found.recommended : null)

/** The numbers of classes to try besides: from and to, with those that were tried. */
export interface SuggestedRange {
  readonly edge: 'largest' | 'smallest'
  readonly from: number
  readonly to: number
}

/** What is to be tried beyond the edge; null if nothing is, or if the table allows no more classes. */
export const suggestedRange = (found: Tried & Pick<Fits, 'data' | 'request'>): SuggestedRange | null => {
  const edge = edgeOf(found)
  if (edge === null) return null
  const [first, last] = [found.fits[0].rank, found.fits[found.fits.length - 1].rank]
  if (edge === 'smallest') return { edge, from: 1, to: last }
  const { cells, total, modes } = found.data
  const to = Math.min(last + MORE_CLASSES, MOST_CLASSES)
  // Covariates are read with the variables: then the table of the classes is another.
  const most =
    found.request.covariates.length > 0
      ? to
      : lastRank({ cells, total, shape: modes.map(({ labels }) => labels.length) }, first, to).to
  return most > last ? { edge, from: first, to: most } : null
}

/** The same for the fits of the page, if these can be added to: the data is there, and still read as it was. */
export const beyond = computed<SuggestedRange | null>(() => {
  const found = fits.value
  if (found === null || found.read === null || table.value === null) return null
  return isOutdated.value || isRunning.value ? null : suggestedRange(found)
})
