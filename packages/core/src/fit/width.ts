import type { SessionFitOptions, WidthChoice } from './fit-options.ts'
import { heldOutLogLikelihood } from './held-out.ts'
import type { TaskRunner } from './running/task-runner.ts'

/** Widths that are tried, in labels; 0 is none. */
const WIDTHS = [0, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6]
const FOLDS = 5
/** Starts of each trial: smoothing leaves few optima. */
const STARTS = 6

/** The width of smoothing under which data that was left out is most probable. */
export const chooseWidth = async (runner: TaskRunner, options: SessionFitOptions): Promise<WidthChoice> => {
  const tried: { width: number; heldOut: number }[] = []
  for (const width of WIDTHS) {
    if (options.signal?.aborted) break
    const trial = { ...options, smoothing: width, starts: STARTS, tolerance: 1e-8, stationarity: 1e-4 }
    const heldOut = await heldOutLogLikelihood(runner, trial, FOLDS)
    if (heldOut !== undefined) tried.push({ width, heldOut })
    // Past the best width the curve falls; two falls in a row are enough to know.
    const recent = tried.slice(-3).map(each => each.heldOut)
    if (recent.length === 3 && recent[2] < recent[1] && recent[1] < recent[0]) break
  }
  const best = tried.reduce((a, b) => (b.heldOut > a.heldOut ? b : a), { width: 0, heldOut: Number.NEGATIVE_INFINITY })
  return Object.freeze({ width: best.width, tried: Object.freeze(tried) })
}
