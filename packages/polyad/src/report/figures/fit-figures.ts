import type { Counts, Criteria, Evaluation, FitResult, FittedItem, Label, Model, RankTest } from '@polyad/core'
import { defined, inWords, type Naming } from '@polyad/core/options'
import { CRITERIA, type DesignTest, type OneClass } from '@polyad/core/stats'
import { type ComparedKey, type FitStatistics, isCompared, STATISTIC_KEYS, statisticFigures } from './statistics.ts'

/** A fit in figures: the object of `--json`, and what the tables print. What is not defined is null. */
export interface FitFigures extends FitStatistics {
  readonly rank: number
  /** How many classes groups have, if several numbers of these were compared. */
  readonly numberOfGroupClasses?: number
  readonly cells: number
  readonly total: number
  readonly modes: readonly string[]
  readonly shape: readonly number[]
  readonly shares: readonly number[]
  readonly criteria: Criteria & {
    /** The mean log-probability of an observation left out; higher is better. */
    readonly heldOut?: number
  }
  /** Of models with variables that are no categories: what every variable is taken for, and its parameters. */
  readonly items?: readonly ItemFigures[]
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
  readonly verdict: Omit<FitResult['verdict'], 'wording' | 'startsReached'> & {
    /** Null in files of earlier versions that do not say it. */
    readonly startsReached: number | null
  }
  readonly seconds: number
  /** Whether it was only searched briefly, in a comparison of numbers of classes. */
  readonly brief?: boolean
  /** The model of one class on the same data, if the model has nothing besides its classes. */
  readonly oneClass?: OneClass
  /** The test of this rank against the next, where it was asked for. */
  readonly test?: RankTest
  /** G² and X² with the correction for the design of the sample. */
  readonly designTest?: DesignTest
}

/** What a variable is taken for, with its parameters by name; those of categories are their probabilities. */
export interface ItemFigures {
  readonly name: string
  readonly kind: FittedItem['spec']['kind'] | 'categorical'
  readonly parameters: readonly {
    readonly name: string
    /** Of joined variables, those that it is of. */
    readonly of?: readonly string[]
    readonly class: number | null
    readonly value: number
  }[]
}

export const itemFigures = (model: Model): { readonly items?: readonly ItemFigures[] } =>
  model.items.every(item => item === undefined)
    ? {}
    : {
        items: model.modes.map(({ name }, n) => ({
          name,
          ...(model.items[n]?.spec ?? { kind: 'categorical' }),
          parameters: model.itemParameters(n).map(parameter => ({
            name: parameter.name,
            ...defined({ of: parameter.of }),
            class: parameter.class === undefined ? null : parameter.class + 1,
            value: parameter.value,
          })),
        })),
      }

export const fitFigures = (
  data: Counts,
  result: Omit<FitResult, 'divergence' | 'logProbability'>,
  seconds: number,
  known: Omit<Evaluation, 'divergence' | 'logProbability'> & {
    readonly heldOut?: number | undefined
    readonly oneClass?: OneClass | undefined
    readonly test?: RankTest
    readonly brief?: boolean
    readonly designTest?: DesignTest | undefined
  },
  naming?: Naming,
): FitFigures => {
  const { model, converged, stationarity, reason, estimatedGain = null, passes, totalPasses, starts, optima } = result
  const { wording, ...verdict } = result.verdict
  const { oneClass, test, brief, designTest } = known
  return {
    rank: model.rank,
    cells: data.cells,
    total: data.total,
    modes: data.modes.map(({ name }) => name),
    shape: data.shape,
    shares: model.shares,
    ...itemFigures(model),
    ...statisticFigures({
      ...known,
      criteria: criteriaOf(known),
      loss: result.loss,
      logLikelihood: result.logLikelihood,
    }),
    converged,
    stationarity,
    reason,
    estimatedGain,
    passes,
    totalPasses,
    starts,
    optima,
    verdict: { ...verdict, advice: wording.map(text => inWords(text, naming)) },
    seconds,
    ...defined({ brief, oneClass, test, designTest }),
  }
}

/** What is kept of a number of classes that was fitted beside the one that was recommended. */
export type RankFigures = Pick<FitFigures, ComparedKey> & {
  /** How many of the parameters the table can tell apart. */
  readonly identified: number
}

export const rankRecord = (figures: FitFigures): RankFigures => ({
  ...(Object.fromEntries(STATISTIC_KEYS.filter(isCompared).map(key => [key, figures[key]])) as Pick<
    FitFigures,
    ComparedKey
  >),
  identified: figures.identification.rank,
})

/** All criteria that are known. */
export const criteriaOf = (known: Criteria & { readonly heldOut?: number | undefined }): FitFigures['criteria'] =>
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
