import type { ColumnFigures } from 'polyad/table'
import { count } from '../../../parts/numbers.ts'

/** More bars than this are drawn without their names. */
const NAMED = 7

/** The distribution of numbers or dates in their bins. */
export const HistogramBars = ({ figures: { name, bars } }: { readonly figures: ColumnFigures }) => {
  const most = bars.reduce((high, { count: n }) => Math.max(high, n), 0) || 1
  const many = bars.length > NAMED
  return (
    <div>
      <ol class={`histogram${many ? ' many' : ''}`} aria-label={`Rows in each bin of ${name}`}>
        {bars.map(({ label, count: n }) => (
          <li key={label} title={`${label}: ${count(n)}`}>
            <span class="histogram-bar" style={{ height: `${Math.max(2, (72 * n) / most)}px` }} />
            <span class={many ? 'hidden' : 'small'}>{label}</span>
            <span class="hidden">: {count(n)}</span>
          </li>
        ))}
      </ol>
      {many && (
        <div class="histogram-ends small muted">
          <span>{bars[0].label}</span>
          <span>{bars[bars.length - 1].label}</span>
        </div>
      )}
    </div>
  )
}
