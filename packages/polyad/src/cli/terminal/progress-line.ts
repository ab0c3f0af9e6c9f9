import type { Progress, ReplicateProgress } from '@polyad/core'
import { counted, duration, fixed } from '../../report/numbers.ts'
import { clip, width } from '../../report/text/text-table.ts'
import { columnsOf, type Io } from './io.ts'
import type { Terminal } from './terminal.ts'

/** One line on standard error that is written over itself, on a terminal only. */
export interface ProgressLine {
  /** Whether anybody sees it. */
  readonly live: boolean
  /**
   * Shows the parts with dots between. Where the terminal is too narrow, those named later in `first` give way sooner.
   * @param figures the same for programs
   */
  readonly show: (parts: readonly string[], first?: readonly number[], figures?: object) => void
  /** Removes the line, before something else is written. */
  readonly clear: () => void
}

/** How often the line is written, in milliseconds: for a person, and for programs, which keep every line. */
const EVERY = { text: 100, json: 1000 } as const

export const progressLine = ({ quiet, progress }: Pick<Terminal, 'quiet' | 'progress'>, io: Io): ProgressLine => {
  const live = !quiet && (progress === 'json' || io.stderr.isTTY === true)
  let last = Number.NEGATIVE_INFINITY
  let before = ''
  let shown = false
  return {
    live,
    show: (parts, first, figures) => {
      const now = performance.now()
      // What is new is said at once.
      const about = Object.keys(figures ?? {}).join()
      if (!live || (about === before && now - last < EVERY[progress])) return
      last = now
      before = about
      if (progress === 'json') {
        const message = parts.filter(part => part !== '').join(' · ')
        return void io.stderr.write(`${JSON.stringify({ kind: 'progress', message, ...figures })}\n`)
      }
      shown = true
      io.stderr.write(`\r\x1b[K${fitted(parts, (columnsOf(io.stderr, io) ?? 80) - 1, first)}`)
    },
    clear: () => {
      if (shown) io.stderr.write('\r\x1b[K')
      shown = false
    },
  }
}

/** The parts that fit, in their order: the positions in `first` are kept before the others. */
export const fitted = (parts: readonly string[], columns: number, first: readonly number[] = []): string => {
  const order = [...first, ...parts.keys()].filter((n, i, all) => all.indexOf(n) === i && parts[n] !== '')
  const kept: number[] = []
  let used = 0
  for (const n of order) {
    const needed = width(parts[n]) + (kept.length === 0 ? 0 : 3)
    if (kept.length > 0 && used + needed > columns) break
    kept.push(n)
    used += needed
  }
  return clip(
    kept
      .sort((a, b) => a - b)
      .map(n => parts[n])
      .join(' · '),
    columns,
  )
}

/** What is kept on a narrow terminal, most important first: classes, time left, best loss, run, phase, pass, loss, speed. */
const IMPORTANCE = [0, 7, 5, 2, 1, 3, 4, 6]

/** Where a fit under way speaks. */
export interface Reporting {
  readonly line: ProgressLine
  /** Told that there is something to answer with. */
  readonly found: () => void
}

/** Seconds after which a wait is long. */
const LONG = 10

/** What a fit under way says of itself: phase, run, pass, loss, best, cells per second, time left at most. */
export const fitProgress = (
  { line, found }: Reporting,
  cells: number,
  secondsLeft: () => number | undefined = () => undefined,
): ((progress: Progress) => void) => {
  const began = performance.now()
  return ({ rank, phase, runs, pass, loss, best, passes, maxPasses }) => {
    found()
    if (!line.live) return
    const seconds = (performance.now() - began) / 1000
    // A search usually ends long before its last pass: the bound is worth a word only where the wait is long.
    const known = seconds > LONG && passes > 0 && maxPasses < Number.MAX_SAFE_INTEGER
    const byPasses = known ? (seconds / passes) * Math.max(0, maxPasses - passes) : Number.POSITIVE_INFINITY
    const left = Math.min(byPasses, Math.max(0, secondsLeft() ?? Number.POSITIVE_INFINITY))
    line.show(
      [
        counted(rank, 'class', 'classes'),
        phase,
        `run ${runs + 1}`,
        `pass ${pass}`,
        `loss ${fixed(loss, 3)}`,
        Number.isFinite(best) ? `best ${fixed(best, 3)}` : '',
        seconds > 0.5 ? `${rate((passes * cells) / seconds)} cells/s` : '',
        Number.isFinite(left) ? `${duration(left)} left at most` : '',
      ],
      IMPORTANCE,
      { rank, phase, run: runs + 1, pass, loss, best, passes, ...(known && { maxPasses }) },
    )
  }
}

/** What a bootstrap under way says of itself: which replicate, and the time left. */
export const replicateProgress = (
  { line, found }: Reporting,
  secondsLeft: () => number | undefined = () => undefined,
): ((progress: ReplicateProgress) => void) => {
  let began: number | undefined
  return ({ done, replicates }) => {
    found()
    began = done === 1 ? performance.now() : (began ?? performance.now())
    const each = (performance.now() - began) / 1000 / Math.max(1, done - 1)
    const left = Math.min(each * (replicates - done), Math.max(0, secondsLeft() ?? Number.POSITIVE_INFINITY))
    line.show([`replicate ${done} of ${replicates}`, done > 1 ? `${duration(left)} left at most` : ''], [], {
      done,
      replicates,
    })
  }
}

/** How many of the intervals by profile likelihood there are. */
export const intervalProgress =
  (line: ProgressLine): ((done: number, total: number) => void) =>
  (done, total) =>
    done < total ? line.show([`profile interval ${done} of ${total}`]) : line.clear()

const rate = (perSecond: number): string => {
  if (perSecond >= 1e9) return `${(perSecond / 1e9).toFixed(1)} G`
  return perSecond >= 1e6 ? `${(perSecond / 1e6).toFixed(1)} M` : `${Math.round(perSecond / 1e3)} k`
}
