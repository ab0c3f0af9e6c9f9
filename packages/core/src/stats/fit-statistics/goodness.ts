import type { Measures } from '../../engine/engine.ts'
import { orStopped, type StopSignal } from '../../errors.ts'
import { eachFitTest, type FitByCells, fitByCells, fitBySums, type TableFit } from '../../model/misfit.ts'
import type { Parameters } from '../../model/parameters.ts'
import { log } from '../../numeric/log.ts'
import { chiSquareTail } from '../../numeric/special.ts'
import { type Counts, hasCells, type Tensor } from '../../tensor/tensor.ts'
import { runCooperatively } from '../../thread/cooperative.ts'

/**
 * Statistics of the table are undefined if entries are missing, since m is then a marginal. Those that take a scan are also undefined if the cells
 * are not in memory or too many, and if time ran out.
 */
export interface Goodness extends TableFit<number | undefined> {
  /** The probability of a G² at least this large if the model is true; undefined without degrees of freedom, or with too many to count. */
  readonly pValue: number | undefined
  /** Whether the table is too sparse for `pValue` to mean what it says: under `MIN_OBSERVATIONS_PER_CELL` observations per cell on average. */
  readonly sparse: boolean
}

/** Below this many observations per cell of the table, on average, G² does not follow χ². */
export const MIN_OBSERVATIONS_PER_CELL = 5

/** Of a model that has no table of counts to fit, or was not compared with it. */
export const NO_GOODNESS: Goodness = { ...eachFitTest(() => undefined), pValue: undefined, sparse: true }

/** Up to this much work (cells × modes × classes) cells are looked at without an engine: about two seconds. */
const SCAN = 2e8

const canScan = (data: Counts, rank: number): data is Tensor =>
  hasCells(data) && data.cells * data.shape.length * rank <= SCAN

/** The statistics that take a scan of the cells, if the table has them; undefined if the signal fires before they are there. */
export const fitByCellsWithin = (
  data: Counts,
  parameters: Parameters,
  signal: StopSignal | undefined,
): Promise<FitByCells | undefined> =>
  data.missing.includes(true) || !canScan(data, parameters.rank)
    ? Promise.resolve(undefined)
    : orStopped(runCooperatively(fitByCells(data, parameters), signal))

/** How well a model fits the table of counts, as far as the measures say, of which Σ y²/p may be unknown (NaN). */
export const goodnessOfFit = (
  data: Counts,
  measures: Pick<Measures, 'logLikelihood' | 'sumYYOverP'>,
  byCells: FitByCells | undefined,
  degreesOfFreedom: number,
): Goodness => {
  const { total, shape, missing } = data
  const sparse = total < MIN_OBSERVATIONS_PER_CELL * shape.reduce((product, size) => product * size, 1)
  if (missing.includes(true)) return { ...NO_GOODNESS, sparse }
  const { gSquared, chiSquared } = fitBySums(data, measures)
  const testable = degreesOfFreedom > 0 && Number.isFinite(degreesOfFreedom)
  return {
    ...NO_GOODNESS,
    gSquared,
    ...(!Number.isNaN(chiSquared) && { chiSquared }),
    ...byCells,
    pValue: testable ? chiSquareTail(gSquared, degreesOfFreedom) : undefined,
    sparse,
  }
}

/** How certain the classification is. */
export interface Certainty {
  /** The entropy of the posteriors, summed over the observations, in nats: 0 where every class is certain. Undefined where a cell is impossible. */
  readonly entropy: number | undefined
  /** 1 where every cell's class is certain, 0 where the posterior is uniform. Undefined for one class, or where a cell is impossible. */
  readonly relativeEntropy: number | undefined
  /** The expected fraction of the observations whose most probable class is wrong. */
  readonly classificationError: number
  /** For those assigned to a class (rows), the mean posterior of each class; undefined for a class that none is assigned to. */
  readonly averagePosteriors: readonly (readonly number[] | undefined)[]
}

/** Measures of which only the log-likelihood is known. */
export const unmeasured = (logLikelihood: number, rank: number): Measures => ({
  logLikelihood,
  sumYYOverP: Number.NaN,
  entropy: Number.NaN,
  assigned: new Float64Array(rank * rank).fill(Number.NaN),
})

export const certaintyOf = ({ entropy, assigned }: Measures, total: number, rank: number): Certainty => {
  const rows = Array.from({ length: rank }, (_, a) => [...assigned.subarray(a * rank, (a + 1) * rank)])
  return {
    entropy: Number.isNaN(entropy) ? undefined : Math.max(0, entropy),
    relativeEntropy: rank === 1 || Number.isNaN(entropy) ? undefined : 1 - entropy / (total * log(rank)),
    classificationError: Math.max(0, 1 - rows.reduce((sum, row, a) => sum + row[a], 0) / total),
    averagePosteriors: Object.freeze(
      rows.map(row => {
        const sum = row.reduce((all, value) => all + value, 0)
        return sum > 0 ? Object.freeze(row.map(value => value / sum)) : undefined
      }),
    ),
  }
}
