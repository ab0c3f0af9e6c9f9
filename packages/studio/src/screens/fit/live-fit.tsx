import type { GlossaryTerm } from 'polyad/report'
import { count, counted, duration, fixed } from '../../components/numbers.ts'
import { FigureName } from '../../components/term.tsx'
import type { RunningFit } from '../../state/store/store.ts'
import type { FitProgress } from '../../worker/protocol.ts'

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

/** Where runs ended, in their order, and the lowest so far as a line. Losses far above the others are left at the top. */
const LossDots = ({ losses, best, label }: Props) => {
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
        runs, from the first to the last; height: loss (lower is better); line: the lowest so far, {fixed(low, 2)}
      </text>
    </svg>
  )
}

const PHASES: Readonly<Record<FitProgress['phase'], string>> = {
  starts: 'random starts',
  recombination: 'recombining the best',
  finish: 'refining the best',
}

/** A fit under way: where it is, and the losses of all runs so far. */
export const LiveFit = ({ running }: { readonly running: RunningFit }) => {
  const { last, ended, begun, stopping } = running
  const { request } = begun
  if (last === null)
    return (
      <div class="panel stack">
        <p>Starting …</p>
        <Progress running={running} />
      </div>
    )
  const { rank, phase, runs, best, passes, maxPasses, seconds } = last
  const losses = ended[rank] ?? []
  const several = request.from < request.to
  return (
    <div class="panel stack">
      <div class="row live-head">
        <h2>
          {counted(rank, 'class', 'classes')}
          {several && <span class="muted"> ({`${rank - request.from + 1} of ${request.to - request.from + 1}`})</span>}
        </h2>
        <span class="muted">{stopping ? 'stopping' : PHASES[phase]}</span>
      </div>
      <progress max={maxPasses} value={Math.min(passes, maxPasses)} aria-label={`Progress for ${rank} classes`} />
      <dl class="figures">
        <Figure name="time so far" value={duration(seconds)} />
        <Figure name="time left for this number, at most" value={timeLeft(last, request.maxSeconds)} />
      </dl>
      <details>
        <summary class="small">Figures of the search</summary>
        <LossDots losses={losses} best={best} label={lossWords(rank, losses, best)} />
        <dl class="figures">
          <Figure name="lowest loss so far" term="loss" value={best === null ? '–' : fixed(best, 2)} />
          <Figure name="runs finished" term="reliability" value={count(runs)} />
        </dl>
      </details>
      <Progress running={running} />
    </div>
  )
}

/** What a person who thinks of closing the page should know. */
const Progress = ({ running: { isResumed, dropped, kept } }: { readonly running: RunningFit }) => {
  const isKept = kept !== null && kept.reason === undefined
  return (
    <>
      {(isResumed || isKept) && (
        <p class="small muted">
          {isResumed && 'Resumed where it was when the page was closed. '}
          {isKept && 'Progress saved. If you reload this page, the fit resumes.'}
        </p>
      )}
      {dropped !== null && (
        <p class="note warning">The fit started from the beginning. Its saved progress could not be used: {dropped}.</p>
      )}
      {kept?.reason !== undefined && (
        <p class="note warning">
          The progress of this fit could not be saved: {kept.reason}. If you reload this page, more of it is computed
          again.
        </p>
      )}
    </>
  )
}

/** The search ends by itself, as a rule long before its limit: so this is the most it can take for this number of classes. */
const timeLeft = ({ passes, maxPasses, passesPerSecond, seconds }: FitProgress, limit: number | null): string => {
  const rest = (maxPasses - passes) / passesPerSecond
  const left = Math.min(rest, limit === null ? Number.POSITIVE_INFINITY : limit - seconds)
  return Number.isFinite(left) ? duration(Math.max(0, left)) : '–'
}

/** What the dots show, in words. */
const lossWords = (rank: number, losses: readonly number[], best: number | null): string =>
  `${counted(losses.length, 'run')} with ${counted(rank, 'class', 'classes')}${best === null ? '' : `; lowest loss so far ${fixed(best, 2)}`}`

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly term?: GlossaryTerm
}

const Figure = ({ name, value, term }: FigureProps) => (
  <div>
    <dt class="small muted">
      <FigureName name={name} term={term} />
    </dt>
    <dd class="number">{value}</dd>
  </div>
)
