import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ClassifiedRow } from '../../worker/protocol.ts'
import { count, fixed, percent } from '../numbers.ts'
import type { RowClass, RowOrder } from './row-order.ts'
import type { RowSlices } from './row-slices.ts'
import { isPressed, type ListSize, scrollOf, topAfterKey, topOf, windowOf } from './row-window.ts'

interface Props {
  readonly rows: RowSlices
  /** Changes as rows come: a component with the same properties is not drawn again. */
  readonly version: number
  readonly classes: readonly RowClass[]
  readonly order: RowOrder
  readonly onOrder: (order: RowOrder) => void
}

/** The height of a row, in the size of letters, as the style sheet has it. */
const ROW = 2.25

/** A table of rows that scrolls, of which only the rows in view are there. */
export const RowTable = ({ rows, classes, order, onOrder }: Props) => {
  const place = useRef<HTMLElement>(null)
  const { size, top, scrolled, moveTo } = useScrolling(place, rows)
  const { from, to, before, after } = windowOf(size, scrolled, top)
  useEffect(() => rows.want(from, to), [rows, from, to])
  const widths = widthsOf(rows, classes)
  return (
    <section
      ref={place}
      class="scroll rows-scroll"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label="Rows with their classes"
      onKeyDown={event => {
        const next = event.target === place.current ? topAfterKey(size, top, event.key) : undefined
        if (next === undefined) return
        event.preventDefault()
        moveTo(next)
      }}
    >
      <table
        class="rows-table"
        aria-rowcount={size.rows + 1}
        style={{ width: `${widths.reduce((sum, width) => sum + width, 0)}ch` }}
      >
        <colgroup>
          {widths.map((width, i) => (
            <col key={i} style={{ width: `${width}ch` }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <Sorted by="row" title="Row" number order={order} onOrder={onOrder} />
            <Sorted by="class" title="Class" order={order} onOrder={onOrder} />
            <Sorted by="certainty" title="Probability" order={order} onOrder={onOrder} />
            <Sorted by="probability" title="log P" number order={order} onOrder={onOrder} />
            {rows.columns.map(name => (
              <th key={name} scope="col" title={name}>
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <Space height={before} />
        <tbody>
          {Array.from({ length: to - from }, (_, i) => {
            const own = rows.row(from + i)
            return own === undefined ? (
              <Coming key={from + i} index={from + i} columns={rows.columns.length + 4} />
            ) : (
              <Row key={from + i} index={from + i} own={own} classes={classes} columns={rows.columns} />
            )
          })}
        </tbody>
        <Space height={after} />
      </table>
    </section>
  )
}

/** Where the list is: followed as it is scrolled, and moved by rows. */
const useScrolling = (place: { readonly current: HTMLElement | null }, rows: RowSlices) => {
  const [view, setView] = useState({ rowHeight: 36, viewHeight: 576 })
  const [at, setAt] = useState({ top: 0, scrolled: 0 })
  const size: ListSize = { rows: rows.found ?? 0, ...view }
  const now = useRef({ size, at })
  now.current = { size, at }
  const moveTo = (top: number): void => {
    const element = place.current
    if (element === null) return
    element.scrollTop = scrollOf(now.current.size, top)
    setAt({ top, scrolled: element.scrollTop })
  }
  // Other rows begin at the first.
  useLayoutEffect(() => moveTo(0), [rows])
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const measure = () => {
      const rowHeight = ROW * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const head = element.querySelector('thead')?.clientHeight ?? 0
      setView({ rowHeight, viewHeight: Math.max(rowHeight, element.clientHeight - head) })
    }
    const onScroll = () => {
      const { size: own, at: before } = now.current
      // Of a list that is pressed together, a pixel is several rows: it stays at the row that it was moved to.
      if (Math.abs(element.scrollTop - before.scrolled) < 1) return
      setAt({ top: topOf(own, element.scrollTop), scrolled: element.scrollTop })
    }
    const onWheel = (event: WheelEvent) => {
      const { size: own, at: before } = now.current
      if (!isPressed(own) || event.ctrlKey || event.deltaY === 0) return
      event.preventDefault()
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? own.rowHeight * event.deltaY : event.deltaY
      moveTo(Math.min(own.rows - own.viewHeight / own.rowHeight, Math.max(0, before.top + pixels / own.rowHeight)))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('wheel', onWheel)
    }
  }, [])
  return { size, top: Math.min(at.top, Math.max(0, size.rows - 1)), scrolled: at.scrolled, moveTo }
}

/** Room for a column in letters: of its name and its first values, within bounds. */
const widthsOf = ({ columns, sample }: RowSlices, classes: readonly RowClass[]): number[] => [
  9,
  Math.min(28, Math.max(12, ...classes.map(({ name }) => name.length + 6))),
  24,
  11,
  ...columns.map((name, c) =>
    Math.min(26, Math.max(7, name.length + 4, ...sample.map(({ values }) => (values[c]?.length ?? 0) + 3))),
  ),
]

const Space = ({ height }: { readonly height: number }) =>
  height === 0 ? null : (
    <tbody aria-hidden="true" class="rows-space">
      <tr>
        <td style={{ height: `${height}px` }} />
      </tr>
    </tbody>
  )

interface SortedProps {
  readonly by: Exclude<RowOrder['by'], object>
  readonly title: string
  readonly number?: boolean
  readonly order: RowOrder
  readonly onOrder: (order: RowOrder) => void
}

/** The title of a column by which rows can be sorted; pressed again, the other way round. */
const Sorted = ({ by, title, number = false, order, onOrder }: SortedProps) => {
  const own = order.by === by
  return (
    <th
      scope="col"
      class={number ? 'number' : undefined}
      aria-sort={own ? (order.descending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" class="plain sort" onClick={() => onOrder({ by, descending: own && !order.descending })}>
        {title}
        <span aria-hidden="true" class="sort-mark">
          {own ? (order.descending ? '↓' : '↑') : '↕'}
        </span>
      </button>
    </th>
  )
}

const Coming = ({ index, columns }: { readonly index: number; readonly columns: number }) => (
  <tr aria-rowindex={index + 2} class="coming">
    {Array.from({ length: columns }, (_, i) => (
      <td key={i}>{i === 0 ? <span class="hidden">loading</span> : null}</td>
    ))}
  </tr>
)

interface RowProps {
  readonly index: number
  readonly own: ClassifiedRow
  readonly classes: readonly RowClass[]
  readonly columns: readonly string[]
}

const Row = ({ index, own: { row, values, posterior, class: k, logLikelihood }, classes, columns }: RowProps) => (
  <tr aria-rowindex={index + 2}>
    <th scope="row" class="number">
      {count(row + 1)}
    </th>
    <td title={classes[k]?.name} style={{ '--colour': classes[k]?.colour }}>
      <span class="swatch" /> <bdi>{classes[k]?.name}</bdi>
    </td>
    <td>
      <span class="posterior">
        <span
          class="posterior-bar"
          role="img"
          aria-label={posterior.map((p, l) => `${classes[l]?.name} ${percent(p, 0)}`).join(', ')}
          title={posterior.map((p, l) => `${classes[l]?.name} ${percent(p)}`).join('\n')}
        >
          {posterior.map((p, l) => (
            <span
              key={`${l}`}
              class="fades"
              data-class={l}
              style={{ width: `${100 * p}%`, background: classes[l]?.colour }}
            />
          ))}
        </span>
        <span class="number small">{percent(posterior[k], 0)}</span>
      </span>
    </td>
    <td class="number">{logLikelihood === null ? 'impossible' : fixed(logLikelihood, 2)}</td>
    {values.map((value, i) => (
      <td key={columns[i]} title={value ?? undefined}>
        {value === null ? <span class="muted">–</span> : <bdi>{value}</bdi>}
      </td>
    ))}
  </tr>
)
