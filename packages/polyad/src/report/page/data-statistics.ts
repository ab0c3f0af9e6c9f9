import {
  type AnomaliesData,
  anomaliesData,
  type CertaintyData,
  classesOf,
  fewerPoints,
  type PosteriorsData,
  posteriorsData,
  type ResidualsData,
  residualsData,
} from '@polyad/charts'
import type { Model, Tensor } from '@polyad/core'
import { posteriorInto } from '@polyad/core/model'
import { isResidual } from '../meaning.ts'

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
/** Points in a triangle of posteriors, and the parts of 1 to which they may be rounded to be so few. */
const TRIANGLE = { classes: 3, points: 250, steps: [100, 50, 20] }
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
  const classes = classesOf(model, names)
  const certain = scanned && model.rank > 1 ? byCertainty(tensor, model) : null
  const seen = scanned && modes <= CELL_MODES ? anomaliesData(model, tensor, WORST) : null
  const anomalies = seen && withResiduals(seen, 'cells')
  const pairs = paired && modes > 1 ? residualsData(model, tensor) : null
  const impossible = [...(seen?.cells ?? []), ...(pairs?.pairs ?? [])].some(({ residual }) => !isResidual(residual))
  return {
    residuals: pairs && withResiduals(pairs, 'pairs'),
    anomalies: anomalies?.cells.length === 0 ? null : anomalies,
    posteriors: certain && {
      classes,
      points: model.rank <= TRIANGLE.classes ? fewer(posteriorsData(model, tensor).points) : certain,
    },
    certainty: certain && averagePosteriors && { classes, averagePosteriors, points: certain },
    leftOut: [
      ...(scanned
        ? []
        : [
            'Posteriors and the combinations that deviate most are left out: there are too many combinations to look at each.',
          ]),
      ...(paired
        ? []
        : [
            'Residuals of pairs of variables are left out: there are too many combinations for the tables of all pairs.',
          ]),
      ...(impossible
        ? [
            'Some combinations were observed that the model makes all but impossible: their residuals are left out, because their size means nothing.',
          ]
        : []),
    ],
  }
}

/** Without residuals whose size says nothing, as of a cell that was seen although the model makes it all but impossible. */
const withResiduals = <K extends string, T extends { readonly [key in K]: readonly { readonly residual: number }[] }>(
  data: T,
  key: K,
): T => ({ ...data, [key]: data[key].filter(({ residual }) => isResidual(residual)) })

type Points = PosteriorsData['points']

/** Posteriors that are nearly alike as one, until they are few enough: all observations stay. */
const fewer = (points: Points): Points =>
  TRIANGLE.steps.reduce((kept, steps) => (kept.length <= TRIANGLE.points ? kept : fewerPoints(kept, steps)), points)

/** The mean posteriors of the observations whose most probable class, and how certain it is, are alike. */
const byCertainty = ({ cells, indices, values }: Tensor, { parameters, rank }: Model): Points => {
  const out = new Float64Array(rank)
  const counts = new Float64Array(rank * BINS)
  const sums = new Float64Array(rank * BINS * rank)
  for (let cell = 0; cell < cells; cell++) {
    posteriorInto(parameters, indices, cell, out)
    let best = 0
    for (let k = 1; k < rank; k++) if (out[k] > out[best]) best = k
    const bin = best * BINS + Math.min(BINS - 1, Math.floor(out[best] * BINS))
    counts[bin] += values[cell]
    for (let k = 0; k < rank; k++) sums[bin * rank + k] += values[cell] * out[k]
  }
  return Array.from(counts, (count, bin) => ({
    count,
    probabilities: Array.from(sums.subarray(bin * rank, (bin + 1) * rank), sum => sum / count),
  })).filter(({ count }) => count > 0)
}
