import {
  type AnomaliesData,
  anomaliesData,
  type CertaintyData,
  type PosteriorsData,
  posteriorsData,
  type ResidualsData,
  residualsData,
} from '@polyad/charts'
import type { Model, Tensor } from '@polyad/core'

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
const SCAN = 3e7
/** Up to this many cells, times pairs of modes, the tables of all pairs are made. */
const PAIRS = 1e8
/** Cells that are shown. */
const WORST = 15
/** A cell of many modes is a response pattern, which says little by itself. */
const CELL_MODES = 8
/** Posteriors that are kept: the most frequent. */
const POSTERIORS = 300
/** Bins of the certainty of an assignment. */
const BINS = 20

export const dataStatistics = (
  tensor: Tensor,
  model: Model,
  names: readonly string[],
  averagePosteriors: readonly (readonly number[] | null)[] | null,
): DataStatistics => {
  const modes = tensor.shape.length
  const scanned = tensor.cells * modes * model.rank <= SCAN
  const paired = (tensor.cells * modes * (modes - 1)) / 2 <= PAIRS
  const posteriors = scanned && model.rank > 1 ? posteriorsData(model, tensor, names) : null
  const anomalies = scanned && modes <= CELL_MODES ? withFinite(anomaliesData(model, tensor, WORST), 'cells') : null
  return {
    residuals: paired && modes > 1 ? withFinite(residualsData(model, tensor), 'pairs') : null,
    anomalies: anomalies?.cells.length === 0 ? null : anomalies,
    posteriors: posteriors && { ...posteriors, points: posteriors.points.slice(0, POSTERIORS) },
    certainty: posteriors &&
      averagePosteriors && { ...posteriors, averagePosteriors, points: binned(posteriors.points) },
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

/** Without what is infinite, as where a cell was seen that the model makes impossible. */
const withFinite = <K extends string, T extends { readonly [key in K]: readonly { readonly residual: number }[] }>(
  data: T,
  key: K,
): T => ({ ...data, [key]: data[key].filter(({ residual }) => Number.isFinite(residual)) })

type Points = PosteriorsData['points']

/** Posteriors whose class and certainty are alike, put together: all that a histogram of them needs. */
const binned = (points: Points): Points => {
  const bins = new Map<number, { count: number; sums: number[] }>()
  for (const { probabilities, count } of points) {
    const largest = Math.max(...probabilities)
    const key = probabilities.indexOf(largest) * (BINS + 1) + Math.min(BINS - 1, Math.floor(largest * BINS))
    const bin = bins.get(key) ?? { count: 0, sums: probabilities.map(() => 0) }
    bin.count += count
    probabilities.forEach((p, k) => {
      bin.sums[k] += p * count
    })
    bins.set(key, bin)
  }
  return [...bins.values()].map(({ count, sums }) => ({ count, probabilities: sums.map(sum => sum / count) }))
}
