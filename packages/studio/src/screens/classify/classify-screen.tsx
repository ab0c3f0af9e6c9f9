import { FitsHead } from '../../components/fits-head.tsx'
import { chosenFit, fits } from '../../state/store/store.ts'
import { KnownClass } from './known-class.tsx'
import { NewRows } from './new-rows.tsx'
import { TypedRowForm } from './typed-row-form.tsx'
import './classify.css'

/** New rows for the classes that were found. */
export const ClassifyScreen = () => {
  const fit = chosenFit.value
  return (
    <div class="classify-screen stack">
      <FitsHead title="Classify" />
      {fit !== null && (
        <>
          {/* Another model is another form. */}
          <TypedRowForm key={`${fit.rank}-${fits.value?.digest}`} />
          <NewRows file={fit.file} />
          <KnownClass file={fit.file} />
        </>
      )}
    </div>
  )
}
