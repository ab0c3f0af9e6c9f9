import { useEffect } from 'preact/hooks'
import { starredRank } from '../state/fitting/extend-range.ts'
import { isOutdated } from '../state/reading/reading.ts'
import { describeFits } from '../state/results/class-profiles.ts'
import { chosenFit, fits, isRunning, pendingRanks, rank } from '../state/store/store.ts'
import { counted } from './numbers.ts'

/** The head of a screen for the fits: its title, which model is meant, and what is to be known before anything is read. */
export const FitsHead = ({ title }: { readonly title: string }) => {
  useEffect(() => {
    describeFits()
  }, [fits.value])
  if (chosenFit.value === null) return <h1>{title}</h1>
  return (
    <>
      <div class="row screen-head">
        <h1>{title}</h1>
        <RankChoice />
      </div>
      <FitsRemarks />
    </>
  )
}

/** Said where something is asked of the worker, and where classes are shown of data that is read otherwise by now. */
export const FitsRemarks = () => (
  <>
    {isRunning.value && (
      <p class="note" role="status">
        Still searching
        {pendingRanks.value.length > 0 && `: ${listed(pendingRanks.value.map(String))} classes are still to come`}. The
        recommendation may change; tests start when the search ends.
      </p>
    )}
    {isOutdated.value && (
      <p class="note warning" role="status">
        The data settings have changed since these classes were found. Fit again to update them.
      </p>
    )}
  </>
)

/** Which of the fitted numbers of classes is meant; nothing where there is one only. */
const RankChoice = () => {
  const found = fits.value
  if (found === null || found.fits.length < 2) return null
  return (
    <label class="row">
      <span>Model with</span>
      <select
        value={`${chosenFit.value?.rank}`}
        onChange={event => {
          rank.value = Number(event.currentTarget.value)
        }}
      >
        {found.fits.map(fit => (
          <option key={fit.rank} value={`${fit.rank}`}>
            {counted(fit.rank, 'class', 'classes')}
            {fit.rank === starredRank(found) ? ' (recommended)' : ''}
          </option>
        ))}
      </select>
    </label>
  )
}

/** 3, 4 and 5. */
const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`
