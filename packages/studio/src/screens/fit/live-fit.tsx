import { count, counted, duration, fixed, short } from '../../parts/numbers.ts'
import type { RunningFit } from '../../state/store.ts'
import type { FitProgress } from '../../worker/protocol.ts'
import { LossDots } from './loss-dots.tsx'

const PHASES: Readonly<Record<FitProgress['phase'], string>> = {
  starts: 'random starts',
  recombination: 'recombining the best',
  finish: 'refining the best',
}

/** A fit under way: where it is, and the losses of all attempts so far. */
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
  const { rank, phase, runs, best, passes, maxPasses, cellsPerSecond, seconds } = last
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
      <LossDots losses={losses} best={best} label={`Loss of each start with ${rank} classes`} />
      <dl class="figures">
        <Figure name="best loss so far" value={best === null ? '–' : fixed(best, 2)} />
        <Figure name="starts finished" value={count(runs)} />
        <Figure name="cells per second" value={short(cellsPerSecond)} />
        <Figure name="time so far" value={duration(seconds)} />
        <Figure name="time left, at most" value={timeLeft(last, request.maxSeconds)} />
      </dl>
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

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt class="small muted">{name}</dt>
    <dd class="number">{value}</dd>
  </div>
)
