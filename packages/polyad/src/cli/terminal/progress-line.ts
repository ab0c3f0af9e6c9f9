import type { Progress } from '@polyad/core'
import { counted, duration, fixed } from '../../report/numbers.ts'
import { clip } from '../../report/text-table.ts'
import type { Terminal } from './terminal.ts'

/** One line on standard error that is written over itself, on a terminal only. */
export interface ProgressLine {
  readonly show: (text: string) => void
  /** Takes the line away, before something else is written. */
  readonly clear: () => void
}

/** How often the line is written, in milliseconds. */
const EVERY = 100

export const progressLine = ({ quiet }: Pick<Terminal, 'quiet'>): ProgressLine => {
  const live = process.stderr.isTTY === true && !quiet
  let last = 0
  let shown = false
  return {
    show: text => {
      const now = performance.now()
      if (!live || now - last < EVERY) return
      last = now
      shown = true
      process.stderr.write(`\r\x1b[K${clip(text, (process.stderr.columns || 80) - 1)}`)
    },
    clear: () => {
      if (shown) process.stderr.write('\r\x1b[K')
      shown = false
    },
  }
}

/** What a fit under way says of itself: phase, run, pass, loss, best, cells a second, time left at most. */
export const fitProgress = (line: ProgressLine, cells: number): ((progress: Progress) => void) => {
  const began = performance.now()
  return ({ rank, phase, runs, pass, loss, best, passes, maxPasses }) => {
    const seconds = (performance.now() - began) / 1000
    const lowest = Number.isFinite(best) ? ` · best ${fixed(best, 3)}` : ''
    const speed = seconds > 0.5 ? ` · ${rate((passes * cells) / seconds)} cells/s` : ''
    const known = passes > 0 && maxPasses < Number.MAX_SAFE_INTEGER
    const left = known ? ` · ${duration((seconds / passes) * Math.max(0, maxPasses - passes))} left at most` : ''
    line.show(
      `${counted(rank, 'class', 'classes')} · ${phase} · run ${runs + 1} · pass ${pass} · loss ${fixed(loss, 3)}${lowest}${speed}${left}`,
    )
  }
}

const rate = (perSecond: number): string => {
  if (perSecond >= 1e9) return `${(perSecond / 1e9).toFixed(1)} G`
  return perSecond >= 1e6 ? `${(perSecond / 1e6).toFixed(1)} M` : `${Math.round(perSecond / 1e3)} k`
}
