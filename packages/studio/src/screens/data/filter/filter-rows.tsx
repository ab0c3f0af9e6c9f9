import { useSignal } from '@preact/signals'
import { count, counted } from '../../../components/numbers.ts'
import { figures } from '../../../state/reading/column-distributions.ts'
import { draftsOf } from '../../../state/reading/filter-drafts.ts'
import { change, data, settings } from '../../../state/store/store.ts'
import type { TableSummary } from '../../../worker/protocol.ts'
import { FilterBuilder } from './filter-builder.tsx'
import { FilterText } from './filter-text.tsx'
import './filter.css'

/** Which rows are used: conditions that are chosen, or a text. Nothing but a button as long as all are. */
export const FilterRows = ({ opened }: { readonly opened: TableSummary }) => {
  const isOpen = useSignal(false)
  const asText = useSignal(false)
  const where = settings.value.value.where ?? ''
  if (where === '' && !isOpen.value)
    return (
      <div>
        <button
          type="button"
          class="small"
          onClick={() => {
            isOpen.value = true
          }}
        >
          Filter rows
        </button>
      </div>
    )
  const simple = draftsOf(where) !== undefined
  const apply = (to: string) => change({ where: to.trim() === '' ? null : to }, 'where')
  const isText = asText.value || !simple
  return (
    <section class="filter" aria-label="Filter rows">
      <div class="filter-head">
        <h2>Only use rows where</h2>
        <span class="small muted" role="status">
          {rowsUsed(opened, where)}
        </span>
        <span class="filter-actions">
          <button
            type="button"
            class="plain small"
            disabled={isText && !simple}
            onClick={() => {
              asText.value = !isText
            }}
          >
            {isText ? 'Edit as list' : 'Edit as text'}
          </button>
          <button
            type="button"
            class="plain small"
            onClick={() => {
              isOpen.value = false
              asText.value = false
              if (where !== '') change({ where: null })
            }}
          >
            Use all rows
          </button>
        </span>
      </div>
      {isText ? (
        <FilterText key={opened.name} opened={opened} where={where} onWhere={apply} />
      ) : (
        <FilterBuilder key={opened.name} opened={opened} where={where} onWhere={apply} />
      )}
    </section>
  )
}

/** How many rows are used. */
const rowsUsed = ({ length, place }: TableSummary, where: string): string => {
  if (where === '') return length === null ? 'all rows' : `all ${counted(length, 'row')}`
  if (data.value !== null) return `${count(data.value.rows)}${length === null ? '' : ` of ${count(length)}`} rows`
  const [first] = figures.value.values()
  return place === 'page' && length !== null && first !== undefined
    ? `${count(first.rows)} of ${count(length)} rows`
    : ''
}
