import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { worker } from '../../worker/client.ts'
import type { RowQuery, RowSource } from '../../worker/protocol.ts'
import { counted } from '../numbers.ts'
import { isSameOrder, ordersOf, type RowClass, type RowOrder } from './row-order.ts'
import { RowSlices } from './row-slices.ts'
import { RowTable } from './row-table.tsx'
import './rows.css'

/** Milliseconds from the last letter of a search to its rows. */
const LATER = 200

interface Props {
  readonly source: RowSource
  readonly classes: readonly RowClass[]
  /** The order at first. */
  readonly order: RowOrder
}

/** Classified rows: to sort, to filter by class, to search. However many there are, only those in view are made. */
export const RowList = ({ source, classes, order: first }: Props) => {
  const [order, setOrder] = useState<RowOrder>(first)
  const [only, setOnly] = useState<number | null>(null)
  const [text, setText] = useState('')
  const orders = ordersOf(classes)
  const { rows, version } = useRows(source, {
    by: order.by,
    descending: order.descending,
    ...(only !== null && { class: only }),
    ...(text.trim() !== '' && { containing: text.trim() }),
  })
  return (
    <div class="stack row-list">
      <form class="row row-form" onSubmit={event => event.preventDefault()}>
        <label class="field">
          <span>Order</span>
          <select
            value={orders.findIndex(each => isSameOrder(each, order))}
            onChange={event => setOrder(orders[Number(event.currentTarget.value)])}
          >
            {orders.map(({ title }, i) => (
              <option key={title} value={i}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Class</span>
          <select
            value={only ?? ''}
            onChange={event => setOnly(event.currentTarget.value === '' ? null : Number(event.currentTarget.value))}
          >
            <option value="">All classes</option>
            {classes.map(({ name }, k) => (
              <option key={name} value={k}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Find text</span>
          <input type="search" value={text} onInput={event => setText(event.currentTarget.value)} />
        </label>
        <output class="row-count muted" aria-live="polite">
          {rows.found === null ? '' : rows.found === 0 ? 'No matching rows.' : counted(rows.found, 'row')}
        </output>
      </form>
      {rows.failure !== null ? (
        <p class="note error">{rows.failure}</p>
      ) : rows.found === null ? (
        <p class="muted">Loading the rows …</p>
      ) : (
        <RowTable rows={rows} version={version} classes={classes} order={order} onOrder={setOrder} />
      )}
    </div>
  )
}

/** The rows of a query, with a number that changes as they come. Those of the query before stay until the first of these are here. */
const useRows = (source: RowSource, query: Omit<RowQuery, 'from' | 'count'>) => {
  const [version, redraw] = useReducer((n: number) => n + 1, 0)
  const asked = JSON.stringify([source, query])
  const shown = useRef<RowSlices | null>(null)
  const slices = useMemo(() => {
    const ask = (from: number, count: number) => worker.call('rows', [source, { ...query, from, count }])
    return new RowSlices(ask, () => redraw(0))
  }, [asked])
  useEffect(() => {
    const later = setTimeout(() => slices.want(0, 1), query.containing === undefined ? 0 : LATER)
    return () => {
      clearTimeout(later)
      slices.stop()
    }
  }, [slices])
  if (slices.found !== null || slices.failure !== null || shown.current === null) shown.current = slices
  return { rows: shown.current, version }
}
