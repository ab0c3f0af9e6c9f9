import type { ColumnFigures, InspectedColumn } from 'polyad/table'
import { isUsable } from '../../../state/reading/choices.ts'
import { figures } from '../../../state/reading/column-distributions.ts'
import { itemOf, roleOf } from '../../../state/reading/columns.ts'
import { titleOf } from '../../../state/reading/labels.ts'
import { settings } from '../../../state/store/store.ts'
import type { TableSummary } from '../../../worker/protocol.ts'
import { columnNotes } from './column-notes.ts'
import { KINDS, useText } from './roles.ts'
import { chosen, select, selected } from './selection.ts'
import { UseChoice } from './use-choice.tsx'

const [WIDTH, HEIGHT] = [112, 26]
/** A bar that is there is seen, however small. */
const LEAST = 1.5
/** More bars than this are too thin to be told apart: the rest is in the details. */
const MOST = 40
/** Where more than this share is in none of the bars, they are not drawn. */
const MOSTLY = 0.5

/** The distribution of a column as small bars: ordered values touch each other, categories stand apart. */
const Sparkline = ({ figures }: { readonly figures: ColumnFigures | undefined }) => {
  const bars = figures?.bars.slice(0, MOST) ?? []
  // Of identifiers and free text the most frequent values say nothing.
  if (figures === undefined || bars.length === 0 || figures.rest > MOSTLY * figures.total)
    return <span class="sparkline" />
  const most = bars.reduce((high, { count }) => Math.max(high, count), 0) || 1
  const step = Math.min(WIDTH / bars.length, 14)
  const gap = figures.ordered ? Math.min(1, step / 6) : Math.min(2.5, step / 4)
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" preserveAspectRatio="none">
      {bars.map(({ count }, i) => {
        const height = count === 0 ? 0 : Math.max(LEAST, ((HEIGHT - 1) * count) / most)
        return <rect key={i} x={i * step} y={HEIGHT - height} width={Math.max(0.75, step - gap)} height={height} />
      })}
    </svg>
  )
}

const SHAPES: Readonly<Record<InspectedColumn['kind'], preact.JSX.Element>> = {
  text: <path d="M3 4.5V3h10v1.5M8 3v10M6 13h4" />,
  number: <path d="M5.5 2.5l-1 11M11.5 2.5l-1 11M2.5 6h11M2.5 10.5h11" />,
  date: <path d="M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3" />,
  nested: <path d="M6 2.5H4.5v4L3 8l1.5 1.5v4H6M10 2.5h1.5v4L13 8l-1.5 1.5v4H10" />,
  empty: <path d="M3 8h10" />,
}

/** What the values of a column are, as a sign. */
const KindIcon = ({ kind }: Pick<InspectedColumn, 'kind'>) => (
  <svg class="kind-icon" viewBox="0 0 16 16" role="img" aria-label={KINDS[kind]}>
    <title>{KINDS[kind]}</title>
    {SHAPES[kind]}
  </svg>
)

interface Props {
  readonly column: InspectedColumn
  readonly opened: TableSummary
  /** The names of the columns that are listed, in their order. */
  readonly shown: readonly string[]
  readonly isOpen: boolean
}

/** A column in one line: its kind, name, use, distribution, and what is to be known of it. */
export const ColumnRow = ({ column, opened, shown, isOpen }: Props) => {
  const { name, kind } = column
  const now = settings.value.value
  const title = titleOf(column, now)
  const role = roleOf(column, now)
  const isSelected = selected.value.has(name)
  const own = figures.value.get(name)
  const { facts, warning } = columnNotes(column, own, now)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the controls is one more way to the details; the name is a button.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
    <div
      class={`column ${role}${isSelected ? ' selected' : ''}${isOpen ? ' open' : ''}`}
      onClick={event => {
        if ((event.target as Element).closest('button, select, input, label') === null) chosen.value = name
      }}
    >
      <label class="column-check">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${name}`}
          checked={isSelected}
          onClick={event => select(name, event.currentTarget.checked, event.shiftKey, shown)}
        />
      </label>
      <KindIcon kind={kind} />
      <button
        type="button"
        class="column-name"
        aria-expanded={isOpen}
        aria-keyshortcuts="ArrowLeft ArrowRight"
        onClick={() => {
          chosen.value = chosen.peek() === name ? null : name
        }}
      >
        <span class="hidden">Details of </span>
        <strong>
          <bdi title={name}>{name}</bdi>
        </strong>
        {title !== undefined && (
          <span class="column-title">
            <bdi title={title}>{title}</bdi>
          </span>
        )}
        <span class={`column-brief${warning === undefined ? '' : ' warn'}`}>{warning ?? facts.join(' · ')}</span>
      </button>
      <UseChoice
        class="column-role"
        tabIndex={-1}
        label={`Use of ${name}`}
        opened={opened}
        columns={[column]}
        value={useText(role, itemOf(column, now))}
        disabled={!isUsable(column)}
      />
      <Sparkline figures={own} />
      <span class="column-notes">
        {warning !== undefined && <span class="tag warn">{warning}</span>}
        <span>{facts.join(' · ')}</span>
      </span>
    </div>
  )
}
