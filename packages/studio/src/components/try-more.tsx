import { beyond } from '../state/fitting/extend-range.ts'
import { trySuggestedRange } from '../state/fitting/fitting.ts'
import { fits } from '../state/store/store.ts'
import { counted } from './numbers.ts'

/** A button that fits the numbers of classes that are missing, if the best is at the edge of what was tried. */
export const TryMore = () => {
  const next = beyond.value
  if (next === null) return null
  return (
    <button type="button" class="try-more" onClick={() => trySuggestedRange(next)}>
      {next.edge === 'largest' ? `Try up to ${next.to}` : 'Try fewer classes'}
    </button>
  )
}

/** Why a number is recommended without what `EdgeNote` says, while that is shown. */
export const withoutEdge = (reason: string): string =>
  beyond.value === null
    ? reason
    : reason
        .split('; ')
        .filter(part => !/^(it|\d+) is the (largest|smallest) number tried/.test(part))
        .join('; ')

/** The same with why it is asked. */
export const EdgeNote = () => {
  const [next, found] = [beyond.value, fits.value]
  if (next === null || found?.recommended == null) return null
  return (
    <div class="row edge-note">
      <p>
        {counted(found.recommended, 'class', 'classes')} fit best so far, but that is the {next.edge} number tried.
      </p>
      <TryMore />
    </div>
  )
}
