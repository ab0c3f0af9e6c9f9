import { useSignal } from '@preact/signals'
import type { InspectedColumn } from 'polyad/table'
import { useRef } from 'preact/hooks'
import { counted } from '../../../components/numbers.ts'
import { isCuttable, resetToProposal, setBin, setRole, takeAsMissing } from '../../../state/reading/choices.ts'
import { binOf } from '../../../state/reading/columns.ts'
import { settings } from '../../../state/store/store.ts'
import type { TableSummary } from '../../../worker/protocol.ts'
import { BinChoice } from './bin-choice.tsx'
import { selected, selectOnly } from './selection.ts'
import { UseChoice } from './use-choice.tsx'

/** What can be done with all selected columns at once. */
export const BulkActions = ({ opened }: { readonly opened: TableSummary }) => {
  const columns = opened.columns.filter(({ name }) => selected.value.has(name))
  if (columns.length === 0) return null
  const [first] = columns.filter(isCuttable)
  const alike = columns.filter(({ kind }) => kind === first?.kind)
  return (
    <div class="row bulk" role="toolbar" aria-label="Selected columns">
      <strong>{columns.length} selected</strong>
      <UseChoice label="Use the selected columns as" opened={opened} columns={columns} placeholder="Use as …" />
      <button type="button" onClick={() => setRole(opened, columns, 'ignore')}>
        Exclude
      </button>
      {first !== undefined && (
        <details class="menu bulk-menu">
          <summary>Bins</summary>
          <div class="menu-content stack">
            <BinChoice
              column={first}
              bin={binOf(first, settings.value.value)}
              onBin={bin => setBin(alike, bin, 'bins')}
            />
            <span class="small muted">
              {counted(alike.length, `column of ${first.kind}s`, `columns of ${first.kind}s`)} in the same bins
            </span>
          </div>
        </details>
      )}
      <MissingMenu columns={columns} />
      <button type="button" class="plain" onClick={() => resetToProposal(columns)}>
        Reset to suggestion
      </button>
      <button type="button" class="plain" onClick={() => selectOnly([])}>
        Clear selection
      </button>
    </div>
  )
}

const MissingMenu = ({ columns }: { readonly columns: readonly InspectedColumn[] }) => {
  const typed = useSignal('')
  const menu = useRef<HTMLDetailsElement>(null)
  const add = (event: Event) => {
    event.preventDefault()
    const codes = typed.value
      .split(',')
      .map(code => code.trim())
      .filter(code => code !== '')
    if (codes.length > 0) takeAsMissing(columns, codes)
    typed.value = ''
    menu.current?.removeAttribute('open')
  }
  return (
    <details class="menu bulk-menu" ref={menu}>
      <summary>Missing codes</summary>
      <form class="menu-content stack" onSubmit={add}>
        <label class="field">
          <span>Codes to treat as missing (comma-separated)</span>
          <input
            type="text"
            placeholder="e.g. 98, 99"
            value={typed.value}
            onInput={event => {
              typed.value = event.currentTarget.value
            }}
          />
        </label>
        <button type="submit" disabled={typed.value.trim() === ''}>
          Apply to {counted(columns.length, 'column')}
        </button>
      </form>
    </details>
  )
}
