import { useSignal } from '@preact/signals'
import type { InspectedColumn } from 'polyad/table'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { TableSummary } from '../../../worker/protocol.ts'
import { ColumnRow } from './column-row.tsx'
import { select, selected, selectOnly } from './selection.ts'

/** The height of a row, as the style sheet has it. */
const ROW = 44
/** Up to so many rows are all there; of more only those in view, and so many before and after them. */
const ALL = 120
const AROUND = 12

interface Props {
  readonly columns: readonly InspectedColumn[]
  readonly opened: TableSummary
  /** The column whose details are shown. */
  readonly open: string | undefined
  /** What is shown under its row. */
  readonly under: (column: InspectedColumn) => ComponentChildren
}

/** The columns, a row each. */
export const ColumnList = ({ columns, opened, open, under }: Props) => {
  const list = useRef<HTMLUListElement>(null)
  const view = useSignal({ from: 0, to: ALL })
  const shown = columns.map(({ name }) => name)
  const few = columns.length <= ALL
  useEffect(() => {
    if (few) return
    const look = () => {
      const top = list.current?.getBoundingClientRect().top ?? 0
      const from = Math.max(0, Math.floor(-top / ROW) - AROUND)
      const to = Math.ceil((innerHeight - top) / ROW) + AROUND
      if (from !== view.peek().from || to !== view.peek().to) view.value = { from, to }
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [few, columns.length])
  const from = few ? 0 : Math.min(view.value.from, columns.length)
  const to = few ? columns.length : Math.min(Math.max(view.value.to, from), columns.length)
  return (
    <ul
      ref={list}
      class="columns"
      style={{ paddingTop: `${from * ROW}px`, paddingBottom: `${(columns.length - to) * ROW}px` }}
      onKeyDown={event => move(event, shown)}
    >
      {columns.slice(from, to).map((column, i) => (
        <li key={column.name} data-column={column.name} aria-setsize={columns.length} aria-posinset={from + i + 1}>
          <ColumnRow column={column} opened={opened} shown={shown} isOpen={column.name === open} />
          {column.name === open && under(column)}
        </li>
      ))}
    </ul>
  )
}

/** The controls of a row, from left to right: the name is a stop of Tab, and arrows lead to the others. */
const CONTROLS = ['input', '.column-name', 'select']

const moveWithin = (event: KeyboardEvent, row: Element): boolean => {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : undefined
  if (by === undefined) return false
  const at = CONTROLS.findIndex(control => (event.target as Element).matches(control))
  const to = CONTROLS[at + by]
  if (at < 0) return false
  if (to !== undefined) row.querySelector<HTMLElement>(to)?.focus()
  event.preventDefault()
  return true
}

/** Arrows go from row to row and within it, with Shift they select on the way; Ctrl+A selects all that is listed, Escape nothing. */
const move = (event: KeyboardEvent, shown: readonly string[]): void => {
  const target = event.target as HTMLElement
  const row = target.closest('.column')
  if (row === null || moveWithin(event, row) || target.tagName === 'SELECT') return
  const item = row.parentElement as HTMLElement
  const { column = '' } = item.dataset
  if (event.key === 'Escape' && selected.peek().size > 0) {
    selectOnly([])
  } else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {
    selectOnly(shown)
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const next = (
      event.key === 'ArrowDown' ? item.nextElementSibling : item.previousElementSibling
    ) as HTMLElement | null
    if (next !== null) {
      const kind = target.tagName === 'INPUT' ? 'input' : '.column-name'
      next.querySelector<HTMLElement>(kind)?.focus()
      if (event.shiftKey) {
        if (!selected.peek().has(column)) select(column, true, false, shown)
        select(next.dataset.column ?? '', true, false, shown)
      }
    }
  } else return
  event.preventDefault()
}
