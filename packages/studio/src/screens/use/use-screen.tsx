import { useEffect } from 'preact/hooks'
import { Outdated } from '../../parts/outdated.tsx'
import { RankChoice } from '../../parts/rank-choice.tsx'
import { Waits } from '../../parts/waits.tsx'
import { lookAtFits } from '../../state/results/looked.ts'
import { chosenFit, fits } from '../../state/store.ts'
import { KnownClass } from './known-class.tsx'
import { NewRows } from './new-rows.tsx'
import { TypedRowForm } from './typed-row-form.tsx'
import './use.css'

/** New rows for the classes that were found. */
export const UseScreen = () => {
  useEffect(() => {
    lookAtFits()
  }, [fits.value])
  const fit = chosenFit.value
  if (fits.value === null || fit === null) return <h1>Use the classes</h1>
  return (
    <div class="use-screen stack">
      <div class="row screen-head">
        <h1>Use the classes</h1>
        <RankChoice />
      </div>
      <Waits />
      <Outdated />
      {/* Another model is another form. */}
      <TypedRowForm key={`${fit.rank}-${fits.value.digest}`} />
      <NewRows file={fit.file} />
      <KnownClass file={fit.file} />
    </div>
  )
}
