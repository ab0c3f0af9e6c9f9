import type { ColumnFigures, InspectedColumn } from 'polyad/table'
import { count } from '../../../parts/numbers.ts'
import type { TableSummary } from '../../../worker/protocol.ts'
import { share } from '../columns/column-notes.ts'

export interface CategoriesProps {
  readonly column: InspectedColumn
  readonly opened: TableSummary
  /** How often each category occurs, by the present settings; undefined until it is known. */
  readonly figures: ColumnFigures | undefined
}

/** The categories of a variable in their order, with how often each occurs. */
export const Categories = ({ column, figures }: CategoriesProps) => {
  if (figures === undefined || figures.bars.length === 0) return null
  const { bars, more, rest, total } = figures
  const most = bars.reduce((high, { count: n }) => Math.max(high, n), 0) || 1
  return (
    <ul class="values" aria-label={`Categories of ${column.name}`}>
      {bars.map(({ label, count: n }) => (
        <li key={label} title={`${label}: ${count(n)}`}>
          <span class="bar" style={{ width: `${(100 * n) / most}%` }} />
          <span class="value-text">
            <bdi>{label === '' ? '(empty)' : label}</bdi>
          </span>
          <span class="number small muted">{share(n, total)}</span>
        </li>
      ))}
      {more > 0 && (
        <li class="small muted">
          and {count(more)} more ({share(rest, total)})
        </li>
      )}
    </ul>
  )
}
