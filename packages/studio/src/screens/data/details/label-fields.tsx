import type { ColumnFigures, InspectedColumn } from 'polyad/table'
import { setText, setTitle } from '../../../state/reading/choices.ts'
import { textsOf, titleOf } from '../../../state/reading/labels.ts'
import { settings } from '../../../state/store/store.ts'

interface Props {
  readonly column: InspectedColumn
  readonly figures: ColumnFigures | undefined
  /** Whether its values are categories, which may have labels. */
  readonly hasCategories: boolean
}

/** What results call a variable and its values: as the file says, or as typed here. The data stays as it is. */
export const LabelFields = ({ column, figures, hasCategories }: Props) => {
  const now = settings.value.value
  const texts = textsOf(column, now)
  const values = hasCategories ? (figures?.bars ?? []).map(({ label }) => `${label}`) : []
  return (
    <div class="stack label-fields">
      <LabelField
        key={column.name}
        label="Variable label"
        value={titleOf(column, now) ?? ''}
        placeholder={column.name}
        onValue={text => setTitle(column, text)}
      />
      {values.length > 0 && (
        <details>
          <summary class="small">Value labels</summary>
          <div class="value-labels">
            {values.map(value => (
              <LabelField
                key={value}
                label={value === '' ? '(empty)' : value}
                value={texts[value] ?? ''}
                placeholder={value}
                onValue={text => setText(column, value, text)}
              />
            ))}
          </div>
        </details>
      )}
    </div>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly placeholder: string
  readonly onValue: (text: string) => void
}

/** A label while it is typed: leaving the field, or Enter, takes it. */
const LabelField = ({ label, value, placeholder, onValue }: FieldProps) => (
  <label class="field">
    <bdi>{label}</bdi>
    <input
      type="text"
      maxLength={500}
      value={value}
      placeholder={placeholder}
      onChange={event => onValue(event.currentTarget.value.trim())}
    />
  </label>
)
