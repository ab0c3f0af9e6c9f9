import type { ColumnFigures } from 'polyad/table'

const [WIDTH, HEIGHT] = [112, 26]
/** A bar that is there is seen, however small. */
const LEAST = 1.5
/** More bars than this are too thin to be told apart: the rest is in the details. */
const MOST = 40
/** Where more than this share is in none of the bars, they are not drawn. */
const MOSTLY = 0.5

/** The distribution of a column as small bars: ordered values touch each other, categories stand apart. */
export const Sparkline = ({ figures }: { readonly figures: ColumnFigures | undefined }) => {
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
