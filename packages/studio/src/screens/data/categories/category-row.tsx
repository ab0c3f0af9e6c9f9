import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { count as counted } from '../../../components/numbers.ts'
import { share } from '../columns/column-notes.ts'

interface Props {
  readonly category: string
  /** Its label, if it has one. */
  readonly text: string | undefined
  readonly count: number
  /** Whether counts are sums of weights, which say nothing by themselves. */
  readonly isWeighted: boolean
  readonly total: number
  /** How long its bar is, of the longest. */
  readonly width: number
  /** The categories of the file that it is made of, if it was merged or renamed. */
  readonly parts: readonly string[] | undefined
  readonly isTicked: boolean
  readonly onTick: (on: boolean) => void
  readonly onRename: (to: string) => void
  readonly onSeparate: () => void
  /** Whether it is the first or the last; undefined if it cannot be moved. */
  readonly place?: { readonly first: boolean; readonly last: boolean }
  readonly onMove?: (by: -1 | 1) => void
}

/** One category: ticked to be merged, renamed by a click on its name, and moved by its arrows or by Alt with an arrow key. */
export const CategoryRow = ({
  category,
  text,
  count,
  isWeighted,
  total,
  width,
  parts,
  place,
  onMove,
  ...props
}: Props) => {
  const isEdited = useSignal(false)
  const moveByKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (by === undefined || !event.altKey || onMove === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <li
      class="category"
      title={`${category}${text === undefined ? '' : ` (${text})`}: ${isWeighted ? `${share(count, total)} of the weight` : counted(count)}`}
      onKeyDown={moveByKey}
    >
      <span class="bar" style={{ width: `${100 * width}%` }} />
      <input
        type="checkbox"
        aria-label={`Select ${category} to merge`}
        checked={props.isTicked}
        onChange={event => props.onTick(event.currentTarget.checked)}
      />
      <div class="category-name">
        {isEdited.value ? (
          <NameField
            category={category}
            onDone={to => {
              isEdited.value = false
              if (to !== undefined && to !== '' && to !== category) props.onRename(to)
            }}
          />
        ) : (
          <button
            type="button"
            class="plain value-text"
            aria-label={`Rename ${category}`}
            onClick={() => {
              isEdited.value = true
            }}
          >
            <bdi>{category}</bdi>
          </button>
        )}
        {text !== undefined && (
          <span class="small muted category-label">
            <bdi>{text}</bdi>
          </span>
        )}
        {parts !== undefined && (
          <span class="small muted category-parts">
            <bdi>{parts.join(', ')}</bdi>
            <button
              type="button"
              class="plain small"
              aria-label={`Restore what became ${category}`}
              title="Restore"
              onClick={props.onSeparate}
            >
              ×
            </button>
          </span>
        )}
      </div>
      <span class="number small muted">{share(count, total)}</span>
      {place !== undefined && onMove !== undefined && (
        <span class="category-moves">
          <button
            type="button"
            class="plain"
            aria-label={`Move ${category} up`}
            disabled={place.first}
            onClick={() => onMove(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            class="plain"
            aria-label={`Move ${category} down`}
            disabled={place.last}
            onClick={() => onMove(1)}
          >
            ↓
          </button>
        </span>
      )}
    </li>
  )
}

/** The name of a category while it is typed: Enter or leaving the field takes it, Escape does not. */
const NameField = ({
  category,
  onDone,
}: {
  readonly category: string
  readonly onDone: (to: string | undefined) => void
}) => {
  const field = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  // A field that is taken away is left too: what was decided first holds.
  const done = (to: string | undefined) => {
    if (!isDone.current) onDone(to)
    isDone.current = true
  }
  useEffect(() => field.current?.select(), [])
  return (
    <input
      ref={field}
      type="text"
      class="category-field"
      aria-label={`New name of ${category}`}
      defaultValue={category}
      onKeyDown={event => {
        if (event.key === 'Enter') done(event.currentTarget.value.trim())
        if (event.key === 'Escape') done(undefined)
      }}
      onBlur={event => done(event.currentTarget.value.trim())}
    />
  )
}
