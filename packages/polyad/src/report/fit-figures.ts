import type { Counts, Criteria, Evaluation, FitResult, Identification, Label, Model, RankTest } from '@polyad/core'
import { inWords, type Naming } from '@polyad/core/options'
import { CRITERIA, type DesignTest } from '@polyad/core/stats'

/** A fit in figures: the object of `--json`, and what the tables print. What is not defined is null. */
export interface FitFigures {
  readonly rank: number
  readonly cells: number
  readonly total: number
  readonly modes: readonly string[]
  readonly shape: readonly number[]
  readonly loss: number
  readonly logLikelihood: number
  readonly shares: readonly number[]
  readonly parameters: number
  readonly degreesOfFreedom: number
  readonly identification: Identification
  readonly criteria: Criteria & {
    /** The mean log-probability of an observation left out; higher is better. */
    readonly heldOut?: number
  }
  readonly gSquared: number | null
  readonly chiSquared: number | null
  readonly cressieRead: number | null
  readonly pValue: number | null
  /** Whether the table is too sparse for p to mean what it says. */
  readonly sparse: boolean
  /** Of the posteriors, summed over the observations, in nats. */
  readonly entropy: number | null
  readonly relativeEntropy: number | null
  /** The part of the observations that the most probable class is expected to be wrong for. */
  readonly classificationError: number
  /** For those assigned to a class, the mean posterior of each; null for a class that none is assigned to. */
  readonly averagePosteriors: readonly (readonly number[] | null)[]
  /** The share of the smallest class. */
  readonly smallestClass: number
  readonly converged: boolean
  readonly stationarity: number
  /** Why the run that was kept ended. */
  readonly reason: FitResult['reason']
  /** How much lower the loss might still have become, in nats, extrapolated from the last steps. */
  readonly estimatedGain: number | null
  readonly passes: number
  readonly totalPasses: number
  /** Independent starts. */
  readonly starts: number
  /** The distinct optima that were found, best first. */
  readonly optima: FitResult['optima']
  readonly verdict: Omit<FitResult['verdict'], 'wording'>
  readonly seconds: number
  /** The test of this rank against the next, where it was asked for. */
  readonly test?: RankTest
  /** G² and X² with the correction for the design of the sample. */
  readonly designTest?: DesignTest
}

export const fitFigures = (
  data: Counts,
  result: Omit<FitResult, 'divergence' | 'logProbability'>,
  seconds: number,
  known: Omit<Evaluation, 'divergence' | 'logProbability'> & {
    readonly heldOut?: number | undefined
    readonly test?: RankTest
    readonly designTest?: DesignTest | undefined
  },
  naming?: Naming,
): FitFigures => {
  const { model, loss, logLikelihood, converged, stationarity, reason, estimatedGain = null } = result
  const { passes, totalPasses, attempts, optima } = result
  const { wording, ...verdict } = result.verdict
  const { parameters, degreesOfFreedom, identification, sparse, classificationError, smallestClass, test, designTest } =
    known
  const { gSquared = null, chiSquared = null, cressieRead = null, pValue = null } = known
  const { entropy = null, relativeEntropy = null } = known
  return {
    ...{ rank: model.rank, cells: data.cells, total: data.total },
    ...{ modes: data.modes.map(({ name }) => name), shape: data.shape },
    ...{ loss, logLikelihood, shares: model.shares, parameters, degreesOfFreedom, identification },
    criteria: criteriaOf(known),
    ...{ gSquared, chiSquared, cressieRead, pValue, sparse, entropy, relativeEntropy, classificationError },
    averagePosteriors: known.averagePosteriors.map(row => row ?? null),
    ...{ smallestClass, converged, stationarity, reason, estimatedGain, passes, totalPasses },
    starts: attempts.filter(({ origin }) => origin !== 'recombined').length,
    ...{ optima, verdict: { ...verdict, advice: wording.map(text => inWords(text, naming)) }, seconds },
    ...(test !== undefined && { test }),
    ...(designTest !== undefined && { designTest }),
  }
}

/** What is kept of a number of classes that was fitted beside the one that was recommended. */
export type RankFigures = Pick<
  FitFigures,
  'logLikelihood' | 'parameters' | 'degreesOfFreedom' | 'gSquared' | 'pValue' | 'relativeEntropy' | 'smallestClass'
> & {
  /** How many of the parameters the table can tell apart. */
  readonly identified: number
}

export const rankRecord = (figures: FitFigures): RankFigures => {
  const { logLikelihood, parameters, degreesOfFreedom, gSquared, pValue, relativeEntropy, smallestClass } = figures
  return {
    ...{ logLikelihood, parameters, degreesOfFreedom, gSquared, pValue, relativeEntropy, smallestClass },
    identified: figures.identification.rank,
  }
}

/** All criteria that are known. */
const criteriaOf = (known: Criteria & { readonly heldOut?: number | undefined }): FitFigures['criteria'] =>
  Object.fromEntries(
    CRITERIA.flatMap(({ key }) => (known[key] === undefined ? [] : [[key, known[key]]])),
  ) as unknown as FitFigures['criteria']

/** The probabilities of a mode's labels within each class; left out, with the reason, where they are too many to print. */
export type ModeProfiles = {
  readonly name: string
  readonly size: number
} & (
  | { readonly labels: readonly Label[]; readonly probabilities: readonly (readonly number[])[] }
  | { readonly leftOut: string }
)

/** More numbers than this are for a file. */
export const PRINTED_NUMBERS = 100_000

/** P[label | class] of every mode, as long as they are not too many in all. */
export const profiles = (model: Model): ModeProfiles[] => {
  let printed = 0
  return model.modes.map((mode, n) => {
    const { name, size } = mode
    if (printed + size * model.rank > PRINTED_NUMBERS)
      return { name, size, leftOut: `more than ${PRINTED_NUMBERS} numbers in all: save the model, and open it` }
    printed += size * model.rank
    const labels = mode.labels ?? Array.from({ length: size }, (_, j) => j)
    return { name, size, labels, probabilities: model.shares.map((_, k) => model.profile(n, k)) }
  })
}
