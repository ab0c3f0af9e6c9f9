import type { InspectedColumn } from 'polyad/table'
import { setRole } from '../../../state/reading/choices.ts'
import type { TableSummary } from '../../../worker/protocol.ts'
import { usesOf } from './roles.ts'

interface Props {
  readonly label: string
  readonly opened: TableSummary
  /** The columns that are used so. */
  readonly columns: readonly InspectedColumn[]
  /** The present use, as a text; of several columns, which may differ, what is said in its place. */
  readonly value?: string
  readonly placeholder?: string
  readonly class?: string
  readonly disabled?: boolean
  readonly tabIndex?: number
}

/** What columns are used as, in a list. */
export const UseChoice = ({ label, opened, columns, value, placeholder, ...rest }: Props) => {
  const uses = usesOf(columns)
  return (
    <select
      {...rest}
      aria-label={label}
      value={value ?? ''}
      onChange={event => {
        const use = uses.find(({ text }) => text === event.currentTarget.value)
        if (use !== undefined) setRole(opened, columns, use.role, use.kind)
        if (value === undefined) event.currentTarget.value = ''
      }}
    >
      {placeholder !== undefined && (
        <option value="" disabled>
          {placeholder}
        </option>
      )}
      {uses.map(({ text, name }) => (
        <option key={text} value={text}>
          {name}
        </option>
      ))}
    </select>
  )
}
