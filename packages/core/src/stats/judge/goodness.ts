import type { Measures } from '../../engine/engine.ts'
import { orStopped, type StopSignal } from '../../errors.ts'
import { chiSquaredOf, cressieReadSteps, gSquaredOf } from '../../model/misfit.ts'
import type { Parameters } from '../../model/parameters.ts'
import { log } from '../../numeric/log.ts'
import { chiSquareTail } from '../../numeric/special.ts'
import { type Counts, hasCells, type Tensor } from '../../tensor/tensor.ts'
import { inTurns } from '../../thread/turns.ts'

export interface Goodness {
  /** The likelihood-ratio statistic, 2 Σ y·log(y/m); undefined where entries are missing, since m is then a marginal. */
  readonly gSquared: number | undefined
  /** Pearson's statistic over all cells of the table, seen and unseen; undefined likewise. */
  readonly chiSquared: number | undefined
  /** Cressie and Read's statistic (power ⅔), between the two; undefined likewise, where the cells are not in memory or too many, and if time ran out. */
  readonly cressieRead: number | undefined
  /** The probability of a G² at least this large if the model is true; undefined without degrees of freedom, or with too many to count. */
  readonly pValue: number | undefined
  /** Whether the table is too sparse for `pValue` to mean what it says: under `MIN_OBSERVATIONS_PER_CELL` observations per cell on average. */
  readonly sparse: boolean
}

/** Below this many observations per cell of the table, on average, G² does not follow χ². */
export const MIN_OBSERVATIONS_PER_CELL = 5

const NO_GOODNESS = { gSquared: undefined, chiSquared: undefined, cressieRead: undefined, pValue: undefined }

/** Up to this much work (cells × modes × classes) cells are looked at without an engine: about two seconds. */
const SCAN = 2e8

const canScan = (data: Counts, rank: number): data is Tensor =>
  hasCells(data) && data.cells * data.shape.length * rank <= SCAN

/** Cressie and Read's statistic, if the table has one; undefined if the signal fires before it is there. */
export const cressieReadWithin = (
  data: Counts,
  parameters: Parameters,
  signal: StopSignal | undefined,
): Promise<number | undefined> =>
  data.missing.includes(true) || !canScan(data, parameters.rank)
    ? Promise.resolve(undefined)
    : orStopped(inTurns(cressieReadSteps(data, parameters), signal))

/** How well a model fits the table of counts, as far as the measures say, of which Σ y²/p may be unknown (NaN). */
export const goodnessOfFit = (
  data: Counts,
  { logLikelihood, sumYYOverP }: Pick<Measures, 'logLikelihood' | 'sumYYOverP'>,
  cressieRead: number | undefined,
  degreesOfFreedom: number,
): Goodness => {
  const { total, shape, missing } = data
  const sparse = total < MIN_OBSERVATIONS_PER_CELL * shape.reduce((product, size) => product * size, 1)
  if (missing.includes(true)) return { ...NO_GOODNESS, sparse }
  const gSquared = gSquaredOf(data, logLikelihood)
  const testable = degreesOfFreedom > 0 && Number.isFinite(degreesOfFreedom)
  return {
    gSquared,
    chiSquared: Number.isNaN(sumYYOverP) ? undefined : chiSquaredOf(data, sumYYOverP),
    cressieRead,
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
