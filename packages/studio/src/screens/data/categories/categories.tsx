import type { ColumnFigures, InspectedColumn } from 'polyad/table'
import { count } from '../../../components/numbers.ts'
import { binOf, itemOf, roleOf } from '../../../state/reading/columns.ts'
import { settings } from '../../../state/store/store.ts'
import type { TableSummary } from '../../../worker/protocol.ts'
import { share } from '../columns/column-notes.ts'
import { CategoryEditor } from './category-editor.tsx'
import { More } from './more.tsx'

export interface CategoriesProps {
  readonly column: InspectedColumn
  readonly opened: TableSummary
  /** How often each category occurs, by the present settings; undefined until it is known. */
  readonly figures: ColumnFigures | undefined
}

/** The categories of a column with how often each occurs; those of a variable can be renamed, merged and put in order. */
export const Categories = ({ column, figures }: CategoriesProps) => {
  if (figures === undefined) return null
  const now = settings.value.value
  const role = roleOf(column, now)
  const isVariable = role === 'mode' || (role === 'covariate' && column.kind === 'text')
  const isNumber = ['normal', 'count'].includes(itemOf(column, now)?.kind ?? '')
  if (isVariable && !isNumber && column.kind !== 'date' && binOf(column, now) === undefined)
    return <CategoryEditor key={column.name} column={column} figures={figures} />
  return <CategoryList name={column.name} figures={figures} />
}

const CategoryList = ({ name, figures }: { readonly name: string; readonly figures: ColumnFigures }) => {
  const { bars, total } = figures
  if (bars.length === 0) return null
  const most = bars.reduce((high, { count: n }) => Math.max(high, n), 0) || 1
  return (
    <ul class="values" aria-label={`Categories of ${name}`}>
      {bars.map(({ label, count: n }) => (
        <li key={label} title={`${label}: ${count(n)}`}>
          <span class="bar" style={{ width: `${(100 * n) / most}%` }} />
          <span class="value-text">
            <bdi>{label === '' ? '(empty)' : label}</bdi>
          </span>
          <span class="number small muted">{share(n, total)}</span>
        </li>
      ))}
      <More figures={figures} />
    </ul>
  )
}
