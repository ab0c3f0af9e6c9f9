import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

interface Props {
  /** Those that are treated as missing. */
  readonly codes: readonly string[]
  /** Of which column, as it follows the name of a button; for all columns nothing. */
  readonly within?: string
  readonly add: (code: string) => void
  readonly remove: (code: string) => void
  /** What stands before the field. */
  readonly children?: ComponentChildren
}

/** Codes to treat as missing: a button to remove each, and a field for another. */
export const MissingCodeField = ({ codes, within = '', add, remove, children }: Props) => {
  const typed = useSignal('')
  const submit = (event: Event) => {
    event.preventDefault()
    if (typed.value !== '') add(typed.value)
    typed.value = ''
  }
  return (
    <form class="row" onSubmit={submit}>
      {codes.map(code => (
        <button
          type="button"
          key={code}
          class="chip"
          aria-label={`Stop treating ${code} as missing${within}`}
          onClick={() => remove(code)}
        >
          <bdi>{code}</bdi> <span aria-hidden="true">×</span>
        </button>
      ))}
      {children}
      <input
        type="text"
        size={8}
        aria-label={`Code to treat as missing${within}`}
        placeholder="e.g. 99"
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
