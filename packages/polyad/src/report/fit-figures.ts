import {
  type Criteria,
  classificationEntropy,
  countParameters,
  criteria,
  type FitResult,
  type Goodness,
  goodnessOfFit,
  type Label,
  type Model,
  relativeEntropy,
  type Tensor,
} from '@polyad/core'

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
  readonly criteria: Criteria & {
    /** BIC with the uncertainty of the classification added. */
    readonly icl: number
    /** The mean log-probability of an observation left out; higher is better. */
    readonly heldOut?: number
  }
  readonly gSquared: number | null
  readonly chiSquared: number | null
  readonly pValue: number | null
  readonly relativeEntropy: number | null
  readonly converged: boolean
  readonly stationarity: number
  readonly passes: number
  readonly totalPasses: number
  /** Independent attempts at an optimum. */
  readonly starts: number
  /** The distinct optima that were found, best first. */
  readonly optima: FitResult['optima']
  readonly verdict: FitResult['verdict']
  readonly seconds: number
}

/** What is computed of a fit beyond what the fit itself says. */
export type Evaluation = Goodness & {
  readonly icl: number
  readonly heldOut?: number | undefined
  readonly relativeEntropy: number | undefined
}

/** One pass over the cells for each; where the rank was chosen, they are known already. */
const evaluate = (tensor: Tensor, { model, logLikelihood }: FitResult): Evaluation => ({
  ...goodnessOfFit(model, tensor),
  icl:
    criteria(logLikelihood, countParameters(tensor.shape, model.rank), tensor.total).bic +
    2 * classificationEntropy(model, tensor),
  relativeEntropy: relativeEntropy(model, tensor),
})

export const fitFigures = (
  tensor: Tensor,
  result: FitResult,
  seconds: number,
  known: Evaluation = evaluate(tensor, result),
): FitFigures => {
  const { model, loss, logLikelihood, converged, stationarity, passes, totalPasses, starts, optima, verdict } = result
  const parameters = countParameters(tensor.shape, model.rank)
  return {
    rank: model.rank,
    cells: tensor.cells,
    total: tensor.total,
    modes: tensor.modes.map(({ name }) => name),
    shape: tensor.shape,
    loss,
    logLikelihood,
    shares: model.shares,
    parameters,
    degreesOfFreedom: known.degreesOfFreedom,
    criteria: {
      ...criteria(logLikelihood, parameters, tensor.total),
      icl: known.icl,
      ...(known.heldOut === undefined ? {} : { heldOut: known.heldOut }),
    },
    gSquared: known.gSquared ?? null,
    chiSquared: known.chiSquared ?? null,
    pValue: known.pValue ?? null,
    relativeEntropy: known.relativeEntropy ?? null,
    converged,
    stationarity,
    passes,
    totalPasses,
    starts: starts.length,
    optima,
    verdict,
    seconds,
  }
}

/** The probabilities of a mode's labels within each class; left out, with the reason, where they are too many to print. */
export type ModeProfiles = {
  readonly name: string
  readonly size: number
} & (
  | { readonly labels: readonly Label[]; readonly probabilities: readonly (readonly number[])[] }
  | { readonly leftOut: string }
)

/** More numbers than this are for a file. */
const PRINTED_NUMBERS = 100_000

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
