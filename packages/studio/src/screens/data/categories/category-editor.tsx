import { useSignal } from '@preact/signals'
import type { ColumnFigures, InspectedColumn, OrderRule } from 'polyad/table'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { setRecoding } from '../../../state/reading/choices.ts'
import { columnsOf, isNumberText } from '../../../state/reading/columns.ts'
import { textsOf } from '../../../state/reading/labels.ts'
import { merge, mergedName, move, type Recoding, rename, separate } from '../../../state/reading/recoding.ts'
import { settings, table } from '../../../state/store/store.ts'
import './categories.css'
import { CategoryRow } from './category-row.tsx'
import { More } from './more.tsx'

interface Props {
  readonly column: InspectedColumn
  readonly figures: ColumnFigures
}

/** The categories of a variable: a click renames one, those that are ticked are merged, arrows move one. Every change can be undone. */
export const CategoryEditor = ({ column, figures }: Props) => {
  const ticked = useSignal<readonly string[]>([])
  const { recode = [], order } = settings.value.value.columns[column.name] ?? {}
  const now: Recoding = { recode, order }
  const bars = inOrder(figures.bars, order)
  const known = bars.map(({ label }) => String(label))
  const selected = known.filter(category => ticked.value.includes(category))
  const most = figures.bars.reduce((high, { count: n }) => Math.max(high, n), 0) || 1
  // An order names all categories, and numbers are in order by size.
  const movable = figures.more === 0 && known.length > 1 && !known.every(isNumberText)
  // A row that is moved is put elsewhere in the page, and loses the focus by it.
  const list = useRef<HTMLUListElement>(null)
  const moved = useRef<{ readonly category: string; readonly by: -1 | 1 } | null>(null)
  useLayoutEffect(() => {
    if (moved.current === null) return
    const { category, by } = moved.current
    moved.current = null
    const [up, down] =
      list.current?.children[known.indexOf(category)]?.querySelectorAll<HTMLButtonElement>('.category-moves button') ??
      []
    const wanted = by < 0 ? up : down
    ;(wanted?.disabled ? (by < 0 ? down : up) : wanted)?.focus()
  })
  const set = (to: Recoding) => {
    ticked.value = []
    setRecoding(column, to)
  }
  const texts = textsOf(column, settings.value.value)
  const isWeighted = table.value !== null && columnsOf(table.value, settings.value.value, 'weight').length > 0
  const rule = order === undefined ? figures.rule : 'given'
  return (
    <div class="category-editor">
      {known.length > 1 && <p class="small muted">{rule === undefined ? MOST_FREQUENT : RULES[rule]}</p>}
      <ul class="values" ref={list} aria-label={`Categories of ${column.name}`}>
        {bars.map(({ count: n }, i) => (
          <CategoryRow
            key={known[i]}
            category={known[i]}
            text={texts[known[i]]}
            count={n}
            isWeighted={isWeighted}
            total={figures.total}
            width={n / most}
            parts={recode.find(({ to }) => to === known[i])?.from}
            isTicked={selected.includes(known[i])}
            onTick={on => {
              ticked.value = on ? [...selected, known[i]] : selected.filter(each => each !== known[i])
            }}
            onRename={to => set(rename(now, known[i], to, known))}
            onSeparate={() => set(separate(now, known[i]))}
            {...(movable && {
              place: { first: i === 0, last: i === known.length - 1 },
              onMove: (by: -1 | 1) => {
                moved.current = { category: known[i], by }
                setRecoding(column, move(now, known[i], by, known))
              },
            })}
          />
        ))}
        <More figures={figures} />
      </ul>
      {selected.length > 1 && (
        <MergeForm
          key={selected.join('\n')}
          selected={selected}
          onMerge={to => set(merge(now, selected, to, known))}
          onCancel={() => {
            ticked.value = []
          }}
        />
      )}
      {(recode.length > 0 || order !== undefined) && (
        <button type="button" class="plain small" onClick={() => set({ recode: [], order: undefined })}>
          Reset categories
        </button>
      )}
    </div>
  )
}

/** What put the categories in their order. */
const RULES: Readonly<Record<OrderRule, string>> = {
  given: 'In the order that you gave.',
  file: 'In the order that the file states.',
  size: 'In order of size.',
  scale: 'Recognized as a scale, in this order.',
  parts: 'In the order of the categories before they were merged or renamed.',
  alphabet: 'In alphabetical order.',
}
const MOST_FREQUENT = 'The most frequent first.'

/** Bars in the order that was given, before they are counted anew in it. */
const inOrder = (bars: ColumnFigures['bars'], order: readonly string[] | undefined): ColumnFigures['bars'] => {
  const places = new Map(order?.map((category, i) => [category, i]))
  if (order === undefined || bars.some(({ label }) => !places.has(String(label)))) return bars
  return [...bars].sort((a, b) => (places.get(String(a.label)) ?? 0) - (places.get(String(b.label)) ?? 0))
}

interface MergeProps {
  readonly selected: readonly string[]
  readonly onMerge: (to: string) => void
  readonly onCancel: () => void
}

const MergeForm = ({ selected, onMerge, onCancel }: MergeProps) => {
  const typed = useSignal(mergedName(selected))
  const to = typed.value.trim()
  const form = useRef<HTMLFormElement>(null)
  // It comes below a list that may be long.
  useLayoutEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <form
      ref={form}
      class="merge-form"
      aria-label="Merge categories"
      onSubmit={event => {
        event.preventDefault()
        if (to !== '') onMerge(to)
      }}
    >
      <label class="field">
        Merge {selected.length} categories into
        <input
          type="text"
          value={typed.value}
          onInput={event => {
            typed.value = event.currentTarget.value
          }}
        />
      </label>
      <div class="row">
        <button type="submit" class="primary" disabled={to === ''}>
          Merge
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
