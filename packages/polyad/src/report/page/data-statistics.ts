import type { AnomaliesData, CertaintyData, ChartClass, PosteriorsData, ResidualsData } from '@polyad/charts'
import { bivariateResiduals, type Model, posteriorInto, residuals, type Tensor } from '@polyad/core'

/** What a report needs of the cells themselves. */

export interface DataStatistics {
  readonly residuals: ResidualsData | null
  readonly anomalies: AnomaliesData | null
  readonly posteriors: PosteriorsData | null
  readonly certainty: CertaintyData | null
  /** What was not computed, and why: whole sentences. */
  readonly leftOut: readonly string[]
}

/** Up to this much work (cells × modes × classes) every cell is looked at: a second or so. */
const SCAN = 1e8
/** Pairs of modes: beyond this many, times cells, the tables of all of them take too long. */
const PAIRS = 1e8
/** Cells that are shown. */
const WORST = 15
/** A cell of many modes is a response pattern, which says little by itself. */
const CELL_MODES = 8
/** Patterns whose posteriors are shown: the most frequent. */
const PATTERNS = 300
/** Bins of the certainty of an assignment. */
const BINS = 20

export const dataStatistics = (
  tensor: Tensor,
  model: Model,
  classes: readonly ChartClass[],
  averagePosteriors: readonly (readonly number[] | null)[] | null,
): DataStatistics => {
  const modes = tensor.modes.map(({ name }) => name)
  const scanned = tensor.cells * modes.length * model.rank <= SCAN
  const paired = (tensor.cells * modes.length * (modes.length - 1)) / 2 <= PAIRS
  const posteriors = scanned && model.rank > 1 ? posteriorsOf(tensor, model) : null
  const cells = scanned && modes.length <= CELL_MODES ? residuals(tensor, model, { limit: WORST }) : []
  return {
    residuals:
      paired && modes.length > 1
        ? {
            modes,
            pairs: bivariateResiduals(tensor, model)
              .filter(({ residual }) => Number.isFinite(residual))
              .map(({ modes: pair, residual }) => ({ modes: pair, residual })),
          }
        : null,
    anomalies:
      cells.length === 0 || !cells.some(({ residual }) => Number.isFinite(residual))
        ? null
        : {
            modes,
            cells: cells
              .filter(({ residual }) => Number.isFinite(residual))
              .map(cell => ({ ...cell, labels: cell.labels.map(String) })),
          },
    posteriors: posteriors && { classes, points: posteriors.frequent },
    certainty:
      posteriors === null || averagePosteriors === null
        ? null
        : { classes, averagePosteriors, points: posteriors.binned },
    leftOut: [
      ...(scanned
        ? []
        : ['Posteriors and the cells that deviate most are left out: there are too many cells to look at each.']),
      ...(paired
        ? []
        : ['Residuals of pairs of modes are left out: there are too many cells for the tables of all pairs.']),
    ],
  }
}

type Points = PosteriorsData['points']

/** The posteriors of the most frequent cells; and those of all, put together where class and certainty are alike. */
const posteriorsOf = (
  { cells, indices, values }: Tensor,
  { parameters, rank }: Model,
): { frequent: Points; binned: Points } => {
  const out = new Float64Array(rank)
  const sums = Array.from({ length: rank * BINS }, () => ({ count: 0, probabilities: new Float64Array(rank) }))
  for (let cell = 0; cell < cells; cell++) {
    posteriorInto(parameters, indices, cell, out)
    let best = 0
    for (let k = 1; k < rank; k++) if (out[k] > out[best]) best = k
    const bin = sums[best * BINS + Math.min(BINS - 1, Math.floor(out[best] * BINS))]
    bin.count += values[cell]
    for (let k = 0; k < rank; k++) bin.probabilities[k] += values[cell] * out[k]
  }
  const order = Array.from({ length: cells }, (_, cell) => cell)
  if (cells > PATTERNS) order.sort((a, b) => values[b] - values[a] || a - b)
  return {
    frequent: order.slice(0, PATTERNS).map(cell => {
      posteriorInto(parameters, indices, cell, out)
      return { probabilities: [...out], count: values[cell] }
    }),
    binned: sums.flatMap(({ count, probabilities }) =>
      count === 0 ? [] : [{ count, probabilities: Array.from(probabilities, sum => sum / count) }],
    ),
  }
}
