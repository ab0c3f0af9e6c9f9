import { fixed } from '../../parts/numbers.ts'

interface Props {
  readonly losses: readonly number[]
  readonly best: number | null
  readonly label: string
}

const WIDTH = 640
const HEIGHT = 180
const ROOM = { left: 8, right: 8, top: 10, bottom: 18 }
/** Dots that are drawn: the page has other things to do. */
const MOST = 300

/** Where attempts ended, in their order, and the lowest so far as a line. Losses far above the others are left at the top. */
export const LossDots = ({ losses, best, label }: Props) => {
  const shown = losses.filter(Number.isFinite).slice(-MOST)
  if (shown.length === 0) return <p class="muted">No start has finished yet.</p>
  const sorted = [...shown].sort((a, b) => a - b)
  const low = Math.min(sorted[0], best ?? sorted[0])
  // Where all ended alike there is no span to draw over.
  const high = Math.max(sorted[Math.floor(0.9 * (sorted.length - 1))], low + 1e-9 * Math.max(1, Math.abs(low)))
  const x = (i: number) => ROOM.left + ((WIDTH - ROOM.left - ROOM.right) * (i + 0.5)) / shown.length
  const y = (loss: number) =>
    ROOM.top + (HEIGHT - ROOM.top - ROOM.bottom) * (1 - (Math.min(loss, high) - low) / (high - low))
  let lowest = Number.POSITIVE_INFINITY
  const path = shown
    .map((loss, i) => {
      lowest = Math.min(lowest, loss)
      return `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(lowest).toFixed(1)}`
    })
    .join('')
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} class="loss-dots">
      <path d={path} fill="none" stroke="var(--primary)" stroke-width="2" />
      {shown.map((loss, i) => (
        <circle key={i} cx={x(i)} cy={y(loss)} r="3" fill="var(--muted)" fill-opacity="0.7" />
      ))}
      <text x={ROOM.left} y={HEIGHT - 3} class="small-text">
        starts in order; the line shows the lowest loss so far, {fixed(low, 2)}
      </text>
    </svg>
  )
}
