import { useSignal } from '@preact/signals'
import { figuresFault } from '../../../state/reading/column-distributions.ts'
import { faultOf } from '../../../state/reading/filter-drafts.ts'
import type { TableSummary } from '../../../worker/protocol.ts'

export interface FilterProps {
  readonly opened: TableSummary
  readonly where: string
  readonly onWhere: (to: string) => void
}

/** A condition as it is written. It is used as soon as it can be read. */
export const FilterText = ({ opened, where, onWhere }: FilterProps) => {
  const draft = useSignal<string | null>(null)
  const text = draft.value ?? where
  const fault = faultOf(text, opened.columns) ?? (text === where ? figuresFault.value : null)
  return (
    <div class="stack">
      <textarea
        class="filter-text"
        rows={2}
        spellcheck={false}
        aria-label="Condition"
        aria-invalid={fault !== null}
        aria-describedby="filter-help"
        value={text}
        onInput={event => {
          const typed = event.currentTarget.value
          draft.value = typed
          if (faultOf(typed, opened.columns) === undefined) onWhere(typed)
        }}
        onBlur={() => {
          if (faultOf(text, opened.columns) === undefined) draft.value = null
        }}
      />
      {fault !== null && (
        <p class="note error" role="status">
          {fault}
        </p>
      )}
      <p id="filter-help" class="small muted">
        Compare with = != &lt; &lt;= &gt; &gt;=, in ('a', 'b'), is missing, is not missing; join with and, or, not. Put
        texts in single quotes, and names with blanks in double quotes.
      </p>
    </div>
  )
}
