import type { InspectedColumn } from 'polyad/table'
import { Fragment } from 'preact'
import { count, counted } from '../../components/numbers.ts'
import { isWide } from '../../components/wide.ts'
import { resetToProposal, takeCodesAsMissing } from '../../state/reading/choices.ts'
import { figuresFault } from '../../state/reading/column-distributions.ts'
import { isProposed, roleOf } from '../../state/reading/columns.ts'
import { titleOf } from '../../state/reading/labels.ts'
import { settings } from '../../state/store/store.ts'
import type { TableSummary } from '../../worker/protocol.ts'
import { BulkActions } from './columns/bulk-actions.tsx'
import { ColumnList } from './columns/column-list.tsx'
import { openCodes } from './columns/column-notes.ts'
import { chosen, search, selected, selectOnly } from './columns/selection.ts'
import { ColumnDetails } from './details/column-details.tsx'

/** Fewer columns than this need no search. */
const FEW = 8

/** Columns whose name or label has what is searched for. */
const found = (columns: readonly InspectedColumn[], text: string): readonly InspectedColumn[] => {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return columns
  const now = settings.value.value
  return columns.filter(column => `${column.name}\n${titleOf(column, now) ?? ''}`.toLowerCase().includes(wanted))
}

/** Every column in a row, and the details of one. */
export const ColumnsPanel = ({ opened }: { readonly opened: TableSummary }) => {
  const columns = found(opened.columns, search.value)
  const wide = isWide.value
  const now = settings.value.value
  const first = () => columns.find(column => roleOf(column, now) === 'mode') ?? columns[0]
  const open = columns.find(({ name }) => name === chosen.value) ?? (wide ? first() : undefined)
  return (
    <section aria-labelledby="columns-title" class="columns-panel">
      <Suggestions opened={opened} />
      <ColumnsHead opened={opened} columns={columns} />
      <BulkActions opened={opened} />
      {figuresFault.value !== null && <p class="note error">{figuresFault.value}</p>}
      <div class={wide ? 'columns-and-details' : ''}>
        {columns.length === 0 ? (
          <p class="columns-none muted">No column has “{search.value}” in its name or label.</p>
        ) : (
          <ColumnList
            columns={columns}
            opened={opened}
            open={open?.name}
            under={column => (wide ? null : <ColumnDetails column={column} opened={opened} beside={false} />)}
          />
        )}
        {wide && open !== undefined && <ColumnDetails key={open.name} column={open} opened={opened} beside />}
      </div>
    </section>
  )
}

const ColumnsHead = ({
  opened,
  columns,
}: {
  readonly opened: TableSummary
  readonly columns: readonly InspectedColumn[]
}) => {
  const names = columns.map(({ name }) => name)
  const all = names.length > 0 && names.every(name => selected.value.has(name))
  const some = !all && names.some(name => selected.value.has(name))
  const changed = opened.columns.filter(column => !isProposed(column, settings.value.value))
  return (
    <div class="row columns-head">
      <label class="column-check">
        <input
          type="checkbox"
          aria-label="Select all columns that are listed"
          checked={all}
          ref={input => {
            if (input !== null) input.indeterminate = some
          }}
          onChange={() => selectOnly(all ? [] : names)}
        />
      </label>
      <h2 id="columns-title">Columns</h2>
      <span class="small muted">
        {columns.length < opened.columns.length ? `${count(columns.length)} of ` : ''}
        {count(opened.columns.length)}
      </span>
      {opened.columns.length >= FEW && (
        <input
          type="search"
          class="columns-search"
          aria-label="Search columns by name or label"
          placeholder="Search"
          value={search.value}
          onInput={event => {
            search.value = event.currentTarget.value
          }}
        />
      )}
      {changed.length > 0 && (
        <button type="button" class="plain columns-reset" onClick={() => resetToProposal(opened.columns)}>
          Reset to suggestions
        </button>
      )}
    </div>
  )
}

/** Codes and columns that are named at once. */
const MOST_NAMED = 4

/** Codes that look as if they meant missing, of all columns in one line. */
const Suggestions = ({ opened }: { readonly opened: TableSummary }) => {
  const now = settings.value.value
  const columns = opened.columns.filter(column => openCodes(column, now).length > 0)
  const codes = [...new Set(columns.flatMap(column => openCodes(column, now)))]
  if (codes.length === 0) return null
  const shown = codes.length > MOST_NAMED ? [...codes.slice(0, MOST_NAMED), 'others'] : codes
  return (
    <div class="suggestions row">
      <span>
        {shown.map((code, i) => (
          <Fragment key={code}>
            {i > 0 && (i === shown.length - 1 ? ' and ' : ', ')}
            <bdi class="code">{code}</bdi>
          </Fragment>
        ))}{' '}
        {codes.length === 1 ? 'looks like a missing code' : 'look like missing codes'} in{' '}
        {columns.length === 1 ? <bdi>{columns[0].name}</bdi> : counted(columns.length, 'column')}.
      </span>
      <button type="button" onClick={() => takeCodesAsMissing(columns.map(each => [each, openCodes(each, now)]))}>
        Treat as missing
      </button>
      <button type="button" class="plain" onClick={() => selectOnly(columns.map(({ name }) => name))}>
        Select {columns.length === 1 ? 'this column' : 'these columns'}
      </button>
    </div>
  )
}
