import { useSignal } from '@preact/signals'
import { count } from '../../components/numbers.ts'
import { named, Table } from '../../components/table.tsx'
import { showError } from '../../state/page/messages.ts'
import { isRunning, settings } from '../../state/store/store.ts'
import { worker } from '../../worker/client.ts'
import type { TableSummary } from '../../worker/protocol.ts'

const PAGE = 20

type Rows = TableSummary['preview']

/** The rows as they are written, a page at a time. */
export const Preview = ({ opened }: { readonly opened: TableSummary }) => {
  // The rows that were turned to, and of which table: those of another are none.
  const turned = useSignal<{ readonly of: TableSummary; readonly from: number; readonly rows: Rows } | null>(null)
  const { from, rows } = turned.value?.of === opened ? turned.value : { from: 0, rows: opened.preview }
  const turn = async (to: number) => {
    try {
      turned.value = { of: opened, from: to, rows: await worker.call('preview', [to, PAGE]) }
    } catch (error) {
      showError(error)
    }
  }
  const { length, columns, place } = opened
  return (
    <section aria-labelledby="preview-title">
      <div class="row">
        <h2 id="preview-title">Rows</h2>
        {settings.value.value.where && <span class="small muted">all rows, before the filter</span>}
        {length !== null && place === 'page' && length > PAGE && (
          <div class="row">
            <button
              type="button"
              class="plain"
              disabled={from === 0 || isRunning.value}
              onClick={() => turn(Math.max(0, from - PAGE))}
            >
              ← Previous
            </button>
            <span class="small muted">
              {count(from + 1)}–{count(Math.min(from + PAGE, length))} of {count(length)}
            </span>
            <button
              type="button"
              class="plain"
              disabled={from + PAGE >= length || isRunning.value}
              onClick={() => turn(from + PAGE)}
            >
              Next →
            </button>
            {isRunning.value && <span class="small muted">available after the fit</span>}
          </div>
        )}
      </div>
      <Table
        label="Rows of the table"
        tableClass="preview"
        headings={[{ title: 'row', class: 'number muted' }, ...columns.map(({ name }) => named(name))]}
      >
        {rows.map((row, i) => (
          <tr key={from + i}>
            <td class="number muted">{count(from + i + 1)}</td>
            {row.map((value, j) => (
              <td key={columns[j].name}>{value === null ? <span class="muted">·</span> : <bdi>{value}</bdi>}</td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  )
}
