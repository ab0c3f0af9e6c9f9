import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count } from '../../parts/numbers.ts'
import { complain } from '../../state/store.ts'
import { worker } from '../../worker/client.ts'
import type { TableSummary } from '../../worker/protocol.ts'

const PAGE = 20

/** The rows as they are written, a page at a time. */
export const Preview = ({ opened }: { readonly opened: TableSummary }) => {
  const from = useSignal(0)
  const rows = useSignal(opened.preview)
  useEffect(() => {
    from.value = 0
    rows.value = opened.preview
  }, [opened, from, rows])
  const turn = async (to: number) => {
    try {
      rows.value = await worker.call('preview', [to, PAGE])
      from.value = to
    } catch (error) {
      complain(error)
    }
  }
  const { length, columns, place } = opened
  return (
    <section aria-labelledby="preview-title">
      <div class="row">
        <h2 id="preview-title">The rows</h2>
        {length !== null && place === 'page' && length > PAGE && (
          <div class="row">
            <button
              type="button"
              class="plain"
              disabled={from.value === 0}
              onClick={() => turn(Math.max(0, from.value - PAGE))}
            >
              ← Before
            </button>
            <span class="small muted">
              {count(from.value + 1)}–{count(Math.min(from.value + PAGE, length))} of {count(length)}
            </span>
            <button
              type="button"
              class="plain"
              disabled={from.value + PAGE >= length}
              onClick={() => turn(from.value + PAGE)}
            >
              After →
            </button>
          </div>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Rows of the table">
        <table class="preview">
          <thead>
            <tr>
              <th scope="col" class="number muted">
                row
              </th>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.value.map((row, i) => (
              <tr key={from.value + i}>
                <td class="number muted">{count(from.value + i + 1)}</td>
                {row.map((value, j) => (
                  <td key={columns[j].name}>{value === null ? <span class="muted">·</span> : <bdi>{value}</bdi>}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}
