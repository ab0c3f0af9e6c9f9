import { chosenFit, fits, rank } from '../state/store.ts'
import { counted } from './numbers.ts'

/** Which of the fitted numbers of classes is meant; nothing where there is one only. */
export const RankChoice = () => {
  const found = fits.value
  if (found === null || found.fits.length < 2) return null
  return (
    <label class="row">
      <span>The model of</span>
      <select
        value={`${chosenFit.value?.rank}`}
        onChange={event => {
          rank.value = Number(event.currentTarget.value)
        }}
      >
        {found.fits.map(fit => (
          <option key={fit.rank} value={`${fit.rank}`}>
            {counted(fit.rank, 'class', 'classes')}
            {fit.rank === found.recommended ? ' (recommended)' : ''}
          </option>
        ))}
      </select>
    </label>
  )
}
