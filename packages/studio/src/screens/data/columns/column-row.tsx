import type { InspectedColumn } from 'polyad/table'
import { isUsable, setRole } from '../../../state/reading/choices.ts'
import { roleOf } from '../../../state/reading/columns.ts'
import { figures } from '../../../state/reading/figures.ts'
import type { Role } from '../../../state/settings.ts'
import { settings } from '../../../state/store.ts'
import type { TableSummary } from '../../../worker/protocol.ts'
import { columnNotes } from './column-notes.ts'
import { KindIcon } from './kind-icon.tsx'
import { ROLE_NAMES, ROLE_ORDER } from './roles.ts'
import { chosen, select, selected } from './selection.ts'
import { Sparkline } from './sparkline.tsx'

interface Props {
  readonly column: InspectedColumn
  readonly opened: TableSummary
  /** The names of the columns that are listed, in their order. */
  readonly shown: readonly string[]
  readonly isOpen: boolean
}

/** A column in one line: its kind, name, use, distribution, and what is to be known of it. */
export const ColumnRow = ({ column, opened, shown, isOpen }: Props) => {
  const { name, title, kind } = column
  const now = settings.value.value
  const role = roleOf(column, now)
  const isSelected = selected.value.has(name)
  const own = figures.value.get(name)
  const { facts, warning } = columnNotes(column, own, now)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the controls is one more way to the details; the name is a button.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
    <div
      class={`column ${role}${isSelected ? ' selected' : ''}${isOpen ? ' open' : ''}`}
      onClick={event => {
        if ((event.target as Element).closest('button, select, input, label') === null) chosen.value = name
      }}
    >
      <label class="column-check">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={isSelected}
          onClick={event => select(name, event.currentTarget.checked, event.shiftKey, shown)}
        />
      </label>
      <KindIcon kind={kind} />
      <button
        type="button"
        class="column-name"
        aria-expanded={isOpen}
        onClick={() => {
          chosen.value = chosen.peek() === name ? null : name
        }}
      >
        <span class="hidden">Details of </span>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {title !== undefined && (
          <span class="column-title">
            <bdi title={title}>{title}</bdi>
          </span>
        )}
        <span class={`column-brief${warning === undefined ? '' : ' warn'}`}>{warning ?? facts.join(' · ')}</span>
      </button>
      <select
        class="column-role"
        aria-label={`Use of ${name}`}
        value={role}
        disabled={!isUsable(column)}
        onChange={event => setRole(opened, [column], event.currentTarget.value as Role)}
      >
        {ROLE_ORDER.map(each => (
          <option key={each} value={each}>
            {ROLE_NAMES[each]}
          </option>
        ))}
      </select>
      <Sparkline figures={own} />
      <span class="column-notes">
        {warning !== undefined && <span class="tag warn">{warning}</span>}
        <span>{facts.join(' · ')}</span>
      </span>
    </div>
  )
}
