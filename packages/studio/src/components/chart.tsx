import type { ChartDataByKind, ChartKind, ChartOptions } from '@polyad/charts'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Table } from './table.tsx'

/** The charts are heavy, and not needed before there is something to draw. */
const charts = () => import('@polyad/charts')

interface Props<K extends ChartKind> {
  readonly kind: K
  readonly data: ChartDataByKind[K]
  readonly options?: Omit<ChartOptions, 'document' | 'width'>
  /** Whether the table behind it can be opened. */
  readonly table?: boolean
  /** What stands above the table. */
  readonly children?: ComponentChildren
}

/** A chart of the report, drawn as wide as there is room. */
export const Chart = <K extends ChartKind>({ kind, data, options, table = true, children }: Props<K>) => {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const [rows, setRows] = useState<import('@polyad/charts').ChartTable | null>(null)
  useEffect(() => {
    let current = true
    if (width === 0) return
    charts().then(({ CHARTS }) => {
      if (!current) return
      place.current?.replaceChildren(CHARTS[kind].draw(data, { document, width, ...options }))
      if (table) setRows(CHARTS[kind].table(data))
    })
    return () => {
      current = false
    }
  }, [kind, data, width, options, table])
  return (
    <div class="chart-block">
      <div class="chart" ref={place} />
      {rows !== null && (
        <details>
          <summary class="small">Show table</summary>
          {children}
          <TableOf table={rows} />
        </details>
      )}
    </div>
  )
}

const TableOf = ({ table: { columns, rows } }: { readonly table: import('@polyad/charts').ChartTable }) => (
  <Table label="Table of the chart" most="24rem" headings={columns}>
    {rows.map((row, i) => (
      <tr key={i}>
        {row.map((value, j) => (
          <td key={columns[j]} class={typeof value === 'number' ? 'number' : ''}>
            {typeof value === 'number' ? Number(value.toPrecision(6)) : value}
          </td>
        ))}
      </tr>
    ))}
  </Table>
)

/** The width of an element, followed as it changes, in steps that keep a chart from being drawn at every pixel. */
const useWidth = (place: { readonly current: HTMLElement | null }): number => {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.max(280, Math.floor(entry.contentRect.width / 20) * 20)),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return width
}
