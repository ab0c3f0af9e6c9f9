import { useSignal } from '@preact/signals'
import type { InspectedColumn } from 'polyad/table'
import { takeAsMissing, takeAsValue } from '../../../state/reading/choices.ts'
import { settings } from '../../../state/store.ts'
import { openCodes } from '../columns/column-notes.ts'

/** Extra codes to treat as missing in this column, and codes that look like such. */
export const MissingCodes = ({ column }: { readonly column: InspectedColumn }) => {
  const typed = useSignal('')
  const now = settings.value.value
  const own = now.columns[column.name]?.missing ?? []
  const add = (event: Event) => {
    event.preventDefault()
    if (typed.value !== '') takeAsMissing([column], [typed.value])
    typed.value = ''
  }
  return (
    <form class="row" onSubmit={add}>
      {own.map(code => (
        <button
          type="button"
          key={code}
          class="chip"
          aria-label={`Stop treating ${code} as missing in ${column.name}`}
          onClick={() => takeAsValue([column], code)}
        >
          <bdi>{code}</bdi> <span aria-hidden="true">×</span>
        </button>
      ))}
      {openCodes(column, now).map(code => (
        <button type="button" key={code} class="chip suggested" onClick={() => takeAsMissing([column], [code])}>
          + <bdi>{code}</bdi>
        </button>
      ))}
      <input
        type="text"
        size={8}
        aria-label={`Code to treat as missing in ${column.name}`}
        placeholder="code"
        value={typed.value}
        onInput={event => {
          typed.value = event.currentTarget.value
        }}
      />
      <button type="submit" disabled={typed.value === ''}>
        Add
      </button>
    </form>
  )
}
