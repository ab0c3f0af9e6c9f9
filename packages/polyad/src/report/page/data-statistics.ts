import {
  type AnomaliesData,
  anomaliesData,
  type CertaintyData,
  classesOf,
  fewerPoints,
  numberOf,
  type PosteriorsData,
  posteriorsData,
  posteriorsOf,
  type ResidualsData,
} from '@polyad/charts'
import type { Model, Tensor } from '@polyad/core'
import { isLinkedData, isModelData, type LinkedData, type ModelData, variablesOf } from '@polyad/core/stats'
import { isResidual } from '../figures/meaning.ts'
import type { ReportFacts } from '../record/report.ts'

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
/** Cells that are shown. */
const WORST = 15
/** A cell of many modes is a response pattern, which says little by itself. */
const CELL_MODES = 8
/** Points in a triangle of posteriors, and the parts of 1 to which they may be rounded to be so few. */
const TRIANGLE = { classes: 3, points: 250, steps: [100, 50, 20] }
/** Bins of the certainty of an assignment. */
const BINS = 20

export const dataStatistics = (
  data: Tensor | ModelData | LinkedData,
  model: Model,
  names: readonly string[],
  { statistics, pairs }: Pick<ReportFacts, 'statistics' | 'pairs'>,
): DataStatistics => {
  const tensor = isLinkedData(data) ? data.items : isModelData(data) ? data.tensor : data
  const variables = variablesOf(model)
  const modes = variables.length
  const scanned = tensor.cells * tensor.shape.length * model.rank <= SCAN
  const classes = classesOf(model, names)
  const averagePosteriors = statistics?.averagePosteriors
  const certain = scanned && model.rank > 1 ? byCertainty(data, model) : null
  // A value of a number to its last digit is seen once or never: there is no count to expect.
  const hasNumbers = model.modes.some((_, n) => numberOf(model, n) !== undefined)
  const seen =
    scanned && modes <= CELL_MODES && !hasNumbers
      ? anomaliesData(model, isLinkedData(data) ? data.items : data, WORST)
      : null
  const anomalies = seen && withResiduals(seen, 'cells')
  const impossible = [...(seen?.cells ?? []), ...(pairs ?? [])].some(({ residual }) => !isResidual(residual))
  return {
    residuals:
      pairs &&
      withResiduals(
        {
          modes: variables,
          pairs: pairs.map(({ modes, residual }) => ({ modes, residual })),
        },
        'pairs',
      ),
    anomalies: anomalies?.cells.length === 0 ? null : anomalies,
    posteriors: certain && {
      classes,
      points: model.rank <= TRIANGLE.classes ? fewer(posteriorsData(model, data).points) : certain,
    },
    certainty: certain && averagePosteriors ? { classes, averagePosteriors, points: certain } : null,
    leftOut: [
      ...(scanned
        ? []
        : [
            'Posteriors and the combinations that deviate most are left out: there are too many combinations to look at each.',
          ]),
      ...(pairs !== null || modes === 1
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
const byCertainty = (data: Tensor | ModelData | LinkedData, model: Model): Points => {
  const { rank } = model
  const counts = new Float64Array(rank * BINS)
  const sums = new Float64Array(rank * BINS * rank)
  for (const { probabilities, count } of posteriorsOf(model, data)) {
    let best = 0
    for (let k = 1; k < rank; k++) if (probabilities[k] > probabilities[best]) best = k
    const bin = best * BINS + Math.min(BINS - 1, Math.floor(probabilities[best] * BINS))
    counts[bin] += count
    for (let k = 0; k < rank; k++) sums[bin * rank + k] += count * probabilities[k]
  }
  return Array.from(counts, (count, bin) => ({
    count,
    probabilities: Array.from(sums.subarray(bin * rank, (bin + 1) * rank), sum => sum / count),
  })).filter(({ count }) => count > 0)
}
