import type { ColumnFigures } from 'polyad/table'
import { count } from '../../../components/numbers.ts'
import { share } from '../columns/column-notes.ts'

/** How many categories are not listed. */
export const More = ({ figures: { more, rest, total } }: { readonly figures: ColumnFigures }) =>
  more > 0 ? (
    <li class="small muted">
      and {count(more)} more ({share(rest, total)})
    </li>
  ) : null
